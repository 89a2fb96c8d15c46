/** State of existing data (`index.existing`), and its changes during a trial. */
import { formatNumber, plural } from '../units/format';

/** State of an index, alias or data stream at one moment. Values that the cluster does not report are null. */
export interface ExistingState {
  /** Names and UUIDs of the indices that the name refers to, sorted by name. */
  indices: string[];
  uuids: string[];
  /** Number of documents that searches by the name find. An alias may have a filter. */
  documents: number;
  /** Deleted documents in the primaries, until a merge removes them. */
  deleted: number | null;
  segments: number | null;
  storeBytes: number | null;
}

/** State before the load of a trial, stored with the trial. */
export interface ExistingSummary extends ExistingState {
  /** Name in the definition. */
  name: string;
  /** True if the trial's own tasks wrote to it. */
  written: boolean;
  /** Changes during the trial that the run did not make, in words; '' without any. */
  changed: string;
}

/** Describes the changes of all values that both states contain; '' if nothing changed. */
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
