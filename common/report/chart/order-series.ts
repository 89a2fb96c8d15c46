/** The trials in the order in which they ran, as points of a chart: a slope is a drift of the cluster. */
import { formatChange } from '../../analysis/wording';
import { formatMs, formatNumber } from '../../units/format';
import { cellNames, unitOf } from '../model/cell-names';
import type { Report, ReportTrial } from '../model/report';
import { numberedSpan, spanOf, type Span } from './axes';

export interface OrderPoint {
  /** From 1. */
  order: number;
  /** Index of the report's cell, and its name. */
  cell: number;
  name: string;
  state: ReportTrial['state'];
  /** Throughput, null for a trial that did not complete; and to the mean of its cell, which leaves the drift alone. */
  throughput: number | null;
  ratio: number | null;
  doubtful: boolean;
  heading: string;
  lines: { label: string; value: string }[];
}

export interface OrderSeries {
  points: OrderPoint[];
  x: Span;
  y: { throughput: Span; ratio: Span };
}

export function orderSeries(report: Report, task: string): OrderSeries {
  const { names } = cellNames(report);
  const unit = unitOf(report, task);
  const means = new Map(
    report.cells.map(({ index, tasks }) => [
      index,
      tasks.find((own) => own.task === task)?.throughput.mean ?? null,
    ]),
  );
  const cells = new Map(report.cells.map(({ index }, at) => [index, at]));
  const points = report.trials.map((trial): OrderPoint => {
    const { order, repetition, cellIndex, state, reason, doubts, tasks } = trial;
    const own = state === 'completed' ? tasks.find((candidate) => candidate.task === task) : undefined;
    const mean = means.get(cellIndex) ?? null;
    const cell = cells.get(cellIndex) ?? 0;
    const ratio = own && own.throughput !== null && mean ? own.throughput / mean : null;
    const notes = [
      ...new Set(
        doubts.map(({ kind, detail }) => [kind.replaceAll('-', ' '), detail].filter(Boolean).join(': ')),
      ),
    ];
    return {
      order: order + 1,
      cell,
      name: names[cell]!,
      state,
      throughput: own?.throughput ?? null,
      ratio,
      doubtful: doubts.length > 0,
      heading: `#${order + 1}: ${names[cell]}, ${repetition + 1}`,
      lines: [
        ...(own === undefined
          ? [{ label: state, value: reason }]
          : [
              { label: 'throughput', value: `${formatNumber(own.throughput)} ${unit}` },
              { label: 'to its cell’s mean', value: formatChange(ratio) },
              { label: 'p99', value: formatMs(own.latencyP99) },
            ]),
        ...(notes.length === 0 ? [] : [{ label: 'doubts', value: notes.join('; ') }]),
      ],
    };
  });
  const marks = (read: (point: OrderPoint) => number | null) =>
    points.flatMap((point) => {
      const mean = read(point);
      return mean === null ? [] : [{ mean, low: null, high: null, values: [] }];
    });
  return {
    points,
    x: numberedSpan(Math.max(0, ...points.map(({ order }) => order))),
    y: {
      throughput: spanOf(
        marks(({ throughput }) => throughput),
        { fromZero: true },
      ),
      ratio: spanOf(
        marks(({ ratio }) => ratio),
        { always: [1] },
      ),
    },
  };
}
