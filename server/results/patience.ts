/** Time limits of the requests that a run sends to the results cluster. With them, a slow results cluster does not delay measurements. */
import { runError } from '../../common/problem';
import { withTimeLimit } from '../waiting';

/**
 * Maximum time in ms that a run waits for a response of the results cluster that it needs to continue. A healthy cluster usually responds
 * within 50 ms.
 */
export const PATIENCE_MS = 5000;

/**
 * Returns the result of `work`. If `work` takes longer than `ms`, rejects with a DynoError `results.slow`. `work` itself then continues in
 * the background.
 */
export async function inTime<T>(work: Promise<T>, ms = PATIENCE_MS): Promise<T> {
  return await withTimeLimit(work, ms, () =>
    runError('results.slow', '', `the results cluster has not answered within ${ms / 1000} s`),
  );
}
