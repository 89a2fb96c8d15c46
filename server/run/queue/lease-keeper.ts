/** Keeps the leases of the runs that this process carries, and heeds what others ask of them. */
import { FINAL_STATES, RESTING_STATES, type RunDocument } from '../../../common/experiment/run';
import { DynoError, inputError } from '../../../common/problem';
import { thisProcess } from '../../process-life';
import type { Leases } from '../../results/leases';
import type { ResultsReader } from '../../results/reader';
import type { CarriedRun } from './carried-run';
import { isGone } from '../record/record';
import type { RunService } from './service';

export interface LeaseListener {
  /** Somebody has asked, elsewhere, that the run end. */
  onEnd(run: CarriedRun, reason: string): Promise<void>;
  /** Another process has taken the run. */
  onLoss(run: CarriedRun): void;
  /** Whether the run, whose lease is gone, still is this process's. */
  isOurs(run: CarriedRun): Promise<boolean>;
  onError(error: unknown): void;
}

export class LeaseKeeper {
  private heeding = false;

  constructor(
    private readonly leases: Leases,
    private readonly listener: LeaseListener,
  ) {}

  /** Rejects with `run.claimed` when another process has the run. Results that are away hold nothing up: see `heed`. */
  async take(run: CarriedRun): Promise<void> {
    try {
      await this.leases.take(run.id, thisProcess(), isGone);
    } catch (error) {
      if (error instanceof DynoError && error.code === 'run.claimed') throw error;
      this.listener.onError(error);
    }
  }

  /** Never rejects. */
  async release({ id, lost }: CarriedRun): Promise<void> {
    if (lost) return;
    await this.leases.release(id, thisProcess()).catch((error: unknown) => this.listener.onError(error));
  }

  /** Looks once at all of them, and takes those that could not be taken when a run began. Never rejects. */
  async heed(runs: readonly CarriedRun[]): Promise<void> {
    if (this.heeding || runs.length === 0) return;
    this.heeding = true;
    try {
      const leases = await this.leases.read(runs.map(({ id }) => id));
      const own = thisProcess();
      for (const run of runs) {
        if (run.rests || run.lost) continue;
        const lease = leases.get(run.id);
        if (lease === undefined) await this.takeAgain(run);
        else if (lease.carrier.host !== own.host || lease.carrier.instance !== own.instance)
          this.listener.onLoss(run);
        else if (lease.end) await this.listener.onEnd(run, lease.end.reason);
      }
    } catch {
      // Results that are away are looked for again, and told of by whoever writes there.
    } finally {
      this.heeding = false;
    }
  }

  /** Results were away when it began; or it was given up for dead, and may have been taken and ended since. */
  private async takeAgain(run: CarriedRun): Promise<void> {
    if (await this.listener.isOurs(run)) await this.take(run).catch(() => this.listener.onLoss(run));
    else this.listener.onLoss(run);
  }
}

/** Whether the results, too, take this process for the run's carrier. */
export async function isKeptAsOurs(reader: Pick<ResultsReader, 'getRun'>, runId: string): Promise<boolean> {
  const found = await reader.getRun(runId);
  if (!found) return true;
  const { state, carrier } = found.run;
  return !RESTING_STATES.includes(state) && carrier.instance === thisProcess().instance;
}

/** Ends a run that another process carries. Rejects with `run.not-running` where none does. */
export async function askOthersToEnd(
  leases: Leases,
  { run }: RunDocument,
  reason: string,
): ReturnType<RunService['cancel']> {
  const asked = !FINAL_STATES.includes(run.state) && (await leases.askToEnd(run.id, reason));
  if (asked) return { state: run.state };
  throw inputError('run.not-running', '', `the run is ${run.state}, and no process carries it`);
}
