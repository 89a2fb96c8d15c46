/** What was typed and not saved, kept for as long as the tab lives: a reload or a crash loses nothing. */
import { parsePlain, stringifyPlain } from '../../../common/json/exact';

export interface Draft {
  text: string;
  /** The saved text that it began from. */
  base: string;
}

const keyOf = (subject: string): string => `dyno.draft.${subject}`;

/** Storage may be forbidden or full: then there are no drafts, and the editor works all the same. */
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
    // As above.
  }
}
