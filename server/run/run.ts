/**
 * Controls a run from its preparation to its end. For each environment of the run, it starts the cluster if Dyno must do so, and runs the
 * preflight. Then it adds notes for the user and runs the trials. The run's document is stored after every step.
 */
import type { Certification } from '../../common/measurement/certification';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { DEFAULT_PATIENCE, durationMs } from '../../common/experiment/definition';
import { DynoError, messageOf, runError } from '../../common/problem';
import { formatDuration } from '../../common/units/format';
import type { ResultsReader } from '../results/reader';
import type { ClusterStarter, RunCluster } from '../target-cluster/cluster-starter';
import type { Connection, TargetConnection } from '../target-cluster/connection';
import { PatientConnection } from '../target-cluster/patience';
import { SourceClusters, type SourceClustersInput } from './source-clusters';
import {
  addOpeningNotes,
  bringClusters,
  preflight,
  startCluster,
  starterFor,
  type Preflight,
} from './preflight/preflight';
import { checkAlone, type RunListener, type ActiveRun, type RunWriter } from './active-run/active-run';
import { addCollected, checkSources, isByDefinition, runTrials, type RecruitSeats } from './trial/trials';

/**
 * Maximum time, in ms, that the end of a run waits until its last results are stored. Results that are not stored by then remain in the
 * spool.
 */
const FLUSH_TIMEOUT_MS = 15_000;

const NOT_COLLECTED =
  'the results cluster is unreachable, so the metrics of a collector are not added to the trials';

export interface RunInput {
  activeRun: ActiveRun;
  /** Time at which the run began or was resumed (ISO 8601). */
  since: string;
  /** Folder to which the paths of files in the definition are relative. */
  folder: string;
  connection: Connection;
  connectSource: SourceClustersInput['connect'];
  /** Starts the clusters that the run measures instead of its target. Undefined if Dyno must not start clusters here. */
  clusters?: ClusterStarter;
  results: RunWriter;
  reader: ResultsReader;
  /** Client of the results cluster. */
  resultsClient: ElasticsearchClient;
  resultsUuid: string;
  /** Id of the target cluster. */
  target: string;
  recruitSeats?: RecruitSeats;
  workerFile: string;
  /** Folder in which true neighbours of vectors are stored. If undefined, each trial determines them again. */
  neighboursFolder?: string;
  workers?: number;
  /**
   * Renews the run's lease in the target cluster, the right of one run to measure there, before each trial. Resolves to the reason why the
   * run must end, or ''.
   */
  keepTarget: () => Promise<string>;
  version: string;
  certification?: () => Promise<Certification | null>;
  allowedHosts?: readonly string[];
  onProgress: RunListener['onProgress'];
  /** State that the run gets if the preflight refuses it. */
  refused: 'failed' | 'interrupted' | 'waiting';
  /**
   * Whether a user waits for the run on the command line. If its preflight fails, the user only gets the error (`done` rejects). The run is
   * then stored only if a cluster was already started for it.
   */
  isAttended: boolean;
}

export interface Execution {
  /**
   * Resolves when the run has ended or waits. Rejects if Dyno has a bug, and if the preflight fails while a user waits for the run ({@link
   * RunInput.isAttended}).
   */
  done: Promise<void>;
  /** Ends the run within seconds. `reason`: sentence that is stored. A run that is `interrupted` can be resumed. */
  cancel(reason: string, state?: 'cancelled' | 'interrupted'): void;
}

/** A signal that ends the run when it is aborted, and the state that the run then gets. */
interface Ending {
  signal: AbortSignal;
  state: 'cancelled' | 'interrupted';
}

/** A run that is being executed. */
interface Course {
  input: RunInput;
  activeRun: ActiveRun;
  ending: Ending;
  sources: SourceClusters;
  /** Object that starts the clusters of the run. Undefined if the run measures its target. */
  starter: ClusterStarter | undefined;
  /** State that the run gets if it cannot begin with its next environment. */
  refused: RunInput['refused'];
  /** Whether the document of the run has been stored. If a run is refused before that, nothing about it is stored. */
  isKept: boolean;
  /** Whether the requested versions of Elasticsearch have been downloaded. */
  isBrought: boolean;
}

/** Everything that must be ready before the trials of an environment can begin. */
interface Ready {
  found: Preflight;
  /** Connection to the cluster under test, for all requests except the load. */
  connection: TargetConnection;
  /** Folder in which the nodes keep their data. Undefined unless the nodes are on this machine and Dyno knows the folder. */
  dataFolder: string | undefined;
  cluster: RunCluster | undefined;
}

/** Begins or resumes a run. The run then continues until it ends, or until it waits for the user to change its environment. */
export function startRun(input: RunInput): Execution {
  const { activeRun } = input;
  const controller = new AbortController();
  const ending: Ending = { signal: controller.signal, state: 'cancelled' };
  return {
    done: carryOut({
      input,
      activeRun,
      ending,
      sources: new SourceClusters({
        connect: input.connectSource,
        withinMs: patienceMs(activeRun),
        signal: controller.signal,
        onNote: (message) => activeRun.note(message, 'warning'),
      }),
      starter: starterFor(input.clusters, activeRun),
      refused: input.refused,
      isKept: !input.isAttended,
      isBrought: false,
    }),
    cancel: (reason, state = 'cancelled') => {
      if (!controller.signal.aborted) ending.state = state;
      controller.abort(new Error(reason));
    },
  };
}

async function carryOut(run: Course): Promise<void> {
  await prepare(run);
  try {
    do {
      await carryOutBlock(run);
      // A run that was refused after its first environment becomes *interrupted*, so that it can be resumed once the obstacle is removed.
      if (run.starter) run.refused = 'interrupted';
    } while (run.activeRun.state === 'running');
  } finally {
    await run.sources.close();
    await run.input.results.flush(FLUSH_TIMEOUT_MS);
  }
}

/** Called before the first trial of the run. If Dyno starts the clusters, checks the requested clusters and downloads their versions. */
async function prepare(run: Course): Promise<void> {
  const { activeRun, ending, starter } = run;
  activeRun.forgetStartedClusters();
  activeRun.startsBeside(undefined);
  if (!starter) return;
  if (!run.isKept) {
    await bring(run, starter).catch((error: unknown) => {
      if (error instanceof DynoError || !ending.signal.aborted) throw error;
      throw runError('run.cancelled', '', messageOf(error));
    });
    // From here on, other processes must see that the run is running.
    run.isKept = true;
  }
  activeRun.startsBeside(starter.beside);
}

/** Checks the files of the definition and the requested clusters, and downloads the requested versions of Elasticsearch. */
async function bring(run: Course, starter: ClusterStarter): Promise<void> {
  const { input, activeRun, ending } = run;
  await checkSources({ plan: activeRun.plan, folder: input.folder });
  await bringClusters(starter, activeRun, { signal: ending.signal, onProgress: input.onProgress });
  run.isBrought = true;
}

/** Runs all trials of the current environment. */
async function carryOutBlock(run: Course): Promise<void> {
  const { input, activeRun, ending } = run;
  const { signal } = ending;
  // The run was interrupted after the last trial of its environment.
  if (activeRun.left.length === 0 && !activeRun.block.last) return await activeRun.endBlock();
  const ready = run.isKept ? await makeReadyAsKept(run) : await makeReady(run);
  if (ready === null) return;
  const { found, connection, dataFolder, cluster } = ready;
  const unfollow = cluster?.onLoss((message) =>
    activeRun.note(message, 'error', activeRun.document.progress.current ?? ''),
  );
  try {
    activeRun.beginBlock(found.place);
    addOpeningNotes(activeRun, found);
    await activeRun.save();
    run.isKept = true;
    activeRun.startHeartbeat();
    const unknown = await checkAlone(input, activeRun.document, input.since);
    if (unknown !== '') activeRun.note(unknown, 'warning');
    const { sources } = run;
    const fatal = await runTrials({ ...input, connection, sources, dataFolder }, activeRun, found, signal);
    if (input.results.isAway()) activeRun.note(NOT_COLLECTED, 'warning');
    else
      await addCollected({
        activeRun,
        client: input.resultsClient,
        saveTrial: async (trial) => void (await input.results.saveTrial(trial)),
        signal,
      });
    if (cluster) activeRun.forgetStartedClusters();
    if (signal.aborted) await activeRun.end(ending.state, messageOf(signal.reason));
    else if (fatal !== '') await activeRun.end('failed', fatal);
    else if (!activeRun.block.last) await activeRun.endBlock();
    else await activeRun.end('completed', '');
  } catch (error) {
    if (isByDefinition(error)) activeRun.blameDefinition();
    await activeRun.end('failed', messageOf(error));
    if (!(error instanceof DynoError)) throw error;
  } finally {
    activeRun.stopHeartbeat();
    unfollow?.();
    await cluster?.end();
  }
}

/**
 * Prepares the current environment of a run that is already stored. If the preflight refuses the run, stores the reason in the run's
 * document and returns null.
 */
async function makeReadyAsKept(run: Course): Promise<Ready | null> {
  const { input, activeRun, ending, refused } = run;
  await activeRun.save();
  activeRun.startHeartbeat();
  try {
    return await makeReady(run);
  } catch (error) {
    const { aborted } = ending.signal;
    activeRun.note(messageOf(error), aborted ? 'warning' : 'error');
    const state = aborted ? ending.state : refused;
    if (isByDefinition(error)) activeRun.blameDefinition();
    // The run waited for this environment and has done nothing in it yet. So the run waits again.
    if (refused === 'waiting' && state !== 'cancelled') await activeRun.wait(messageOf(error));
    else await activeRun.end(state, messageOf(error));
    if (!aborted && (input.isAttended || !(error instanceof DynoError))) throw error;
    return null;
  } finally {
    activeRun.stopHeartbeat();
  }
}

/**
 * Starts the cluster for the current environment if needed, and runs the preflight there. Rejects with a DynoError or the signal's reason;
 * no cluster is then left running.
 */
async function makeReady(run: Course): Promise<Ready> {
  const { input, activeRun, ending, starter } = run;
  const { signal } = ending;
  if (starter && !run.isBrought) await bring(run, starter);
  const cluster = starter && (await startCluster(starter, activeRun, { ...input, signal }));
  const connection = patientTo(cluster?.connection ?? input.connection, run);
  try {
    const found = await preflight({
      ...input,
      runId: activeRun.id,
      definition: activeRun.document.definition,
      plan: activeRun.plan,
      connection,
      sources: run.sources,
      ...(cluster ? { started: cluster.requested } : {}),
      profiler: (cluster ?? input.clusters)?.profiler,
      ...(run.isKept ? { signal } : {}),
    });
    found.notes.push(...(cluster?.notes ?? []));
    const dataFolder = cluster ? cluster.dataFolder : input.clusters?.dataFolder;
    return { found, connection, dataFolder, cluster };
  } catch (error) {
    await cluster?.end();
    throw error;
  }
}

const patienceMs = ({ document: { definition } }: ActiveRun): number =>
  durationMs(definition.patience ?? DEFAULT_PATIENCE);

/** Returns a connection for all requests except the load. Its requests wait while the target is unavailable. */
const patientTo = (connection: TargetConnection, { activeRun, ending }: Course): TargetConnection =>
  new PatientConnection(connection, {
    withinMs: patienceMs(activeRun),
    signal: ending.signal,
    onBack: ({ since, until, why }) =>
      activeRun.note(
        `the target accepted no requests for ${formatDuration(until - since)}, and the run waited: ${why}`,
        'warning',
      ),
  });
