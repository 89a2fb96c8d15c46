/** Builds the table of recall with the p95 of the latency and the throughput. It has a row for each combination of factor levels. */
import { formatChange, formatChanges } from '../../analysis/wording';
import type { Interval } from '../../analysis/confidence';
import { formatMs, formatNumber, plural } from '../../units/format';
import { cellNames, unitOf } from '../model/cell-names';
import {
  COSTS,
  frontierPoints,
  type Cost,
  type FrontierPoint,
  type FrontierPoints,
  type FrontierPosition,
} from '../model/frontier';
import type { Report } from '../model/report';
import { cell, left, optional, right, type CsvColumn, type Table, type TableCell } from './table';
import { changeNote, formatInterval, timeName, toneOf } from './wording';

/** Formats a recall in [0, 1] with four decimals, as publications do. */
export const formatRecall = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : value.toFixed(4);

const between = (interval: Interval | null, format: (value: number) => string): string =>
  interval === null ? '–' : `${format(interval.low)} to ${format(interval.high)}`;

const POSITIONS = {
  unbeaten: cell('yes', 'good'),
  unsure: cell('within the intervals', 'warning'),
  beaten: cell('no', 'quiet'),
} as const satisfies Record<string, TableCell>;

/** Returns the names of the metrics with which recall is compared. `unit`: unit of the throughput, such as `searches/s`. */
export const costNames = (points: readonly FrontierPoint[], unit: string): Record<Cost, string> => ({
  p95: `p95 of the ${[...new Set(points.map(({ own }) => timeName(own)))].join(' or ')}`,
  rate: unit,
});

/**
 * Returns a sentence that names the combinations of factor levels that no other combination beats. `cost`: the metric with which recall is
 * compared.
 */
export function frontierSentence({ points, name }: FrontierPoints, cost: Cost, unit: string): string {
  const named = (position: FrontierPosition): string =>
    points.flatMap((point) => (point.positions[cost] === position ? [point.name] : [])).join('; ');
  const unsure = named('unsure');
  if (named('unbeaten') === '')
    return `There are too few answers for the ${costNames(points, unit)[cost]} to decide which cells other cells beat by it.`;
  return (
    `By ${name} and ${costNames(points, unit)[cost]}, no other cell beats ${named('unbeaten')}.` +
    (unsure === '' ? '' : ` Beaten, but within the intervals: ${unsure}.`)
  );
}

/** Returns the table of recall. Null if recall was not measured for any response. */
export function recallTable(report: Report, task: string): Table | null {
  const found = frontierPoints(report, task);
  if (found === null) return null;
  const { points } = found;
  const unit = unitOf(report, task);
  const several = points.length > 1;
  const fewest = Math.min(...points.map(({ own }) => own.recall!.judged));
  return {
    title: `Recall of ${task}`,
    note: [
      'Share of the true nearest neighbours that answers contained; the true neighbours were found by comparing every vector. The interval is that over trials, or over queries if that is wider.',
      `At least ${formatNumber(fewest)} answers were judged in each cell, to ${plural(points[0]!.own.recall!.queries, 'query', 'queries')}.`,
      ...(several ? COSTS.map((cost) => frontierSentence(found, cost, unit)) : []),
      changeNote(
        points.map(({ own, recall }) => ({
          ratio: own.recall!.comparison?.ratio,
          value: recall.mean,
          against: points.find((one) => one.own.recall!.comparison === null)?.recall.mean,
        })),
      ),
    ]
      .filter(Boolean)
      .join(' '),
    columns: [
      left(cellNames(report).heading),
      right(found.name),
      right('95% interval'),
      right('judged'),
      optional(right('against the baseline')),
      optional(left('found')),
      right('p95'),
      right('95% interval'),
      right(unit),
      right('95% interval'),
      optional(left('unbeaten by p95')),
      optional(left(`unbeaten by ${unit}`)),
    ],
    rows: points.map(({ name, own, recall: { mean, interval }, positions }) => {
      const { judged, comparison, p95 } = own.recall!;
      return [
        cell(name),
        cell(formatRecall(mean)),
        cell(between(interval, formatRecall)),
        cell(formatNumber(judged)),
        cell(
          comparison === null
            ? ''
            : `${formatChange(comparison.ratio)} (${formatChanges(comparison.adjusted)})`,
        ),
        comparison === null ? cell('') : cell(comparison.word, toneOf(comparison, 'higher')),
        cell(formatMs(p95.mean)),
        cell(between(p95.interval, formatMs)),
        cell(formatNumber(own.throughput.mean)),
        cell(formatInterval(own.throughput.interval)),
        ...COSTS.map((cost) =>
          several ? (positions[cost] === null ? cell('–') : POSITIONS[positions[cost]]) : cell(''),
        ),
      ];
    }),
  };
}

/** Returns the table of recall with only the main columns, for terminals. */
export function shortRecallTable(report: Report, task: string): Table | null {
  const table = recallTable(report, task);
  if (table === null) return null;
  const kept = [0, 1, 2, 6, 8];
  const { columns, rows } = table;
  return {
    ...table,
    columns: kept.map((at) => columns[at]!),
    rows: rows.map((row) => kept.map((at) => row[at]!)),
  };
}

/** Returns whether recall was measured for any combination of factor levels. */
export const isJudged = ({ cells }: Report): boolean =>
  cells.some(({ tasks }) => tasks.some(({ recall }) => recall !== undefined));

export const RECALL_COLUMNS: readonly CsvColumn[] = [
  {
    name: 'recall mean',
    read: (_, { recall }) => recall?.summary.mean ?? null,
    request: ({ recall }) => recall?.mean ?? null,
  },
  { name: 'recall 95% low', read: (_, { recall }) => recall?.interval?.low ?? null },
  { name: 'recall 95% high', read: (_, { recall }) => recall?.interval?.high ?? null },
  {
    name: 'recall answers judged',
    read: (_, { recall }) => recall?.judged ?? null,
    request: ({ recall }) => recall?.judged ?? null,
  },
];
