/** What the tasks of a run did over time, and its phases, from its samples and trials. */
import type { TaskPoint, Timeline } from '../../../common/api/timeline';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { markedPhases, type TrialTimes } from '../../../common/measurement/marker';
import { forTrouble, OUTCOMES } from '../../../common/measurement/outcomes';
import { onGrid, overGrid, type Grid } from './grid';
import type { TimelineTrial } from './run';
import { search } from '../search';
import { SAMPLES } from '../stored';
import { parseTime } from '../../../common/units/time';

/** Tasks of a definition, or trials whose times are not kept yet, at most. */
const MOST = 1000;
/** Up to so many seconds in a bucket are counted exactly. */
const EXACT_SECONDS = 3600;

const COUNTS = ['attempted' as const, ...OUTCOMES.map(({ name }) => name)];
const LATENCIES = ['p50', 'p90', 'p99', 'max'] as const;
type Metric = (typeof COUNTS)[number] | (typeof LATENCIES)[number] | 'seconds' | 'clients' | 'backlog';

type Second = { key: number } & Record<Metric, { value: number | null }>;

interface Aggregations {
  tasks: { buckets: { key: string; timeline: { buckets: Second[] } }[] };
  open: {
    trials: {
      buckets: { key: string; phases: { buckets: { key: string; first: { value: number } }[] } }[];
    };
  };
}

const POINT = {
  ...Object.fromEntries(COUNTS.map((name) => [name, { sum: { field: `counts.${name}` } }])),
  ...Object.fromEntries(LATENCIES.map((name) => [name, { max: { field: `latency.${name}` } }])),
  // Not the length of the bucket: at the edges of a trial, or now, it is not full. Two phases may share a second.
  seconds: { cardinality: { field: '@timestamp', precision_threshold: EXACT_SECONDS } },
  clients: { avg: { field: 'clients' } },
  backlog: { max: { field: 'backlog' } },
};

export interface TaskTimeline {
  /** By task, in the order of time. */
  points: Map<string, TaskPoint[]>;
  /** When the phases of trials began whose documents do not tell it yet, ms since the epoch. */
  begun: Map<string, Map<string, number>>;
}

/** `open`: trials whose documents do not tell their phases, such as the one that runs. */
export async function readTasks(
  client: ElasticsearchClient,
  grid: Grid,
  { run, trial, open }: { run: string; trial: string | undefined; open: readonly string[] },
): Promise<TaskTimeline> {
  const { aggregations } = await search<never, Aggregations>(client, SAMPLES, {
    size: 0,
    query: { bool: { filter: onGrid(grid, run, trial) } },
    aggs: {
      tasks: { terms: { field: 'task', size: MOST }, aggs: { timeline: overGrid(grid, POINT) } },
      open: {
        filter: { terms: { 'trial.id': open } },
        aggs: {
          trials: {
            terms: { field: 'trial.id', size: MOST },
            aggs: {
              phases: { terms: { field: 'phase' }, aggs: { first: { min: { field: '@timestamp' } } } },
            },
          },
        },
      },
    },
  });
  const tasks = aggregations?.tasks.buckets ?? [];
  const trials = aggregations?.open.trials.buckets ?? [];
  return {
    points: new Map(tasks.map(({ key, timeline }) => [key, timeline.buckets.map(pointOf)])),
    begun: new Map(
      trials.map(({ key, phases }) => [
        key,
        new Map(phases.buckets.map((phase) => [phase.key, phase.first.value])),
      ]),
    ),
  };
}

function pointOf(second: Second): TaskPoint {
  const perSecond = (name: (typeof COUNTS)[number]): number =>
    (second[name].value ?? 0) / Math.max(1, second.seconds.value ?? 1);
  return {
    at: second.key,
    throughput: perSecond('accepted'),
    attempted: perSecond('attempted'),
    ...forTrouble(({ name }) => perSecond(name)),
    p50: second.p50.value,
    p90: second.p90.value,
    p99: second.p99.value,
    max: second.max.value,
    clients: second.clients.value,
    backlog: second.backlog.value,
  };
}

/** The phases of `trials`, in their order; those that ended before `from` or began after `to` are left out. */
export function phasesOf(
  trials: readonly TimelineTrial[],
  begun: TaskTimeline['begun'],
  { from, to }: Pick<Grid, 'from' | 'to'>,
): Timeline['phases'] {
  return trials.flatMap(({ trial, cell, times }) =>
    markedPhases(timesOf(times, begun.get(trial.id)))
      .map((phase) => ({
        trial: trial.id,
        order: trial.order,
        cell: cell.index,
        label: cell.label,
        phase: phase.phase,
        from: parseTime(phase.from),
        to: phase.until === null ? null : parseTime(phase.until),
      }))
      .filter((phase) => phase.from < to && (phase.to ?? Infinity) > from),
  );
}

/** As the trial tells them, else as its samples do. A phase that was planned and never reached is none. */
function timesOf(times: TimelineTrial['times'], begun: Map<string, number> | undefined): TrialTimes {
  const ms = (text: string | null): number | null => (text === null ? null : parseTime(text));
  const ended = ms(times.ended);
  const reached = (time: number | null): number | null =>
    time !== null && ended !== null && time >= ended ? null : time;
  const known = times.warmup !== null;
  const of = (phase: string): number | null => begun?.get(phase) ?? null;
  return {
    prepare: parseTime(times.started),
    warmup: reached(known ? ms(times.warmup) : of('warm-up')),
    measure: reached(known ? ms(times.measure) : of('measure')),
    drain: reached(known ? ms(times.drain) : of('drain')),
    ended,
  };
}
