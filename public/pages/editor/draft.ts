/** Stores unsaved changes for the lifetime of the tab, so that a reload or a crash loses nothing. */
import { parsePlain, stringifyPlain } from '../../../common/json/exact';

export interface Draft {
  text: string;
  /** Text of the saved experiment when the user began to edit. If the saved text has changed since then, the draft is outdated. */
  base: string;
}

const keyOf = (subject: string): string => `dyno.draft.${subject}`;

/**
 * Returns the unsaved changes that the browser has stored. Null without such changes, or if the browser does not allow access to its
 * storage.
 */
export function readDraft(subject: string): Draft | null {
  try {
    const draft = parsePlain(sessionStorage.getItem(keyOf(subject)) ?? 'null') as Draft | null;
    return typeof draft?.text === 'string' && typeof draft.base === 'string' ? draft : null;
  } catch {
    return null;
  }
}

export function keepDraft(subject: string, draft: Draft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(keyOf(subject));
    else sessionStorage.setItem(keyOf(subject), stringifyPlain(draft));
  } catch {
    // The draft is not stored if storage is forbidden or full.
  }
}
