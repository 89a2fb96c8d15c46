/**
 * Runs the trials of a run one after another, and stores their results. Each trial has its own index, and the cluster settings of its
 * combination of factor levels.
 */
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import { durationMs } from '../../../common/experiment/definition';
import { untilDecided } from '../../../common/experiment/trial-counts';
import { forBurnIn } from '../../../common/executors/registry';
import type { PlannedTrial } from '../../../common/experiment/plan';
import { documentsKey, datasetKey } from '../../../common/experiment/shared-dataset';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { ExistingState } from '../../../common/measurement/existing';
import type { TrialDocument } from '../../../common/measurement/trial';
import { clockOffset } from '../../../common/measurement/target-clock';
import { markOf } from '../../../common/measurement/experiment-mark';
import { messageOf } from '../../../common/problem';
import { changesExisting } from '../../../common/tasks/registry';
import { plural } from '../../../common/units/format';
import type { LoadTarget } from '../../load/contract';
import { inTime } from '../../results/patience';
import { readTargetClock } from '../../target-cluster/clocks';
import type { Cluster } from '../../target-cluster/cluster';
import type { TargetConnection } from '../../target-cluster/connection';
import type { LoadedProfiler } from '../../target-cluster/node-profiler';
import { dropIndex } from '../../target-cluster/index-lifecycle';
import {
  indexName,
  indexNames,
  trialId,
  type RunListener,
  type ActiveRun,
  type RunWriter,
} from '../active-run/active-run';
import { TrialMarker } from './collector';
import type { SourceClusters } from '../source-clusters';
import { ExistingData } from './existing';
import { TrialIndices, type SharedDataset } from './indices';
import type { TrialInput } from './input';
import { TrialPipelines } from './parse';
import { loadJob } from './load-job';
import type { JobFor } from './preload';
import { ProgressReporter } from './progress';
import { RunSeats, type RecruitSeats } from './seats';
import { putBackLeft, withClusterSettings, type Changed, type SettingsKeeper } from './settings';
import { executeTrial } from './trial';
import { lookBefore } from './until-decided';
import { WallClockWatch } from './wall-clock';

export { addCollected } from './collector';
export { indicesToCreate, sourceOf, withOriginalMapping } from './indices';
export { checkSources, loadJob } from './load-job';
export { checkParsing, parsesInTarget, pipelineBody } from './parse';
export { checkMovedDates, checkReplays } from './replay';
export { isByDefinition } from './steps/end';
export { seatsInTarget, wantsSeats, type RecruitSeats } from './seats';
export { restoreSettings } from './settings';
export { generatorSummary, taskSummary } from './summary';
export { lookUpAll } from './look-ups';

/**
 * Maximum time in ms for which the end of a run waits until the marker of the last trial is written. A marker is a document with the times
 * of a trial, for Dyno's collector (dynobeat).
 */
const LAST_MARKER_MS = 2000;

/** Everything that the trials of a run need. */
export interface TrialsInput {
  /** Folder to which the paths of files in the definition are relative. */
  folder: string;
  connection: TargetConnection;
  sources: Pick<SourceClusters, 'to'>;
  /** Folder in which the target's nodes keep their data. Undefined unless Dyno started them on this machine. */
  dataFolder?: string;
  /** Folder in which true neighbours are stored. If undefined, they are determined again each time. */
  neighboursFolder?: string;
  results: RunWriter;
  /** Client of the results cluster. */
  resultsClient: ElasticsearchClient;
  /** Id of the target. */
  target: string;
  recruitSeats?: RecruitSeats;
  workerFile: string;
  onProgress: RunListener['onProgress'];
  /**
   * Before each trial, renews the run's lease in the target cluster (the right of one run to measure there). Resolves to the reason why the
   * run must end, or ''.
   */
  keepTarget: () => Promise<string>;
  version: string;
}

/** The nodes to which the load of a trial goes, and the number of load threads. */
export interface CellLoad {
  target: LoadTarget;
  workers: number;
}

/** The target as the preflight found it. */
export interface FoundTarget {
  cluster: Cluster;
  /** One element for each combination of factor levels, in the order of the plan. */
  loads: readonly CellLoad[];
  /** Whether the target runs on the same machine as this process. */
  isHere: boolean;
  /** Sentence about the differences between the requested cluster and the one that was started for this run; '' if they do not differ. */
  unlike: string;
  /** Profiler that the nodes have loaded. Undefined unless a cell asks for it. */
  profiler?: LoadedProfiler;
}

/** State of a run while its trials run. */
interface TrialsState {
  input: TrialsInput;
  activeRun: ActiveRun;
  ready: FoundTarget;
  reporter: ProgressReporter;
  signal: AbortSignal;
  /** Indices that are loaded once for several trials, by {@link datasetKey}. */
  datasets: Map<string, SharedDataset>;
  /** State of existing data as the run found it, by name. */
  existing: Map<string, ExistingState>;
  clock: WallClockWatch;
  /** Names of the nodes that left the cluster in earlier trials of this environment. */
  lost: Set<string>;
  /** Numbers (`order`) of the trials that an earlier process of this run has completed. */
  done: ReadonlySet<number>;
  /** The machines that generate the load. Null if only this machine does. */
  seats: RunSeats | null;
  /**
   * Settles when the markers of all trials so far have been written, or could not be written. A marker is a document with the times of a
   * trial, for Dyno's collector (dynobeat).
   */
  marking: Promise<void>;
  isOver: boolean;
}

/** Input of a trial without its listener. The burn-in, a load before the first trial that is not measured, uses another listener. */
type PreparedTrial = Omit<TrialInput, 'listener'> & {
  target: { indices: TrialIndices | ExistingData };
};

async function trialInput(
  state: TrialsState,
  planned: PlannedTrial,
  index: string,
  id: string,
): Promise<PreparedTrial> {
  const { input, activeRun, ready, reporter, signal } = state;
  const { connection, sources, dataFolder, folder, neighboursFolder, workerFile } = input;
  const clock = await readTargetClock(connection.atOnce);
  const { run, experiment, provenance } = activeRun.document;
  const { definition, ...cell } = activeRun.plan.cells[planned.cell]!;
  const { name, uuid, version, engine } = ready.cluster;
  const { target, workers } = ready.loads[planned.cell]!;
  const jobFor: JobFor = (asked, load) =>
    loadJob(asked, {
      ...load,
      target: {
        ...target,
        nodes: nodesLeft(state, target.nodes),
        requestTimeoutMs: durationMs(asked['request-timeout']),
        clockOffsetMs: clockOffset(clock),
      },
      folder,
    });
  const mark = { run: run.id, trial: id, experiment: experiment.name };
  const onNote = (message: string): void => activeRun.note(message, 'warning', id);
  const pipelines = new TrialPipelines({ definition, connection, mark, signal, onNote });
  const { existing } = definition.index;
  const indices =
    existing !== undefined
      ? new ExistingData({
          connection,
          name: existing,
          isWritten: changesExisting(definition),
          first: isWrittenBy(activeRun.plan, existing) ? undefined : state.existing.get(existing),
        })
      : new TrialIndices({
          definition,
          connection,
          jobFor,
          workerFile,
          // The generated documents depend on the number of threads. Every trial must load the same documents, so all trials use the same
          // number of threads here.
          workers: ready.loads[0]!.workers,
          names: indexNames(index, definition.index.count),
          mark,
          pipelines: pipelines.names,
          dataset: datasetOf(state, definition, planned),
          sources,
          signal,
          onNote,
          onDoing: (doing) => reporter.waits(doing === '' ? {} : { doing }),
        });
  return {
    identity: {
      run: { id: run.id },
      experiment: markOf(experiment),
      id,
      planned,
      cell,
      cluster: { name, uuid, version, ...(ready.unlike === '' ? {} : { unlike: ready.unlike }) },
      lost: [...state.lost].sort(),
    },
    definition,
    target: { connection, engine, indices, pipelines, dataFolder, profiler: ready.profiler, clock },
    generator: {
      jobFor,
      workerFile,
      workers,
      seats: state.seats,
      sharedMachine: provenance?.sharedMachine ?? false,
    },
    files: { folder, neighboursFolder },
    wallClock: state.clock,
    signal,
  };
}

/**
 * Removes the URLs of nodes that have left the cluster, because real clients stop sending requests to such nodes too. If no URL would
 * remain, keeps all.
 */
function nodesLeft({ lost, ready }: TrialsState, urls: readonly string[]): string[] {
  const gone = new Set(
    ready.cluster.nodes.filter(({ name }) => lost.has(name)).map(({ publishAddress }) => publishAddress),
  );
  const left = urls.filter((url) => !gone.has(new URL(url).host));
  return left.length === 0 ? [...urls] : left;
}

/**
 * Returns the dataset that this trial shares with other trials that load the same documents into the same indices. Undefined if
 * `preload.reuse` forbids it.
 */
function datasetOf(
  { datasets, activeRun, done }: TrialsState,
  definition: CellDefinition,
  { order, cell }: PlannedTrial,
): SharedDataset | undefined {
  if (definition.preload === undefined || definition.preload.reuse === 'never') return undefined;
  const { run } = activeRun.document;
  const key = datasetKey(definition);
  const isSame = new Set(
    activeRun.plan.cells.flatMap((other, i) =>
      i === cell || datasetKey(other.definition) === key ? [i] : [],
    ),
  );
  const dataset = datasets.get(key) ?? {
    names: indexNames(
      `${definition.index.name}-${run.id}-shared-${datasets.size + 1}`,
      definition.index.count,
    ),
    documents: documentsKey(definition),
    loaded: null,
    refused: false,
    isLast: () => true,
    sameDocuments: () => undefined,
  };
  datasets.set(key, dataset);
  const { documents } = dataset;
  if (documents !== null) {
    dataset.sameDocuments = () =>
      [...datasets.values()].find(
        (other) => other !== dataset && other.documents === documents && other.loaded && !other.refused,
      );
  }
  // The dataset is removed after the last trial in this environment that needs it, because the next environment may have another cluster.
  dataset.isLast = () =>
    activeRun.block.trials.every(
      (other) => other.order <= order || done.has(other.order) || !isSame.has(other.cell),
    );
  return dataset;
}

const changedBy = ({ input, ready }: TrialsState): Changed => ({
  connection: input.connection,
  clusterUuid: ready.cluster.uuid,
});

const keeperOf = ({ activeRun, signal }: TrialsState): SettingsKeeper => ({
  left: () => activeRun.document.run.replaced,
  keepReplaced: (replaced) => activeRun.keepReplaced(replaced),
  onNote: (message) => activeRun.note(message, 'warning'),
  signal,
});

/** Runs a trial with the cluster settings of its definition. Rejects with a DynoError if the settings cannot be set. */
const onCluster = (
  state: TrialsState,
  { settings }: CellDefinition['cluster'],
  work: () => ReturnType<typeof executeTrial>,
): ReturnType<typeof executeTrial> => withClusterSettings(changedBy(state), settings, keeperOf(state), work);

/**
 * Runs a trial. While the trial's indices and pipelines exist, the document of the run contains their names. If this process dies, another
 * process uses the names to remove them.
 */
async function onIndices(
  { activeRun }: TrialsState,
  { target: { indices, pipelines } }: PreparedTrial,
  work: () => ReturnType<typeof executeTrial>,
): ReturnType<typeof executeTrial> {
  const own = { indices: [...indices.all], pipelines: pipelines.all };
  activeRun.recordInTarget(own, own);
  await activeRun.save();
  const result = await work();
  activeRun.recordInTarget(own, { indices: result.indices, pipelines: result.pipelines });
  return result;
}

/**
 * Runs a load that is not measured. Without it, the first trial (`planned`) could be slow because the cluster has just started. Returns the
 * reason why the run must end early, or ''.
 */
async function burnIn(state: TrialsState, planned: PlannedTrial): Promise<string> {
  const { activeRun, reporter } = state;
  const { measure, index: base } = activeRun.plan.cells[planned.cell]!.definition;
  const lengthMs = durationMs(measure['burn-in']);
  if (lengthMs === 0) return '';
  const { run } = activeRun.document;
  const index = `${base.name}-${run.id}-burn-in`;
  // The burn-in has a lower `order` than the first trial. The dataset that it loads is therefore kept for the first trial.
  const first = { ...planned, order: -1 };
  const shared = await trialInput(state, first, index, `${run.id}-burn-in`);
  const duration = { 'burn-in': '0s', warmup: '0s', duration: measure['burn-in'], drain: measure.drain };
  const { fatal, byDefinition } = await onIndices(state, shared, () =>
    executeTrial({
      ...shared,
      definition: {
        ...shared.definition,
        measure: duration,
        tasks: shared.definition.tasks.map(forBurnIn),
      },
      listener: {
        onBegin: () => Promise.resolve(),
        onPhase: (phase) => phase === 'measure' && reporter.enter('burn-in', lengthMs),
        onSample: () => reporter.report(),
        onDoing: (doing) => reporter.waits(doing === '' ? {} : { doing }),
        onTimes: () => undefined,
        onProfile: () => undefined,
        onNote: (message) => activeRun.note(message, 'warning', 'burn-in'),
      },
    }),
  );
  if (byDefinition) activeRun.blameDefinition();
  return fatal;
}

/**
 * Runs one trial and stores it. Returns the reason why the run must end early, or ''. `repeats`: the reason why the trial
 * repeats an earlier one.
 */
async function runTrial(state: TrialsState, planned: PlannedTrial, repeats?: string): Promise<string> {
  const { input, activeRun, ready, reporter } = state;
  const { document } = activeRun;
  const id = trialId(document.run.id, planned.order);
  const own = activeRun.plan.cells[planned.cell]!.definition;
  const index = indexName(own.index.name, document.run.id, planned.order);
  const shared = await trialInput(state, planned, index, id);
  const { run, experiment, cell } = shared.identity;
  const note = (message: string): void => activeRun.note(message, 'warning', id);
  const cluster = { uuid: ready.cluster.uuid };
  const { id: experimentId, name } = experiment;
  const marked = {
    cluster,
    run,
    experiment: { id: experimentId, name },
    trial: { id },
    cell: { id: cell.id, label: cell.label },
  };
  const marker = new TrialMarker(
    marked,
    input.resultsClient,
    input.connection,
    // After the end of a run, the connections are closed, and errors of the marker no longer matter.
    (message) => state.isOver || note(message),
    state.marking,
  );
  const jumped = state.clock.look();
  if (jumped !== '') activeRun.note(`before ${id}, ${jumped}`, 'warning');
  activeRun.beginTrial(id);
  reporter.beginTrial({ order: planned.order, cell: cell.label, repetition: planned.repetition }, own);
  const trialOnIndex = (): ReturnType<typeof executeTrial> =>
    onIndices(state, shared, () =>
      executeTrial({
        ...shared,
        identity: { ...shared.identity, ...(repeats === undefined ? {} : { repeats }) },
        listener: {
          onBegin: async (begun) => void (await input.results.saveTrial(begun)),
          onPhase: (phase, lengthMs) => reporter.enter(phase, lengthMs),
          onDoing: (doing) => reporter.waits(doing === '' ? {} : { doing }),
          onSample: (sample, recent) => {
            input.results.addSample(sample);
            reporter.sampled(recent);
          },
          onTimes: (times) => marker.update(times),
          onProfile: (profile) => input.results.addProfile(profile),
          onNote: note,
        },
      }),
    );
  const { trial, fatal, byDefinition } = await onCluster(state, own.cluster, trialOnIndex);
  if (byDefinition) activeRun.blameDefinition();
  // The next trial begins without waiting for the marker.
  state.marking = marker.settled();
  reporter.endTrial();
  keepExisting(state, trial);
  for (const { kind, node } of trial.disturbances ?? [])
    if (kind === 'node-left' && node !== undefined) state.lost.add(node);
  await activeRun.endTrial(trial);
  return fatal;
}

/** Returns whether any trial of the run writes to the existing data. The data then changes from trial to trial. */
const isWrittenBy = ({ cells }: ActiveRun['plan'], existing: string): boolean =>
  cells.some(({ definition: own }) => own.index.existing === existing && changesExisting(own));

/** Stores the state of existing data as the first trial found it. Later trials compare it with the current state. */
function keepExisting({ existing }: Pick<TrialsState, 'existing'>, { existing: found }: TrialDocument): void {
  if (found !== undefined && !existing.has(found.name)) existing.set(found.name, found);
}

/** If this many trials in a row are ended by outages, the run ends, because so many are not a coincidence. */
const MOST_HIT_IN_A_ROW = 3;

/**
 * If each of the last three trials was ended by an outage of the target, or by the loss of a machine that generated load, the run must end.
 * Returns the reason, or ''.
 */
export function awayTooOften(trials: readonly TrialDocument[]): string {
  const last = trials.slice(-MOST_HIT_IN_A_ROW).map(({ trial }) => trial.outage);
  if (last.length < MOST_HIT_IN_A_ROW || last.includes(undefined)) return '';
  return `${MOST_HIT_IN_A_ROW} trials in a row were cut short: ${last.at(-1)}`;
}

/** Maximum share of a run's trials that are repeated. If outages are more frequent, they are a property of the target. */
const MOST_REPEATED = 1 / 4;

/**
 * Returns the trials of the current environment that were cut short by an outage of the target, or by the loss of a machine that generated
 * load. Each of them is repeated once, and the repetition records the reason.
 *
 * Returns none if the run adds repetitions until its claims are decided (`until-decided`). Such a run gets further trials anyway.
 */
export function repeatsOf(activeRun: Pick<ActiveRun, 'document' | 'trials' | 'block' | 'plan' | 'note'>): {
  planned: PlannedTrial;
  why: string;
}[] {
  if (untilDecided(activeRun.document.definition.trials) !== null) return [];
  const hit = activeRun.block.trials.flatMap((planned) => {
    const own = activeRun.trials.find(({ trial }) => trial.order === planned.order)?.trial;
    return own?.outage === undefined || own.repeats !== undefined ? [] : [{ planned, why: own.outage }];
  });
  const repeated = activeRun.trials.filter(({ trial }) => trial.repeats !== undefined).length;
  const most = Math.max(0, Math.ceil(activeRun.plan.trials.length * MOST_REPEATED) - repeated);
  if (hit.length > most) {
    activeRun.note(
      `${hit.length - most} of ${plural(hit.length, 'trial')} that an outage hit ${hit.length - most === 1 ? 'is' : 'are'} not repeated: a run repeats at most a quarter of its trials`,
      'warning',
    );
  }
  return hit.slice(0, most);
}

/**
 * Runs the remaining trials of the current environment. Then repeats those that an outage ended. Returns the reason why the run must end
 * early, or ''.
 */
export async function runTrials(
  input: TrialsInput,
  activeRun: ActiveRun,
  ready: FoundTarget,
  signal: AbortSignal,
): Promise<string> {
  const reporter = new ProgressReporter(activeRun, input.onProgress);
  const done = new Set(activeRun.trials.map(({ trial }) => trial.order));
  const state: TrialsState = {
    input,
    activeRun,
    ready,
    reporter,
    signal,
    datasets: new Map(),
    existing: new Map(),
    lost: new Set(),
    clock: new WallClockWatch(),
    done,
    seats: null,
    marking: Promise.resolve(),
    isOver: false,
  };
  const { left } = activeRun;
  // If the run was resumed, an earlier process has read the original state of the existing data. Trials in other environments do not count,
  // because they may have run on another cluster.
  for (const trial of activeRun.trials)
    if (trial.cluster?.uuid === ready.cluster.uuid) keepExisting(state, trial);
  try {
    if (left.length > 0)
      state.seats = await RunSeats.open(input, activeRun, (waiting) => {
        reporter.waits(waiting);
      });
    const { seats } = state;
    if (seats !== null) reporter.follow(() => seats.progress());
    await state.seats?.complete(signal);
    if (ready.isHere && state.seats?.isHere) activeRun.noteSharedMachine();
    let fatal = left.length === 0 ? '' : await input.keepTarget();
    if (fatal === '' && left.length > 0) fatal = await burnIn(state, left[0]!);
    for (const planned of left) {
      if (fatal !== '' || signal.aborted) return fatal;
      await lookBefore(activeRun, planned);
      if (!activeRun.block.trials.some(({ order }) => order === planned.order)) continue;
      fatal =
        (await input.keepTarget()) || (await runTrial(state, planned)) || awayTooOften(activeRun.trials);
    }
    for (const { planned, why } of fatal === '' ? repeatsOf(activeRun) : []) {
      if (fatal !== '' || signal.aborted) return fatal;
      fatal = await input.keepTarget();
      if (fatal !== '') return fatal;
      activeRun.note(`${trialId(activeRun.id, planned.order)} is repeated: ${why}`, 'warning');
      fatal = await runTrial(state, planned, why);
    }
    if (fatal === '' && !signal.aborted && !activeRun.continues) reporter.enter('done');
    return fatal;
  } catch (error) {
    // If an error is the reason of the signal, the run was cancelled while it waited for machines. Nothing else rejects with this reason.
    if (signal.aborted && error === signal.reason) return '';
    throw error;
  } finally {
    // A failure is not reported here. The last trial has reported it already, and the next process tries again because the document of the
    // run still contains the settings.
    await putBackLeft(changedBy(state), keeperOf(state)).catch(() => undefined);
    await dropDatasets(state);
    await state.seats?.close('the run is over');
    await inTime(state.marking, LAST_MARKER_MS).catch(() => undefined);
    state.isOver = true;
  }
}

/** Removes datasets that were kept for trials that did not run. */
async function dropDatasets({ input, activeRun, datasets }: TrialsState): Promise<void> {
  const { run } = activeRun.document;
  const kept = [...datasets.values()].flatMap(({ names }) =>
    names.filter((name) => run.indices.includes(name)),
  );
  for (const name of kept) {
    try {
      await dropIndex(input.connection, name);
      activeRun.recordInTarget({ indices: [name] }, {});
    } catch (error) {
      activeRun.note(`${name} could not be removed: ${messageOf(error)}`, 'warning');
    }
  }
}
