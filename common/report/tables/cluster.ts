/** Builds the tables of node metrics, one for each of METRIC_GROUPS. */
import { formatChange, formatChanges, formatMetric } from '../../analysis/wording';
import { CLUSTER } from '../../measurement/cluster-metrics';
import { parseMetric } from '../../measurement/metric';
import { METRIC_GROUPS, type MetricGroup } from '../../measurement/node-metric';
import { ACTIVITIES, type Activity } from '../../profile/activities';
import { cellNames } from '../model/cell-names';
import type { ReportClusterFigure } from '../model/cluster';
import type { Report } from '../model/report';
import { activityRows } from './activities';
import { cell, left, optional, right, type CsvColumn, type ReportTable, type Table } from './table';
import { changeNote, toneOf } from './wording';

/** Formats a value with its unit. */
export const formatClusterFigure = (
  { metric }: Pick<ReportClusterFigure, 'metric'>,
  value: number | null,
): string => formatMetric(parseMetric(metric)!, value, 'docs/s');

/** Number of rows above which a table is collapsed to its title at first, in output formats that can expand it. */
const MANY_ROWS = 24;

const isKnown = ({ cells }: ReportClusterFigure): boolean => cells.length > 0;
const isIdle = ({ cells }: ReportClusterFigure): boolean =>
  cells.every((one) => one === null || one.summary.values.every((value) => value === 0));

const metricsOf = ({ cluster }: Report, group: MetricGroup): ReportClusterFigure[] =>
  cluster.filter((one) => one.group === group);

/**
 * Divides the metrics of a group that have a value in two: `shown`, and those that were always 0 (`idle`). If all metrics were always 0,
 * all are in `shown`.
 */
function shownOf(
  report: Report,
  group: MetricGroup,
): { shown: ReportClusterFigure[]; idle: ReportClusterFigure[] } {
  const known = metricsOf(report, group).filter(isKnown);
  const busy = known.filter((one) => !isIdle(one));
  return busy.length === 0 ? { shown: known, idle: [] } : { shown: busy, idle: known.filter(isIdle) };
}

/** Returns the table of one group of node metrics. Null if no trial has a value of a metric in the group. */
export function groupTable(report: Report, group: MetricGroup): Table | null {
  const { shown, idle } = shownOf(report, group);
  if (shown.length === 0) return null;
  const { heading, names } = cellNames(report);
  const rows = shown.flatMap((figure) =>
    figure.cells.flatMap((one, at) => {
      if (one === null) return [];
      const { summary, comparison, on = '' } = one;
      const { interval } = summary;
      const value = (of: number | null): string => formatClusterFigure(figure, of);
      return [
        [
          cell(figure.metric),
          cell(names[at]!),
          cell(value(summary.mean), isBad(figure, summary.mean) ? 'bad' : undefined),
          cell(on),
          cell(interval === null ? '–' : `${value(interval.low)} to ${value(interval.high)}`),
          cell(formatChange(comparison?.ratio ?? null)),
          cell(formatChanges(comparison?.interval ?? null)),
          cell(comparison?.word ?? '', comparison === null ? undefined : toneOf(comparison, figure.better)),
          cell(figure.source),
        ],
      ];
    }),
  );
  return {
    title: `${METRIC_GROUPS[group]}, means per trial over the measured phase`,
    note: [
      'Claims and thresholds may name each metric, also for the nodes of one role.',
      changeNote(
        shown.flatMap(({ cells }) =>
          cells.map((one) => ({
            ratio: one?.comparison?.ratio,
            value: one?.summary.mean,
            against: cells[report.baseline]?.summary.mean,
          })),
        ),
      ),
      zeroSentence(idle),
      ...absentSentences(metricsOf(report, group).filter((figure) => !isKnown(figure))),
    ]
      .filter(Boolean)
      .join(' '),
    columns: [
      left('metric'),
      left(heading),
      right('mean'),
      optional(left('on')),
      optional(right('95% interval')),
      optional(right('against the baseline')),
      optional(right('95% interval of it')),
      optional(left('found')),
      left('by'),
    ],
    rows,
    ...(rows.length > MANY_ROWS ? { folded: true as const } : {}),
  };
}

const isBad = ({ metric }: ReportClusterFigure, mean: number | null): boolean =>
  (mean ?? 0) > 0 && metric.startsWith(`${CLUSTER}.rejections`);

/** Returns whether the metric is important enough for a terminal. It is if a chart or a dashboard shows it. */
const isMain = ({ metric }: ReportClusterFigure): boolean => {
  const { byCell, chart } = parseMetric(metric)!.ofCluster!.nodeMetric;
  return byCell !== undefined || chart !== undefined;
};

/**
 * Returns a table with a row for each combination of factor levels, and a column for each main metric. Shares are those of the busiest
 * node. Every other metric is combined over the nodes by the rule in its description (`usually`): mean, sum or busiest.
 */
export function shortGroupTable(report: Report, group: MetricGroup): Table | null {
  const shown = shownOf(report, group).shown.filter(isMain);
  const busiest = new Set(shown.map(({ metric }) => metric).filter((metric) => metric.endsWith('.busiest')));
  const columns = shown.filter(({ metric, unit }) =>
    busiest.has(metric) ? unit === 'share' : unit !== 'share' || !busiest.has(`${metric}.busiest`),
  );
  if (columns.length === 0) return null;
  const { heading, names } = cellNames(report);
  return {
    title: METRIC_GROUPS[group],
    note: '',
    columns: [
      left(heading),
      ...columns.map(({ metric }) => right(metric.slice(CLUSTER.length + 1).replace(/\.busiest$/, ''))),
    ],
    rows: report.cells.map((_, at) => [
      cell(names[at]!),
      ...columns.map((figure) => {
        const mean = figure.cells[at]?.summary.mean ?? null;
        return cell(formatClusterFigure(figure, mean), isBad(figure, mean) ? 'bad' : undefined);
      }),
    ]),
  };
}

/** Maximum number of combinations of factor levels that the table of activities shows as columns. */
const MOST_CELLS = 5;

/**
 * Returns a table with a row for each activity, and a column for each combination of factor levels with a profile. The activity with the
 * largest share comes first. Null without a profile, or with too many combinations.
 */
function activitiesTable(report: Report): Table | null {
  const figures = shownOf(report, 'activities').shown.filter(({ metric }) => !metric.endsWith('.busiest'));
  const { names } = cellNames(report);
  const cells = names.flatMap((name, at) => (figures.some((one) => one.cells[at]) ? [{ name, at }] : []));
  if (cells.length === 0 || cells.length > MOST_CELLS) return null;
  return {
    title: METRIC_GROUPS.activities,
    note: 'Shares of the CPU time of the nodes’ threads. Indented activities are parts of the one above.',
    columns: [left('activity'), ...cells.map(({ name }) => right(name))],
    rows: activityRows(
      figures.map((figure) => ({
        activity: activityOfMetric(figure.metric)!,
        shares: cells.map(({ at }) => figure.cells[at]?.summary.mean ?? null),
      })),
    ),
  };
}

const activityOfMetric = (metric: string): Activity | undefined =>
  ACTIVITIES.find(({ key }) => metric === `${CLUSTER}.cpu.${key}`);

const list = (figures: readonly ReportClusterFigure[]): string =>
  figures.map(({ metric }) => metric).join(', ');

const zeroSentence = (idle: readonly ReportClusterFigure[]): string =>
  idle.length === 0 ? '' : `0 in all trials: ${list(idle)}.`;

/** Returns sentences that list the metrics without a value, grouped by the reason. */
function absentSentences(absent: readonly ReportClusterFigure[]): string[] {
  const reasons = [...new Set(absent.map(({ reason }) => reason))];
  return reasons.map(
    (reason) => `Not known (${reason}): ${list(absent.filter((one) => one.reason === reason))}.`,
  );
}

/** Endings of column names in CSV files. The key is the unit of the metric. */
export const CSV_UNITS: Partial<Record<ReportClusterFigure['unit'], string>> = {
  share: ' (share)',
  ms: ' (ms)',
  bytes: ' (bytes)',
  'bytes-per-second': ' (bytes/s)',
  'operations-per-second': ' (/s)',
};

/**
 * Returns the CSV columns of a group's metrics. Metrics of the cluster do not belong to a task. All rows for the same combination of factor
 * levels therefore have the same values.
 */
const columnsOf = (report: Report, group: MetricGroup): CsvColumn[] =>
  metricsOf(report, group)
    .filter(isKnown)
    .map(({ metric, unit, source, cells }) => ({
      name: `${metric}${CSV_UNITS[unit] ?? ''} by the ${source}`,
      read: ({ index }) => cells[report.cells.findIndex((own) => own.index === index)]?.summary.mean ?? null,
    }));

/** The tables, one for each group of metrics. */
export const GROUP_TABLES: readonly ReportTable[] = (Object.keys(METRIC_GROUPS) as MetricGroup[]).map(
  (group) => ({
    id: `nodes-${group}`,
    group: 'cluster',
    build: (report) => (group === 'activities' ? activitiesTable(report) : null) ?? groupTable(report, group),
    terminal: group === 'activities' ? activitiesTable : (report) => shortGroupTable(report, group),
    csv: (report) => columnsOf(report, group),
  }),
);
