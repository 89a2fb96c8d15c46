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
import { checkAlone, type RunListener, type RunRecord, type RunWriter } from './record/record';
import { addCollected, checkSources, isByDefinition, runTrials, type RecruitSeats } from './trial/trials';

/** How long the end of a run waits for its last results to be stored, ms; then they stay in the spool. */
const FLUSH_TIMEOUT_MS = 15_000;

const NOT_COLLECTED =
  'the results cluster is away: what a collector may have shipped there is not added to the trials';

export interface RunInput {
  /** Of a run that begins, or goes on. */
  record: RunRecord;
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
  record: RunRecord;
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
  const { record } = input;
  const controller = new AbortController();
  const ending: Ending = { signal: controller.signal, state: 'cancelled' };
  return {
    done: carryOut({
      input,
      record,
      ending,
      starter: starterFor(input.clusters, record),
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
    } while (run.record.state === 'running');
  } finally {
    await run.input.results.flush(FLUSH_TIMEOUT_MS);
  }
}

/** Before the first block. */
async function prepare(run: Course): Promise<void> {
  const { record, ending, starter } = run;
  record.forgetStartedClusters();
  record.startsBeside(undefined);
  if (!starter) return;
  if (!run.isKept) {
    await bring(run, starter).catch((error: unknown) => {
      if (error instanceof DynoError || !ending.signal.aborted) throw error;
      throw runError('run.cancelled', '', messageOf(error));
    });
    // From here on others must see that it is at work.
    run.isKept = true;
  }
  record.startsBeside(starter.beside);
}

/** Files, values, memory, and the versions of Elasticsearch that it asks for. */
async function bring(run: Course, starter: ClusterStarter): Promise<void> {
  const { input, record, ending } = run;
  await checkSources({ plan: record.plan, folder: input.folder });
  await bringClusters(starter, record, { signal: ending.signal, onProgress: input.onProgress });
  run.isBrought = true;
}

/** One block, as far as it gets. */
async function carryOutBlock(run: Course): Promise<void> {
  const { input, record, ending } = run;
  const { signal } = ending;
  // It was interrupted when all of its environment was done.
  if (record.left.length === 0 && !record.block.last) return await record.endBlock();
  const ready = run.isKept ? await makeReadyAsKept(run) : await makeReady(run);
  if (ready === null) return;
  const { found, connection, dataFolder, cluster } = ready;
  const unfollow = cluster?.onLoss((message) =>
    record.note(message, 'error', record.document.progress.current ?? ''),
  );
  try {
    record.beginBlock(found.place);
    addOpeningNotes(record, found);
    await record.save();
    run.isKept = true;
    record.startHeartbeat();
    const unknown = await checkAlone(input, record.document, input.since);
    if (unknown !== '') record.note(unknown, 'warning');
    const fatal = await runTrials({ ...input, connection, dataFolder }, record, found, signal);
    if (input.results.isAway()) record.note(NOT_COLLECTED, 'warning');
    else
      await addCollected({
        record,
        client: input.resultsClient,
        saveTrial: async (trial) => void (await input.results.saveTrial(trial)),
        signal,
      });
    if (cluster) record.forgetStartedClusters();
    if (signal.aborted) await record.end(ending.state, messageOf(signal.reason));
    else if (fatal !== '') await record.end('failed', fatal);
    else if (!record.block.last) await record.endBlock();
    else await record.end('completed', '');
  } catch (error) {
    if (isByDefinition(error)) record.blameDefinition();
    await record.end('failed', messageOf(error));
    if (!(error instanceof DynoError)) throw error;
  } finally {
    record.stopHeartbeat();
    unfollow?.();
    await cluster?.end();
  }
}

/** Null where it is refused: its document then says so. */
async function makeReadyAsKept(run: Course): Promise<Ready | null> {
  const { input, record, ending, refused } = run;
  await record.save();
  record.startHeartbeat();
  try {
    return await makeReady(run);
  } catch (error) {
    const { aborted } = ending.signal;
    record.note(messageOf(error), aborted ? 'warning' : 'error');
    const state = aborted ? ending.state : refused;
    if (isByDefinition(error)) record.blameDefinition();
    // Of the environment that it waited for nothing has begun: it waits again.
    if (refused === 'waiting' && state !== 'cancelled') await record.wait(messageOf(error));
    else await record.end(state, messageOf(error));
    if (!aborted && (input.isAttended || !(error instanceof DynoError))) throw error;
    return null;
  } finally {
    record.stopHeartbeat();
  }
}

/** The cluster of the block, and the preflight there. Rejects with a DynoError or the signal's reason; nothing then stands. */
async function makeReady(run: Course): Promise<Ready> {
  const { input, record, ending, starter } = run;
  const { signal } = ending;
  if (starter && !run.isBrought) await bring(run, starter);
  const cluster = starter && (await startCluster(starter, record, { ...input, signal }));
  const connection = patientTo(cluster?.connection ?? input.connection, run);
  try {
    const found = await preflight({
      ...input,
      runId: record.id,
      definition: record.document.definition,
      plan: record.plan,
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
const patientTo = (connection: TargetConnection, { record, ending }: Course): TargetConnection =>
  new PatientConnection(connection, {
    withinMs: durationMs(record.document.definition.patience ?? DEFAULT_PATIENCE),
    signal: ending.signal,
    onBack: ({ since, until, why }) =>
      record.note(
        `the target took no requests for ${formatDuration(until - since)}, and the run waited: ${why}`,
        'warning',
      ),
  });
