/** Many published figures of one account, such as those of seven queries: one table and one sentence for all of them. */
import { formatChange, formatChanges } from '../../analysis/wording';
import { formatNumber } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { Report, ReportPublished, ReportPublishedCell, ReportPublishedFigure } from '../model/report';
import { agreementCells } from './published-cells';
import { totalsSentence } from '../model/published-wording';
import { cell, left, right, type Table } from './table';

/** Up to so many figures have a table each. */
const FEW = 3;

export const isManyFigures = ({ figures }: Pick<ReportPublished, 'figures'>): boolean => figures.length > FEW;

/** All but the baseline, which stands beside each; alone it stands for itself. */
const toldOf = ({ cells }: ReportPublishedFigure): ReportPublishedCell[] =>
  cells.length === 1 ? cells : cells.filter(({ baseline }) => !baseline);

/** Columns of {@link digestTable} that a narrow page can do without. */
export const ABSOLUTE_COLUMNS = ['published baseline', 'published'];

/** A line for each figure and cell. */
export function digestTable(
  report: Pick<Report, 'definition' | 'cells' | 'baseline'>,
  { title, figures }: ReportPublished,
): Table {
  const { heading, names } = cellNames(report);
  const others = names.filter((_, at) => at !== report.baseline);
  // Of one cell alone the note tells which: the lines are long enough.
  const [only = ''] = others.length === 1 ? others : [];
  const compared =
    only === ''
      ? `Changes to the baseline (${names[report.baseline]})`
      : `Changes of ${heading} from ${names[report.baseline]} to ${only}`;
  return {
    title: `Beside the published figures (${title})`,
    note: `${compared} are compared, absolute figures of other machines are not. Ratio: "agrees" where the published one lies within the interval of yours; the published one has no interval. Each figure is judged by itself.`,
    columns: [
      left('figure'),
      ...(only === '' ? [left(heading)] : []),
      ...ABSOLUTE_COLUMNS.map(right),
      right('published change'),
      right('your change'),
      right('95% interval'),
      left('direction'),
      left('ratio'),
    ],
    rows: figures.flatMap((figure) =>
      toldOf(figure).map((of) => [
        cell(figure.unit),
        ...(only === '' ? [cell(names[of.cell]!)] : []),
        cell(formatNumber(of.publishedBaseline)),
        cell(formatNumber(of.published)),
        cell(formatChange(of.agreement?.ratio ?? null)),
        cell(formatChange(of.comparison?.ratio ?? null)),
        cell(formatChanges(of.comparison?.interval ?? null)),
        ...agreementCells(of.agreement),
      ]),
    ),
  };
}

const sum = (counts: readonly Record<string, number>[]): Record<string, number> =>
  counts.reduce<Record<string, number>>(
    (total, own) =>
      Object.fromEntries(Object.entries(own).map(([key, count]) => [key, (total[key] ?? 0) + count])),
    {},
  );

/** All figures at once. */
export const digestSentence = ({ figures, repeated }: ReportPublished): string =>
  totalsSentence(
    { name: `all ${figures.length} figures`, repeated },
    {
      directions: sum(figures.map(({ directions }) => directions)) as ReportPublishedFigure['directions'],
      ratios: sum(figures.map(({ ratios }) => ratios)) as ReportPublishedFigure['ratios'],
    },
  );
