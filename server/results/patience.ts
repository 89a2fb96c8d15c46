/** Time limits for the carrier of a run: the measurement must not depend on the results cluster. */
import { runError } from '../../common/problem';
import { withTimeLimit } from '../waiting';

/** Longest wait for an answer that a run needs to continue, in ms. A healthy cluster answers in a hundredth of it. */
export const PATIENCE_MS = 5000;

/**
 * Settles as `work` does, but rejects with a DynoError `results.slow` if that takes longer than `ms`. The work then ends by its own time
 * limits.
 */
export async function inTime<T>(work: Promise<T>, ms = PATIENCE_MS): Promise<T> {
  return await withTimeLimit(work, ms, () =>
    runError('results.slow', '', `the results cluster has not answered within ${ms / 1000} s`),
  );
}
