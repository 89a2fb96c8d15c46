/** Time limits for the requests that a run sends to the results cluster, so that a slow results cluster does not delay a measurement. */
import { runError } from '../../common/problem';
import { withTimeLimit } from '../waiting';

/**
 * Maximum time in ms that a run waits for an answer of the results cluster without which it cannot continue. A healthy cluster usually
 * answers within 50 ms.
 */
export const PATIENCE_MS = 5000;

/**
 * Settles with the result of `work`. If `work` takes longer than `ms`, rejects with a DynoError `results.slow`; `work` itself continues in
 * the background.
 */
export async function inTime<T>(work: Promise<T>, ms = PATIENCE_MS): Promise<T> {
  return await withTimeLimit(work, ms, () =>
    runError('results.slow', '', `the results cluster has not answered within ${ms / 1000} s`),
  );
}
