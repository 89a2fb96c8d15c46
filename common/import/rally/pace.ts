/** When a task of Rally sends, as an executor and as phases of a trial. */
import type { Group, Task } from './track';

type Fields = Readonly<Record<string, unknown>>;

/** Where Rally sends so many requests as fast as it can, nobody knows how long that takes: seconds in its place. */
const WARMUP_S = 10;
const MEASURED_S = 30;
/** Longer than any trial: what is sent every so often is sent once, as the load begins. */
const ONCE = { every: '7d', 'max-clients': 1 };

/** Rally sends it a single time and waits for the answer. */
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

/** Units of `target-throughput` that a rate of requests, or of a bulk's documents, can express. */
const OPERATIONS: readonly string[] = ['ops', 'op'];
const DOCUMENTS: readonly string[] = ['docs', 'doc'];

/** Returns why no executor keeps the rate of a task; undefined where one does. */
export function rateFault({ rate, operation }: Task): string | undefined {
  if (rate === undefined || OPERATIONS.includes(rate.unit)) return undefined;
  if (operation.type === 'bulk' && DOCUMENTS.includes(rate.unit)) return undefined;
  return `has a rate of ${rate.value} ${rate.unit}/s; a definition has requests per second, or documents of a bulk`;
}

/** Requests a second over all clients; `perRequest`: how many documents one request has. */
export function requestRate({ rate }: Task, perRequest = 1): number | undefined {
  if (rate === undefined) return undefined;
  return DOCUMENTS.includes(rate.unit) ? rate.value / perRequest : rate.value;
}

/** The executor of a task; `perRequest` of a bulk. */
export function executorOf(task: Task, perRequest = 1): Fields {
  const { clients, rampUp = 0 } = task;
  if (isOnce(task)) return { 'constant-rate': ONCE };
  const rate = requestRate(task, perRequest);
  if (rate !== undefined) {
    // Six digits tell rates apart that nobody could.
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
  /** Where Rally counts requests and no rate says how long they take. */
  guessed: boolean;
}

function lengthOf(task: Task): Length {
  const { warmupTime, time, warmupIterations = 0, iterations = 1, clients } = task;
  if (time !== undefined || warmupTime !== undefined)
    return { warmup: warmupTime ?? 0, measured: time ?? MEASURED_S, guessed: time === undefined };
  const rate = requestRate(task);
  // Rally counts the iterations of each client. A bulk has none: it ends with its documents.
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
  /** What is different, of all tasks together. */
  notes: string[];
  /** Why `completed-by` is not carried over; undefined where it is, or where there is none. */
  lost?: string;
}

const longest = (lengths: readonly Length[], key: 'warmup' | 'measured'): number =>
  lengths.reduce((most, one) => Math.max(most, one[key]), 0);

/** The task that ends all of a parallel element; undefined where its length is not known. */
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
 * The phases of a trial in which `running` tasks of an element run side by side: as long as the task that ends the element, or else as
 * the longest of them.
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
        ? [`${benchmark} counts requests and sends them as fast as it can: here ${long} instead`]
        : []),
      ...(lengths.some(isShorter)
        ? [
            ender === undefined
              ? 'tasks of different lengths run as long as the longest'
              : `all tasks of the element have the warm-up and the duration of ${ender.name}, which ends it`,
          ]
        : []),
    ],
    ...(completedBy === undefined || ender !== undefined
      ? {}
      : {
          lost: `${completedBy === 'any' ? 'how long each task takes' : `how long ${completedBy} takes`} is not known before it has run, so the tasks of the element run for ${long}`,
        }),
  };
}

/** Clients of a parallel element beyond which Rally runs its tasks one after the other. */
export function clientNotes({ tasks, clients }: Group, benchmark: string): string[] {
  const all = tasks.reduce((sum, task) => sum + task.clients, 0);
  return clients !== undefined && clients < all
    ? [`${benchmark} shares ${clients} clients among tasks with ${all}: here all of them run at once`]
    : [];
}

/** Of the spacing of requests. */
export const scheduleNotes = ({ schedule, name }: Task): string[] =>
  schedule === undefined || schedule === 'deterministic'
    ? []
    : [`${name} is paced by ${schedule}: here requests are spaced evenly`];
