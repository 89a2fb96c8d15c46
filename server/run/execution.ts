/** A run from its beginning to its end, its state kept in the results after every step. */
import { DynoError, messageOf } from '../../common/problem';
import { addCollected } from './collected';
import { checkAlone } from './alone';
import { announce } from './announce';
import { newRunId, thisCarrier } from './identity';
import { preflight, type Preflight } from './preflight';
import type { RunInput, RunResult } from './run-input';
import { newRun, RunRecord } from './run-record';
import { runTrials } from './trials';

/** How long the end of a run waits for its last results to be stored, ms; then they stay in the spool. */
const FLUSH_TIMEOUT_MS = 15_000;

export interface Execution {
  id: string;
  /** Resolves when the run has ended, however, or waits; rejects with a DynoError when the preflight refuses it: nothing then exists. */
  done: Promise<RunResult>;
  /** Ends the run orderly within seconds; `reason` is the sentence that is kept. As `interrupted` it can go on later. */
  cancel(reason: string, state?: 'cancelled' | 'interrupted'): void;
}

/** A signal whose abort ends a run, in a state. */
interface Ending {
  signal: AbortSignal;
  state: 'cancelled' | 'interrupted';
}

/** Null where the preflight refused a run that is kept all the same. */
async function makeReady(input: RunInput, record: RunRecord, ending: Ending): Promise<Preflight | null> {
  const { document } = record;
  const asked = { ...input, runId: document.run.id, plan: document.plan };
  if (input.refused === undefined) return await preflight(asked);
  await record.save();
  record.beat();
  try {
    return await preflight({ ...asked, signal: ending.signal });
  } catch (error) {
    const { aborted } = ending.signal;
    record.note(messageOf(error), aborted ? 'warning' : 'error');
    const state = aborted ? ending.state : input.refused;
    // Of the environment that it waited for nothing has begun: it waits again.
    if (input.refused === 'waiting' && state !== 'cancelled') await record.wait(messageOf(error));
    else await record.end(state, messageOf(error));
    if (!(error instanceof DynoError) && !aborted) throw error;
    return null;
  } finally {
    record.rest();
  }
}

async function execute(input: RunInput, record: RunRecord, ending: Ending): Promise<RunResult> {
  const { document } = record;
  const { signal } = ending;
  const since = input.resume ? new Date().toISOString() : document.run.started;
  if (record.left.length === 0 && !record.sitting.last) {
    // It was interrupted when all of its environment was done.
    await record.endSitting();
    return { run: document, trials: record.trials };
  }
  const ready = await makeReady(input, record, ending);
  if (ready === null) return { run: document, trials: record.trials };
  record.beginSitting(ready.place);
  announce(record, ready);
  await record.save();
  record.beat();
  try {
    await checkAlone(input.reader, document, since);
    const fatal = await runTrials(input, record, ready, signal);
    await addCollected({
      record,
      client: input.resultsClient,
      saveTrial: (trial) => input.results.saveTrial(trial),
      signal,
    });
    if (signal.aborted) await record.end(ending.state, messageOf(signal.reason));
    else if (fatal !== '') await record.end('failed', fatal);
    else if (!record.sitting.last) await record.endSitting();
    else await record.end('completed', '');
  } catch (error) {
    await record.end('failed', messageOf(error));
    if (!(error instanceof DynoError)) throw error;
  } finally {
    record.rest();
    await input.results.flush(FLUSH_TIMEOUT_MS);
  }
  return { run: document, trials: record.trials };
}

/** Begins a run, or goes on with one that is kept already: until its end, or until it waits for its next environment. */
export function startRun(input: RunInput): Execution {
  const resumed = input.resume && structuredClone(input.resume.run);
  const document = resumed ?? newRun(newRunId(new Date()), input.definition);
  if (resumed)
    Object.assign(resumed.run, { state: 'running', reason: '', ended: null, carrier: thisCarrier() });
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
