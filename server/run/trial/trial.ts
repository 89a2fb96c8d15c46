/** One trial: a fresh index, warm-up, measure, drain, and the statistics around it. */
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import type { ExperimentMark } from '../../../common/measurement/experiment-mark';
import { parseCondition, type Condition, holds } from '../../../common/measurement/condition';
import type { PlannedTrial } from '../../../common/experiment/plan';
import type { Disturbance } from '../../../common/measurement/disturbance';
import { nodeDisturbances, serverDelta, type StatsSnapshot } from '../../../common/measurement/server-delta';
import type { TrialTimes } from '../../../common/measurement/marker';
import type { Phase, Sample } from '../../../common/measurement/sample';
import type { Cell, SampleDocument, TrialDocument, TaskSummary } from '../../../common/measurement/trial';
import { DynoError, messageOf, runError } from '../../../common/problem';
import type { Load, LoadOutcome } from '../../load/contract';
import { prepareLoad } from '../../load/pool';
import type { Connection } from '../../target-cluster/connection';
import { reasonToStop } from '../../target-cluster/guard-rails';
import { pipelineDelta, type PipelineCounters } from '../../target-cluster/ingest-pipelines';
import { unmarkedIndices } from '../../target-cluster/index-lifecycle';
import { indexState, takeSnapshot } from '../../target-cluster/snapshot';
import { RecentSamples } from './progress';
import { parseNotes, type TrialPipelines } from './parse';
import type { JobFor } from './preload';
import { replayNotes } from './replay';
import type { WallClockWatch } from './wall-clock';
import { generatorSummary, sampleDocument, taskSummary } from './summary';
import { formatMetric } from '../../../common/analysis/wording';
import { readMetric } from '../../../common/measurement/metric';
import { kindNamed, rateUnitOf } from '../../../common/tasks/registry';
import { addCounts, noCounts } from '../../../common/measurement/counts';
import { decodeHistogram, encodeHistogram, mergeHistograms } from '../../../common/measurement/histogram';
import { mergeRequests } from '../../load/merge';

/** What is missing of the measured phase is told from here on, ms. */
const NOTABLE_LATENESS_MS = 20;
/** How often the guard rails look at the target while it is under load, ms. */
const WATCH_EVERY_MS = 5000;
/** A cancelled load may drain this long before its requests are cut, ms. */
const CANCEL_DRAIN_MS = 2000;

/** What condemns its trial alone, a wrong count, an index that was deleted, a thread that hangs; anything else would meet the next one too. */
const CONDEMNS_ONE = new Set(['trial.miscount', 'trial.index-replaced', 'generator.stuck']);

/** The indices of a trial, whoever else uses them. */
interface OwnIndices {
  readonly names: readonly string[];
  /** Rejects with a DynoError, or with the signal's reason. */
  prepare(): Promise<TrialDocument['preload']>;
  /** Returns the names of those that stand on. */
  remove(): Promise<string[]>;
}

export interface TrialInput {
  run: { id: string };
  experiment: ExperimentMark;
  trialId: string;
  indices: OwnIndices;
  pipelines: TrialPipelines;
  planned: PlannedTrial;
  cell: Cell;
  cluster: NonNullable<TrialDocument['cluster']>;
  clock: WallClockWatch;
  /** Names of nodes that have left since the preflight. */
  lost: readonly string[];
  definition: CellDefinition;
  connection: Connection;
  jobFor: JobFor;
  workerFile: string;
  workers: number;
  /** Aborted to cancel; its reason is the sentence. */
  signal: AbortSignal;
  /** The trial as it begins, so that its document exists should this process die. */
  onBegin: (trial: TrialDocument) => Promise<void>;
  onPhase: (phase: Phase, lengthMs: number | null) => void;
  /** Told when more of the trial's times is known. */
  onTimes: (times: TrialTimes) => void;
  onSample: (sample: SampleDocument, recent: RecentSamples) => void;
  onNote: (message: string) => void;
}

const newTrial = ({
  run,
  experiment,
  trialId,
  indices,
  planned,
  cell,
  cluster,
  lost,
}: TrialInput): TrialDocument => ({
  run,
  experiment,
  trial: {
    id: trialId,
    order: planned.order,
    repetition: planned.repetition,
    state: 'running',
    reason: '',
    index: indices.names.join(),
  },
  cell,
  cluster,
  times: { started: new Date().toISOString(), warmup: null, measure: null, drain: null, ended: null },
  tasks: [],
  server: null,
  index: null,
  generator: null,
  preload: null,
  collected: null,
  ...(lost.length > 0
    ? {
        disturbances: lost.map((name): Disturbance => ({
          kind: 'node-left',
          detail: `${name} had left before`,
          node: name,
        })),
      }
    : {}),
});

const iso = (ms: number): string => new Date(ms).toISOString();

/** The times of a trial as far as they are known. */
function timesOf({ times }: TrialDocument): TrialTimes {
  const ms = (text: string | null): number | null => (text === null ? null : Date.parse(text));
  const { started, warmup, measure, drain, ended } = times;
  return {
    prepare: Date.parse(started),
    warmup: ms(warmup),
    measure: ms(measure),
    drain: ms(drain),
    ended: ms(ended),
  };
}

/** Calls back at a time, ms since the epoch; the returned function takes it back. */
function at(time: number, callback: () => void): () => void {
  const timer = setTimeout(callback, Math.max(0, time - Date.now()));
  return () => clearTimeout(timer);
}

const conditionsOf = (texts: readonly string[]): Condition[] =>
  texts
    .map((text) => parseCondition(text))
    .filter((condition): condition is Condition => !('message' in condition));

interface Measured {
  outcome: LoadOutcome;
  samples: Sample[];
  before: Snapshot;
  after: Snapshot;
  /** Why the load was stopped by a guard rail or a `stop-when`; '' when it was not. */
  stopped: string;
}

/** Runs the load with everything that watches it; whatever happens, no timer and no thread outlives it. */
async function measure(input: TrialInput, trial: TrialDocument): Promise<Measured> {
  const { definition, planned, connection, signal } = input;
  const indices = [...input.indices.names];
  const job = input.jobFor(definition, {
    indices,
    pipelines: input.pipelines.names,
    trialSeed: `${planned.repetition}`,
  });
  const samples: Sample[] = [];
  const recent = new RecentSamples();
  const conditions = conditionsOf(definition['stop-when']);
  const undo: (() => void)[] = [];
  let load: Load | undefined;
  let stopped = '';
  const stop = (reason: string): void => {
    if (stopped !== '') return;
    stopped = reason;
    load?.stop(reason);
    undo.push(at(Date.now() + CANCEL_DRAIN_MS, () => load?.abort()));
  };
  const watch = setInterval(() => {
    void reasonToStop(connection, indices, signal)
      .catch(() => null)
      .then((reason) => reason !== null && stop(reason));
  }, WATCH_EVERY_MS);
  const cancel = (): void => stop(messageOf(signal.reason));
  signal.addEventListener('abort', cancel);
  try {
    signal.throwIfAborted();
    load = prepareLoad(job, {
      workerFile: input.workerFile,
      workers: input.workers,
      onSample: (sample) => {
        samples.push(sample);
        recent.add(sample);
        seeClock(input, trial);
        input.onSample(sampleDocument(sample, trial), recent);
        if (conditions.length === 0) return;
        const reason = stopReason(conditions, definition, recent);
        if (reason !== undefined) stop(reason);
      },
      onRateStep: (task, progress) => recent.searches(task, progress),
    });
    const leadMs = await load.ready;
    // With no warm-up the snapshot is taken before the load begins; otherwise as the measured phase does.
    let before = Promise.resolve(job.warmupMs === 0 ? await takeSnapshots(input) : NO_SNAPSHOT);
    let after: Promise<Snapshot> | undefined;
    const startAt = Date.now() + leadMs;
    load.begin(startAt);
    const measureAt = startAt + job.warmupMs;
    const measureEnd = job.measureMs === null ? null : measureAt + job.measureMs;
    trial.times.warmup = iso(startAt);
    trial.times.measure = iso(measureAt);
    input.onTimes({ ...timesOf(trial), drain: measureEnd });
    undo.push(
      at(startAt, () => job.warmupMs > 0 && input.onPhase('warm-up', job.warmupMs)),
      at(measureAt, () => {
        input.onPhase('measure', job.measureMs);
        if (job.warmupMs > 0) before = takeSnapshots(input);
      }),
    );
    if (measureEnd !== null) {
      undo.push(
        at(measureEnd, () => {
          after = takeSnapshots(input);
          input.onPhase('drain', null);
        }),
      );
    }
    const outcome = await load.done;
    after ??= stopped === '' ? takeSnapshots(input) : Promise.resolve(NO_SNAPSHOT);
    return { outcome, samples, before: await before, after: await after, stopped };
  } finally {
    undo.forEach((take) => take());
    clearInterval(watch);
    signal.removeEventListener('abort', cancel);
  }
}

function conclude(
  trial: TrialDocument,
  pipelines: TrialPipelines,
  { outcome, samples, before, after }: Measured,
): void {
  trial.times.warmup = iso(outcome.startedAt);
  trial.times.measure = iso(outcome.measureAt);
  trial.times.drain = iso(outcome.measureEndedAt);
  trial.tasks = outcome.tasks.map((task) => {
    const pipeline = pipelines.names.get(task.task);
    const summary = taskSummary(task, samples);
    if (pipeline === undefined) return summary;
    const delta = pipelineDelta(pipeline, before.pipelines, after.pipelines);
    return { ...summary, parsing: { by: 'pipeline', pipeline: delta } };
  });
  trial.generator = generatorSummary(outcome, samples);
  trial.server = before.stats && after.stats ? serverDelta(before.stats, after.stats) : null;
  if (before.stats && after.stats) disturb(trial, nodeDisturbances(before.stats, after.stats));
}

/** The wall clock may have been set. */
function seeClock({ clock, onNote }: TrialInput, trial: TrialDocument): void {
  const detail = clock.look();
  if (detail === '') return;
  onNote(detail);
  trial.disturbances = [...(trial.disturbances ?? []), { kind: 'clock-jumped', detail }];
}

/** What was seen beside the load, once each. */
function disturb(trial: TrialDocument, seen: readonly Disturbance[]): void {
  const known = trial.disturbances ?? [];
  const added = seen.filter(({ detail }) => known.every((other) => other.detail !== detail));
  if (added.length > 0) trial.disturbances = [...known, ...added];
}

/** What a reader must know of the load as a whole. */
function outcomeNotes({ stopped, lateMs, startedAt, measureAt }: LoadOutcome): string[] {
  const missingMs = Math.round(lateMs - (measureAt - startedAt));
  return [
    stopped,
    missingMs > NOTABLE_LATENESS_MS
      ? `a load thread began ${missingMs} ms late; its part of the load is missing for that time`
      : '',
  ].filter(Boolean);
}

/** Elasticsearch makes an index for a bulk to a name that has none: one without Dyno's settings, mapping and mark. */
const replacedSentence = (names: readonly string[]): string =>
  `somebody deleted ${names.join(', ')} while the trial wrote to it, and Elasticsearch made it again by itself, with other ` +
  'settings and another mapping: it does not carry the mark of Dyno, which leaves it where it is';

/** The documents that the generator counts as stored must be there: a benchmark that loses count misleads. */
function checkCount(trial: TrialDocument): string {
  const accepted = trial.tasks.reduce(
    (sum, { kind, total }) => sum + (kind === 'ingest' ? total.accepted : 0),
    0,
  );
  const unknown = trial.tasks.reduce(
    (sum, { kind, total }) => sum + (kind === 'ingest' ? total.failed : 0),
    0,
  );
  const docs = trial.index?.docs;
  const before = trial.preload?.documents ?? 0;
  if (docs === undefined || (docs >= before + accepted && docs <= before + accepted + unknown)) return '';
  const loaded = before > 0 ? `${before} had been loaded and ` : '';
  return `the index holds ${docs} documents, but ${loaded}${accepted} were acknowledged`;
}

/**
 * Never rejects for what the target, a source or a guard rail did: the trial then says `failed`, or `cancelled` when the
 * signal was aborted. `fatal` tells that no further trial can succeed. Its indices are removed, but for
 * those that later trials need and those that cannot be: `standing`, and `pipelines` that cannot be.
 */
export async function executeTrial(
  input: TrialInput,
): Promise<{ trial: TrialDocument; fatal: string; standing: string[]; pipelines: string[] }> {
  const trial = newTrial(input);
  let fatal = '';
  try {
    input.onPhase('prepare', null);
    input.onTimes(timesOf(trial));
    await input.onBegin(structuredClone(trial));
    await input.pipelines.prepare();
    trial.preload = await input.indices.prepare();
    const measured = await measure(input, trial);
    conclude(trial, input.pipelines, measured);
    for (const { kind, detail } of trial.disturbances ?? [])
      if (kind !== 'clock-jumped') input.onNote(detail);
    const { stopped } = measured;
    if (input.signal.aborted) throw runError('run.cancelled', '', messageOf(input.signal.reason));
    if (stopped !== '') throw runError('run.stopped', '', stopped);
    for (const note of outcomeNotes(measured.outcome)) input.onNote(note);
    for (const note of trial.tasks.flatMap(replayNotes)) input.onNote(note);
    for (const note of trial.tasks.flatMap(parseNotes)) input.onNote(note);
    const replaced = await unmarkedIndices(input.connection, input.indices.names);
    if (replaced.length > 0) throw runError('trial.index-replaced', '', replacedSentence(replaced));
    trial.index = await indexState(input.connection, input.indices.names);
    const miscount = checkCount(trial);
    if (miscount !== '') throw runError('trial.miscount', '', miscount);
    trial.trial.state = 'completed';
  } catch (error) {
    if (!(error instanceof DynoError) && !input.signal.aborted) throw error;
    trial.trial.state = input.signal.aborted ? 'cancelled' : 'failed';
    // Whatever was cut by it is no reason of its own.
    trial.trial.reason = messageOf(input.signal.aborted ? input.signal.reason : error);
    if (!(error instanceof DynoError && CONDEMNS_ONE.has(error.code))) fatal = trial.trial.reason;
  }
  const standing = await input.indices.remove();
  const pipelines = await input.pipelines.remove();
  seeClock(input, trial);
  trial.times.ended = new Date().toISOString();
  input.onTimes(timesOf(trial));
  return { trial, fatal, standing, pipelines };
}

interface SnapshotInput {
  connection: Connection;
  indices: OwnIndices;
  pipelines: TrialPipelines;
  onNote: (message: string) => void;
}

/** The target's counters at a moment; null where they could not be read. */
export interface Snapshot {
  stats: StatsSnapshot | null;
  pipelines: PipelineCounters | null;
}

/** A snapshot that could not be taken costs the server's side of a trial, not the trial. */
export async function takeSnapshots({
  connection,
  indices,
  pipelines,
  onNote,
}: SnapshotInput): Promise<Snapshot> {
  const [stats, counters] = await Promise.all([
    takeSnapshot(connection, indices.names).catch((error: unknown) => {
      onNote(`no node statistics: ${messageOf(error)}`);
      return null;
    }),
    pipelines.counters(),
  ]);
  return { stats, pipelines: counters };
}

export const NO_SNAPSHOT: Snapshot = { stats: null, pipelines: null };

/** The window as if it were a trial of its own. */
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

/** Why the run must stop, or undefined. */
export function stopReason(
  conditions: readonly Condition[],
  definition: Parameters<typeof kindNamed>[0],
  recent: RecentSamples,
): string | undefined {
  for (const condition of conditions) {
    const { task } = condition.metric;
    if (!recent.isFull(task)) continue;
    const kind = kindNamed(definition, task);
    const value = readMetric(condition.metric, [windowSummary(task, kind, recent.of(task))]);
    if (value !== null && holds(condition, value)) {
      return `stop-when "${condition.text}" held over the last ten seconds (${formatMetric(condition.metric, value, rateUnitOf(kind))})`;
    }
  }
  return undefined;
}
