/**
 * The load of a trial: waits until its threads are ready, reads the counters of the target, executes the warm-up, the measured phase and
 * the drain, and reads the counters again.
 */
import type { CellDefinition } from '../../../../common/experiment/cell-definition';
import { parseCondition, type Condition } from '../../../../common/measurement/condition';
import type { Sample } from '../../../../common/measurement/sample';
import type { GaugeReading } from '../../../../common/measurement/server-delta';
import { profiledIn } from '../../../../common/profile/events';
import { PhaseProfile, type NodeProfile } from '../../../../common/profile/phase-profile';
import { kindNamed } from '../../../../common/tasks/registry';
import type { Load, LoadJob, LoadOutcome } from '../../../load/contract';
import { prepareLoad } from '../../../load/pool';
import { destinationOf } from '../../../target-cluster/destination';
import { seeClock, timesOf } from '../document';
import type { Needs, OwnIndices } from '../input';
import type { MeasuredStacks } from '../profile';
import { RecentSamples } from '../progress';
import type { Recalls } from '../recall';
import { sampleDocument } from '../summary';
import { withUndo, type Undo } from '../undo';
import { BY_DEFINITION, EarlyStop, stopReason, watchGuardRails } from './early-stop';
import { watchRollover } from './rollover';
import { gaugeWatch, missingProfile, profileWatch, SamplingWatch, type PhaseWatch } from './phase-watch';
import { SearchWatches, type TaskSearchProfiles } from './search-watch';
import { NO_SNAPSHOT, takeSnapshots, type Snapshot } from './snapshots';

export interface Measured {
  outcome: LoadOutcome;
  samples: readonly Sample[];
  before: Snapshot;
  after: Snapshot;
  /** Values of gauges that were read during the measured phase. */
  readings: readonly GaugeReading[];
  /** CPU profiles of the nodes over the measured phase, by node id. Empty without `measure.profile`, and for other events. */
  profiles: ReadonlyMap<string, NodeProfile>;
  /** Stacks of the measured phase. Empty without `measure.profile`. */
  stacks: readonly MeasuredStacks[];
  /** Profiles of searches. Empty without `measure.profile-searches`. */
  searchProfiles: TaskSearchProfiles;
  /** Reason why the load was stopped early, as a sentence ('' if it was not), and the code of this reason. */
  stop: Pick<EarlyStop, 'reason' | 'code'>;
}

type Measuring = Needs<
  'identity' | 'definition' | 'target' | 'generator' | 'wallClock' | 'signal' | 'listener' | 'document'
>;

/**
 * Runs the load. During the load, also rolls over data streams, checks the disk space of the target, and reads its gauges. When it returns,
 * all timers and threads have ended.
 */
export async function measure(
  trial: Measuring,
  definition: CellDefinition,
  recalls: Recalls,
): Promise<Measured> {
  return await withUndo(async (undo) => {
    const { target, generator, signal } = trial;
    const stop = new EarlyStop(signal, undo);
    watchRollover(trial, undo);
    watchGuardRails(trial, stop, undo);
    const readings: GaugeReading[] = [];
    const profile = new PhaseProfile();
    const profiling = profileWatch(trial, definition, profile, undo);
    signal.throwIfAborted();
    // A machine that was lost in the previous trial may still be missing.
    await generator.seats?.complete(signal);
    const job = await jobOf(trial, definition, recalls);
    const searches =
      definition.measure['profile-searches'] === true ? new SearchWatches(trial, job, undo) : undefined;
    const watches = [gaugeWatch(trial, readings, undo), profiling, ...(searches?.watches ?? [])];
    const samples: Sample[] = [];
    const load = stop.of(prepare(trial, definition, job, samples, stop));
    const leadMs = await readyAtRest(load, target.indices);
    const { outcome, before, after } = await runLoad(trial, load, job, { leadMs, watches, stop, undo });
    if (profiling instanceof SamplingWatch) await profiling.done;
    for (const missing of [missingProfile(definition, profile), searches?.missing() ?? ''])
      if (missing !== '' && stop.reason === '') trial.listener.onNote(missing);
    const profiled = profiledIn(definition.measure);
    const stacks: MeasuredStacks[] =
      profile.isEmpty || profiled === undefined ? [] : [{ ...profiled, ...profile.collected() }];
    const profiles = profiled?.event === 'cpu' ? profile.byNode() : new Map<string, NodeProfile>();
    const searchProfiles: TaskSearchProfiles = searches?.byTask() ?? new Map();
    return { outcome, samples, before, after, readings, profiles, searchProfiles, stacks, stop };
  });
}

async function jobOf(
  { identity, target, generator }: Needs<'identity' | 'target' | 'generator'>,
  definition: CellDefinition,
  recalls: Recalls,
): Promise<LoadJob> {
  const indices = [...target.indices.names];
  // The dates of recorded requests move to the time at which the job is created, so the load must begin soon afterwards.
  if (definition.tasks.some(({ replay }) => replay?.times === 'shift')) await target.indices.atRest?.();
  return generator.jobFor(definition, {
    indices,
    // Only ingest tasks need the destination: the answers to their bulk requests say into which indices the documents went.
    ...(definition.tasks.some(({ ingest }) => ingest)
      ? { destination: await destinationOf(target.connection, indices) }
      : {}),
    pipelines: target.pipelines.names,
    trialSeed: `${identity.planned.repetition}`,
    recalls,
  });
}

/** Collects samples in `samples` once the load is running, and stops the load by the conditions of the definition. */
function prepare(
  trial: Measuring,
  definition: CellDefinition,
  job: LoadJob,
  samples: Sample[],
  stop: EarlyStop,
): Load {
  const { generator, listener, document } = trial;
  const recent = new RecentSamples();
  const conditions = conditionsOf(definition['stop-when']);
  return prepareLoad(job, {
    workerFile: generator.workerFile,
    workers: generator.workers,
    ...generator.seats?.load(),
    onSample: (sample) => {
      samples.push(sample);
      recent.add(sample);
      seeClock(trial);
      const kind = kindNamed(definition, sample.task);
      listener.onSample(sampleDocument(sample, document, kind), recent);
      const reason = stopReason(conditions, definition, recent);
      if (reason !== undefined) stop.stop(reason, BY_DEFINITION);
    },
    onRateStep: (task, progress) => recent.searches(task, progress),
  });
}

const conditionsOf = (texts: readonly string[]): Condition[] =>
  texts
    .map((text) => parseCondition(text))
    .filter((condition): condition is Condition => !('message' in condition));

/**
 * Waits until the threads of the load are ready, and until merges and shard movements in the cluster have ended. Resolves to the result of
 * `load.ready`. If one of the two waits fails, ends the load and rejects.
 */
export async function readyAtRest(
  load: Pick<Load, 'ready' | 'done' | 'abort'>,
  indices: Pick<OwnIndices, 'atRest'>,
): Promise<number> {
  try {
    const [leadMs] = await Promise.all([load.ready, indices.atRest?.()]);
    return leadMs;
  } catch (error) {
    load.abort();
    await load.done.catch(() => undefined);
    throw error;
  }
}

const iso = (ms: number): string => new Date(ms).toISOString();

type Watches = readonly (Pick<PhaseWatch<never>, 'begin' | 'end'> | undefined)[];

/**
 * Runs a load whose threads are ready. Reads the target's counters at the beginning and at the end of the measured phase, and reports each
 * phase when it begins.
 */
async function runLoad(
  trial: Needs<'target' | 'listener' | 'document'>,
  load: Load,
  { warmupMs, measureMs }: LoadJob,
  { leadMs, watches, stop, undo }: { leadMs: number; watches: Watches; stop: EarlyStop; undo: Undo },
): Promise<Pick<Measured, 'outcome' | 'before' | 'after'>> {
  const { listener, document } = trial;
  const at = (time: number, callback: () => void): void => {
    const timer = setTimeout(callback, Math.max(0, time - Date.now()));
    undo(() => clearTimeout(timer));
  };
  // Without a warm-up, the load begins with the measured phase, so the counters must be read before.
  let before = Promise.resolve(warmupMs === 0 ? await takeSnapshots(trial) : NO_SNAPSHOT);
  let after: Promise<Snapshot> | undefined;
  const startAt = Date.now() + leadMs;
  load.begin(startAt);
  const measureAt = startAt + warmupMs;
  const measureEnd = measureMs === null ? null : measureAt + measureMs;
  document.times.warmup = iso(startAt);
  document.times.measure = iso(measureAt);
  listener.onTimes({ ...timesOf(document), drain: measureEnd });
  at(startAt, () => warmupMs > 0 && listener.onPhase('warm-up', warmupMs));
  at(measureAt, () => {
    listener.onPhase('measure', measureMs);
    if (warmupMs > 0) before = takeSnapshots(trial);
    for (const watch of watches) watch?.begin();
  });
  if (measureEnd !== null) {
    at(measureEnd, () => {
      for (const watch of watches) watch?.end();
      after = takeSnapshots(trial);
      listener.onPhase('drain', null);
    });
  }
  const outcome = await load.done;
  for (const watch of watches) watch?.end();
  after ??= stop.reason === '' ? takeSnapshots(trial) : Promise.resolve(NO_SNAPSHOT);
  return { outcome, before: await before, after: await after };
}
