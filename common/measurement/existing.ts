/** What data that was there already holds, and how it changed while it was measured. */
import { formatNumber, plural } from '../units/format';

/** What a name stood for at one moment. What the cluster does not tell is null. */
export interface ExistingState {
  /** Names and uuids of the indices behind it, sorted by name. */
  indices: string[];
  uuids: string[];
  /** That searches by the name find: an alias may have a filter. */
  documents: number;
  /** Of the primaries. Deleted documents are gone after a merge. */
  deleted: number | null;
  segments: number | null;
  storeBytes: number | null;
}

/** As a trial found it before its load, kept with the trial. */
export interface ExistingSummary extends ExistingState {
  /** The name as the definition has it. */
  name: string;
  /** The trial's own tasks wrote to it. */
  written: boolean;
  /** What changed in it that the run did not do, in words; '' where nothing did. */
  changed: string;
}

/** What is no longer as it was, in words; '' where all is. Made of what both states tell. */
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

/** Indices that came, went or were made again; '' where they are the same. */
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
