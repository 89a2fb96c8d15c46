/**
 * A lease: one document that gives one process the right to something, such as to carry a run or to measure a cluster.
 * Whether it has expired is judged by the clock of the cluster that keeps it. Every write depends on the state that was
 * read before, so of several processes that write at once one succeeds.
 *
 * `free`: no document. `abandoned`: its process is gone, or the lease has expired.
 *
 * | input   | current   | next      | notes                                                                    |
 * | ------- | --------- | --------- | ------------------------------------------------------------------------ |
 * | take    | free      | ours      | creates the document, and the index before the first one                 |
 * | take    | ours      | ours      | renews it: the process asks again, after an answer that was lost         |
 * | take    | abandoned | ours      | replaces the document                                                    |
 * | take    | other's   | other's   | rejects, and names the holder                                            |
 * | renew   | ours      | ours      |                                                                          |
 * | renew   | free      | ours      | a cluster: somebody has deleted it manually                              |
 * | renew   | free      | free      | a run: its process looks whether the run is still its own, and takes it  |
 * | renew   | other's   | other's   | a cluster: rejects, since the lease is lost; a run: its process sees it  |
 * | end     | any held  | unchanged | a run: notes in the document that the holder is to end the run           |
 * | release | ours      | free      |                                                                          |
 * | release | other's   | other's   | the lease was lost before                                                |
 * | sweep   | abandoned | free      | a cluster: removes what a crash left                                     |
 * | sweep   | other's   | other's   |                                                                          |
 *
 * A write that finds another state than the one that was read changes nothing: `take` and `release` read again.
 */
import type { Endpoint, Expected } from './ask';
import { clusterSeconds } from './clock';
import { deleteDocument, getDocument, putDocument, unchanged, type StoredDocument } from './documents';

/** Asks the cluster that keeps the lease. */
export type AskForLease = <T, V = never>(endpoint: Endpoint<T>, expected?: Expected<V>) => Promise<T | V>;

export interface LeaseRules<Lease> {
  index: string;
  id: string;
  isOurs: (lease: Lease) => boolean;
  /** Whether nobody holds it any more, at this time of the cluster's clock (ms since the epoch). */
  isAbandoned: (lease: Lease, now: number) => boolean;
  /** What to write at this time. `before`: what it replaces, if that is ours. */
  next: (now: number, before: Lease | undefined) => Lease;
  makeIndex: () => Promise<unknown>;
  /** Lets the index know all fields, where a write was refused: an earlier version may have made it. */
  renewIndex?: () => Promise<unknown>;
  /** The error for a lease that somebody else holds; undefined: it changes too often to know who. */
  taken: (by: Lease | undefined) => Error;
}

/** How often to try while others take or give up the lease at the same moment. */
export const MOST_TRIES = 5;
const BETWEEN_TRIES_MS = 200;

export const pause = (ms = BETWEEN_TRIES_MS): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

export class LeaseDocument<Lease> {
  constructor(
    private readonly ask: AskForLease,
    private readonly rules: LeaseRules<Lease>,
  ) {}

  /** `nothing`: the index is there, but no document. */
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

  /**
   * Takes it. Rejects as {@link LeaseRules.taken} where another process holds it. `onWrite` is called before the first
   * write.
   */
  async take(onWrite: () => void = () => undefined): Promise<void> {
    for (let tries = 1; ; tries++) {
      const found = await this.read();
      const { isOurs, taken, makeIndex } = this.rules;
      if (found && !isOurs(found._source) && !(await this.isAbandoned(found))) throw taken(found._source);
      onWrite();
      if (!found) await makeIndex();
      if (await this.write(found)) return;
      if (tries === MOST_TRIES) throw taken(undefined);
      await pause();
    }
  }

  /** False where the state is not the one that was read any more. */
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

  /** False where the state is not the one that was read any more. */
  async delete(over?: StoredDocument<Lease>): Promise<boolean> {
    const { index, id } = this.rules;
    const deleted = await this.ask(deleteDocument(index, id, over ? unchanged(over) : {}), {
      missing: () => true,
      conflict: () => false,
    });
    return deleted !== false;
  }
}

/** By the clock of the cluster, ms since the epoch, precise to a second; by ours where it does not report its time. */
export async function clusterTime(ask: AskForLease, index: string): Promise<number> {
  const seconds = await ask(clusterSeconds(index), { failed: () => undefined });
  return seconds === undefined ? Date.now() : seconds * 1000;
}
