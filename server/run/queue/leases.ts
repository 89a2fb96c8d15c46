/**
 * The leases that this process takes for runs. A lease is the right of one process to change a run; see `server/elasticsearch/lease.ts`.
 */
import { FINAL_STATES, type RunDocument, type RunState } from '../../../common/experiment/run';
import { codeOf, inputError } from '../../../common/problem';
import { HeldLease, underLease as workUnder, type LeaseStore } from '../../elasticsearch/lease';
import { thisProcess } from '../../process-life';
import { isSame, runTaken, type Lease, type Leases } from '../../results/leases';
import { isGone } from '../active-run/active-run';

/**
 * Returns whether an operation failed because the lease of the run (the right to change it) is taken: by another process, or by another
 * operation of this process.
 */
export const isTaken = (error: unknown): boolean => codeOf(error) === 'run.claimed';

const storeOf = (leases: Leases): LeaseStore<Lease> => ({
  take: (id) => leases.take(id, thisProcess(), isGone),
  renew: (id) => leases.renew(id, thisProcess()),
  release: (id) => leases.release(id, thisProcess()),
  isOurs: ({ carrier }) => isSame(carrier, thisProcess()),
  taken: (id) => runTaken(id, thisProcess()),
  isTaken,
});

/** The lease of a run that this process executes. */
export class RunLease extends HeldLease<Lease> {
  constructor(leases: Leases, runId: string, onError: (error: unknown) => void) {
    super(storeOf(leases), runId, onError);
  }
}

/**
 * Does `work` on a run while holding the run's lease, so that no process begins to execute the run in the meantime. Rejects with
 * `run.claimed` if another process has the lease.
 */
export const underLease = <T>(leases: Leases, runId: string, work: () => Promise<T>): Promise<T> =>
  workUnder(storeOf(leases), runId, work);

/** Asks the process that executes the run to end it. Rejects with `run.not-running` if no process executes the run. */
export async function askOthersToEnd(
  leases: Leases,
  { run }: RunDocument,
  reason: string,
): Promise<{ state: RunState }> {
  const asked = !FINAL_STATES.includes(run.state) && (await leases.askToEnd(run.id, reason));
  if (asked) return { state: run.state };
  throw inputError('run.not-running', '', `the run is ${run.state}, and no process carries it`);
}
