/** One trial: a fresh index, warm-up, measure, drain, and the statistics around it. */
import { availableParallelism } from 'node:os';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import { isDataStream } from '../../../common/experiment/data-stream';
import type { ExperimentMark } from '../../../common/measurement/experiment-mark';
import { parseCondition, type Condition, holds } from '../../../common/measurement/condition';
import type { PlannedTrial } from '../../../common/experiment/plan';
import type { Disturbance } from '../../../common/measurement/disturbance';
import {
  nodeDisturbances,
  serverDelta,
  type GaugeReading,
  type StatsSnapshot,
} from '../../../common/measurement/server-delta';
import type { TrialTimes } from '../../../common/measurement/marker';
import type { UnaskedPart } from '../../../common/measurement/unasked';
import type { ClockReading } from '../../../common/measurement/target-clock';
import type { ServerDelta } from '../../../common/measurement/server';
import type { Phase, Sample } from '../../../common/measurement/sample';
import type { Cell, SampleDocument, TrialDocument, TaskSummary } from '../../../common/measurement/trial';
import { DynoError, messageOf, runError } from '../../../common/problem';
import { parseBytes } from '../../../common/units/bytes';
import { formatNumber, plural } from '../../../common/units/format';
import type { Load, LoadOutcome } from '../../load/contract';
import { prepareLoad } from '../../load/pool';
import type { TargetConnection } from '../../target-cluster/connection';
import { readTargetClock } from '../../target-cluster/clocks';
import { reasonToStop } from '../../target-cluster/guard-rails';
import { pipelineDelta, type PipelineCounters } from '../../target-cluster/ingest-pipelines';
import { destinationOf } from '../../target-cluster/destination';
import { waitUntilNotRed } from '../../target-cluster/readiness';
import { orAborted } from '../../target-cluster/or-aborted';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { TOO_LARGE } from '../../../common/elasticsearch/ceiling';
import { BAD_ANSWER } from '../../target-cluster/answer';
import { unmarkedIndices } from '../../target-cluster/index-lifecycle';
import { rollOver } from '../../target-cluster/data-streams';
import { forceMerge, refresh } from '../../target-cluster/maintenance';
import { countDocuments, indexState, readGauges, takeSnapshot } from '../../target-cluster/snapshot';
import { diskUsage, indexModes } from '../../target-cluster/store';
import { startCaches } from './caches';
import type { ExistingData } from './existing';
import { AWAY_FROM_MS, checkAway, OUTAGE } from './outage';
import { RecentSamples } from './progress';
import { parseNotes, type TrialPipelines } from './parse';
import { carryOutRecipe } from './recipe';
import type { JobFor } from './preload';
import { replayNotes, withFoundFormats } from './replay';
import { findRecalls, type Recalls } from './recall';
import type { RunSeats } from './seats';
import { withLookUps } from './look-ups';
import type { WallClockWatch } from './wall-clock';
import { generatorSummary, sampleDocument, taskSummary } from './summary';
import { formatMetric } from '../../../common/analysis/wording';
import { changingTasks } from '../../../common/tasks/registry';
import {
  documentsOfOthers,
  acknowledgedDocuments,
  indexCount,
  indexMismatch,
  type IndexCount,
} from '../../../common/analysis/index-count';
import { readMetric } from '../../../common/measurement/metric';
import { kindNamed, rateUnitOf } from '../../../common/tasks/registry';
import { addCounts, noCounts } from '../../../common/measurement/counts';
import {
  createHistogram,
  decodeHistogram,
  encodeHistogram,
  mergeHistograms,
} from '../../../common/measurement/histogram';
import { mergeRequests } from '../../load/samples/merge';
import { parseTime } from '../../../common/units/time';

/** What is missing of the measured phase is told from here on, ms. */
const NOTABLE_LATENESS_MS = 20;
/** How often the guard rails look at the target while it is under load, ms. */
const WATCH_EVERY_MS = 5000;
/** A cancelled load may drain this long before its requests are cut, ms. */
const CANCEL_DRAIN_MS = 2000;

/** Code of a stop by a `stop-when` of the definition. */
const BY_DEFINITION = 'run.stop-when';

/** What condemns its trial alone, a wrong count, an index that was deleted, a thread that hangs; anything else would meet the next one too. */
const CONDEMNS_ONE = new Set(['trial.miscount', 'trial.index-replaced', 'generator.stuck']);

/** The indices of a trial, whoever else uses them. */
interface OwnIndices {
  readonly names: readonly string[];
  /** Rejects with a DynoError, or with the signal's reason. */
  prepare(): Promise<TrialDocument['preload']>;
  /** After it: what they have beyond their definition; absent for nothing. */
  readonly unasked?: readonly UnaskedPart[];
  /** After it: resolves once the cluster is at rest, where that is still waited for. Rejects likewise. */
  atRest?(): Promise<void>;
  /** Returns the names of those that stand on. */
  remove(): Promise<string[]>;
  /** Data that was there before, which stays; absent for indices that Dyno makes. */
  readonly existing?: ExistingData;
}

export interface TrialInput {
  run: { id: string };
  experiment: ExperimentMark;
  trialId: string;
  indices: OwnIndices;
  pipelines: TrialPipelines;
  planned: PlannedTrial;
  cell: Cell;
  /** Why an earlier one of its place is repeated by it; absent for a first one. */
  repeats?: string;
  cluster: NonNullable<TrialDocument['cluster']>;
  /** Generator and target share the cores of this machine. */
  sharedMachine: boolean;
  clock: WallClockWatch;
  /** The target's clock right before the trial; null where it is not known. */
  targetClock: ClockReading | null;
  /** Names of nodes that have left since the preflight. */
  lost: readonly string[];
  definition: CellDefinition;
  connection: TargetConnection;
  /** Where the target's nodes keep their data; undefined where Dyno did not start them on this machine. */
  dataFolder?: string;
  /** Folder that the definition's files are relative to. */
  folder: string;
  jobFor: JobFor;
  /** Where true neighbours are kept. */
  neighboursFolder?: string | undefined;
  workerFile: string;
  workers: number;
  /** Who generates the load; null for this machine alone. */
  seats: RunSeats | null;
  /** Aborted to cancel; its reason is the sentence. */
  signal: AbortSignal;
  /** The trial as it begins, so that its document exists should this process die. */
  onBegin: (trial: TrialDocument) => Promise<void>;
  onPhase: (phase: Phase, lengthMs: number | null) => void;
  /** What takes long before the load; '' when it is done. */
  onDoing: (doing: string) => void;
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
  repeats,
  cluster,
  lost,
  targetClock,
}: TrialInput): TrialDocument => ({
  run,
  experiment,
  trial: {
    id: trialId,
    order: planned.order,
    repetition: planned.repetition,
    state: 'running',
    reason: '',
    ...(repeats === undefined ? {} : { repeats }),
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
  clock: { before: targetClock, after: null },
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
  const ms = (text: string | null): number | null => (text === null ? null : parseTime(text));
  const { started, warmup, measure, drain, ended } = times;
  return {
    prepare: parseTime(started),
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
  /** Of moments in between. */
  readings: GaugeReading[];
  /** Why the load was stopped by a guard rail or a `stop-when`; '' when it was not. */
  stopped: string;
  /** Code of the problem that the stop is. */
  stoppedBy: 'run.stopped' | typeof BY_DEFINITION;
}

/** Runs the load with everything that watches it; whatever happens, no timer and no thread outlives it. */
async function measure(
  input: TrialInput,
  trial: TrialDocument,
  definition: CellDefinition,
  recalls: Recalls,
): Promise<Measured> {
  const { planned, connection, signal } = input;
  const indices = [...input.indices.names];
  const writtenTo = input.indices.existing?.isWritten === false ? [] : indices;
  const job = input.jobFor(definition, {
    indices,
    // Only answers to bulks are held against it.
    ...(definition.tasks.some(({ ingest }) => ingest)
      ? { destination: await destinationOf(connection, indices) }
      : {}),
    pipelines: input.pipelines.names,
    trialSeed: `${planned.repetition}`,
    recalls,
  });
  const samples: Sample[] = [];
  const recent = new RecentSamples();
  const conditions = conditionsOf(definition['stop-when']);
  const undo: (() => void)[] = [];
  let load: Load | undefined;
  let stopped = '';
  let stoppedBy: Measured['stoppedBy'] = 'run.stopped';
  const stop = (reason: string, by: Measured['stoppedBy'] = 'run.stopped'): void => {
    if (stopped !== '') return;
    [stopped, stoppedBy] = [reason, by];
    load?.stop(reason);
    undo.push(at(Date.now() + CANCEL_DRAIN_MS, () => load?.abort()));
  };
  const watch = setInterval(() => {
    void reasonToStop(connection.atOnce, writtenTo, signal)
      .catch(() => null)
      .then((reason) => reason !== null && stop(reason));
  }, WATCH_EVERY_MS);
  const rollover = watchRollover(input);
  const gauges = new GaugeWatch(connection.atOnce);
  undo.push(() => gauges.end());
  const cancel = (): void => stop(messageOf(signal.reason));
  signal.addEventListener('abort', cancel);
  try {
    signal.throwIfAborted();
    // One that was lost in the trial before is waited for here.
    await input.seats?.complete(signal);
    load = prepareLoad(job, {
      workerFile: input.workerFile,
      workers: input.workers,
      ...input.seats?.load(),
      onSample: (sample) => {
        samples.push(sample);
        recent.add(sample);
        seeClock(input, trial);
        const kind = kindNamed(definition, sample.task);
        input.onSample(sampleDocument(sample, trial, kind), recent);
        if (conditions.length === 0) return;
        const reason = stopReason(conditions, definition, recent);
        if (reason !== undefined) stop(reason, BY_DEFINITION);
      },
      onRateStep: (task, progress) => recent.searches(task, progress),
    });
    const leadMs = await readyAtRest(load, input.indices);
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
        gauges.begin();
      }),
    );
    if (measureEnd !== null) {
      undo.push(
        at(measureEnd, () => {
          gauges.end();
          after = takeSnapshots(input);
          input.onPhase('drain', null);
        }),
      );
    }
    const outcome = await load.done;
    gauges.end();
    after ??= stopped === '' ? takeSnapshots(input) : Promise.resolve(NO_SNAPSHOT);
    return {
      outcome,
      samples,
      before: await before,
      after: await after,
      readings: gauges.readings,
      stopped,
      stoppedBy,
    };
  } finally {
    undo.forEach((take) => take());
    clearInterval(watch);
    await rollover?.end();
    signal.removeEventListener('abort', cancel);
    // Its indices are about to be counted, or removed.
    await load?.stilled;
  }
}

/**
 * The threads of the load get ready while the cluster comes to rest. Resolves as `load.ready`, to what was measured beside a cluster that
 * was busier then than now, if anything. Rejects as soon as one of both does; the load has ended then.
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

/** How often the nodes are asked for what is no counter, ms: Elasticsearch keeps such figures for a second. */
const GAUGES_EVERY_MS = 2000;

/** Looks at the nodes while a load is measured. An answer that is missing is missed, not asked for again. */
class GaugeWatch {
  readonly readings: GaugeReading[] = [];
  private timer: NodeJS.Timeout | undefined;
  private asking = false;

  constructor(private readonly client: ElasticsearchClient) {}

  begin(): void {
    this.timer = setInterval(() => void this.look(), GAUGES_EVERY_MS);
  }

  end(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async look(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    try {
      const reading = await readGauges(this.client);
      // What is answered after the phase tells of another one.
      if (this.timer !== undefined) this.readings.push(reading);
    } catch {
      // The snapshots at both ends say why nodes tell nothing.
    } finally {
      this.asking = false;
    }
  }
}

/** How often a data stream is asked whether it is time for another backing index, ms. */
const ROLLOVER_EVERY_MS = 1000;

/** Rolls the trial's data streams over by their conditions until it is ended; undefined where the definition has none. */
function watchRollover({
  connection,
  definition,
  indices: { names, existing },
  onNote,
}: TrialInput): { end: () => Promise<void> } | undefined {
  const { rollover } = definition.index;
  if (rollover === undefined || existing !== undefined) return undefined;
  const { documents, size } = rollover;
  const conditions = { documents, bytes: size === undefined ? undefined : parseBytes(size) };
  let going: Promise<void> | undefined;
  let said = '';
  const look = async (): Promise<void> => {
    try {
      for (const name of names) await rollOver(connection.atOnce, name, conditions);
    } catch (error) {
      // Once, for it may go on for as long as the load.
      if (said === '') onNote(`no rollover: ${messageOf(error)}`);
      said = messageOf(error);
    }
  };
  const timer = setInterval(() => {
    going ??= look().finally(() => (going = undefined));
  }, ROLLOVER_EVERY_MS);
  return {
    end: async () => {
      clearInterval(timer);
      await going;
    },
  };
}

/** Of this machine's, that the target's nodes had over the measured phase; null where one does not tell. */
function shareOfCores(server: ServerDelta | null): number | null {
  let cores = 0;
  for (const { cpuMs, elapsedMs } of server?.perNode ?? []) {
    if (cpuMs === null || elapsedMs <= 0) return null;
    cores += cpuMs / elapsedMs;
  }
  return cores === 0 ? null : cores / availableParallelism();
}

function conclude(
  trial: TrialDocument,
  { pipelines, sharedMachine, seats }: Pick<TrialInput, 'pipelines' | 'sharedMachine' | 'seats'>,
  { outcome, samples, before, after, readings }: Measured,
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
  trial.server = before.stats && after.stats ? serverDelta(before.stats, after.stats, readings) : null;
  trial.generator = generatorSummary(outcome, samples, {
    here: sharedMachine,
    share: shareOfCores(trial.server),
  });
  if (seats) trial.generator.seats = seats.summaries(outcome);
  if (before.stats && after.stats) disturb(trial, nodeDisturbances(before.stats, after.stats));
  disturb(trial, outcome.refusals.map(refusedBy));
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

/** Without what a URL may hold beside the node's address. */
function refusedBy({ node, refused, moved }: LoadOutcome['refusals'][number]): Disturbance {
  const { host } = new URL(node);
  const went = moved === refused ? 'all' : formatNumber(moved);
  const detail = `${host} took no connection for ${plural(refused, 'request')}, of which ${went} went to other nodes`;
  return { kind: 'node-refused', detail, node: host };
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

/** A check that could not be made, since the answer was none of Elasticsearch's: that is no reason to lose the trial. */
const isSkipped = (error: unknown): boolean => [BAD_ANSWER, TOO_LARGE].includes(codeOf(error));

/** Documents that the indices hold, with what else there is to know of them; null where that is not known: the trial says why. */
export async function verify(
  {
    connection,
    definition: { measure: asked },
    indices: { names, existing },
    signal,
    onNote,
  }: Pick<TrialInput, 'connection' | 'definition' | 'indices' | 'signal' | 'onNote'>,
  trial: TrialDocument,
): Promise<number | null> {
  let docs: number;
  try {
    docs = await countDocuments(connection, names, { refreshed: existing?.isWritten !== false });
  } catch (error) {
    if (!isSkipped(error)) throw error;
    trial.trial.unverified = `the index was not counted: ${messageOf(error)}`;
    onNote(`the trial is unverified: ${trial.trial.unverified}`);
    return null;
  }
  const merged = asked['force-merge'];
  if (merged !== undefined) {
    await forceMerge(connection, names, merged, signal);
    // Until then searches, and statistics, go to the segments of before.
    await refresh(connection, names.join());
  }
  try {
    trial.index = {
      ...(await indexState(connection, names, docs)),
      ...(merged === undefined ? {} : { merged }),
    };
  } catch (error) {
    if (!isSkipped(error)) throw error;
    onNote(`no statistics of the index: ${messageOf(error)}`);
    return docs;
  }
  try {
    trial.index.modes = await indexModes(connection, names);
    if (asked['disk-usage']) trial.index.fields = await bytesByField(connection, names, onNote);
  } catch (error) {
    if (!isSkipped(error)) throw error;
    onNote(`not all statistics of the index: ${messageOf(error)}`);
  }
  return docs;
}

async function bytesByField(
  connection: TargetConnection,
  names: readonly string[],
  onNote: (message: string) => void,
): Promise<Record<string, number> | undefined> {
  const fields = await diskUsage(connection, names);
  if (fields === undefined)
    onNote(
      'the bytes by field are not known: the target does not offer _disk_usage, or not to these credentials',
    );
  return fields;
}

/** Rejects where an index of the trial is none that Dyno made: somebody deleted that one, and a bulk made another. */
async function checkOwn(
  { connection, indices: { names, existing }, onNote }: Pick<TrialInput, 'connection' | 'indices' | 'onNote'>,
  trial: TrialDocument,
): Promise<void> {
  if (existing !== undefined) return;
  let replaced: string[];
  try {
    replaced = await unmarkedIndices(connection, names);
  } catch (error) {
    if (!isSkipped(error)) throw error;
    trial.trial.unverified = `whether the index is the trial’s own is not known: ${messageOf(error)}`;
    onNote(`the trial is unverified: ${trial.trial.unverified}`);
    return;
  }
  if (replaced.length > 0) throw runError('trial.index-replaced', '', replacedSentence(replaced));
}

/** What data that was there before holds, and what others have changed in it since the run began. */
async function lookAtExisting({ indices: { existing } }: TrialInput, trial: TrialDocument): Promise<void> {
  if (existing !== undefined) trial.existing = await existing.look();
}

/**
 * The same after the load; true where others wrote to it too, so that its count says nothing of the trial's own documents. `count`:
 * null where it is not known.
 */
async function lookAgain(
  { indices: { existing }, onNote }: TrialInput,
  trial: TrialDocument,
  count: IndexCount | null,
): Promise<boolean> {
  if (existing === undefined || trial.existing === undefined) return false;
  const ofOthers = count === null || !existing.isWritten ? 0 : documentsOfOthers(count);
  let changed: string;
  try {
    changed = await existing.changes(ofOthers);
  } catch (error) {
    if (!isSkipped(error)) throw error;
    onNote(`whether others changed ${trial.existing.name} is not known: ${messageOf(error)}`);
    return ofOthers > 0;
  }
  if (changed !== '') {
    trial.existing.changed = changed;
    onNote(`${trial.existing.name} changed, not by this run: ${changed}`);
  }
  return ofOthers > 0;
}

const NO_TIMES = encodeHistogram(createHistogram());

const codeOf = (error: unknown): string => (error instanceof DynoError ? error.code : '');

/** A trial that failed so, and whose target is back, says nothing about the target's cell. */
const OUTAGES = new Set([
  OUTAGE,
  'target.lost',
  'target.unreachable',
  'target.unavailable',
  'elasticsearch.unreachable',
  'elasticsearch.timeout',
  // Nor does one whose load was cut because a machine that generated it was lost.
  'seat.lost',
  'seat.lease-lost',
]);

const isOutage = (error: unknown): boolean => OUTAGES.has(codeOf(error));

/** Waits for the target as long as its connection does; true once it is well again. */
async function outlasted({ connection, signal, onNote }: TrialInput, failure: unknown): Promise<boolean> {
  const begun = Date.now();
  try {
    await orAborted(waitUntilNotRed(connection, signal), signal);
  } catch (error) {
    if (!signal.aborted) onNote(`the target is not back: ${messageOf(error)}`);
    return false;
  }
  // Nodes that never took a connection, while the hosts of the target are there, are out of reach for every trial.
  return codeOf(failure) !== 'target.unreachable' || Date.now() - begun >= AWAY_FROM_MS;
}

/** Whether the same definition would fail so again: a `stop-when` of its own, or what the target refuses. */
export const isByDefinition = (error: unknown): boolean =>
  error instanceof DynoError && (error.kind === 'input' || error.code === BY_DEFINITION);

interface Executed {
  trial: TrialDocument;
  /** Why no further trial can succeed; ''. */
  fatal: string;
  /** The definition itself is why. */
  byDefinition: boolean;
  /** Indices that are not removed: later trials need them, or they cannot be removed. */
  standing: string[];
  /** Pipelines that cannot be removed. */
  pipelines: string[];
}

/**
 * Never rejects for what the target, a source or a guard rail did: the trial then says `failed`, or `cancelled` when the
 * signal was aborted; one that an outage hit which is over has an `outage`. Its indices are removed, but for those that later
 * trials need and those that cannot be.
 */
export async function executeTrial(input: TrialInput): Promise<Executed> {
  const trial = newTrial(input);
  let fatal = '';
  let failure: unknown = null;
  try {
    input.onPhase('prepare', null);
    input.onTimes(timesOf(trial));
    await input.onBegin(structuredClone(trial));
    await input.pipelines.prepare();
    trial.preload = await input.indices.prepare();
    const { unasked = [] } = input.indices;
    if (unasked.length > 0) trial.unasked = [...unasked];
    await lookAtExisting(input, trial);
    const definition = await withFoundFormats(
      await withLookUps(input.connection, input.indices.names, input.definition),
      input.folder,
    );
    const recalls = await findRecalls({
      ...input,
      definition,
      client: input.connection,
      indices: input.indices.names,
    });
    // Merges would fill them with what nobody has asked for.
    if (definition.measure.caches !== undefined) await input.indices.atRest?.();
    const caches = await startCaches({
      ...input,
      names: input.indices.names,
      // The index that a data stream writes to is not closed.
      areMade: input.indices.existing === undefined && !isDataStream(input.definition.index),
      dataFolder: input.dataFolder,
    });
    if (caches !== undefined) trial.caches = caches;
    const measured = await measure(input, trial, definition, recalls);
    conclude(trial, input, measured);
    trial.clock = { before: input.targetClock, after: await readTargetClock(input.connection.atOnce) };
    for (const { kind, detail } of trial.disturbances ?? [])
      if (kind !== 'clock-jumped') input.onNote(detail);
    const { stopped, stoppedBy } = measured;
    if (input.signal.aborted) throw runError('run.cancelled', '', messageOf(input.signal.reason));
    checkAway(measured.outcome);
    if (stopped !== '') throw runError(stoppedBy, '', stopped);
    for (const note of outcomeNotes(measured.outcome)) input.onNote(note);
    for (const note of trial.tasks.flatMap(replayNotes)) input.onNote(note);
    for (const note of trial.tasks.flatMap(parseNotes)) input.onNote(note);
    await checkOwn(input, trial);
    const { outcome } = measured;
    const recipe = await carryOutRecipe({
      ...input,
      names: input.indices.names,
      documents: acknowledgedDocuments(trial),
      loadMs: outcome.measureEndedAt - outcome.startedAt,
    });
    const docs = await verify(input, trial);
    if (recipe !== undefined && trial.index !== null) trial.index.recipe = recipe;
    const changing = changingTasks(input.definition.tasks);
    if (changing.length > 0) {
      trial.trial.unverified ??= `requests of ${changing.join(', ')} may have changed documents, so what the index holds says nothing of what was acknowledged`;
    }
    const count = docs === null || changing.length > 0 ? null : indexCount(trial, docs);
    const ofOthers = await lookAgain(input, trial, count);
    const miscount = count === null || ofOthers ? '' : indexMismatch(count);
    if (miscount !== '') throw runError('trial.miscount', '', miscount);
    trial.trial.state = 'completed';
  } catch (error) {
    if (!(error instanceof DynoError) && !input.signal.aborted) throw error;
    trial.trial.state = input.signal.aborted ? 'cancelled' : 'failed';
    // Whatever was cut by it is no reason of its own.
    trial.trial.reason = messageOf(input.signal.aborted ? input.signal.reason : error);
    failure = error;
  }
  const standing = await input.indices.remove();
  const pipelines = await input.pipelines.remove();
  seeClock(input, trial);
  const { reason } = trial.trial;
  // An outage that is over condemns this trial alone, too.
  if (trial.trial.state === 'failed' && isOutage(failure) && (await outlasted(input, failure)))
    trial.trial.outage = reason;
  else if (failure !== null && !CONDEMNS_ONE.has(codeOf(failure))) fatal = reason;
  trial.times.ended = new Date().toISOString();
  input.onTimes(timesOf(trial));
  return { trial, fatal, byDefinition: fatal !== '' && isByDefinition(failure), standing, pipelines };
}

interface SnapshotInput {
  connection: TargetConnection;
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
    takeSnapshot(connection.atOnce, indices.names).catch((error: unknown) => {
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
