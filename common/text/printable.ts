/** Makes text from files, clusters and people safe to print. */

/**
 * Matches control characters except tab and line feed, and characters that change the direction of text. On a terminal, these can hide,
 * move or recolour the text around them. A carriage return before a line feed is allowed.
 */
const UNSAFE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)/g;

const visible = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Replaces each unsafe character with its JSON escape, such as `\u001b`. If the text is JSON, its meaning therefore stays the same. */
export const printable = (text: string): string => text.replace(UNSAFE, visible);

/** Like {@link printable}, but on one line: tabs and line feeds become spaces. */
export const printableLine = (text: string): string => printable(text.replace(/[\t\n\r]+/g, ' '));
