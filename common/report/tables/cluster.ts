/** The table of the figures that claims may be made of beside those of tasks: of the cluster's nodes and their machines. */
import { formatChange, formatChanges, formatMetric } from '../../analysis/wording';
import { parseMetric } from '../../measurement/metric';
import { cellNames } from '../model/cell-names';
import type { ReportClusterFigure } from '../model/cluster';
import type { Report } from '../model/report';
import { cell, left, optional, right, type CsvColumn, type Table } from './table';
import { toneOf } from './wording';

/** With its unit; figures of the cluster have none of a task's. */
export const formatClusterFigure = (
  { metric }: Pick<ReportClusterFigure, 'metric'>,
  value: number | null,
): string => formatMetric(parseMetric(metric)!, value, 'docs/s');

const isTold = ({ cells }: ReportClusterFigure): boolean => cells.length > 0;
/** What was 0 all the time says nothing to anybody who did not ask. */
const isIdle = ({ cells }: ReportClusterFigure): boolean =>
  cells.every((one) => one === null || one.summary.values.every((value) => value === 0));

/** Null where no trial tells any. */
export function clusterTable(report: Report): Table | null {
  const told = report.cluster.filter(isTold);
  if (told.length === 0) return null;
  const { heading, names } = cellNames(report);
  return {
    title: 'Figures of the cluster, means per trial over the measured phase',
    note: [
      'Claims and thresholds may name each of them, of the nodes of one role too: see the names of metrics.',
      zeroSentence(told.filter(isIdle)),
      ...absentSentences(report.cluster.filter((figure) => !isTold(figure))),
    ]
      .filter(Boolean)
      .join(' '),
    columns: [
      left('figure'),
      left(heading),
      right('mean'),
      optional(right('95% interval')),
      optional(right('against the baseline')),
      optional(right('95% interval of it')),
      optional(left('found')),
      left('by'),
    ],
    rows: told
      .filter((figure) => !isIdle(figure))
      .flatMap((figure) =>
        figure.cells.flatMap((one, at) => {
          if (one === null) return [];
          const { summary, comparison } = one;
          const { interval } = summary;
          const value = (of: number | null): string => formatClusterFigure(figure, of);
          return [
            [
              cell(figure.metric),
              cell(names[at]!),
              cell(value(summary.mean)),
              cell(interval === null ? '–' : `${value(interval.low)} to ${value(interval.high)}`),
              cell(formatChange(comparison?.ratio ?? null)),
              cell(formatChanges(comparison?.interval ?? null)),
              cell(
                comparison?.word ?? '',
                comparison === null ? undefined : toneOf(comparison, figure.better),
              ),
              cell(figure.source),
            ],
          ];
        }),
      ),
    folded: true,
  };
}

const list = (figures: readonly ReportClusterFigure[]): string =>
  figures.map(({ metric }) => metric).join(', ');

const zeroSentence = (idle: readonly ReportClusterFigure[]): string =>
  idle.length === 0 ? '' : `0 in all trials: ${list(idle)}.`;

/** Those that nobody tells, by why. */
function absentSentences(absent: readonly ReportClusterFigure[]): string[] {
  const reasons = [...new Set(absent.map(({ reason }) => reason))];
  return reasons.map(
    (reason) => `Not known, for ${reason}: ${list(absent.filter((one) => one.reason === reason))}.`,
  );
}

const CSV_UNITS: Partial<Record<ReportClusterFigure['unit'], string>> = {
  share: ' (share)',
  ms: ' (ms)',
  bytes: ' (bytes)',
  'bytes-per-second': ' (bytes/s)',
  'operations-per-second': ' (/s)',
};

/** Those that a trial tells; the figures of a cell stand in the row of each of its tasks. */
export const clusterColumns = (report: Report): CsvColumn[] =>
  report.cluster.filter(isTold).flatMap(({ metric, unit, source, cells }): CsvColumn[] => [
    {
      name: `${metric}${CSV_UNITS[unit] ?? ''} by the ${source}`,
      read: ({ index }) => cells[report.cells.findIndex((own) => own.index === index)]?.summary.mean ?? null,
    },
  ]);
