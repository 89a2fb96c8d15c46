/**
 * Connects a run with Dyno's collector, a process based on Metricbeat that reads metrics from the nodes of the target.
 *
 * Each trial writes a small document, its *marker*. From the marker, the collector determines to which trial and phase its readings belong.
 * At the end of the run, the collected metrics are added to the trials.
 */
import { COVERED_FROM, coverage } from '../../../common/measurement/coverage';
import { counts } from '../../../common/analysis/validity';
import { withDefaults, type ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { CollectedNode } from '../../../common/measurement/collected';
import type { RunDocument, RunEvent } from '../../../common/experiment/run';
import type { TrialDocument } from '../../../common/measurement/trial';
import { messageOf } from '../../../common/problem';
import { formatDuration, formatPercent, plural } from '../../../common/units/format';
import { readCollected } from '../../results/collected';
import { readCollectorProgress, type CollectorProgress } from '../../results/collector-progress';
import { markedPhases, type Marker, type TrialTimes } from '../../../common/measurement/marker';
import { saveMarker } from '../../results/markers';
import { PATIENCE_MS } from '../../results/patience';
import { sayClock } from '../../../common/measurement/target-clock';
import { readClocks } from '../../target-cluster/clocks';
import { TaskChain } from '../../waiting';
import { parseTime } from '../../../common/units/time';

/** Assumed time in ms from a reading of Dyno's collector until the reading is stored in the results cluster. */
const SHIPPED_AFTER_MS = 3000;
/**
 * Maximum time in ms for which a run waits for the last readings of Dyno's collector. The collector may no longer be running, so the wait
 * needs a limit.
 */
const LONGEST_WAIT_MS = 15_000;
const LOOK_EVERY_MS = 500;
/** Time limit in ms for reading all metrics of Dyno's collector from the results cluster. */
const READ_WITHIN_MS = 60_000;
/** Like {@link READ_WITHIN_MS}, if the run was cancelled. */
const CANCELLED_READ_WITHIN_MS = 5000;
/** Timeout of a single read of collected metrics, in ms. It ensures that an unreachable results cluster does not delay the end of a run. */
const ANSWER_WITHIN_MS = 15_000;

interface Collecting {
  activeRun: {
    readonly document: RunDocument;
    readonly trials: TrialDocument[];
    note(message: string, level?: RunEvent['level']): void;
  };
  /** Client of the cluster in which Dyno's collector stores its readings. */
  client: ElasticsearchClient;
  saveTrial: (trial: TrialDocument) => Promise<void>;
  /** Aborted if the run is cancelled. */
  signal: AbortSignal;
}

/**
 * Adds the metrics of Dyno's collector to the trials of a run. Never rejects, because a run is valid without these metrics. If there is a
 * collector, adds a note to the run that says what was collected, or why metrics are missing.
 */
export async function addCollected({ activeRun, client, saveTrial, signal }: Collecting): Promise<void> {
  const cluster = activeRun.document.provenance?.cluster.uuid;
  // Trials in earlier environments with other clusters received their metrics at the end of these environments.
  const here = activeRun.trials.filter((trial) => (trial.cluster?.uuid ?? cluster) === cluster);
  const trials = here.filter((trial) => counts(trial) && !trial.collected);
  if (trials.length === 0 || cluster === undefined) return;
  const reading = limitReading(signal);
  const bounded = withDefaults(client, { timeoutMs: ANSWER_WITHIN_MS, signal: reading.signal });
  const run = activeRun.document.run.id;
  const { since, until } = onEitherClock(trials);
  try {
    const ask = (): Promise<CollectorProgress[]> => readCollectorProgress(bounded, { cluster, run, since });
    const shipping = await shippedUntil(ask, until, signal);
    if (shipping.length === 0) return;
    for (const trial of trials) {
      const collected = await readCollected(bounded, trial.trial.id);
      if (collected === null) continue;
      trial.collected = collected;
      await saveTrial(trial);
    }
    const { message, whole } = describeCollected(activeRun.document, here.filter(counts), shipping);
    activeRun.note(message, whole ? 'info' : 'warning');
  } catch (error) {
    activeRun.note(`collector: its metrics could not be added: ${messageOf(error)}`, 'warning');
  } finally {
    reading.end();
  }
}

/** Returns a signal that is aborted when all reads together have taken too long, or soon after the run was cancelled. */
function limitReading(cancelled: AbortSignal): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const giveUp = (): void => controller.abort(new Error('the results cluster took too long'));
  const timers = [setTimeout(giveUp, READ_WITHIN_MS)];
  const hurry = (): void => void timers.push(setTimeout(giveUp, CANCELLED_READ_WITHIN_MS));
  if (cancelled.aborted) hurry();
  else cancelled.addEventListener('abort', hurry, { once: true });
  return {
    signal: controller.signal,
    end: () => {
      timers.forEach(clearTimeout);
      cancelled.removeEventListener('abort', hurry);
    },
  };
}

/**
 * Returns the period in which readings of Dyno's collector can belong to the trials. The collector uses its own clock, which may agree with
 * the clock of the run or with that of the target. The period includes both. `since`: start of the first trial (ISO 8601). `until`: end of
 * the last measured phase (ms since the epoch).
 */
export function onEitherClock(trials: readonly Pick<TrialDocument, 'times' | 'clock'>[]): {
  since: string;
  until: number;
} {
  const both = ({ clock }: Pick<TrialDocument, 'clock'>): number[] => [0, clock?.before?.offsetMs ?? 0];
  const moments = (read: (times: TrialDocument['times']) => string): number[] =>
    trials.flatMap((trial) => both(trial).map((offset) => parseTime(read(trial.times)) + offset));
  return {
    since: new Date(Math.min(...moments(({ started }) => started))).toISOString(),
    until: Math.max(...moments(({ drain, ended, started }) => drain ?? ended ?? started)),
  };
}

/**
 * Resolves once every active collector of Dyno has stored a reading later than `until`, or the time limit is reached. Resolves at once if
 * there is no active collector.
 */
async function shippedUntil(
  read: () => Promise<CollectorProgress[]>,
  until: number,
  signal: AbortSignal,
): Promise<CollectorProgress[]> {
  const began = Date.now();
  for (;;) {
    const shipping = await read();
    const late = shipping.filter(({ latest }) => latest <= until);
    const patience = Math.min(
      LONGEST_WAIT_MS,
      SHIPPED_AFTER_MS + 2 * Math.max(0, ...late.map(({ periodMs }) => periodMs)),
    );
    if (late.length === 0 || signal.aborted || Date.now() - began >= patience) return shipping;
    await pause(LOOK_EVERY_MS, signal);
  }
}

/** Waits for `ms`. Resolves early if the signal is aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });

/**
 * Describes what Dyno's collector has collected: `collector: metrics of 3 of 3 nodes and their machines for 9 of 9 trials`. `whole`:
 * whether every trial has the metrics of every node.
 */
export function describeCollected(
  { provenance }: Pick<RunDocument, 'provenance'>,
  trials: readonly TrialDocument[],
  shipping: readonly CollectorProgress[],
): { message: string; whole: boolean } {
  const added = trials.flatMap((trial) => (trial.collected ? [{ trial, nodes: trial.collected.nodes }] : []));
  if (added.length === 0) return { message: `${whyNone(shipping)}${clockNote(trials)}`, whole: false };
  const names = (provenance?.nodes ?? []).map(({ name }) => name);
  const fewest = (has: (node: CollectedNode) => boolean): number =>
    Math.min(
      ...added.map(({ nodes }) => nodes.filter((node) => names.includes(node.name) && has(node)).length),
    );
  const nodes = fewest(({ coveredMs }) => coveredMs > 0);
  const hosts = fewest(({ host }) => host !== null);
  const machines =
    hosts === 0
      ? ''
      : hosts === nodes
        ? ` and ${nodes === 1 ? 'its machine' : 'their machines'}`
        : ` and the machines of ${hosts}`;
  const least = Math.min(
    ...added.flatMap(({ trial, nodes: own }) =>
      own.flatMap(({ coveredMs, host }) =>
        [coveredMs, host?.coveredMs ?? 0].filter((ms) => ms > 0).map((ms) => coverage(ms, trial)),
      ),
    ),
  );
  const scant = least < COVERED_FROM ? `; some cover only ${formatPercent(least)} of a measured phase` : '';
  const whole = nodes === names.length && added.length === trials.length && scant === '';
  return {
    message:
      `collector: metrics of ${nodes} of ${plural(names.length, 'node')}${machines} ` +
      `for ${added.length} of ${plural(trials.length, 'trial')}${scant}${whole ? '' : clockNote(trials)}`,
    whole,
  };
}

/** Returns a sentence that events may be missing because clocks differ; '' if the clocks agree. */
function clockNote(trials: readonly TrialDocument[]): string {
  const difference = trials.map(({ clock }) => (clock === undefined ? '' : sayClock(clock))).find(Boolean);
  return difference === undefined
    ? ''
    : `; ${difference}: events of a collector that uses another clock may be missing`;
}

function whyNone(shipping: readonly CollectorProgress[]): string {
  const period = formatDuration(Math.max(...shipping.map(({ periodMs }) => periodMs)));
  return shipping.some(({ aligned }) => aligned > 0)
    ? `collector: no event is from a measured phase, because it reads only every ${period}`
    : `collector: it reads this cluster every ${period}, but no event belongs to a trial of this run. Either the trials are ` +
        'shorter, or the collector cannot read dyno-markers in the results cluster';
}

export type MarkedTrial = Pick<Marker, 'cluster' | 'run' | 'experiment' | 'trial' | 'cell'>;

/** Writes the marker of a trial: a document in the results cluster with which Dyno's collector assigns its readings to the trial. */
export class TrialMarker {
  private clocks: Promise<Marker['clocks']> | undefined;
  private readonly writes: TaskChain;

  constructor(
    private readonly marked: MarkedTrial,
    private readonly results: ElasticsearchClient,
    private readonly target: ElasticsearchClient,
    /** Called with a message if the marker could not be written. The trial remains valid. */
    private readonly note: (message: string) => void,
    /**
     * Promise for which the first write waits. All trials of a run use the same document as their marker. The previous trial must therefore
     * have written the last state of its marker before.
     */
    after: Promise<void> = Promise.resolve(),
  ) {
    this.writes = new TaskChain(after);
  }

  /**
   * Writes to the marker those times of the trial that are already known. The marker is the document with which Dyno's collector assigns
   * readings to trials. Returns at once; the writes follow one after another.
   */
  update(times: TrialTimes): void {
    this.writes
      .add(() => this.write(times))
      .catch((error: unknown) => {
        this.note(`node metrics will not be assigned to their trial: ${messageOf(error)}`);
      });
  }

  /** Resolves when every update was written or has failed. */
  settled(): Promise<void> {
    return this.writes.settled();
  }

  private async write(times: TrialTimes): Promise<void> {
    this.clocks ??= readClocks(this.target).catch(() => ({}));
    const bounded = withDefaults(this.results, { timeoutMs: PATIENCE_MS });
    await saveMarker(bounded, {
      '@timestamp': new Date().toISOString(),
      ...this.marked,
      phases: markedPhases(times),
      clocks: await this.clocks,
      ended: times.ended === null ? null : new Date(times.ended).toISOString(),
    });
  }
}
