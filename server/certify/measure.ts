/**
 * Measures a simulated server of known behaviour with the real load generator. Compares each measured value with the value from the
 * server's own log (the *truth*).
 */
import { ownShares, type OwnShare } from '../../common/analysis/instrument';
import type { CertifiedFigure, RequestCounts } from '../../common/measurement/certification';
import { PERCENTILES, type LatencySummary } from '../../common/measurement/histogram';
import type { Sample } from '../../common/measurement/sample';
import type { GeneratorSummary, TaskSummary } from '../../common/measurement/trial';
import type { LoadJob } from '../load/contract';
import { startLoad } from '../load/pool';
import { generatorSummary, taskSummary } from '../run/trial/trials';
import { FATES, GIVEN_UP_MS, type BehaviourName } from './behaviours';
import type { TargetLog } from './target';
import type { TargetHandle } from './target-handle';
import { searchJob } from '../../common/tasks/search';

/** Percentiles that are compared with the truth. */
export const JUDGED = ['p50', 'p90', 'p99', 'p99_9', 'max'] as const;
export type JudgedKey = (typeof JUDGED)[number];

/** A value that Dyno measured, and the true value that the simulated server logged. The two are not compared yet. */
export interface Figure extends Omit<CertifiedFigure, 'verdict' | 'ownMs'> {
  key: JudgedKey;
  /**
   * Upper limit of the time in ms that the load generator itself may have added to the value. Infinity if unknown. ({@link
   * CertifiedFigure.ownMs} is null in this case.)
   */
  ownMs: number;
}

export interface Measurement {
  behaviour: BehaviourName;
  perSecond: number;
  figures: Figure[];
  said: RequestCounts;
  truth: RequestCounts;
  generator: GeneratorSummary;
  task: TaskSummary;
}

export interface MeasureOptions {
  behaviour: BehaviourName;
  perSecond: number;
  warmupMs: number;
  measureMs: number;
  seed: number;
  workerFile: string;
  /** Ends the load immediately. The measurement then rejects with the reason of this signal. */
  signal?: AbortSignal;
}

/**
 * Maximum number of clients: enough for the longest stall at the highest rate. More clients would make a busy machine spend time on opening
 * connections.
 */
const MOST_CLIENTS = 700;
/** Timeout of requests in ms, for behaviours without hanging requests. It is long enough that no request times out. */
const TIMEOUT_MS = 10_000;

const jobOf = (
  url: string,
  { behaviour, perSecond, warmupMs, measureMs, seed }: MeasureOptions,
): LoadJob => ({
  indices: ['certify'],
  route: 'in-turn',
  target: {
    nodes: [url],
    headers: {},
    verifyCertificates: true,
    requestTimeoutMs: behaviour === 'hanging' ? GIVEN_UP_MS : TIMEOUT_MS,
  },
  tasks: [
    {
      name: 'search',
      operation: searchJob({ name: '', body: { size: 0 } }),
      executor: { kind: 'constant-rate', perSecond, maxClients: MOST_CLIENTS },
    },
  ],
  seed,
  warmupMs,
  measureMs,
  documents: null,
  drainMs: 2 * GIVEN_UP_MS,
});

/**
 * Returns the times from the arrival of a request until the server answered it, in ms, in ascending order. Covers `count` requests,
 * beginning with request number `first`; requests are numbered by arrival. Requests that still wait for their response are left out.
 */
export function timesOf({ arrivals, departures }: TargetLog, first: number, count: number): Float64Array {
  const times: number[] = [];
  for (let place = first; place < Math.min(first + count, arrivals.length); place += 1)
    if (departures[place]! > 0) times.push(departures[place]! - arrivals[place]!);
  return Float64Array.from(times).sort();
}

/** Counts all requests in the server's log, and those that the server accepted and rejected. Covers all phases. */
function accountOf({ departures, fates }: TargetLog): RequestCounts {
  const account: RequestCounts = { requests: departures.length, accepted: 0, rejected: 0 };
  for (let place = 0; place < departures.length; place += 1) {
    if (departures[place]! === 0) continue;
    const fate = FATES[fates[place]!];
    if (fate === 'answer') account.accepted += 1;
    if (fate === 'reject') account.rejected += 1;
  }
  return account;
}

/** A percentile is compared only if at least about ten requests were slower. Otherwise, a single request would determine it. */
const VALUES_BEHIND = 9.5;

/**
 * Returns the true value of a percentile from ascending times, at the rank that HdrHistogram uses (percent of the count, rounded). Null if
 * too few values are above the percentile.
 */
export function truthAt(times: Float64Array, key: JudgedKey): number | null {
  if (times.length === 0) return null;
  if (key === 'max') return times[times.length - 1]!;
  const { percentile } = PERCENTILES.find((known) => known.key === key)!;
  if (times.length * (1 - percentile / 100) < VALUES_BEHIND) return null;
  return times[Math.max(0, Math.round((percentile / 100) * times.length) - 1)]!;
}

function figuresOf(
  of: Figure['of'],
  summary: LatencySummary,
  times: Float64Array,
  own: OwnShare | undefined,
): Figure[] {
  return JUDGED.flatMap((key) => {
    const said = summary[key];
    const truth = truthAt(times, key);
    if (said === null || truth === null) return [];
    const { ownMs = Infinity, flagged: doubted = true } =
      own?.figures.find((figure) => figure.key === key) ?? {};
    return [{ of, key, said, truth, ownMs, doubted }];
  });
}

/**
 * Measures the simulated server with one behaviour at one rate. Returns the measured and the true values. Rejects with a DynoError, or with
 * the reason of `signal`.
 */
export async function measure(target: TargetHandle, options: MeasureOptions): Promise<Measurement> {
  const { behaviour, perSecond, warmupMs, measureMs, workerFile, signal } = options;
  await target.behave(behaviour, options.seed);
  signal?.throwIfAborted();
  const samples: Sample[] = [];
  const load = startLoad(jobOf(target.url, options), {
    workerFile,
    onSample: (sample) => {
      samples.push(sample);
    },
  });
  const abort = (): void => {
    load.abort();
  };
  signal?.addEventListener('abort', abort);
  const outcome = await load.done.finally(() => signal?.removeEventListener('abort', abort));
  signal?.throwIfAborted();
  const task = taskSummary(outcome.tasks[0]!, samples);
  const log = await target.log();
  const generator = generatorSummary(outcome, samples, { here: true, share: log.cpuShare });
  const times = timesOf(
    log,
    Math.round((perSecond * warmupMs) / 1000),
    Math.round((perSecond * measureMs) / 1000),
  );
  const shares = ownShares(task, generator);
  const { attempted, accepted, rejected } = task.total;
  return {
    behaviour,
    perSecond,
    figures: (['service', 'latency'] as const).flatMap((of) =>
      figuresOf(
        of,
        task[of],
        times,
        shares.find((share) => share.of === of),
      ),
    ),
    said: { requests: attempted, accepted, rejected },
    truth: accountOf(log),
    generator,
    task,
  };
}
