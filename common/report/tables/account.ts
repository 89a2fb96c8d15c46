/**
 * Builds the table of a published benchmark. The table has a row for each combination of factor levels. If there are more metrics than
 * combinations, it has a row for each metric instead.
 */
import { shortNames, showLevel } from '../../experiment/cells';
import type { PrintedFigure, Published, PublishedRow } from '../../presets/published';
import { formatNumber } from '../../units/format';
import { cell, left, right, type Table } from './table';

const showFigure = (figure: PrintedFigure | undefined): string =>
  typeof figure === 'string' ? figure : formatNumber(figure);

const unique = (names: readonly string[]): string[] => [...new Set(names)];

export function accountTable({ title, rows, units }: Pick<Published, 'title' | 'rows' | 'units'>): Table {
  const labels = unique(rows.flatMap(({ labels: own = {} }) => Object.keys(own)));
  const paths = unique(rows.flatMap(({ levels }) => Object.keys(levels)));
  const names = shortNames(paths);
  const heads = [...labels, ...paths.map((path) => names.get(path)!)];
  const levelsOf = (row: PublishedRow): string[] => [
    ...labels.map((name) => row.labels?.[name] ?? '–'),
    ...paths.map((path) => showLevel(row.levels[path])),
  ];
  const figures = Object.keys(units);
  if (figures.length <= rows.length || figures.length <= FEW) {
    return {
      title,
      note: '',
      columns: [...heads.map(left), ...figures.map((figure) => right(units[figure]!))],
      rows: rows.map((row) =>
        [...levelsOf(row), ...figures.map((figure) => showFigure(row.figures[figure]))].map((text) =>
          cell(text),
        ),
      ),
    };
  }
  return {
    title,
    note: '',
    columns: [left(heads.join(', ')), ...rows.map((row) => right(levelsOf(row).join(', ')))],
    rows: figures.map((figure) => [
      cell(units[figure]!),
      ...rows.map((row) => cell(showFigure(row.figures[figure]))),
    ]),
  };
}

/** Number of metrics up to which each metric is a column, even if there are fewer combinations of factor levels than metrics. */
const FEW = 4;
