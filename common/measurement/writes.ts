/**
 * What acknowledged writes did to the documents of the indices, as each item of a bulk's answer says it: how many documents
 * must stand there, whatever was updated and deleted, and in which versions.
 */

/** All in documents (actions of bulks) over all phases. */
export interface WriteAccount {
  /** That were not there before, a document that had been deleted included. */
  created: number;
  /** That were there and were changed or replaced. */
  updated: number;
  deleted: number;
  /** Updates that had nothing to change (`noop`). */
  unchanged: number;
  /**
   * The versions of the documents that stand, added up: each creation adds the version that it was answered with, each
   * update 1, and each deletion takes away the version of what it deleted.
   */
  versions: number;
  /** Actions of unknown outcome, or answered with a failure, which may have added a document all the same, or taken one away. */
  perhapsAdded: number;
  perhapsRemoved: number;
  /**
   * Creations that met a document and deletions that met none. Where a node is lost, Elasticsearch carries out again what
   * it had done already, and these may be its answers.
   */
  existed: number;
  absent: number;
}

/** Zero everywhere. */
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
