/**
 * Counts acknowledged writes in the responses to bulk requests. From the counts, Dyno calculates the number of documents that the indices
 * must contain, and the sum of the versions of all documents. After a trial, it compares both with the indices.
 */

/** Counts of bulk actions over all phases. */
export interface WriteAccount {
  /** Number of documents that were created: they did not exist before, or had been deleted. */
  created: number;
  /** Number of existing documents that were changed or replaced. */
  updated: number;
  deleted: number;
  /** Number of updates that changed nothing (`noop`). */
  unchanged: number;
  /**
   * Sum that the versions of all documents in the index must have. A creation adds the version in its response, an update adds 1, and a
   * deletion subtracts the version of the deleted document.
   */
  versions: number;
  /**
   * Number of actions that may have added a document: no response came, or the response reports a failure although the action may have been
   * executed.
   */
  perhapsAdded: number;
  /**
   * Number of actions that may have removed a document: no response came, or the response reports a failure although the action may have
   * been executed.
   */
  perhapsRemoved: number;
  /**
   * Number of create actions that failed because the document already existed. Nevertheless, some of these actions may have created their
   * document: when a node is lost, Elasticsearch may execute an action twice, and report the result of the second execution.
   */
  existed: number;
  /**
   * Number of delete actions that failed because the document was missing. Nevertheless, some of these actions may have deleted their
   * document: when a node is lost, Elasticsearch may execute an action twice, and report the result of the second execution.
   */
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

/** Adds the counts in `more` to those in `into`, and returns `into`. */
export function addWrites(into: WriteAccount, more: WriteAccount): WriteAccount {
  for (const key of KEYS) into[key] += more[key];
  return into;
}
