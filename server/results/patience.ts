/** How long whoever carries a run waits for the results cluster: what is measured must not depend on what keeps it. */
import { runError } from '../../common/problem';

/** For an answer that the course of a run asks for, ms; a cluster that is well answers in a hundredth of it. */
export const PATIENCE_MS = 5000;

/** As `work`, but rejects with a DynoError `results.slow` where that takes longer; the work then ends by its own time limits. */
export async function inTime<T>(work: Promise<T>, ms = PATIENCE_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = runError('results.slow', '', `the results cluster has not answered within ${ms / 1000} s`);
    timer = setTimeout(() => reject(error), ms);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
