/** The published figures beside the run's own, as tables and as sentences. */
import { formatChange, formatChanges } from '../../analysis/wording';
import { formatNumber } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { Report, ReportPublished, ReportPublishedCell, ReportPublishedFigure } from '../model/report';
import { agreementCells } from './published-cells';
import { digestSentence, digestTable, isManyFigures } from './published-digest';
import { cell, left, right, type Table, type TableCell } from './table';

/** One for each figure, or one for many; empty where nothing is compared. */
export function publishedTables(report: Report): Table[] {
  const { published } = report;
  if (published === null) return [];
  if (isManyFigures(published)) return [digestTable(report, published)];
  return published.figures.map((figure) => publishedTable(report, published, figure));
}

export function publishedTable(
  report: Pick<Report, 'definition' | 'cells'>,
  { title }: ReportPublished,
  { name, unit, cells }: ReportPublishedFigure,
): Table {
  const { heading, names } = cellNames(report);
  return {
    title: `Beside the published figures: ${name} (${title})`,
    note: 'Changes to the baseline are compared, absolute figures of other machines are not. Ratio: "agrees" where the published one lies within the interval of yours; the published one has no interval.',
    columns: [
      left(heading),
      right(`published, ${unit}`),
      right('published change'),
      right('your change'),
      right('95% interval'),
      left('direction'),
      left('ratio'),
    ],
    rows: cells.map((of, at) => [cell(names[at]!), cell(formatNumber(of.published)), ...changes(of)]),
  };
}

function changes({ baseline, agreement, comparison }: ReportPublishedCell): TableCell[] {
  const own = [
    cell(formatChange(comparison?.ratio ?? null)),
    cell(formatChanges(comparison?.interval ?? null)),
  ];
  if (baseline) return [cell('baseline', 'quiet'), cell('baseline', 'quiet'), cell(''), cell(''), cell('')];
  return [cell(formatChange(agreement?.ratio ?? null)), ...own, ...agreementCells(agreement)];
}

/** What is said below a table: all of it first, then each cell. */
export interface FigureWords {
  summary: string;
  cells: string[];
}

/** For each of the {@link publishedTables}. */
export function publishedWords(published: ReportPublished): FigureWords[] {
  if (!isManyFigures(published)) return published.figures.map(figureWords);
  const cells = published.figures.flatMap((figure) =>
    figureWords(figure).cells.map((text) => `${figure.name}, ${text}`),
  );
  return [{ summary: digestSentence(published), cells }];
}

export const figureWords = ({ sentence, cells }: ReportPublishedFigure): FigureWords => ({
  summary: sentence,
  cells: cells.map((of) => of.sentence).filter((text) => text !== ''),
});

/** What the published figures say to the run's, in sentences; '' where nothing is published. */
export function publishedSentence({ published }: Pick<Report, 'published'>): string {
  if (published === null) return '';
  if (published.figures.length === 0)
    return 'The account prints no figure that could stand beside those of this run.';
  return publishedWords(published)
    .map(({ summary }) => summary)
    .join(' ');
}

/** The lists about the account itself, each with its heading; empty ones are left out. */
export const accountLists = ({
  conditions,
  notes,
  changes: changed,
}: ReportPublished): { heading: string; items: string[] }[] =>
  [
    { heading: 'Its conditions', items: conditions },
    { heading: 'What it leaves open, and what does not add up in it', items: notes },
    { heading: 'What had to change since', items: changed },
  ].filter(({ items }) => items.length > 0);
