/**
 * Converts the pace and the duration of a Rally task to the keys of a definition: `executor`, and the durations of warm-up and measurement.
 */
import type { Group, Task } from './track';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Assumed duration of the warm-up, in s, if a task has a number of requests but no rate. Rally sends such requests as fast as possible, so
 * their duration is unknown.
 */
const WARMUP_S = 10;
/** Assumed duration of the measurement, in s, if a task has a number of requests but no rate. */
const MEASURED_S = 30;
/**
 * Settings of `constant-rate` for a task that sends a single request when the load starts. The second request would be due after seven
 * days, which is longer than any trial.
 */
const ONCE = { every: '7d', 'max-clients': 1 };

/** Returns whether Rally executes the task once and waits for the response, before it continues with the schedule. */
export const isOnce = ({
  clients,
  warmupIterations = 0,
  iterations = 1,
  time,
  warmupTime,
  rampUp,
  operation,
}: Task): boolean =>
  operation.type !== 'bulk' &&
  clients === 1 &&
  warmupIterations === 0 &&
  iterations <= 1 &&
  [time, warmupTime, rampUp].every((one) => one === undefined);

const seconds = (value: number): string => `${Math.max(0, Math.ceil(value))}s`;

/** Units of `target-throughput` that count requests. */
const OPERATIONS: readonly string[] = ['ops', 'op'];
/** Units of `target-throughput` that count the documents of bulk requests. */
const DOCUMENTS: readonly string[] = ['docs', 'doc'];

/** Returns the reason why a definition cannot express the rate of a task. Returns undefined if it can. */
export function rateFault({ rate, operation }: Task): string | undefined {
  if (rate === undefined || OPERATIONS.includes(rate.unit)) return undefined;
  if (operation.type === 'bulk' && DOCUMENTS.includes(rate.unit)) return undefined;
  return `has a rate of ${rate.value} ${rate.unit}/s, but a definition supports only requests per second and documents of a bulk per second`;
}

/**
 * Returns the rate of all clients together, in requests per second. `perRequest`: number of documents in a request, for rates in documents
 * per second. Returns undefined if the task has no rate.
 */
export function requestRate({ rate }: Task, perRequest = 1): number | undefined {
  if (rate === undefined) return undefined;
  return DOCUMENTS.includes(rate.unit) ? rate.value / perRequest : rate.value;
}

/**
 * Returns the value of the key `executor` in a definition, which sets the pace of the task. `perRequest`: number of documents in a bulk
 * request.
 */
export function executorOf(task: Task, perRequest = 1): Fields {
  const { clients, rampUp = 0 } = task;
  if (isOnce(task)) return { 'constant-rate': ONCE };
  const rate = requestRate(task, perRequest);
  if (rate !== undefined) {
    // Six significant digits are enough for a rate.
    const perSecond = Number(rate.toPrecision(6));
    return rampUp > 0
      ? {
          'ramping-rate': {
            start: 0,
            stages: [{ rate: perSecond, over: seconds(rampUp) }],
            'max-clients': clients,
          },
        }
      : { 'constant-rate': { rate: perSecond, 'max-clients': clients } };
  }
  return rampUp > 0
    ? { 'ramping-clients': { start: 0, stages: [{ clients, over: seconds(rampUp) }] } }
    : { 'constant-clients': { clients } };
}

interface Length {
  warmup: number;
  measured: number;
  /** Whether the durations are only assumed, because the task has a number of requests and no rate. */
  guessed: boolean;
}

function lengthOf(task: Task): Length {
  const { warmupTime, time, warmupIterations = 0, iterations = 1, clients } = task;
  if (time !== undefined || warmupTime !== undefined)
    return { warmup: warmupTime ?? 0, measured: time ?? MEASURED_S, guessed: time === undefined };
  const rate = requestRate(task);
  // Rally's iterations are per client. A bulk task has no iterations, because it ends with its documents.
  if (rate !== undefined && task.operation.type !== 'bulk' && !isOnce(task))
    return {
      warmup: (warmupIterations * clients) / rate,
      measured: (iterations * clients) / rate,
      guessed: false,
    };
  return { warmup: warmupIterations > 0 ? WARMUP_S : 0, measured: MEASURED_S, guessed: true };
}

export interface Phases {
  warmup: string;
  duration: string;
  /** Differences from Rally that concern all tasks of the definition together, as sentences. */
  notes: string[];
  /**
   * Reason why the key `completed-by` of the schedule's element is not converted. Undefined if it is converted, or if the element does not
   * have it.
   */
  lost?: string;
}

const longest = (lengths: readonly Length[], key: 'warmup' | 'measured'): number =>
  lengths.reduce((most, one) => Math.max(most, one[key]), 0);

/**
 * Returns the task whose end also ends the other tasks of a parallel element. Returns undefined if the duration of this task is unknown.
 */
function enderOf({ tasks, completedBy }: Pick<Group, 'tasks' | 'completedBy'>): Task | undefined {
  if (completedBy !== 'any') {
    const named = tasks.find(({ name }) => name === completedBy);
    return named === undefined || lengthOf(named).guessed ? undefined : named;
  }
  const total = (task: Task): number => lengthOf(task).warmup + lengthOf(task).measured;
  const isKnown = tasks.every((task) => !lengthOf(task).guessed);
  return isKnown ? tasks.toSorted((one, other) => total(one) - total(other))[0] : undefined;
}

/**
 * Returns the durations of warm-up and measurement for a parallel element of the schedule. If one task of the element ends the whole
 * element in Rally, the durations are those of this task. Otherwise, they are those of the longest task. `running`: the tasks of the
 * element that are converted.
 */
export function phasesOf(
  running: readonly Task[],
  group: Pick<Group, 'tasks' | 'completedBy'>,
  benchmark: string,
): Phases {
  const { completedBy } = group;
  const several = running.filter((task) => !isOnce(task));
  const lengths = several.map(lengthOf);
  const ender = completedBy === undefined ? undefined : enderOf(group);
  const end = ender && lengthOf(ender);
  const warmup = end?.warmup ?? longest(lengths, 'warmup');
  const measured = Math.max(1, end?.measured ?? longest(lengths, 'measured'));
  const isShorter = (one: Length): boolean =>
    one.warmup + Math.max(1, one.measured) < warmup + measured - 1 || Math.abs(one.warmup - warmup) >= 1;
  const guessed = end === undefined && lengths.some((one) => one.guessed);
  const long = `${seconds(warmup)} of warm-up and ${seconds(measured)}`;
  return {
    warmup: seconds(warmup),
    duration: seconds(measured),
    notes: [
      ...(guessed
        ? [`${benchmark} sends a number of requests as fast as possible: here ${long} instead`]
        : []),
      ...(lengths.some(isShorter)
        ? [
            ender === undefined
              ? 'tasks of different lengths all run as long as the longest'
              : `all tasks of the element have the warm-up and the duration of ${ender.name}, which ends it`,
          ]
        : []),
    ],
    ...(completedBy === undefined || ender !== undefined
      ? {}
      : {
          lost: `${completedBy === 'any' ? 'how long each task takes' : `how long ${completedBy} takes`} is not known in advance, so the tasks of the element run for ${long}`,
        }),
  };
}

/**
 * Returns a note if a parallel element has fewer clients than its tasks together. In this case, Rally executes some of the tasks one after
 * the other.
 */
export function clientNotes({ tasks, clients }: Group, benchmark: string): string[] {
  const all = tasks.reduce((sum, task) => sum + task.clients, 0);
  return clients !== undefined && clients < all
    ? [
        `${benchmark} shares ${clients} clients among tasks with ${all}: here all of them run at the same time`,
      ]
    : [];
}

/** Returns a note if Rally's distribution of a task's requests over time differs from Dyno's. */
export const scheduleNotes = ({ schedule, name }: Task): string[] =>
  schedule === undefined || schedule === 'deterministic'
    ? []
    : [`${name} uses the schedule ${schedule}: here requests are evenly spaced`];
