/** Runs that nobody carries and that are not over: whether they can go on, and their end without that. */
import { RESUMABLE_STATES, type RunDocument } from '../../../common/experiment/run';
import { inputError } from '../../../common/problem';
import { thisProcess } from '../../process-life';
import type { Leases } from '../../results/leases';
import type { ResultsReader } from '../../results/reader';
import { isGone, keptTrials, RunRecord, targetOf, type RunWriter } from '../record/record';
import type { RunService } from './service';

/** Rejects with a DynoError `run.not-found` (input). */
export async function findRun(reader: Pick<ResultsReader, 'getRun'>, runId: string): Promise<RunDocument> {
  const found = await reader.getRun(runId);
  if (found?.run.id === runId) return found;
  throw inputError('run.not-found', '', 'there is no such run', { found: runId });
}

/** Throws a DynoError (input): `run.not-interrupted`, or `run.target` where it may not go on at that target. */
export function checkResumable(found: RunDocument, target?: string): void {
  const { state } = found.run;
  if (!RESUMABLE_STATES.includes(state)) {
    throw inputError(
      'run.not-interrupted',
      '',
      `the run is ${state}: only a run that was interrupted or waits for its next environment can be resumed`,
    );
  }
  if (target === undefined || target === targetOf(found) || state === 'waiting') return;
  throw inputError(
    'run.target',
    'target',
    'an interrupted run must be resumed on its own target: its trials must be comparable',
    { found: target, allowed: targetOf(found) },
  );
}

interface Results {
  leases: Leases;
  reader: Pick<ResultsReader, 'getRun' | 'getTrials'>;
  writer: Pick<RunWriter, 'saveRun'>;
}

/**
 * Ends a run that waits for its next environment, as cancelled, with what there is. Rejects with `run.claimed` where
 * somebody goes on with it at this moment, and `run.not-running` where somebody has ended it.
 */
export async function endWaiting(
  { leases, reader, writer }: Results,
  runId: string,
  reason: string,
): ReturnType<RunService['cancel']> {
  await leases.take(runId, thisProcess(), isGone);
  try {
    const found = await reader.getRun(runId);
    if (found?.run.id !== runId)
      throw inputError('run.not-found', '', 'there is no such run', { found: runId });
    if (found.run.state !== 'waiting')
      throw inputError('run.not-running', '', `the run is ${found.run.state} by now`);
    const trials = keptTrials(found, await reader.getTrials(runId));
    const record = new RunRecord(found, trials, writer, SILENT);
    record.note(`cancelled: ${reason}`, 'warning');
    await record.end('cancelled', reason);
    return { state: 'cancelled' };
  } finally {
    await leases.release(runId, thisProcess());
  }
}

const SILENT = { onProgress: () => undefined, onEvent: () => undefined };
