/** Reads the metrics of a run's tasks over time, and the phases of its trials, from samples and trials. */
import type { TaskPoint, Timeline } from '../../../common/api/timeline';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { markedPhases, type TrialTimes } from '../../../common/measurement/marker';
import { forTrouble, OUTCOMES } from '../../../common/measurement/outcomes';
import { loadEnd, SECOND_MS } from '../../../common/measurement/sample';
import { onGrid, overGrid, type Grid } from './grid';
import type { TimelineTrial } from './run';
import { search } from '../search';
import { SAMPLES } from '../stored';
import { parseTime } from '../../../common/units/time';

/** Maximum number of tasks in a search. Also the maximum number of trials whose phases are read from samples. */
const MOST = 1000;
/** Maximum length, in seconds, of buckets whose seconds are counted exactly. */
const EXACT_SECONDS = 3600;

const COUNTS = ['attempted' as const, ...OUTCOMES.map(({ name }) => name)];
const LATENCIES = ['p50', 'p90', 'p99', 'max'] as const;
type Metric = (typeof COUNTS)[number] | (typeof LATENCIES)[number] | 'seconds' | 'clients' | 'backlog';

type Second = { key: number; loaded: Loaded } & Record<Metric, { value: number | null }>;

/** Aggregations over the seconds of a bucket in which the task's load was running from beginning to end. */
interface Loaded {
  doc_count: number;
  accepted: { value: number };
  seconds: { value: number };
}

interface Aggregations {
  tasks: { buckets: { key: string; doc_count: number; timeline: { buckets: Second[] } }[] };
  open: {
    trials: {
      buckets: { key: string; phases: { buckets: { key: string; first: { value: number } }[] } }[];
    };
  };
}

/**
 * Counts the seconds of a bucket that have samples. Some seconds have none if a trial begins or ends in the bucket, or if the bucket is not
 * over yet. A second with samples of two phases counts once.
 */
const SECONDS = { cardinality: { field: '@timestamp', precision_threshold: EXACT_SECONDS } };

const POINT = {
  ...Object.fromEntries(COUNTS.map((name) => [name, { sum: { field: `counts.${name}` } }])),
  ...Object.fromEntries(LATENCIES.map((name) => [name, { max: { field: `latency.${name}` } }])),
  seconds: SECONDS,
  clients: { avg: { field: 'clients' } },
  backlog: { max: { field: 'backlog' } },
};

/**
 * Returns an aggregation over seconds in which the task's load was running from beginning to end ({@link isWholeSecond}). `broken`: starts
 * of the seconds in which a load ended.
 */
const loaded = (broken: readonly string[]): object => ({
  filter: { bool: { must_not: [{ term: { phase: 'drain' } }, { terms: { '@timestamp': broken } }] } },
  aggs: { accepted: { sum: { field: 'counts.accepted' } }, seconds: SECONDS },
});

/** Returns the starts of incomplete seconds (ISO 8601): the load of one of `trials` ended before the second was over. */
export function brokenSeconds(trials: readonly Pick<TimelineTrial, 'times'>[]): string[] {
  return trials.flatMap(({ times }) => {
    const begun = times.warmup ?? times.measure;
    const end = loadEnd(times);
    if (begun === null || end === null) return [];
    const rest = (end - parseTime(begun)) % SECOND_MS;
    return rest > 0 ? [new Date(end - rest).toISOString()] : [];
  });
}

export interface TaskTimeline {
  /** Points of each task, in the order of time. */
  points: Map<string, TaskPoint[]>;
  /** Number of samples from which the points of each task were calculated. */
  samples: Map<string, number>;
  /**
   * Start of each phase, in ms since the epoch, by id of the trial and name of the phase. Contains only trials whose own documents lack the
   * times of their phases.
   */
  begun: Map<string, Map<string, number>>;
}

/**
 * Reads the points of all tasks. `open`: trials whose documents do not contain the times of their phases yet, such as the running trial.
 */
export async function readTasks(
  client: ElasticsearchClient,
  grid: Grid,
  {
    run,
    trial,
    trials,
    open,
  }: {
    run: string;
    trial: string | undefined;
    trials: readonly TimelineTrial[];
    open: readonly string[];
  },
): Promise<TaskTimeline> {
  const point = { ...POINT, loaded: loaded(brokenSeconds(trials)) };
  const { aggregations } = await search<never, Aggregations>(client, SAMPLES, {
    size: 0,
    query: { bool: { filter: onGrid(grid, run, trial) } },
    aggs: {
      tasks: { terms: { field: 'task', size: MOST }, aggs: { timeline: overGrid(grid, point) } },
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
  const running = aggregations?.open.trials.buckets ?? [];
  return {
    points: new Map(tasks.map(({ key, timeline }) => [key, timeline.buckets.map(pointOf)])),
    samples: new Map(tasks.map(({ key, doc_count }) => [key, doc_count])),
    begun: new Map(
      running.map(({ key, phases }) => [
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
    throughput:
      second.loaded.doc_count === 0
        ? null
        : second.loaded.accepted.value / Math.max(1, second.loaded.seconds.value),
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

/** Returns the phases of `trials` in their order. Leaves out phases that ended before `from` or began after `to`. */
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

/**
 * Returns the times of a trial from its document. If the document does not contain them yet, takes them from the samples. Leaves out phases
 * that the trial never reached.
 */
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
