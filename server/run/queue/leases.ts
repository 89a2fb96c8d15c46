/** The right of one process to carry a run: taken before anything of the run is kept, watched, and given up. */
import { setTimeout as sleep } from 'node:timers/promises';
import { FINAL_STATES, type RunDocument, type RunState } from '../../../common/experiment/run';
import { DynoError, inputError } from '../../../common/problem';
import { thisProcess } from '../../process-life';
import { TaskChain } from '../../waiting';
import { runTaken, type Lease, type Leases } from '../../results/leases';
import { isGone } from '../active-run/active-run';

/** Whose lease it is. */
export interface LeaseHolder {
  /** False from the moment at which the run is over, however: its lease is of no interest then. */
  readonly isActive: boolean;
  /** Whether the results, too, take this process for the run's carrier. */
  isOurs(): Promise<boolean>;
  /** Called at every look since somebody has asked, elsewhere, that the run end. */
  onEndAsked(reason: string): void;
  /** Another process has taken the run. Called once at most, and never of a run that is over or given up. */
  onLoss(): void;
}

const isOwn = ({ carrier }: Lease): boolean => {
  const own = thisProcess();
  return carrier.host === own.host && carrier.instance === own.instance;
};

/** Another process has the run, or another part of this one. */
export const isTaken = (error: unknown): boolean =>
  error instanceof DynoError && error.code === 'run.claimed';

/**
 * Runs of which this process has the lease, or takes it. What is stored tells processes apart and not two that act in one:
 * who cancels a run that waits, and who resumes it at the same moment.
 */
const here = new Set<string>();

function enter(runId: string): void {
  if (here.has(runId)) throw runTaken(runId, thisProcess());
  here.add(runId);
}

/** Does something with a run that nobody carries, under its lease. Rejects with `run.claimed` where somebody has it. */
export async function underLease<T>(leases: Leases, runId: string, work: () => Promise<T>): Promise<T> {
  enter(runId);
  try {
    await leases.take(runId, thisProcess(), isGone);
    try {
      return await work();
    } finally {
      await leases.release(runId, thisProcess());
    }
  } finally {
    here.delete(runId);
  }
}

/** How often a lease is renewed while its run goes on, ms. */
const RENEW_MS = 15_000;

/** Tries to give it up, the pause between them, and after how long there is no further one, ms: a run's end waits for it. */
const RELEASE_TRIES = 4;
const RELEASE_PAUSE_MS = 500;
const RELEASE_MS = 5000;

/** The lease of one run that this process carries. It is held once: neither what was lost nor what was given up comes back. */
export class RunLease {
  private state: 'none' | 'held' | 'lost' | 'released' = 'none';
  private holder: LeaseHolder | undefined;
  private taking: Promise<void> | undefined;
  /** What {@link enter} has entered, and what only this lease may take out again. */
  private isHere = false;
  private looking = false;
  /** When it was taken or renewed last, ms of a clock that never jumps. */
  private renewedAt = -Infinity;
  /** One step after the other: a look that is under way must not take again what is given up meanwhile. */
  private readonly steps = new TaskChain();

  constructor(
    private readonly leases: Leases,
    private readonly runId: string,
    private readonly onError: (error: unknown) => void,
  ) {}

  /**
   * Resolves once it is held; asked again it does nothing. Rejects with `run.claimed` when another process has the run.
   * Results that are away hold nothing up: the next look takes it.
   */
  take(): Promise<void> {
    this.taking ??= this.steps.add(async () => {
      if (this.state !== 'none') return;
      enter(this.runId);
      this.isHere = true;
      try {
        await this.leases.take(this.runId, thisProcess(), isGone);
        this.renewedAt = performance.now();
      } catch (error) {
        if (isTaken(error)) {
          this.leave();
          throw error;
        }
        this.onError(error);
      }
      if (this.state === 'none') this.state = 'held';
    });
    return this.taking;
  }

  watchFor(holder: LeaseHolder): void {
    this.holder = holder;
  }

  /** Looks at what is stored, which `read` gives as it was after this was called. Never rejects. */
  async look(read: Promise<Lease | undefined>): Promise<void> {
    // Results that are away are looked for again, and reported by whoever writes there.
    read.catch(() => undefined);
    if (this.looking || this.watching() === undefined) return;
    this.looking = true;
    await this.steps.add(() => this.judge(read)).catch(() => undefined);
    this.looking = false;
  }

  /** Gives it up, unless it was lost. Never rejects. */
  release(): Promise<void> {
    if (this.state === 'lost' || this.state === 'released') return Promise.resolve();
    this.state = 'released';
    return this.steps.add(async () => {
      if (!this.isHere) return;
      await this.giveUp().catch(this.onError);
      this.leave();
    });
  }

  /** An answer that broke says nothing of the next one, and a lease that stays lies until somebody looks after dead runs. */
  private async giveUp(): Promise<void> {
    const from = performance.now();
    for (let tries = 1; ; tries += 1) {
      try {
        await this.leases.release(this.runId, thisProcess());
        return;
      } catch (error) {
        const isRefused = error instanceof DynoError && error.code === 'results.unauthorised';
        if (isRefused || tries === RELEASE_TRIES || performance.now() - from > RELEASE_MS) throw error;
        await sleep(RELEASE_PAUSE_MS);
      }
    }
  }

  private leave(): void {
    if (this.isHere) here.delete(this.runId);
    this.isHere = false;
  }

  /** Its holder, as long as it matters whether it is held. To be asked again after every wait. */
  private watching(): LeaseHolder | undefined {
    return this.state === 'held' && this.holder?.isActive ? this.holder : undefined;
  }

  private async judge(read: Promise<Lease | undefined>): Promise<void> {
    const lease = await read;
    if (lease === undefined) await this.takeAgain();
    else if (!isOwn(lease)) this.lose();
    else if (lease.end) this.watching()?.onEndAsked(lease.end.reason);
    else if (performance.now() - this.renewedAt >= RENEW_MS) await this.renew();
  }

  private async renew(): Promise<void> {
    this.renewedAt = performance.now();
    await this.leases.renew(this.runId, thisProcess());
  }

  /** Results were away when it began; or it was given up for dead, and may have been taken and ended since. */
  private async takeAgain(): Promise<void> {
    const isOurs = await this.watching()?.isOurs();
    if (this.watching() === undefined) return;
    if (!isOurs) return this.lose();
    try {
      await this.leases.take(this.runId, thisProcess(), isGone);
    } catch (error) {
      if (!isTaken(error)) throw error;
      this.lose();
    }
  }

  private lose(): void {
    const holder = this.watching();
    if (holder === undefined) return;
    this.state = 'lost';
    this.leave();
    holder.onLoss();
  }
}

/** Ends a run that another process carries. Rejects with `run.not-running` where none does. */
export async function askOthersToEnd(
  leases: Leases,
  { run }: RunDocument,
  reason: string,
): Promise<{ state: RunState }> {
  const asked = !FINAL_STATES.includes(run.state) && (await leases.askToEnd(run.id, reason));
  if (asked) return { state: run.state };
  throw inputError('run.not-running', '', `the run is ${run.state}, and no process carries it`);
}
