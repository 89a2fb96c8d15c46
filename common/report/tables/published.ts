/** Compares published values with those of the run, in tables and sentences. */
import type { Agreement } from '../../analysis/agreement';
import { formatChange, formatChanges } from '../../analysis/wording';
import { formatNumber } from '../../units/format';
import { cellNames } from '../model/cell-names';
import { totalsSentence } from '../model/published-wording';
import type { Report, ReportPublished, ReportPublishedCell, ReportPublishedFigure } from '../model/report';
import {
  cell,
  left,
  right,
  type CsvColumn,
  type CsvValue,
  type Table,
  type TableCell,
  type Tone,
} from './table';

/** Returns a table for each metric, or a single table if there are many metrics. Empty if nothing is compared. */
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
    title: `Compared with the published values: ${name} (${title})`,
    note: 'Only changes to the baseline are compared, not absolute values of other machines. Ratio: "agrees" if the published ratio is within the interval of yours; the published ratio has no interval.',
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

const DIRECTIONS: Record<Agreement['direction'], { text: string; tone: Tone }> = {
  agrees: { text: 'agrees', tone: 'good' },
  disagrees: { text: 'disagrees', tone: 'bad' },
  'cannot tell': { text: 'undecided', tone: 'warning' },
};

const RATIOS: Record<Agreement['ratioAgrees'], { text: string; tone: Tone }> = {
  agrees: { text: 'agrees', tone: 'good' },
  higher: { text: 'yours is higher', tone: 'bad' },
  lower: { text: 'yours is lower', tone: 'bad' },
  'cannot tell': { text: 'undecided', tone: 'warning' },
};

/** Returns two table cells: whether the direction agrees, and whether the ratio agrees. Both are empty if nothing was published. */
export function agreementCells(agreement: Agreement | null): [TableCell, TableCell] {
  if (agreement === null) return [cell(''), cell('')];
  const direction = DIRECTIONS[agreement.direction];
  const ratio = RATIOS[agreement.ratioAgrees];
  return [
    cell(direction.text, direction.tone),
    agreement.ratio === null ? cell('') : cell(ratio.text, ratio.tone),
  ];
}

/** Maximum number of metrics for which each metric gets a separate table. */
const FEW = 3;

export const isManyFigures = ({ figures }: Pick<ReportPublished, 'figures'>): boolean => figures.length > FEW;

/**
 * Returns the combinations of factor levels that get a row in the table of a metric. The baseline gets a row only if there is no other
 * combination. Otherwise, the rows of the others contain the baseline's value.
 */
const rowsIn = ({ cells }: ReportPublishedFigure): ReportPublishedCell[] =>
  cells.length === 1 ? cells : cells.filter(({ baseline }) => !baseline);

/** Columns of {@link digestTable} that are left out on a narrow page. */
export const ABSOLUTE_COLUMNS = ['published baseline', 'published'];

/** Builds a table with a row for each metric and each combination of factor levels. */
export function digestTable(
  report: Pick<Report, 'definition' | 'cells' | 'baseline'>,
  { title, figures }: ReportPublished,
): Table {
  const { heading, names } = cellNames(report);
  const others = names.filter((_, at) => at !== report.baseline);
  // If there is only one cell besides the baseline, the note contains its name, and the rows need no column for it.
  const [only = ''] = others.length === 1 ? others : [];
  const compared =
    only === ''
      ? `Changes to the baseline (${names[report.baseline]})`
      : `Changes of ${heading} from ${names[report.baseline]} to ${only}`;
  return {
    title: `Compared with the published values (${title})`,
    note: `${compared} are compared, not absolute values of other machines. Ratio: "agrees" if the published ratio is within the interval of yours; the published ratio has no interval. Each metric is judged separately.`,
    columns: [
      left('metric'),
      ...(only === '' ? [left(heading)] : []),
      ...ABSOLUTE_COLUMNS.map(right),
      right('published change'),
      right('your change'),
      right('95% interval'),
      left('direction'),
      left('ratio'),
    ],
    rows: figures.flatMap((figure) =>
      rowsIn(figure).map((of) => [
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

/** Returns the sentence about all metrics together. */
export const digestSentence = ({ figures, repeated }: ReportPublished): string =>
  totalsSentence(
    { name: `all ${figures.length} metrics`, repeated },
    {
      directions: sum(figures.map(({ directions }) => directions)) as ReportPublishedFigure['directions'],
      ratios: sum(figures.map(({ ratios }) => ratios)) as ReportPublishedFigure['ratios'],
    },
  );

/** Sentences below a table. `summary` comes first. `cells` contains a sentence for each combination of factor levels. */
export interface FigureWords {
  summary: string;
  cells: string[];
}

/** Returns the sentences for each table in {@link publishedTables}. */
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

/** Returns a sentence on how the published values agree with those of the run; '' if nothing was published. */
export function publishedSentence({ published }: Pick<Report, 'published'>): string {
  if (published === null) return '';
  if (published.figures.length === 0)
    return 'The published benchmark has no value that can be compared with this run.';
  return publishedWords(published)
    .map(({ summary }) => summary)
    .join(' ');
}

/**
 * Returns lists with headings about the published benchmark: its conditions, notes, and differences from the preset. Empty lists are left
 * out.
 */
export const accountLists = ({
  conditions,
  notes,
  changes: changed,
}: ReportPublished): { heading: string; items: string[] }[] =>
  [
    { heading: 'Its conditions', items: conditions },
    { heading: 'Gaps and inconsistencies', items: notes },
    { heading: 'Changes in the preset', items: changed },
  ].filter(({ items }) => items.length > 0);

/** Returns the CSV columns for each published metric. They are empty in the rows of tasks to which the metric does not belong. */
export const publishedColumns = (report: Report): CsvColumn[] =>
  (report.published?.figures ?? []).flatMap(({ figure, unit, metric, task: owner, cells }) => {
    const column = (name: string, read: (own: ReportPublishedCell) => CsvValue): CsvColumn => ({
      name: `published ${figure}${name}`,
      // The values of metrics of the indices or the cluster do not belong to a task, so the rows of all tasks contain them.
      read: (cell, { task }) =>
        task === owner || !report.tasks.includes(owner) ? read(cells[cell.index]!) : null,
    });
    return [
      column(` (${unit})`, ({ published }) => published),
      column(': ratio to baseline', ({ agreement }) => agreement?.ratio ?? null),
      column(`: ratio to baseline of ${metric}`, ({ comparison }) => comparison?.ratio ?? null),
      column(': direction', ({ agreement }) => agreement?.direction ?? null),
      column(
        ': ratio',
        ({ agreement }) => agreement && (agreement.ratio === null ? null : agreement.ratioAgrees),
      ),
      column(': in words', ({ sentence }) => (sentence === '' ? null : sentence)),
    ];
  });
