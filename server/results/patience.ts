/** Time limits that ensure that a measurement does not depend on the results cluster. For the carrier of a run. */
import { runError } from '../../common/problem';
import { withTimeLimit } from '../waiting';

/** Maximum wait, in ms, for an answer that a run needs to continue. A healthy cluster answers in a hundredth of this time. */
export const PATIENCE_MS = 5000;

/**
 * Settles as `work` does, but rejects with a DynoError `results.slow` if `work` takes longer than `ms`. `work` itself continues until its
 * own time limits end it.
 */
export async function inTime<T>(work: Promise<T>, ms = PATIENCE_MS): Promise<T> {
  return await withTimeLimit(work, ms, () =>
    runError('results.slow', '', `the results cluster has not answered within ${ms / 1000} s`),
  );
}
