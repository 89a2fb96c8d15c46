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
   * Returns whether another process may take the stored lease: its process has ended, or the lease has expired. `now`: the time of the
   * cluster's clock, in ms since the epoch.
   */
  isAbandoned: (lease: Lease, now: number) => boolean;
  /**
   * Returns the lease to write. `now`: the time of the cluster's clock, in ms since the epoch. `before`: the lease of this process that is
   * replaced; undefined if there is no such lease.
   */
  next: (now: number, before: Lease | undefined) => Lease;
  makeIndex: () => Promise<unknown>;
  /**
   * Adds missing fields to the mapping of the index, which an earlier version of Dyno may have created. Called if writing the lease failed
   * with a 400.
   */
  renewIndex?: () => Promise<unknown>;
  /**
   * Creates the error for a lease that another process holds. `by`: the lease of that process. It is undefined if leases change too often
   * to determine the holder.
   */
  taken: (by: Lease | undefined) => Error;
  /** Creates the error for a lease that this process held and another process holds now. */
  lost?: (by: Lease) => Error;
  /** Maximum time in ms for releasing the lease. */
  releaseMs: number;
  /** Returns whether it is pointless to try again to release the lease after this error, for example because the credentials are wrong. */
  isHopeless: (error: unknown) => boolean;
  /**
   * Removes the index together with the lease. Resolves to false if the credentials may not remove the index. Absent if the index contains
   * several leases.
   */
  removeIndex?: () => Promise<boolean>;
}

/** Maximum number of tries to write the lease, if other processes take or release it at the same time. */
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
   * Writes the lease of this process. `mayReplace`: decides whether to replace the lease of another process. If `mayReplace` is undefined,
   * the lease of another process is never replaced and {@link LeaseRules.lost} is thrown.
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
   * Releases the lease if this process holds it. Repeats failed tries for {@link LeaseRules.releaseMs}, then rejects with the error of the
   * last try.
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
   * Removes the lease. `found`: the lease as it was read, or undefined if the index contains no lease. Returns false if the stored lease
   * has changed since then.
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
   * Writes the lease of this process. `over`: the stored lease that is replaced; undefined creates the document. Returns false if the
   * stored lease has changed since it was read.
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
   * Deletes the document of the lease. `over`: the lease as it was read; undefined deletes any lease. Returns false if the stored lease has
   * changed since it was read.
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
  /** Returns whether an error says that the lease is held elsewhere, by another process or by other code in this process. */
  isTaken: (error: unknown) => boolean;
}

/**
 * Ids of the leases that this process holds or is taking. A stored lease identifies only the process, so it cannot exclude other code in
 * the same process. Example: one request cancels a waiting run while another request resumes it.
 */
const here = new Set<string>();

function enter<Lease>(store: LeaseStore<Lease>, id: string): void {
  if (here.has(id)) throw store.taken(id);
  here.add(id);
}

/**
 * Takes the lease, executes `work`, and releases the lease. Rejects with the errors of {@link LeaseStore.take} if another process, or other
 * code in this process, holds the lease.
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

/** Callbacks of the code that may only work while it has the lease, such as the code that executes a run. */
export interface LeaseHolder {
  /** Whether the work is still running. Once this is false, the lease is no longer needed. */
  readonly isActive: boolean;
  /** Returns whether the stored results say that this process executes the work. The lease may not be taken again without this. */
  isOurs(): Promise<boolean>;
  /** Called when a check finds that another process has requested the end of the work. It is called again at every further check. */
  onEndAsked(reason: string): void;
  /** Called at most once, when another process holds the lease. It is not called after the work has ended or the lease was released. */
  onLoss(): void;
}

/** Interval at which a held lease is renewed, in ms. */
const RENEW_MS = 15_000;

/**
 * A lease that this process holds for a long time. Each object takes the lease only once: after the lease was lost or released, the object
 * never holds it again.
 */
export class HeldLease<Lease extends { end?: { reason: string } }> {
  private state: 'none' | 'held' | 'lost' | 'released' = 'none';
  private holder: LeaseHolder | undefined;
  private taking: Promise<void> | undefined;
  /** Whether this object has added the id to {@link here}. */
  private isHere = false;
  private looking = false;
  /** Time at which this object last took or renewed the lease, in ms of a monotonic clock. */
  private renewedAt = -Infinity;
  /**
   * Executes the steps of this object one after the other. Otherwise, a check that is still running could take the lease again while it is
   * being released.
   */
  private readonly steps = new TaskChain();

  constructor(
    private readonly store: LeaseStore<Lease>,
    private readonly id: string,
    private readonly onError: (error: unknown) => void,
  ) {}

  /**
   * Takes the lease. A second call does nothing. Rejects if another process holds the lease. If the cluster is unavailable, this resolves,
   * and the next call of `look` takes the lease.
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
   * Checks whether this process still holds the lease, and renews it if necessary. `read`: resolves to the stored lease, or to undefined if
   * the document does not exist. Never rejects.
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
   * Returns the code that uses the lease. Undefined if the lease is not held, or is no longer needed. Callers must call this again after
   * every wait.
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
   * Takes the lease again after its document was found missing. One reason is that the cluster was unavailable at first. The other is that
   * another process considered this process dead and released the lease. Another process may then have finished the work, so the stored
   * results are checked first.
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
