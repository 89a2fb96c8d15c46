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

/** Requests a second over all clients; `perRequest`: how many documents one request has. */
export function requestRate({ rate }: Task, perRequest = 1): number | undefined {
  if (rate === undefined) return undefined;
  return rate.unit === 'docs' ? rate.value / perRequest : rate.value;
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
  // Rally counts the iterations of each client.
  if (rate !== undefined)
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
  notes: string[];
}

/** The phases of a trial in which these tasks run side by side: as long as the longest of them. */
export function phasesOf(tasks: readonly Task[]): Phases {
  const lengths = tasks.filter((task) => !isOnce(task)).map(lengthOf);
  const most = (key: 'warmup' | 'measured'): number =>
    lengths.reduce((longest, one) => Math.max(longest, one[key]), 0);
  const [warmup, measured] = [most('warmup'), Math.max(1, most('measured'))];
  const differ = lengths.some(
    (one) => Math.abs(one.warmup - warmup) >= 1 || Math.abs(Math.max(1, one.measured) - measured) >= 1,
  );
  return {
    warmup: seconds(warmup),
    duration: seconds(measured),
    notes: [
      ...(lengths.some(({ guessed }) => guessed)
        ? [
            `Rally counts requests and sends them as fast as it can: ${seconds(warmup)} of warm-up and ${seconds(measured)} in their place`,
          ]
        : []),
      ...(differ ? ['tasks of different lengths run as long as the longest'] : []),
    ],
  };
}

/** Clients of a parallel element beyond which Rally runs its tasks one after the other. */
export function clientNotes({ tasks, clients }: Group): string[] {
  const all = tasks.reduce((sum, task) => sum + task.clients, 0);
  return clients !== undefined && clients < all
    ? [`Rally shares ${clients} clients among tasks with ${all}: here all of them run at once`]
    : [];
}

/** Of the spacing of requests. */
export const scheduleNotes = ({ schedule, name }: Task): string[] =>
  schedule === undefined || schedule === 'deterministic'
    ? []
    : [`${name} is paced by ${schedule}: here requests are spaced evenly`];
