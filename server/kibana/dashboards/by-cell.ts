/**
 * Panels of the dashboard *Overview* that compare cells (combinations of factor levels). Each trial of a cell contributes one value of each
 * metric.
 */
import { CLUSTER } from '../../../common/measurement/cluster-metrics';
import type { NodeUnit } from '../../../common/measurement/node-metric';
import { NODE_METRICS } from '../../../common/measurement/node-metrics';
import type { SpaceId } from '../../results/space';
import { taskField, type TaskFigure, type TaskKind } from './data-views';
import { average, max, median, min, type Expression, type Format } from './expression';
import { by, measureId, type Bucket } from './layer';
import { chart, type Panel } from './panel';
import { both, COMPLETED, ofSpace } from './scope';
import { BYTES, COLOURS, measure, PERCENT, RESPONSE_TIMES, WHOLE } from './shown';

/**
 * Splits the data by cell (combination of factor levels). The cells have the order of the run's plan, in which 5s comes before 30s.
 * `order`: index of the measure that contains the position of a cell in the plan.
 */
const byCell = (order: number): Bucket =>
  by('cell.label', { label: 'Cell', size: 50, orderedBy: measureId(order) });

const planOrder = measure('Place in the plan', min('cell.index'));

const HALF = 24;

/** Colours of the lowest value, the mean and the highest value of all trials of a cell. */
const BEST_AND_WORST = ['#aac8e6', '#3f7fbf', '#aac8e6'];

const ofTasks = (name: string, kind: TaskKind, of: TaskFigure, aggregation: (field: string) => Expression) =>
  measure(name, aggregation(taskField(kind, of)));

const latencies = (kind: TaskKind) =>
  (['p50', 'p90', 'p99'] as const).map((name) => ofTasks(`${kind} ${name}`, kind, name, median));

export function cells(space: SpaceId): Panel[] {
  const query = both(ofSpace(space), COMPLETED);
  const size = { width: HALF, height: 14 };
  return [
    chart({
      ...size,
      title: 'Throughput by cell: mean, worst and best trial',
      description:
        'One value of each task in each completed trial. Accepted documents on the left axis; answered searches, where there are any, on the right.',
      series: 'bar',
      axis: 'documents per second',
      right: { count: 1, axis: 'searches per second' },
      layer: {
        view: 'trials',
        query,
        buckets: [byCell(4)],
        measures: [
          ofTasks('worst trial', 'ingest', 'throughput', min),
          ofTasks('mean of the trials', 'ingest', 'throughput', average),
          ofTasks('best trial', 'ingest', 'throughput', max),
          ofTasks('searches, mean', 'search', 'throughput', average),
          planOrder,
        ],
      },
      hidden: 1,
      colours: [...BEST_AND_WORST, COLOURS.failed],
    }),
    chart({
      ...size,
      title: 'Latency by cell: the median trial’s percentiles',
      description:
        'Each task of a trial has one p50, p90 and p99, of all its answers, a p99 from 100 of them on; shown is the median of these. ' +
        RESPONSE_TIMES,
      series: 'bar',
      axis: 'ms',
      layer: {
        view: 'trials',
        query,
        buckets: [byCell(6)],
        measures: [...latencies('ingest'), ...latencies('search'), planOrder],
      },
      hidden: 1,
      colours: [COLOURS.low, COLOURS.middle, COLOURS.high, '#cfc0e0', COLOURS.failed, '#5f3f86'],
    }),
  ];
}

/** Texts and format of a panel that shows node metrics by cell. There is one panel for each unit of measurement. */
interface UnitPanel {
  title: string;
  description: string;
  axis: string;
  format: Format;
}

const OF_UNITS: Readonly<Record<NodeUnit, UnitPanel>> = {
  share: {
    title: 'Shares by cell',
    description:
      'Means over the nodes and over the completed trials, of the measured phase. Waiting for disks requires a collector.',
    axis: 'of 1',
    format: PERCENT,
  },
  'bytes-per-second': {
    title: 'Bytes per second by cell',
    description: 'Sums over the machines, means over the completed trials. The network requires a collector.',
    axis: 'bytes per second',
    format: BYTES,
  },
  count: {
    title: 'Counts by cell',
    description: 'Sums over the nodes, means over the completed trials.',
    axis: 'per trial',
    format: WHOLE,
  },
  ms: {
    title: 'Times by cell',
    description:
      'Sums over threads and nodes, means over the completed trials. The time of merging includes throttled time.',
    axis: 'ms',
    format: WHOLE,
  },
  bytes: {
    title: 'Bytes by cell',
    description: 'Sums over the nodes, means over the completed trials.',
    axis: 'bytes',
    format: BYTES,
  },
  'operations-per-second': {
    title: 'Operations per second by cell',
    description: 'Sums over the machines, means over the completed trials.',
    axis: 'operations per second',
    format: WHOLE,
  },
};

/**
 * Returns panels with the metrics of nodes and machines by cell, one panel for each unit of measurement. The registry of node metrics
 * defines which metrics are shown, and their labels. A unit without such metrics has no panel.
 */
export function cluster(space: SpaceId): Panel[] {
  const query = both(ofSpace(space), COMPLETED);
  return (Object.keys(OF_UNITS) as NodeUnit[]).flatMap((unit) => {
    const { title, format, ...more } = OF_UNITS[unit];
    const shown = NODE_METRICS.flatMap(({ name, unit: own, byCell: label }) =>
      own === unit && label !== undefined ? [{ name, label }] : [],
    );
    if (shown.length === 0) return [];
    const measures = shown.map(({ name, label }) =>
      measure(label, average(`figures.${CLUSTER}.${name}`), format),
    );
    return chart({
      width: HALF,
      height: 14,
      ...more,
      title: `${title}: ${shown.map(({ label }) => label).join(', ')}`,
      series: 'bar',
      layer: {
        view: 'trials',
        query,
        buckets: [byCell(measures.length)],
        measures: [...measures, planOrder],
      },
      hidden: 1,
      colours: [COLOURS.low, COLOURS.middle, COLOURS.high, COLOURS.failed],
    });
  });
}

/** Returns panels about whole transactions. The single requests of transactions are only shown on the page of a run in Dyno. */
export function transactions(space: SpaceId): Panel[] {
  const query = both(ofSpace(space), COMPLETED, 'tasks.kind: "transaction"');
  const size = { width: HALF, height: 14 };
  return [
    chart({
      ...size,
      title: 'Transactions by cell: mean, worst and best trial',
      description:
        'One value of each task in each completed trial that has transactions: those of which every part was answered.',
      series: 'bar',
      axis: 'transactions per second',
      layer: {
        view: 'trials',
        query,
        buckets: [byCell(3)],
        measures: [
          ofTasks('worst trial', 'transaction', 'throughput', min),
          ofTasks('mean of the trials', 'transaction', 'throughput', average),
          ofTasks('best trial', 'transaction', 'throughput', max),
          planOrder,
        ],
      },
      hidden: 1,
      colours: BEST_AND_WORST,
    }),
    chart({
      ...size,
      title: 'Latency of transactions by cell: the median trial’s percentiles',
      description:
        'From when a transaction was due to the last answer of its parts, gaps included; a p99 from 100 of them on. Shown is the median of the trials.',
      series: 'bar',
      axis: 'ms',
      layer: {
        view: 'trials',
        query,
        buckets: [byCell(3)],
        measures: [...latencies('transaction'), planOrder],
      },
      hidden: 1,
      colours: [COLOURS.low, COLOURS.middle, COLOURS.high],
    }),
  ];
}
