/** Composes a text from pieces of several files. Each piece keeps its file and line, which errors can show. */
import { createRedactor } from '../../secrets/redact';

export interface Place {
  file: string;
  /** Line at which the piece begins in its file, from 1. */
  line: number;
}

export interface Piece extends Place {
  text: string;
}

export const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('');

/** Returns the number of line breaks in a text. */
export const linesIn = (text: string): number => text.split('\n').length - 1;

/**
 * Replaces all matches of `pattern` in each piece by other pieces. The text between matches keeps its file and line. `pattern`: needs the
 * flag `g`.
 */
export function replacePieces(
  pieces: readonly Piece[],
  pattern: RegExp,
  change: (match: RegExpMatchArray, place: Place) => readonly Piece[] | string,
): Piece[] {
  return pieces.flatMap(({ text, file, line }) => {
    const made: Piece[] = [];
    let from = 0;
    let at = line;
    for (const match of text.matchAll(pattern)) {
      const before = text.slice(from, match.index);
      if (before !== '') made.push({ text: before, file, line: at });
      at += linesIn(before);
      const changed = change(match, { file, line: at });
      made.push(...(typeof changed === 'string' ? [{ text: changed, file, line: at }] : changed));
      from = match.index! + match[0].length;
      at += linesIn(match[0]);
    }
    if (from < text.length) made.push({ text: text.slice(from), file, line: at });
    return made;
  });
}

const redactor = createRedactor();

/** Returns a part of a track without credentials, for use in an error. */
export const withoutCredentials = (text: string): string => redactor.text(text);

/** Number of lines that an error shows before and after the wrong line. */
const AROUND = 2;
const LONGEST_LINE = 160;

/** Returns the numbered lines around `line` of a file. `>` marks the line itself. */
export function linesAround(text: string, line: number): string {
  const lines = text.split(/\r?\n/);
  const first = Math.max(1, line - AROUND);
  const last = Math.min(lines.length, line + AROUND);
  const width = String(last).length;
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const own = withoutCredentials(lines[first + at - 1]!);
    const shown = own.length > LONGEST_LINE ? `${own.slice(0, LONGEST_LINE - 3)}...` : own;
    return `${first + at === line ? '>' : ' '} ${String(first + at).padStart(width)} | ${shown}`;
  }).join('\n');
}
