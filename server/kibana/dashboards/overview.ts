/** The dashboard of what came out: throughput, latency, the fate of the documents, the trials. */
import type { SpaceId } from '../../results/space';
import type { DashboardDefinition } from './assemble';
import { SLOW_ANSWER, TASK_AND_CELL, taskField, type TaskFigure, type TaskKind } from './data-views';
import { average, max, median, min, ratio, sum, times, uniqueCount, type Expression } from './expression';
import { by, measureId, type Bucket } from './layer';
import { chart, table, text, tile, type Panel } from './panel';
import { COLOURS, course, courseBy, figure, ONE_DECIMAL, PERCENT, single } from './shown';

/** `experiment.space` is absent in the default space. */
export const ofSpace = (space: SpaceId): string =>
  space === 'default' ? 'not experiment.space: *' : `experiment.space: "${space}"`;

const COMPLETED = 'trial.state: "completed"';
const MEASURED = 'phase: "measure"';

const both = (...queries: string[]): string => queries.map((query) => `(${query})`).join(' and ');

const byTaskAndCell = (): Bucket => by(TASK_AND_CELL, { label: 'Task, cell' });

/** In the order of the plan, which the figure `order` tells: 30s comes after 5s. */
const byCell = (order: number): Bucket =>
  by('cell.label', { label: 'Cell', size: 50, orderedBy: measureId(order) });

const planOrder = figure('Place in the plan', min('cell.index'));

const HALF = 24;

function tiles(space: SpaceId): Panel[] {
  const size = { width: 8, height: 8 };
  const measured = both(ofSpace(space), MEASURED);
  return [
    tile({
      ...size,
      title: 'Trials completed',
      description: 'Trials that reached their end.',
      layer: single(
        'trials',
        both(ofSpace(space), COMPLETED),
        figure('Trials completed', uniqueCount('trial.id')),
      ),
    }),
    tile({
      ...size,
      title: 'Accepted while measured',
      description: 'Documents stored, or searches answered, in the measured phases.',
      layer: single('samples', measured, figure('Accepted while measured', sum('counts.accepted'))),
    }),
    tile({
      ...size,
      title: 'Rejected of attempted',
      description: 'Refused for load (429) after the last retry, of all that were attempted.',
      layer: single(
        'samples',
        measured,
        figure('Rejected of attempted', ratio(sum('counts.rejected'), sum('counts.attempted')), {
          ...PERCENT,
          decimals: 2,
        }),
      ),
    }),
    tile({
      ...size,
      title: 'Sent again after a 429',
      description: 'Documents or searches that were retried; one that was sent three times counts two.',
      layer: single('samples', measured, figure('Sent again after a 429', sum('counts.retried'))),
    }),
  ];
}

const ofTasks = (name: string, kind: TaskKind, of: TaskFigure, aggregation: (field: string) => Expression) =>
  figure(name, aggregation(taskField(kind, of)));

const latencies = (kind: TaskKind) =>
  (['p50', 'p90', 'p99'] as const).map((name) => ofTasks(`${kind} ${name}`, kind, name, median));

function cells(space: SpaceId): Panel[] {
  const query = both(ofSpace(space), COMPLETED);
  const size = { width: HALF, height: 14 };
  return [
    chart({
      ...size,
      title: 'Throughput by cell: mean, worst and best trial',
      description:
        'One value of each completed trial. Accepted documents on the left axis; answered searches, where there are any, on the right.',
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
      colours: ['#aac8e6', '#3f7fbf', '#aac8e6', COLOURS.failed],
    }),
    chart({
      ...size,
      title: 'Latency by cell: the median trial’s percentiles',
      description:
        'Each task of a trial has one p50, p90 and p99, of all its answers, a p99 from 100 of them on; shown is the median of the trials.',
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

/** Of all tasks together: each has one sample for each second. */
const perSecond = (fate: 'accepted' | 'retried' | 'rejected' | 'failed') =>
  figure(fate, times(average(`counts.${fate}`), uniqueCount('task')));

function overTime(space: SpaceId): Panel[][] {
  const samples = ofSpace(space);
  const third = { width: 16, height: 14 };
  const whole = { width: 48, height: 14 };
  const notMerged = 'That is not the percentile of the interval.';
  const few = 'A second with fewer than 100 answers has no p99: its slowest answer stands for it.';
  return [
    [
      chart({
        ...whole,
        legend: 'right',
        title: 'Throughput over time: mean of the seconds',
        description: 'Accepted documents (or answered searches) per second, warm-up and drain included.',
        series: 'line',
        axis: 'per second',
        layer: courseBy('samples', samples, byTaskAndCell(), figure('Throughput', average('throughput'))),
      }),
    ],
    [
      chart({
        ...third,
        title: 'p50 latency over time: the median second',
        description: `Each second has a p50 of its own; shown is the median of those in an interval. ${notMerged}`,
        series: 'line',
        axis: 'ms',
        layer: courseBy(
          'samples',
          samples,
          byTaskAndCell(),
          figure('p50, median second', median('latency.p50')),
        ),
      }),
      chart({
        ...third,
        title: 'p99 latency over time: the median second',
        description: `Each second has a p99 of its own; shown is the median of those in an interval. ${notMerged} ${few}`,
        series: 'line',
        axis: 'ms (p99, or slowest of under 100)',
        layer: courseBy(
          'samples',
          samples,
          byTaskAndCell(),
          figure('p99, median second', median(SLOW_ANSWER)),
        ),
      }),
      chart({
        ...third,
        title: 'p99 latency over time: the worst second',
        description: `Each second has a p99 of its own; shown is the highest of those in an interval. ${few}`,
        series: 'line',
        axis: 'ms (p99, or slowest of under 100)',
        layer: courseBy('samples', samples, byTaskAndCell(), figure('p99, worst second', max(SLOW_ANSWER))),
      }),
    ],
    [
      chart({
        ...whole,
        legend: 'right',
        title: 'What became of the documents, per second',
        description:
          'Documents, and searches where there are any; mean of the seconds. Accepted on the left axis; retried, rejected and failed on the right, which has its own scale.',
        series: 'line',
        axis: 'accepted per second',
        right: { count: 3, axis: 'not accepted per second' },
        layer: course('samples', samples, [
          perSecond('accepted'),
          perSecond('retried'),
          perSecond('rejected'),
          perSecond('failed'),
        ]),
        colours: [COLOURS.accepted, COLOURS.retried, COLOURS.rejected, COLOURS.failed],
      }),
    ],
  ];
}

function trials(space: SpaceId): Panel {
  const one = (name: string, kind: TaskKind, of: TaskFigure, decimals = 0) =>
    figure(name, max(taskField(kind, of)), { ...ONE_DECIMAL, decimals });
  const measures = [
    one('Docs/s', 'ingest', 'throughput'),
    one('p50 ms', 'ingest', 'p50', 1),
    one('p99 ms', 'ingest', 'p99', 1),
    one('Searches/s', 'search', 'throughput', 1),
    one('p99 ms', 'search', 'p99', 1),
    figure('Accepted', sum('tasks.counts.accepted')),
    figure('Rejected', sum('tasks.counts.rejected')),
    figure('Retried', sum('tasks.counts.retried')),
    figure('Failed', sum('tasks.counts.failed')),
  ];
  return table({
    width: HALF * 2,
    height: 17,
    title: 'Trials',
    description:
      'One row for each trial, counted from 0 in the order of execution; a run leads to its page. Counts are of the measured phase, all tasks together; the first latencies are of ingest, the last of searches.',
    layer: {
      view: 'trials',
      query: ofSpace(space),
      buckets: [
        by('run.id', { label: 'Run', size: 50 }),
        by('trial.order', { label: 'Trial', size: 200, dataType: 'number' }),
        by('cell.label', { label: 'Cell', size: 1 }),
        by('trial.state', { label: 'State', size: 1 }),
      ],
      measures,
    },
    widths: [200, 70, 240, 110],
  });
}

export const overview = (space: SpaceId, markdown: string): DashboardDefinition => ({
  title: 'Dyno: experiment overview',
  description: 'Throughput, latency and the fate of the documents, by cell and over time; every trial.',
  rows: [
    [text(markdown, { width: 16, height: 8 }), ...tiles(space)],
    cells(space),
    ...overTime(space),
    [trials(space)],
  ],
});
