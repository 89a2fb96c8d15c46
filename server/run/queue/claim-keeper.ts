/** Keeps the claims of the runs that this process carries, and heeds what others ask of them. */
import { FINAL_STATES, RESTING_STATES, type RunDocument } from '../../../common/measurement/run';
import { DynoError, inputError } from '../../../common/problem';
import type { Claims } from '../../results/claims';
import type { ResultsReader } from '../../results/reader';
import type { CarriedRun } from './carried-run';
import { isGone, thisCarrier } from '../record/identity';
import type { RunService } from './service';

export interface ClaimListener {
  /** Somebody has asked, elsewhere, that the run end. */
  onEnd(run: CarriedRun, reason: string): Promise<void>;
  /** Another process has taken the run. */
  onLoss(run: CarriedRun): void;
  /** Whether the run, whose claim is gone, still is this process's. */
  isOurs(run: CarriedRun): Promise<boolean>;
  onError(error: unknown): void;
}

export class ClaimKeeper {
  private heeding = false;

  constructor(
    private readonly claims: Claims,
    private readonly listener: ClaimListener,
  ) {}

  /** Rejects with `run.claimed` when another process has the run. Results that are away hold nothing up: see `heed`. */
  async take(run: CarriedRun): Promise<void> {
    try {
      await this.claims.take(run.id, thisCarrier(), isGone);
    } catch (error) {
      if (error instanceof DynoError && error.code === 'run.claimed') throw error;
      this.listener.onError(error);
    }
  }

  /** Never rejects. */
  async release({ id, lost }: CarriedRun): Promise<void> {
    if (lost) return;
    await this.claims.release(id, thisCarrier()).catch((error: unknown) => this.listener.onError(error));
  }

  /** Looks once at all of them, and claims what could not be claimed when it began. Never rejects. */
  async heed(runs: readonly CarriedRun[]): Promise<void> {
    if (this.heeding || runs.length === 0) return;
    this.heeding = true;
    try {
      const claims = await this.claims.read(runs.map(({ id }) => id));
      const own = thisCarrier();
      for (const run of runs) {
        if (run.rests || run.lost) continue;
        const claim = claims.get(run.id);
        if (claim === undefined) await this.takeAgain(run);
        else if (claim.carrier.host !== own.host || claim.carrier.instance !== own.instance)
          this.listener.onLoss(run);
        else if (claim.end) await this.listener.onEnd(run, claim.end.reason);
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
  return !RESTING_STATES.includes(state) && carrier.instance === thisCarrier().instance;
}

/** Ends a run that another process carries. Rejects with `run.not-running` where none does. */
export async function askOthersToEnd(
  claims: Claims,
  { run }: RunDocument,
  reason: string,
): ReturnType<RunService['cancel']> {
  const asked = !FINAL_STATES.includes(run.state) && (await claims.askToEnd(run.id, reason));
  if (asked) return { state: run.state };
  throw inputError('run.not-running', '', `the run is ${run.state}, and no process carries it`);
}
