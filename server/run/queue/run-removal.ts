/** Removes a run that has come to rest: what it left in its target, and all that is kept of it. */
import type { RunDocument } from '../../../common/measurement/run';
import { runError } from '../../../common/problem';
import { removeRun } from '../../results/removal';
import type { RunServiceDependencies } from './carry-out';
import { cleanUpBeforeRemoval } from './clean-up';
import type { RunService } from './service';

/** What was written a moment ago must be there before it is removed, ms. */
const FLUSH_MS = 5000;

/** Rejects with a DynoError `results.away` while something of it could still be written. */
export async function removeResting(
  found: RunDocument,
  dependencies: RunServiceDependencies,
): ReturnType<RunService['delete']> {
  const { writer, resultsClient, connect } = dependencies;
  await cleanUpBeforeRemoval(found, connect, dependencies);
  if (!(await writer.flush(FLUSH_MS))) {
    throw runError('results.away', '', 'results wait to be written, and would come back after the removal');
  }
  return { deleted: await removeRun(resultsClient, found.run.id) };
}
