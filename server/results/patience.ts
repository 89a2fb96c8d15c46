/** How long whoever carries a run waits for the results cluster: what is measured must not depend on what keeps it. */
import { runError } from '../../common/problem';
import { withTimeLimit } from '../waiting';

/** For an answer that the course of a run asks for, ms; a cluster that is well answers in a hundredth of it. */
export const PATIENCE_MS = 5000;

/** As `work`, but rejects with a DynoError `results.slow` where that takes longer; the work then ends by its own time limits. */
export async function inTime<T>(work: Promise<T>, ms = PATIENCE_MS): Promise<T> {
  return await withTimeLimit(work, ms, () =>
    runError('results.slow', '', `the results cluster has not answered within ${ms / 1000} s`),
  );
}
