/** The figures of a trial that conditions, claims and reports speak of, by their written names. */
import { errorRate } from '../measurement/counts';
import { PERCENTILES, type LatencySummary } from '../measurement/histogram';
import type { TaskSummary } from '../measurement/trial';

export type MetricUnit = 'per-second' | 'share' | 'ms' | 'count';

/** A figure of one task: `ingest.latency.p99`. */
export interface Metric {
  task: string;
  /** `throughput`, `rejection_rate`, `latency.p99.9`, ... */
  figure: string;
  unit: MetricUnit;
  better: 'higher' | 'lower';
}

interface Figure {
  unit: MetricUnit;
  better: 'higher' | 'lower';
  read: (summary: TaskSummary) => number | null;
}

const latencyFigures = (
  prefix: string,
  pick: (summary: TaskSummary) => LatencySummary,
): [string, Figure][] => {
  const figure = (key: keyof LatencySummary): Figure => ({
    unit: 'ms',
    better: 'lower',
    read: (summary) => pick(summary)[key],
  });
  return [
    ...(['mean', 'min', 'max'] as const).map((key): [string, Figure] => [`${prefix}.${key}`, figure(key)]),
    ...PERCENTILES.map(({ key, percentile }): [string, Figure] => [`${prefix}.p${percentile}`, figure(key)]),
  ];
};

const countFigure = (
  read: (summary: TaskSummary) => number,
  better: 'higher' | 'lower' = 'lower',
): Figure => ({
  unit: 'count',
  better,
  read,
});

const FIGURES: ReadonlyMap<string, Figure> = new Map<string, Figure>([
  ['throughput', { unit: 'per-second', better: 'higher', read: ({ throughput }) => throughput }],
  ['rejection_rate', { unit: 'share', better: 'lower', read: ({ rejectionRate }) => rejectionRate }],
  ['error_rate', { unit: 'share', better: 'lower', read: ({ counts }) => errorRate(counts) }],
  ['accepted', countFigure(({ counts }) => counts.accepted, 'higher')],
  ['rejected', countFigure(({ counts }) => counts.rejected)],
  ['failed', countFigure(({ counts }) => counts.failed)],
  ['retried', countFigure(({ counts }) => counts.retried)],
  ['unsent', countFigure(({ unsent }) => unsent)],
  ...latencyFigures('latency', ({ latency }) => latency),
  ...latencyFigures('service_time', ({ service }) => service),
]);

/** Names of all figures, for error messages and editors. */
export const FIGURE_NAMES: readonly string[] = [...FIGURES.keys()];

/** The metric that `text` names, such as `ingest.latency.p99`; undefined if there is none. */
export function parseMetric(text: string): Metric | undefined {
  const dot = text.indexOf('.');
  const figure = text.slice(dot + 1);
  const known = FIGURES.get(figure);
  return dot > 0 && known
    ? { task: text.slice(0, dot), figure, unit: known.unit, better: known.better }
    : undefined;
}

/** Value of `metric` in its unit (shares in [0, 1], times in ms); null where the trial does not tell it. */
export function readMetric(metric: Metric, tasks: readonly TaskSummary[]): number | null {
  const summary = tasks.find(({ task }) => task === metric.task);
  return summary ? FIGURES.get(metric.figure)!.read(summary) : null;
}
