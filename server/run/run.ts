/**
 * The course of a run: what it takes is prepared; then, for each of its environment blocks, the cluster, the preflight, the
 * opening notes and the trials; and its end. Its document is kept after every step.
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

/** How long the end of a run waits for its last results to be stored, ms; then they stay in the spool. */
const FLUSH_TIMEOUT_MS = 15_000;

const NOT_COLLECTED =
  'the results cluster is away: what a collector may have shipped there is not added to the trials';

export interface RunInput {
  /** Of a run that begins, or goes on. */
  activeRun: ActiveRun;
  /** When it began, or went on, ISO 8601. */
  since: string;
  /** Folder that the definition's files are relative to. */
  folder: string;
  connection: Connection;
  /** Starts clusters for the run's environments, in place of the target; undefined where they are labels. */
  clusters?: ClusterStarter;
  results: RunWriter;
  reader: ResultsReader;
  /** The cluster that keeps the results. */
  resultsClient: ElasticsearchClient;
  resultsUuid: string;
  /** Id of the target. */
  target: string;
  recruitSeats?: RecruitSeats;
  workerFile: string;
  /** Where true neighbours of vectors are kept; undefined to find them anew in each trial. */
  neighboursFolder?: string;
  workers?: number;
  /** Keeps the target for this run while the next trial goes on; resolves to why the run must end, or ''. */
  keepTarget: () => Promise<string>;
  version: string;
  certification?: () => Promise<Certification | null>;
  allowedHosts?: readonly string[];
  onProgress: RunListener['onProgress'];
  /** Its state where the preflight refuses it. */
  refused: 'failed' | 'interrupted' | 'waiting';
  /**
   * Somebody waits for it: `done` rejects where the preflight refuses it, and nothing is kept of it then, but for a run for
   * which a cluster had been started already.
   */
  isAttended: boolean;
}

export interface Execution {
  /** Resolves when the run has ended, however, or waits. Rejects for a bug, and as {@link RunInput.isAttended} says. */
  done: Promise<void>;
  /** Ends the run orderly within seconds; `reason` is the sentence that is kept. As `interrupted` it can go on later. */
  cancel(reason: string, state?: 'cancelled' | 'interrupted'): void;
}

/** A signal whose abort ends a run, in a state. */
interface Ending {
  signal: AbortSignal;
  state: 'cancelled' | 'interrupted';
}

interface Course {
  input: RunInput;
  activeRun: ActiveRun;
  ending: Ending;
  /** Where its clusters come from; undefined where it measures its target. */
  starter: ClusterStarter | undefined;
  /** Its state where it cannot begin the next block. */
  refused: RunInput['refused'];
  /** Others can see it. Until then nothing is kept of it where it is refused. */
  isKept: boolean;
  /** The versions of its clusters are here. */
  isBrought: boolean;
}

/** A block before its trials. */
interface Ready {
  found: Preflight;
  /** To its target, for everything but the load. */
  connection: TargetConnection;
  /** Where its nodes keep their data; undefined where Dyno did not start them on this machine. */
  dataFolder: string | undefined;
  cluster: RunCluster | undefined;
}

/** Begins a run, or goes on with it: until its end, or until it waits for its next environment. */
export function startRun(input: RunInput): Execution {
  const { activeRun } = input;
  const controller = new AbortController();
  const ending: Ending = { signal: controller.signal, state: 'cancelled' };
  return {
    done: carryOut({
      input,
      activeRun,
      ending,
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
      // What was measured in the environments before can go on once the obstacle is gone.
      if (run.starter) run.refused = 'interrupted';
    } while (run.activeRun.state === 'running');
  } finally {
    await run.input.results.flush(FLUSH_TIMEOUT_MS);
  }
}

/** Before the first block. */
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
    // From here on others must see that it is at work.
    run.isKept = true;
  }
  activeRun.startsBeside(starter.beside);
}

/** Files, values, memory, and the versions of Elasticsearch that it asks for. */
async function bring(run: Course, starter: ClusterStarter): Promise<void> {
  const { input, activeRun, ending } = run;
  await checkSources({ plan: activeRun.plan, folder: input.folder });
  await bringClusters(starter, activeRun, { signal: ending.signal, onProgress: input.onProgress });
  run.isBrought = true;
}

/** One block, as far as it gets. */
async function carryOutBlock(run: Course): Promise<void> {
  const { input, activeRun, ending } = run;
  const { signal } = ending;
  // It was interrupted when all of its environment was done.
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
    const fatal = await runTrials({ ...input, connection, dataFolder }, activeRun, found, signal);
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

/** Null where it is refused: its document then says so. */
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
    // Of the environment that it waited for nothing has begun: it waits again.
    if (refused === 'waiting' && state !== 'cancelled') await activeRun.wait(messageOf(error));
    else await activeRun.end(state, messageOf(error));
    if (!aborted && (input.isAttended || !(error instanceof DynoError))) throw error;
    return null;
  } finally {
    activeRun.stopHeartbeat();
  }
}

/** The cluster of the block, and the preflight there. Rejects with a DynoError or the signal's reason; nothing then stands. */
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
      ...(cluster ? { started: cluster.requested } : {}),
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

/** The target as everything but the load asks it: while it is away, it is waited for. */
const patientTo = (connection: TargetConnection, { activeRun, ending }: Course): TargetConnection =>
  new PatientConnection(connection, {
    withinMs: durationMs(activeRun.document.definition.patience ?? DEFAULT_PATIENCE),
    signal: ending.signal,
    onBack: ({ since, until, why }) =>
      activeRun.note(
        `the target took no requests for ${formatDuration(until - since)}, and the run waited: ${why}`,
        'warning',
      ),
  });
