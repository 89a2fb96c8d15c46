/**
 * Ends the load of a trial early. There are three reasons: a safety check of the target fails (such as its disk space), a `stop-when`
 * condition of the definition holds, or the run is cancelled.
 */
import { formatMetric } from '../../../../common/analysis/wording';
import { holds, type Condition } from '../../../../common/measurement/condition';
import { addCounts, noCounts } from '../../../../common/measurement/counts';
import {
  createHistogram,
  decodeHistogram,
  encodeHistogram,
  mergeHistograms,
} from '../../../../common/measurement/histogram';
import { readMetric } from '../../../../common/measurement/metric';
import type { Sample } from '../../../../common/measurement/sample';
import type { TaskSummary } from '../../../../common/measurement/trial';
import { messageOf } from '../../../../common/problem';
import { kindNamed, rateUnitOf } from '../../../../common/tasks/registry';
import type { Load } from '../../../load/contract';
import { mergeRequests } from '../../../load/samples/merge';
import { reasonToStop } from '../../../target-cluster/guard-rails';
import type { Needs } from '../input';
import type { RecentSamples } from '../progress';
import { taskSummary } from '../summary';
import type { Undo } from '../undo';

/** Interval at which the safety checks of the target are made during the load, in ms. */
const WATCH_EVERY_MS = 5000;
/** Time in ms that a stopped load has to drain before its requests are cut. */
const CANCEL_DRAIN_MS = 2000;

/** Code of a stop because of a `stop-when` condition. */
export const BY_DEFINITION = 'run.stop-when';

type StopCode = 'run.stopped' | typeof BY_DEFINITION;

export class EarlyStop {
  /** Sentence with the reason; '' while the load is not stopped. */
  reason = '';
  /** Code of the problem that stopped the load. */
  code: StopCode = 'run.stopped';
  private load: Load | undefined;

  /**
   * The constructor registers a function with `undo`, for the end of the trial: it waits until the load sends no more requests. Only after
   * that may indices be counted or removed.
   */
  constructor(
    signal: AbortSignal,
    private readonly undo: Undo,
  ) {
    const cancel = (): void => this.stop(messageOf(signal.reason));
    signal.addEventListener('abort', cancel);
    undo(async () => {
      signal.removeEventListener('abort', cancel);
      await this.load?.stilled;
    });
  }

  /** Sets the load that {@link stop} ends, and returns it. */
  of(load: Load): Load {
    this.load = load;
    return load;
  }

  /** Stops the load. Only the first call has an effect. */
  stop(reason: string, code: StopCode = 'run.stopped'): void {
    if (this.reason !== '') return;
    [this.reason, this.code] = [reason, code];
    this.load?.stop(reason);
    const cut = setTimeout(() => this.load?.abort(), CANCEL_DRAIN_MS);
    this.undo(() => clearTimeout(cut));
  }
}

/**
 * Checks at regular intervals whether the load must stop: an index of the trial blocks writes, a disk of the target is full, or the cluster
 * is red. The checks end with the load.
 */
export function watchGuardRails(
  {
    target: {
      connection,
      indices: { names, existing },
    },
    signal,
  }: Needs<'target' | 'signal'>,
  stop: EarlyStop,
  undo: Undo,
): void {
  const writtenTo = existing?.isWritten === false ? [] : [...names];
  const watch = setInterval(() => {
    void reasonToStop(connection.atOnce, writtenTo, signal)
      .catch(() => null)
      .then((reason) => reason !== null && stop.stop(reason));
  }, WATCH_EVERY_MS);
  undo(() => clearInterval(watch));
}

const NO_TIMES = encodeHistogram(createHistogram());

/** Summarises the last seconds of a task. The result has the form of a trial's summary, so that conditions can be evaluated on it. */
function windowSummary(task: string, kind: TaskSummary['kind'], samples: readonly Sample[]): TaskSummary {
  const counts = samples.reduce((sum, sample) => addCounts(sum, sample.counts), noCounts());
  const merged = (key: 'service' | 'latency'): string =>
    encodeHistogram(mergeHistograms(samples.map((sample) => decodeHistogram(sample[key]))));
  const outcome = {
    task,
    kind,
    measured: counts,
    cohort: counts,
    total: counts,
    elapsedMs: samples.length * 1000,
    service: merged('service'),
    latency: merged('latency'),
    unanswered: NO_TIMES,
    neverSent: NO_TIMES,
    requests: mergeRequests(samples.map(({ requests }) => requests)),
    failures: {},
    offered: null,
    sent: null,
    unsent: samples.at(-1)?.backlog ?? 0,
    replay: null,
    senders: null,
    parsers: null,
  };
  return taskSummary(outcome, samples);
}

/** Returns the sentence of the first `stop-when` condition that holds. Undefined if no condition holds. */
export function stopReason(
  conditions: readonly Condition[],
  definition: Parameters<typeof kindNamed>[0],
  recent: RecentSamples,
): string | undefined {
  for (const condition of conditions) {
    const { task } = condition.metric;
    if (!recent.isFull(task)) continue;
    const kind = kindNamed(definition, task);
    const value = readMetric(condition.metric, {
      tasks: [windowSummary(task, kind, recent.of(task))],
      index: null,
      server: null,
    });
    if (value !== null && holds(condition, value)) {
      return `stop-when "${condition.text}" held over the last ten seconds (${formatMetric(condition.metric, value, rateUnitOf(kind))})`;
    }
  }
  return undefined;
}
