/**
 * A run and the collector beside its target: each trial is marked while it goes on, so that the collector knows what its
 * events belong to, and at the end what it saw is added to the trials, once its last events are there.
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
import { readShipping, type Shipping } from '../../results/shipping';
import { markedPhases, type Marker, type TrialTimes } from '../../../common/measurement/marker';
import { saveMarker } from '../../results/markers';
import { PATIENCE_MS } from '../../results/patience';
import { sayClock } from '../../../common/measurement/target-clock';
import { readClocks } from '../../target-cluster/clocks';
import { TaskChain } from '../../waiting';
import { parseTime } from '../../../common/units/time';

/** A collector reads once a period, and ships within seconds, ms. */
const SHIPPED_AFTER_MS = 3000;
/** Nobody waits longer for a collector, ms: it may have ended. */
const LONGEST_WAIT_MS = 15_000;
const LOOK_EVERY_MS = 500;
/** All reading together, ms; a run that was cancelled ends sooner. */
const READ_WITHIN_MS = 60_000;
const CANCELLED_READ_WITHIN_MS = 5000;
/** One answer, ms: results that are away cost the end of a run no more than this. */
const ANSWER_WITHIN_MS = 15_000;

interface Collecting {
  activeRun: {
    readonly document: RunDocument;
    readonly trials: TrialDocument[];
    note(message: string, level?: RunEvent['level']): void;
  };
  /** Where the collector ships to. */
  client: ElasticsearchClient;
  saveTrial: (trial: TrialDocument) => Promise<void>;
  /** Aborted when the run is cancelled. */
  signal: AbortSignal;
}

/** Never rejects: a run is as good without, and a note tells why. Says nothing where no collector is at work. */
export async function addCollected({ activeRun, client, saveTrial, signal }: Collecting): Promise<void> {
  const cluster = activeRun.document.provenance?.cluster.uuid;
  // Those of past blocks on another cluster had theirs added when they were over.
  const here = activeRun.trials.filter((trial) => (trial.cluster?.uuid ?? cluster) === cluster);
  const trials = here.filter((trial) => counts(trial) && !trial.collected);
  if (trials.length === 0 || cluster === undefined) return;
  const reading = limitReading(signal);
  const bounded = withDefaults(client, { timeoutMs: ANSWER_WITHIN_MS, signal: reading.signal });
  const run = activeRun.document.run.id;
  const { since, until } = onEitherClock(trials);
  try {
    const ask = (): Promise<Shipping[]> => readShipping(bounded, { cluster, run, since });
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
    activeRun.note(`collector: its figures could not be added: ${messageOf(error)}`, 'warning');
  } finally {
    reading.end();
  }
}

/** A signal that is aborted when all has taken too long, or soon after the run was cancelled. */
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
 * From the start of the first trial (ISO 8601) to the end of the last measured phase (ms since the epoch). A collector dates its
 * events by the clock of its own machine, which may be one of the target's: by whichever clock is behind, or ahead, of the other.
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
 * Resolves once every collector at work has shipped something later than `until`, or has had the time for it; at once
 * where there is none.
 */
async function shippedUntil(
  read: () => Promise<Shipping[]>,
  until: number,
  signal: AbortSignal,
): Promise<Shipping[]> {
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

/** Ends early when the signal is aborted. */
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

/** `collector: figures of 3 of 3 nodes and their machines for 9 of 9 trials`; whether nothing of it is missing. */
export function describeCollected(
  { provenance }: Pick<RunDocument, 'provenance'>,
  trials: readonly TrialDocument[],
  shipping: readonly Shipping[],
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
      `collector: figures of ${nodes} of ${plural(names.length, 'node')}${machines} ` +
      `for ${added.length} of ${plural(trials.length, 'trial')}${scant}${whole ? '' : clockNote(trials)}`,
    whole,
  };
}

/** What clocks may have to do with events that are missing; '' where they are the same. */
function clockNote(trials: readonly TrialDocument[]): string {
  const said = trials.map(({ clock }) => (clock === undefined ? '' : sayClock(clock))).find(Boolean);
  return said === undefined ? '' : `; ${said}: events that a collector dates by another clock may be missing`;
}

function whyNone(shipping: readonly Shipping[]): string {
  const period = formatDuration(Math.max(...shipping.map(({ periodMs }) => periodMs)));
  return shipping.some(({ aligned }) => aligned > 0)
    ? `collector: no event fell into a measured phase: it reads every ${period}`
    : `collector: it reads this cluster every ${period}, but no event carries a trial of this run: trials may be ` +
        'shorter, or it cannot read dyno-markers in the cluster that keeps the results';
}

export type MarkedTrial = Pick<Marker, 'cluster' | 'run' | 'experiment' | 'trial' | 'cell'>;

export class TrialMarker {
  private clocks: Promise<Marker['clocks']> | undefined;
  private readonly writes: TaskChain;

  constructor(
    private readonly marked: MarkedTrial,
    private readonly results: ElasticsearchClient,
    private readonly target: ElasticsearchClient,
    /** Told when it could not be written: the trial is as good without. */
    private readonly note: (message: string) => void,
    /** Once this is settled: the marker of the trial before is in the same place. */
    after: Promise<void> = Promise.resolve(),
  ) {
    this.writes = new TaskChain(after);
  }

  /** Writes what is known by now; returns at once, writes follow each other. */
  update(times: TrialTimes): void {
    this.writes
      .add(() => this.write(times))
      .catch((error: unknown) => {
        this.note(`node metrics will not be assigned to their trial: ${messageOf(error)}`);
      });
  }

  /** Resolves when every update is written, or could not be. */
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
