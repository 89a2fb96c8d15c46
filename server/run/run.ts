/** A run from its beginning to its end, its state kept in the results after every step. */
import { DynoError, messageOf, runError } from '../../common/problem';
import { thisProcess } from '../process-life';
import {
  forgetGone,
  prepareClusters,
  starterFor,
  startCluster,
  type ClusterStarter,
  type RunCluster,
} from './preflight/clusters';
import { announce, preflight, type Preflight } from './preflight/preflight';
import type { RunInput, RunResult } from './run-input';
import { checkAlone, newRun, newRunId, RunRecord } from './record/record';
import { addCollected } from './trial/collector';
import { runTrials } from './trial/trials';

/** How long the end of a run waits for its last results to be stored, ms; then they stay in the spool. */
const FLUSH_TIMEOUT_MS = 15_000;

export interface Execution {
  id: string;
  /**
   * Resolves when the run has ended, however, or waits; rejects with a DynoError when the preflight refuses it: nothing
   * then exists, but for a run for which a cluster had been started already, which is kept as it ended.
   */
  done: Promise<RunResult>;
  /** Ends the run orderly within seconds; `reason` is the sentence that is kept. As `interrupted` it can go on later. */
  cancel(reason: string, state?: 'cancelled' | 'interrupted'): void;
}

/** A signal whose abort ends a run, in a state. */
interface Ending {
  signal: AbortSignal;
  state: 'cancelled' | 'interrupted';
}

/** A run that goes on from block to block. */
interface Executed {
  input: RunInput;
  record: RunRecord;
  ending: Ending;
  /** When it began, or went on, ISO 8601. */
  since: string;
  /** Where its clusters come from; undefined where it measures its target. */
  starter: ClusterStarter | undefined;
  /** Its state where it cannot begin this block; undefined: nothing of it is kept. */
  refused: RunInput['refused'];
  /** {@link ClusterStarter.prepare} is done. */
  prepared: boolean;
}

interface Begun {
  ready: Preflight;
  cluster: RunCluster | undefined;
}

async function begin(run: Executed): Promise<Begun> {
  const { input, record, ending, starter, since } = run;
  const { signal } = ending;
  const { document } = record;
  if (starter && !run.prepared) await prepareClusters(starter, input, record, signal);
  run.prepared = true;
  const cluster = starter && (await startCluster(starter, input, record, { since, signal }));
  try {
    const ready = await preflight({
      ...input,
      runId: document.run.id,
      plan: document.plan,
      ...(cluster ? { connection: cluster.connection, started: cluster.asked } : {}),
      ...(run.refused === undefined ? {} : { signal }),
    });
    ready.notes.push(...(cluster?.notes ?? []));
    return { ready, cluster };
  } catch (error) {
    await cluster?.end();
    throw error;
  }
}

/** Null where the preflight refused a run that is kept all the same. */
async function makeReady(run: Executed): Promise<Begun | null> {
  const { input, record, ending, refused } = run;
  if (refused === undefined) return await begin(run);
  await record.save();
  record.beat();
  try {
    return await begin(run);
  } catch (error) {
    const { aborted } = ending.signal;
    record.note(messageOf(error), aborted ? 'warning' : 'error');
    const state = aborted ? ending.state : refused;
    // Of the environment that it waited for nothing has begun: it waits again.
    if (refused === 'waiting' && state !== 'cancelled') await record.wait(messageOf(error));
    else await record.end(state, messageOf(error));
    if (!aborted && (input.refused === undefined || !(error instanceof DynoError))) throw error;
    return null;
  } finally {
    record.rest();
  }
}

/** One block, as far as it gets. */
async function executeBlock(run: Executed): Promise<void> {
  const { input, record, ending, since } = run;
  const { signal } = ending;
  // It was interrupted when all of its environment was done.
  if (record.left.length === 0 && !record.block.last) return await record.endBlock();
  const begun = await makeReady(run);
  if (begun === null) return;
  const { ready, cluster } = begun;
  try {
    record.beginBlock(ready.place);
    announce(record, ready);
    await record.save();
    record.beat();
    await checkAlone(input.reader, record.document, since);
    const place = cluster ? { ...input, connection: cluster.connection } : input;
    const fatal = await runTrials(place, record, ready, signal);
    await addCollected({
      record,
      client: input.resultsClient,
      saveTrial: (trial) => input.results.saveTrial(trial),
      signal,
    });
    if (cluster) forgetGone(record);
    if (signal.aborted) await record.end(ending.state, messageOf(signal.reason));
    else if (fatal !== '') await record.end('failed', fatal);
    else if (!record.block.last) await record.endBlock();
    else await record.end('completed', '');
  } catch (error) {
    await record.end('failed', messageOf(error));
    if (!(error instanceof DynoError)) throw error;
  } finally {
    record.rest();
    await cluster?.end();
  }
}

/** Before the first block: nothing is kept of a run that is refused here, unless it was kept before. */
async function prepare(run: Executed): Promise<void> {
  const { input, record, ending, starter } = run;
  const { run: document } = record.document;
  forgetGone(record);
  delete document.beside;
  if (!starter) return;
  if (input.refused === undefined) {
    await prepareClusters(starter, input, record, ending.signal).catch((error: unknown) => {
      if (error instanceof DynoError || !ending.signal.aborted) throw error;
      throw runError('run.cancelled', '', messageOf(error));
    });
    run.prepared = true;
    // From here on others must see that it is at work.
    run.refused = stateOf(input) === 'waiting' ? 'waiting' : input.resume ? 'interrupted' : 'failed';
  }
  document.beside = starter.beside;
}

const stateOf = ({ resume }: RunInput): string | undefined => resume?.run.run.state;

async function execute(input: RunInput, record: RunRecord, ending: Ending): Promise<RunResult> {
  const { document } = record;
  const run: Executed = {
    input,
    record,
    ending,
    since: input.resume ? new Date().toISOString() : document.run.started,
    starter: starterFor(input.clusters, record),
    refused: input.refused,
    prepared: false,
  };
  await prepare(run);
  try {
    do {
      await executeBlock(run);
      // What was measured in the environments before can go on once the obstacle is gone.
      if (run.starter) run.refused = 'interrupted';
    } while (document.run.state === 'running');
  } finally {
    await input.results.flush(FLUSH_TIMEOUT_MS);
  }
  return { run: document, trials: record.trials };
}

/** Begins a run, or goes on with one that is kept already: until its end, or until it waits for its next environment. */
export function startRun(input: RunInput): Execution {
  const resumed = input.resume && structuredClone(input.resume.run);
  const document = resumed ?? newRun(newRunId(new Date()), input.definition, { begins: input.begins });
  if (resumed)
    Object.assign(resumed.run, { state: 'running', reason: '', ended: null, carrier: thisProcess() });
  const controller = new AbortController();
  const ending: Ending = { signal: controller.signal, state: 'cancelled' };
  return {
    id: document.run.id,
    done: execute(
      input,
      new RunRecord(document, input.resume?.trials ?? [], input.results, input.listener),
      ending,
    ),
    cancel: (reason, state = 'cancelled') => {
      if (!controller.signal.aborted) ending.state = state;
      controller.abort(new Error(reason));
    },
  };
}
