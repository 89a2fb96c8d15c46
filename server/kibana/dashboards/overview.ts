/**
 * Two dashboards of results. The overview shows throughput, latency, outcomes of documents, and trials. The other dashboard shows
 * transactions, which only few runs have.
 */
import { OUTCOMES, TROUBLE, type ListedOutcome } from '../../../common/measurement/outcomes';
import type { SpaceId } from '../../results/space';
import type { DashboardDefinition } from './assemble';
import {
  SLOW_ANSWER,
  TASK_AND_CELL,
  TRIAL_NUMBER,
  taskField,
  type TaskFigure,
  type TaskKind,
} from './data-views';
import { cells, cluster, transactions } from './by-cell';
import { average, max, median, ratio, sum, uniqueCount } from './expression';
import { by, type Bucket } from './layer';
import { chart, table, text, tile, type Panel } from './panel';
import { both, COMPLETED, LOADED, MEASURED, ofSpace } from './scope';
import { RESPONSE_TIMES, course, courseBy, measure, ONE_DECIMAL, PERCENT, single } from './shown';

const byTaskAndCell = (): Bucket => by(TASK_AND_CELL, { label: 'Task, cell' });

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
        measure('Trials completed', uniqueCount('trial.id')),
      ),
    }),
    tile({
      ...size,
      title: 'Accepted while measured',
      description: 'Documents stored, searches answered, or whole transactions, in the measured phases.',
      layer: single('samples', measured, measure('Accepted while measured', sum('counts.accepted'))),
    }),
    tile({
      ...size,
      title: 'Rejected of attempted',
      description: 'Refused for load (429) after the last retry, of all that were attempted.',
      layer: single(
        'samples',
        measured,
        measure('Rejected of attempted', ratio(sum('counts.rejected'), sum('counts.attempted')), {
          ...PERCENT,
          decimals: 2,
        }),
      ),
    }),
    tile({
      ...size,
      title: 'Sent again after a 429',
      description: 'Documents or searches that were retried; one that was sent three times counts two.',
      layer: single('samples', measured, measure('Sent again after a 429', sum('counts.retried'))),
    }),
  ];
}

/**
 * Returns the rate per second of an outcome over all tasks. All samples of one second have the same timestamp. Therefore, the number of
 * different timestamps is the number of seconds. For accepted documents, only seconds in which requests were sent count. For other
 * outcomes, the seconds after the last request count too.
 */
const perSecond = ({ name, label }: ListedOutcome) => {
  const of = name === 'accepted' ? LOADED : undefined;
  return measure(label.text, ratio(sum(`counts.${name}`, of), uniqueCount('@timestamp', of)));
};

function overTime(space: SpaceId): Panel[][] {
  const samples = ofSpace(space);
  const third = { width: 16, height: 14 };
  const whole = { width: 48, height: 14 };
  const notMerged = `That is not the percentile of the interval. ${RESPONSE_TIMES}`;
  const few = 'A second with fewer than 100 answers has no p99: its slowest answer is shown instead.';
  return [
    [
      chart({
        ...whole,
        legend: 'right',
        title: 'Throughput over time: mean of the seconds',
        description:
          'Accepted documents (or answered searches, or whole transactions) per second, warm-up included. The seconds of the drain are left out, because nothing is sent in them.',
        series: 'line',
        axis: 'per second',
        layer: courseBy(
          'samples',
          both(samples, LOADED),
          byTaskAndCell(),
          measure('Throughput', average('throughput')),
        ),
      }),
    ],
    [
      chart({
        ...third,
        title: 'p50 latency over time: the median second',
        description: `Each second has its own p50; the chart shows their median in each interval. ${notMerged}`,
        series: 'line',
        axis: 'ms',
        layer: courseBy(
          'samples',
          samples,
          byTaskAndCell(),
          measure('p50, median second', median('latency.p50')),
        ),
      }),
      chart({
        ...third,
        title: 'p99 latency over time: the median second',
        description: `Each second has its own p99; the chart shows their median in each interval. ${notMerged} ${few}`,
        series: 'line',
        axis: 'ms (p99, or slowest of under 100)',
        layer: courseBy(
          'samples',
          samples,
          byTaskAndCell(),
          measure('p99, median second', median(SLOW_ANSWER)),
        ),
      }),
      chart({
        ...third,
        title: 'p99 latency over time: the worst second',
        description: `Each second has its own p99; the chart shows the highest of each interval. ${RESPONSE_TIMES} ${few}`,
        series: 'line',
        axis: 'ms (p99, or slowest of under 100)',
        layer: courseBy('samples', samples, byTaskAndCell(), measure('p99, worst second', max(SLOW_ANSWER))),
      }),
    ],
    [
      chart({
        ...whole,
        legend: 'right',
        title: 'Outcomes of the documents, per second',
        description:
          'Documents, and searches and transactions where there are any; mean of the seconds. Accepted on the left axis, without the seconds of the drain; everything else on the right, which has its own scale.',
        series: 'line',
        axis: 'accepted per second',
        right: { count: TROUBLE.length, axis: 'not accepted per second' },
        layer: course('samples', samples, OUTCOMES.map(perSecond)),
        colours: OUTCOMES.map(({ colour }) => colour),
      }),
    ],
  ];
}

const capital = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`;

function trials(space: SpaceId): Panel {
  const one = (name: string, kind: TaskKind, of: TaskFigure, decimals = 0) =>
    measure(name, max(taskField(kind, of)), { ...ONE_DECIMAL, decimals });
  const measures = [
    one('Docs/s', 'ingest', 'throughput'),
    one('Bulk p50 ms', 'ingest', 'p50', 1),
    one('Bulk p99 ms', 'ingest', 'p99', 1),
    one('Searches/s', 'search', 'throughput', 1),
    one('Search p99 ms', 'search', 'p99', 1),
    one('Transactions/s', 'transaction', 'throughput', 1),
    one('Transaction p99 ms', 'transaction', 'p99', 1),
    ...OUTCOMES.map(({ name, label }) => measure(capital(label.text), sum(`tasks.counts.${name}`))),
  ];
  return table({
    width: 48,
    height: 17,
    title: 'Trials',
    description:
      'One row for each trial, in the order of execution; a run links to its page. Counts are of the measured phase, all tasks together. Of several tasks of one kind, each column shows the highest value. ' +
      RESPONSE_TIMES,
    layer: {
      view: 'trials',
      query: ofSpace(space),
      buckets: [
        by('run.id', { label: 'Run', size: 50 }),
        by(TRIAL_NUMBER, { label: 'Trial', size: 200, dataType: 'number' }),
        by('cell.label', { label: 'Cell', size: 1 }),
        by('trial.state', { label: 'State', size: 1 }),
      ],
      measures,
    },
    widths: [200, 70, 240, 110],
  });
}

const pairsOf = <T>(all: readonly T[]): T[][] =>
  all.flatMap((_, at) => (at % 2 === 0 ? [all.slice(at, at + 2)] : []));

export const overview = (space: SpaceId, markdown: string): DashboardDefinition => ({
  title: 'Dyno: experiment overview',
  description: 'Throughput, latency and outcomes of the documents, by cell and over time, and every trial.',
  rows: [
    [text(markdown, { width: 16, height: 8 }), ...tiles(space)],
    cells(space),
    ...overTime(space),
    ...pairsOf(cluster(space)),
    [trials(space)],
  ],
});

/** Returns the dashboard of transactions. It is separate from the overview, because its panels are empty for runs without transactions. */
export const transactionsDashboard = (space: SpaceId, markdown: string): DashboardDefinition => ({
  title: 'Dyno: transactions',
  description: 'Throughput and latency of whole transactions by cell, of the runs that have any.',
  rows: [[text(markdown, { width: 48, height: 6 })], transactions(space)],
});
