/** Text that comes from files, clusters and people, made safe to print. */

/**
 * Control characters except tab and line feed, and the characters that change the direction of text: on a terminal both can hide,
 * move or recolour what is printed around them. A carriage return may end a line.
 */
const UNSAFE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)/g;

const visible = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Replaces each such character by its escape in JSON, `\u001b`, so that JSON keeps its meaning. */
export const printable = (text: string): string => text.replace(UNSAFE, visible);

/** The same on one line: tabs and line feeds become blanks. */
export const printableLine = (text: string): string => printable(text.replace(/[\t\n\r]+/g, ' '));
