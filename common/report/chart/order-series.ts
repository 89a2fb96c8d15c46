/** Calculates the values of one metric for every trial, in the order of execution. A slope means that the cluster drifted. */
import { formatChange } from '../../analysis/wording';
import { formatMs, formatNumber } from '../../units/format';
import { cellNames, unitOf } from '../model/cell-names';
import type { Report, ReportTrial } from '../model/report';
import { numberedSpan, spanOf, type Mark, type Span } from './axes';
import {
  intervalSeries,
  metricAxis,
  metricWords,
  writtenName,
  type MetricName,
  type MetricWords,
} from './interval-series';

export interface OrderPoint {
  /** Position in the order of execution, from 1. */
  order: number;
  /** Index of the trial's combination of factor levels among the report's cells. */
  cell: number;
  /** Name of the trial's combination of factor levels. */
  name: string;
  state: ReportTrial['state'];
  /** Value of the trial. Null if the trial did not complete or lacks the metric. */
  value: number | null;
  /**
   * Value of the trial, divided by the mean of all trials with the same factor levels. Differences between factor levels cancel out in this
   * ratio, so it shows only the drift. Null if no other trial has the same factor levels.
   */
  ratio: number | null;
  isFlagged: boolean;
  heading: string;
  lines: { label: string; value: string }[];
}

export interface OrderSeries {
  /** The metric that the chart shows. */
  metric: MetricName;
  words: MetricWords;
  points: OrderPoint[];
  x: Span;
  y: { value: Span & { unit: number }; ratio: Span };
}

/** Values of trials. The key is the trial's position in the order of execution, from 0. */
type Values = Map<number, { value: number; ratio: number | null }>;

function valuesOf(report: Report, task: string, metric: MetricName): Values {
  const found: Values = new Map();
  for (const own of intervalSeries(report, task, metric)) {
    const trials = own?.trials ?? [];
    const mean = trials.reduce((sum, { value }) => sum + value, 0) / trials.length;
    for (const { order, value } of trials)
      found.set(order, { value, ratio: trials.length > 1 && mean !== 0 ? value / mean : null });
  }
  return found;
}

const marksOf = (values: readonly (number | null)[]): Mark[] =>
  values.flatMap((mean) => (mean === null ? [] : [{ mean, low: null, high: null, values: [] }]));

/** Returns the series of the metric `wanted`. If no trial has this metric, returns the series of the throughput. */
export function orderSeries(report: Report, task: string, wanted: MetricName): OrderSeries {
  const asked = valuesOf(report, task, wanted);
  const metric = asked.size > 0 ? wanted : 'throughput';
  const values = asked.size > 0 ? asked : valuesOf(report, task, metric);
  const written = writtenName(task, metric);
  const words = metricWords(written, report, unitOf(report, task));
  const { names } = cellNames(report);
  const cells = new Map(report.cells.map(({ index }, at) => [index, at]));
  const points = report.trials.map((trial): OrderPoint => {
    const { order, repetition, cellIndex, state, doubts } = trial;
    const cell = cells.get(cellIndex) ?? 0;
    const { value = null, ratio = null } = values.get(order) ?? {};
    return {
      order: order + 1,
      cell,
      name: names[cell]!,
      state,
      value,
      ratio,
      isFlagged: doubts.length > 0,
      heading: `#${order + 1}: ${names[cell]}, ${repetition + 1}`,
      lines: [
        ...(value === null ? [] : [{ label: words.title, value: words.value(value) }]),
        ...(ratio === null ? [] : [{ label: 'to its cell’s mean', value: formatChange(ratio) }]),
        ...otherLines(trial, task, written),
      ],
    };
  });
  const { span, unit } = metricAxis(written, marksOf(points.map(({ value }) => value)));
  return {
    metric,
    words,
    points,
    x: numberedSpan(Math.max(0, ...points.map(({ order }) => order))),
    y: {
      value: { ...span, unit },
      ratio: spanOf(marksOf(points.map(({ ratio }) => ratio)), { always: [1] }),
    },
  };
}

/** Returns the lines of a tooltip for a trial: the metrics that the chart does not show, and the warnings of the trial. */
function otherLines(
  { state, reason, tasks, doubts }: ReportTrial,
  task: string,
  shown: string,
): OrderPoint['lines'] {
  const notes = [
    ...new Set(
      doubts.map(({ kind, detail }) => [kind.replaceAll('-', ' '), detail].filter(Boolean).join(': ')),
    ),
  ];
  const own = state === 'completed' ? tasks.find((candidate) => candidate.task === task) : undefined;
  const figures =
    own === undefined
      ? [{ metric: '', label: state as string, value: reason }]
      : [
          {
            metric: 'throughput',
            label: 'throughput',
            value: `${formatNumber(own.throughput)} ${own.unit}`,
          },
          { metric: 'latency.p99', label: 'p99', value: formatMs(own.latencyP99) },
        ].filter(({ metric }) => `${task}.${metric}` !== shown);
  return [
    ...figures.map(({ label, value }) => ({ label, value })),
    ...(notes.length === 0 ? [] : [{ label: 'warnings', value: notes.join('; ') }]),
  ];
}
