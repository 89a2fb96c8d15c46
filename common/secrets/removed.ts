/** Text that is shown instead of a secret. */
export const REMOVED = '[removed]';
