/** State of data that existed before the run (`index.existing` in the definition), and its changes during a trial. */
import { formatNumber, plural } from '../units/format';

/** State of an index, alias or data stream at one moment. Values that the cluster does not report are null. */
export interface ExistingState {
  /** Names and UUIDs of the indices to which the name in the definition refers, sorted by name. */
  indices: string[];
  uuids: string[];
  /** Number of documents that a search under this name finds. If the name is an alias with a filter, only matching documents count. */
  documents: number;
  /** Number of deleted documents that the primary shards still contain because no merge has removed them. */
  deleted: number | null;
  segments: number | null;
  storeBytes: number | null;
}

/** State of the existing data before the load of a trial, stored with the trial. */
export interface ExistingSummary extends ExistingState {
  /** Name of the index, alias or data stream, as written in the definition. */
  name: string;
  /** Whether tasks of the trial wrote to the data. */
  written: boolean;
  /**
   * Changes of the data during the trial, in words, other than those that the requests of the trial made. '' if there were no other
   * changes.
   */
  changed: string;
}

/**
 * Describes how the state `after` differs from the state `before`. Compares only values that both states contain. Returns '' if these are
 * equal.
 */
export function changedSince(before: ExistingState, after: ExistingState): string {
  const change = (what: string, from: number | null, to: number | null): string =>
    from === null || to === null || from === to ? '' : `${what} ${formatNumber(from)} to ${formatNumber(to)}`;
  return [
    indicesChanged(before, after),
    change('documents', before.documents, after.documents),
    change('deleted documents', before.deleted, after.deleted),
    change('segments', before.segments, after.segments),
  ]
    .filter(Boolean)
    .join(', ');
}

/** Describes indices that were added, removed or recreated; '' if they are the same. */
export function indicesChanged(before: ExistingState, after: ExistingState): string {
  const gone = before.uuids.filter((uuid) => !after.uuids.includes(uuid)).length;
  const come = after.uuids.filter((uuid) => !before.uuids.includes(uuid)).length;
  return [
    gone === 0 ? '' : `${plural(gone, 'index', 'indices')} gone`,
    come === 0 ? '' : `${plural(come, 'index', 'indices')} new`,
  ]
    .filter(Boolean)
    .join(', ');
}
