/**
 * Counts acknowledged writes in the items of bulk answers. The counts give the number of documents that the indices must hold after
 * creations, updates and deletions, and the sum of their versions.
 */

/** Counts of bulk actions over all phases. */
export interface WriteAccount {
  /** Number of documents that were created: they did not exist before, or had been deleted. */
  created: number;
  /** Existing documents that were changed or replaced. */
  updated: number;
  deleted: number;
  /** Updates that changed nothing (`noop`). */
  unchanged: number;
  /**
   * Sum of the versions of all documents in the index: each creation adds the version in its answer, each update adds 1, and each
   * deletion subtracts the version of the deleted document.
   */
  versions: number;
  /** Number of actions that may have added or removed a document, although their outcome is unknown or their answer is a failure. */
  perhapsAdded: number;
  perhapsRemoved: number;
  /**
   * Number of create actions whose document already existed, and of delete actions whose document was missing. Some of these may have
   * succeeded: when a node is lost, Elasticsearch may execute an action twice and answer with the result of the second time.
   */
  existed: number;
  absent: number;
}

/** Returns counts that are all 0. */
export const noWrites = (): WriteAccount => ({
  created: 0,
  updated: 0,
  deleted: 0,
  unchanged: 0,
  versions: 0,
  perhapsAdded: 0,
  perhapsRemoved: 0,
  existed: 0,
  absent: 0,
});

const KEYS = Object.keys(noWrites()) as (keyof WriteAccount)[];

/** Adds `more` to `into`, in place. */
export function addWrites(into: WriteAccount, more: WriteAccount): WriteAccount {
  for (const key of KEYS) into[key] += more[key];
  return into;
}
