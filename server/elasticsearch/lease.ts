/**
 * A lease is a document that gives one process an exclusive right, such as executing a run or measuring on a cluster. The
 * clock of the cluster that stores the document decides whether the lease has expired. A write fails if the document has
 * changed since it was read. If several processes write at the same time, only one of them succeeds.
 *
 * States: `free`: the document does not exist. `ours`: this process holds the lease. `other's`: another process holds it.
 * `abandoned`: the process that holds it has ended, or the lease has expired.
 *
 * | action  | before    | after     | notes                                                                     |
 * | ------- | --------- | --------- | ------------------------------------------------------------------------- |
 * | take    | free      | ours      | creates the document, and the index if it does not exist                  |
 * | take    | ours      | ours      | renews the lease: this process did not receive the answer to its request  |
 * | take    | abandoned | ours      | replaces the document                                                     |
 * | take    | other's   | other's   | rejects with an error that names the holder                               |
 * | renew   | ours      | ours      |                                                                           |
 * | renew   | free      | ours      | lease of a cluster: somebody has deleted the document manually            |
 * | renew   | free      | free      | lease of a run: the next check decides whether to take it again           |
 * | renew   | other's   | other's   | lease of a cluster: rejects. Lease of a run: the next check finds the loss |
 * | end     | not free  | unchanged | lease of a run: stores in the document that the holder must end the run   |
 * | release | ours      | free      | retries for a few seconds, because the next process waits for the lease   |
 * | release | other's   | other's   | the lease was lost before                                                 |
 * | sweep   | abandoned | free      | lease of a cluster: removes the document of a crashed process             |
 * | sweep   | other's   | other's   |                                                                           |
 *
 * If the document has changed since it was read, `take`, `renew` and `release` change nothing and read it again.
 *
 * The process that holds the lease of a run checks it every few seconds ({@link HeldLease}). `look` is such a check. After
 * the colon is the state of the document that the check finds. `before` and `after` are states of the process. `none`: it
 * has not taken the lease yet. `held`: it executes the run. `lost`: another process holds the lease. `released`: it has
 * given up the lease.
 *
 * | action        | before     | after    | notes                                                                 |
 * | ------------- | ---------- | -------- | --------------------------------------------------------------------- |
 * | take          | none       | held     | also if the cluster is unavailable: the next check takes the lease    |
 * | take          | none       | none     | rejects: another process, or other code in this process, holds it     |
 * | look: ours    | held       | held     | renews the lease every 15 s; reports a request to end the run         |
 * | look: free    | held       | held     | takes it again if the results say that this process executes the run  |
 * | look: free    | held       | lost     | another process executes the run, or has just taken the lease         |
 * | look: other's | held       | lost     | reports the loss, once                                                |
 * | release       | none, held | released | after this, neither a check nor `take` takes the lease again          |
 * | release       | lost       | lost     | does not change the lease of the other process                        |
 */
import { TaskChain } from '../waiting';
import type { Endpoint, Expected } from './ask';
import { clusterSeconds } from './clock';
import { deleteDocument, getDocument, putDocument, unchanged, type StoredDocument } from './documents';

/** Sends requests to the cluster in which the lease is stored. */
export type AskForLease = <T, V = never>(endpoint: Endpoint<T>, expected?: Expected<V>) => Promise<T | V>;

export interface LeaseRules<Lease> {
  index: string;
  id: string;
  isOurs: (lease: Lease) => boolean;
  /**
   * Returns whether another process may take over the stored lease. It may if the process that holds the lease has ended, or if the lease
   * has expired. `now`: time of the cluster's clock, in ms since the epoch.
   */
  isAbandoned: (lease: Lease, now: number) => boolean;
  /**
   * Returns the lease that this process writes. `now`: time of the cluster's clock, in ms since the epoch. `before`: lease of this process
   * that is replaced; undefined if this process has no lease yet.
   */
  next: (now: number, before: Lease | undefined) => Lease;
  makeIndex: () => Promise<unknown>;
  /**
   * Adds fields that are missing in the mapping of the index, because an earlier version of Dyno created it. Called if writing the lease
   * failed with a 400.
   */
  renewIndex?: () => Promise<unknown>;
  /**
   * Creates the error for a lease that another process holds. `by`: the lease of that process. It is undefined if leases change too often
   * to determine the holder.
   */
  taken: (by: Lease | undefined) => Error;
  /** Creates the error for a lease that this process held, but that another process holds now. */
  lost?: (by: Lease) => Error;
  /** Maximum time in ms for trying to release the lease. */
  releaseMs: number;
  /** Returns whether further tries to release the lease cannot succeed after this error, for example because the credentials are wrong. */
  isHopeless: (error: unknown) => boolean;
  /**
   * Deletes the index together with the lease. Resolves to false if the credentials may not delete the index. Undefined if the index
   * contains several leases.
   */
  removeIndex?: () => Promise<boolean>;
}

/** Maximum number of tries to write the lease. A try fails if another process takes or releases the lease at the same time. */
export const MOST_TRIES = 5;
const BETWEEN_TRIES_MS = 200;

const pause = (ms = BETWEEN_TRIES_MS): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class LeaseDocument<Lease> {
  constructor(
    private readonly ask: AskForLease,
    private readonly rules: LeaseRules<Lease>,
  ) {}

  /** Reads the stored lease. `nothing`: the index exists, but does not contain the document of the lease. */
  async find(): Promise<StoredDocument<Lease> | 'nothing' | 'no index'> {
    const { index, id } = this.rules;
    return await this.ask(getDocument<Lease>(index, id), {
      missing: ({ body }) =>
        (body as { found?: boolean } | null)?.found === false ? ('nothing' as const) : ('no index' as const),
    });
  }

  async read(): Promise<StoredDocument<Lease> | undefined> {
    const found = await this.find();
    return typeof found === 'string' ? undefined : found;
  }

  async isAbandoned({ _source }: StoredDocument<Lease>): Promise<boolean> {
    return this.rules.isAbandoned(_source, await clusterTime(this.ask, this.rules.index));
  }

  /** Takes the lease. Rejects with {@link LeaseRules.taken} if another process holds it. `onWrite`: called before the first write. */
  take(onWrite?: () => void): Promise<void> {
    return this.hold(onWrite, (found) => this.isAbandoned(found));
  }

  /** Renews the lease, and takes it if it is free. Rejects with {@link LeaseRules.lost} if another process holds it. */
  renew(): Promise<void> {
    return this.hold();
  }

  /**
   * Writes the lease of this process. `mayReplace` decides whether to replace the lease of another process. Without `mayReplace`, it is
   * never replaced, and {@link LeaseRules.lost} is thrown.
   */
  private async hold(
    onWrite?: () => void,
    mayReplace?: (found: StoredDocument<Lease>) => Promise<boolean>,
  ): Promise<void> {
    const { isOurs, taken, lost = taken, makeIndex } = this.rules;
    for (let tries = 1; ; tries++) {
      const found = await this.read();
      if (found && !isOurs(found._source) && !(await mayReplace?.(found)))
        throw (mayReplace ? taken : lost)(found._source);
      onWrite?.();
      if (!found) await makeIndex();
      if (await this.write(found)) return;
      if (tries === MOST_TRIES) throw taken(undefined);
      await pause();
    }
  }

  /**
   * Releases the lease if this process holds it. Repeats failed tries for {@link LeaseRules.releaseMs}. Then rejects with the error of the
   * last try, or resolves if the last try failed only because the document had changed.
   */
  async release(): Promise<void> {
    const { releaseMs, isHopeless } = this.rules;
    const begun = performance.now();
    for (let waitMs = BETWEEN_TRIES_MS; ; waitMs *= 2) {
      const isLate = (): boolean => performance.now() - begun + waitMs > releaseMs;
      try {
        if ((await this.isReleased()) || isLate()) return;
      } catch (error) {
        if (isHopeless(error) || isLate()) throw error;
      }
      await pause(waitMs);
    }
  }

  private async isReleased(): Promise<boolean> {
    const found = await this.find();
    if (found === 'no index') return true;
    if (found === 'nothing') return await this.remove(undefined);
    return !this.rules.isOurs(found._source) || (await this.remove(found));
  }

  /**
   * Removes the lease. `found`: the stored lease; undefined if the index contains no lease. Returns false if the stored lease has changed
   * since `found` was read.
   */
  async remove(found: StoredDocument<Lease> | undefined): Promise<boolean> {
    const { removeIndex } = this.rules;
    if (!removeIndex) return found === undefined || (await this.delete(found));
    // The lease may just have expired. This write keeps other processes away until the index is removed.
    if (!(await this.write(found))) return false;
    // Even credentials that may not delete the index may be able to delete the document.
    return (await removeIndex()) || (await this.delete());
  }

  /**
   * Writes the lease of this process. `over`: the stored lease to replace; undefined creates a new document. Returns false if the stored
   * lease has changed since `over` was read.
   */
  async write(over: StoredDocument<Lease> | undefined): Promise<boolean> {
    const { index, id, isOurs, next, renewIndex } = this.rules;
    const lease = next(
      await clusterTime(this.ask, index),
      over && isOurs(over._source) ? over._source : undefined,
    );
    const put = putDocument(index, id, lease, over ? unchanged(over) : { op_type: 'create' });
    const changed = { conflict: () => false, missing: () => false };
    const written = await this.ask(put, { ...changed, ...(renewIndex && { illegal: () => undefined }) });
    if (written !== undefined || !renewIndex) return written !== false;
    await renewIndex();
    return (await this.ask(put, changed)) !== false;
  }

  /**
   * Deletes the document of the lease. `over`: the stored lease; if undefined, any lease is deleted. Returns false if the stored lease has
   * changed since `over` was read.
   */
  async delete(over?: StoredDocument<Lease>): Promise<boolean> {
    const { index, id } = this.rules;
    const deleted = await this.ask(deleteDocument(index, id, over ? unchanged(over) : {}), {
      missing: () => true,
      conflict: () => false,
    });
    return deleted !== false;
  }
}

/**
 * Returns the cluster's time in ms since the epoch, with a precision of a second. If the cluster does not report its time, returns the time
 * of this machine.
 */
export async function clusterTime(ask: AskForLease, index: string): Promise<number> {
  const seconds = await ask(clusterSeconds(index), { failed: () => undefined });
  return seconds === undefined ? Date.now() : seconds * 1000;
}

/** Functions that take, renew and release the leases in one index. `id`: id of the lease's document. */
export interface LeaseStore<Lease> {
  take: (id: string) => Promise<void>;
  renew: (id: string) => Promise<void>;
  release: (id: string) => Promise<void>;
  isOurs: (lease: Lease) => boolean;
  /** Creates the error for a lease that other code in this process holds. */
  taken: (id: string) => Error;
  /** Returns whether an error says that somebody else holds the lease: another process, or other code in this process. */
  isTaken: (error: unknown) => boolean;
}

/**
 * Ids of the leases that this process holds or is taking. A stored lease identifies only the process. Therefore, it cannot exclude other
 * code in the same process, for example one request that cancels a waiting run while another resumes it.
 */
const here = new Set<string>();

function enter<Lease>(store: LeaseStore<Lease>, id: string): void {
  if (here.has(id)) throw store.taken(id);
  here.add(id);
}

/**
 * Takes the lease, executes `work`, and releases the lease. Resolves to the result of `work`. Rejects with the errors of {@link
 * LeaseStore.take} if another process, or other code in this process, holds the lease.
 */
export async function underLease<Lease, T>(
  store: LeaseStore<Lease>,
  id: string,
  work: () => Promise<T>,
): Promise<T> {
  enter(store, id);
  try {
    await store.take(id);
    try {
      return await work();
    } finally {
      await store.release(id);
    }
  } finally {
    here.delete(id);
  }
}

/** Callbacks of the code that needs the lease for its work, such as the code that executes a run. */
export interface LeaseHolder {
  /** Whether the work is still running. Once this is false, the lease is no longer needed. */
  readonly isActive: boolean;
  /** Returns whether the stored results say that this process executes the work. Only then may this process take the lease again. */
  isOurs(): Promise<boolean>;
  /** Called when a check finds that another process has requested the end of the work. Every further check calls it again. */
  onEndAsked(reason: string): void;
  /** Called at most once, when another process holds the lease. It is not called after the work has ended or the lease was released. */
  onLoss(): void;
}

/** Interval at which a held lease is renewed, in ms. */
const RENEW_MS = 15_000;

/**
 * A lease that this process holds for a long time. Each object can take the lease only once. After it has lost or released the lease, the
 * object never holds the lease again.
 */
export class HeldLease<Lease extends { end?: { reason: string } }> {
  private state: 'none' | 'held' | 'lost' | 'released' = 'none';
  private holder: LeaseHolder | undefined;
  private taking: Promise<void> | undefined;
  /** Whether this object has added the id of its lease to {@link here}. */
  private isHere = false;
  private looking = false;
  /** Time at which this object last took or renewed the lease, in ms of a monotonic clock. */
  private renewedAt = -Infinity;
  /**
   * Executes the steps of this object one after the other. Without this order, a check that is still running could take the lease again
   * while the lease is being released.
   */
  private readonly steps = new TaskChain();

  constructor(
    private readonly store: LeaseStore<Lease>,
    private readonly id: string,
    private readonly onError: (error: unknown) => void,
  ) {}

  /**
   * Takes the lease. A second call does nothing. Rejects if another process holds the lease. If the cluster is unavailable, resolves
   * nevertheless; a later call of `look` then takes the lease.
   */
  take(): Promise<void> {
    this.taking ??= this.steps.add(async () => {
      if (this.state !== 'none') return;
      enter(this.store, this.id);
      this.isHere = true;
      try {
        await this.store.take(this.id);
        this.renewedAt = performance.now();
      } catch (error) {
        if (this.store.isTaken(error)) {
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

  /**
   * Checks whether this process still holds the lease, and renews the lease if necessary. `read`: resolves to the stored lease; undefined
   * if the document does not exist. Never rejects.
   */
  async look(read: Promise<Lease | undefined>): Promise<void> {
    // If the cluster is unreachable, the next check reads again. The code that writes to the cluster reports the outage.
    read.catch(() => undefined);
    if (this.looking || this.watching() === undefined) return;
    this.looking = true;
    await this.steps.add(() => this.judge(read)).catch(() => undefined);
    this.looking = false;
  }

  /** Releases the lease, unless it was lost. Never rejects. */
  release(): Promise<void> {
    if (this.state === 'lost' || this.state === 'released') return Promise.resolve();
    this.state = 'released';
    return this.steps.add(async () => {
      if (this.isHere) await this.store.release(this.id).catch(this.onError);
      this.leave();
    });
  }

  private leave(): void {
    if (this.isHere) here.delete(this.id);
    this.isHere = false;
  }

  /**
   * Returns the callbacks of the code that uses the lease. Undefined if the lease is not held, or is no longer needed. The state may change
   * during every wait, so callers must call this again after each `await`.
   */
  private watching(): LeaseHolder | undefined {
    return this.state === 'held' && this.holder?.isActive ? this.holder : undefined;
  }

  private async judge(read: Promise<Lease | undefined>): Promise<void> {
    const lease = await read;
    if (lease === undefined) await this.takeAgain();
    else if (!this.store.isOurs(lease)) this.lose();
    else if (lease.end) this.watching()?.onEndAsked(lease.end.reason);
    else if (performance.now() - this.renewedAt >= RENEW_MS) {
      this.renewedAt = performance.now();
      await this.store.renew(this.id);
    }
  }

  /**
   * Takes the lease again after its document was found missing. It is missing if the cluster was unavailable when the lease was first
   * taken. It is also missing if another process considered this process dead and released the lease. That process may have finished the
   * work, so the stored results are checked first.
   */
  private async takeAgain(): Promise<void> {
    const isOurs = await this.watching()?.isOurs();
    if (this.watching() === undefined) return;
    if (!isOurs) return this.lose();
    try {
      await this.store.take(this.id);
    } catch (error) {
      if (!this.store.isTaken(error)) throw error;
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
