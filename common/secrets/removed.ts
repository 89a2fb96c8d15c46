/** Replaces a secret wherever text is shown. */
export const REMOVED = '[removed]';
