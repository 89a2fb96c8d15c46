/** Stores unsaved changes for the lifetime of the tab, so that a reload or a crash loses nothing. */
import { parsePlain, stringifyPlain } from '../../../common/json/exact';

export interface Draft {
  text: string;
  /** Saved text from which the draft began. */
  base: string;
}

const keyOf = (subject: string): string => `dyno.draft.${subject}`;

/**
 * Returns the stored draft; null if there is no draft. The browser may forbid storage, or storage may be full. In these cases, the editor
 * works without drafts.
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
