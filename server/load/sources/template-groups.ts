/**
 * Divides a template for documents into groups of parts, so that each group is rendered with a single copy of a prepared row.
 *
 * Random choices between texts of different lengths become rows of the group's table, one row for each combination of these choices.
 * Choices between short texts of equal length (such as digits) and UUIDs become holes in every row. Holes are overwritten after the copy.
 */
import type { Choice, Draw, Part, TimeFormat, Write } from '../../../common/generators/template';
import { TIME_LENGTH } from './time-text';
import { UUID_LENGTH } from './uuid-text';

/** Parts that are rendered with a single copy. */
export interface Group {
  pieces: Piece[];
  /** The random choices that together select the row. */
  draws: Draw[];
  /** Format of the time at the end of the row; null if the row contains no time. A group with a time has only one row. */
  time: TimeFormat | null;
  /** Function that writes bytes after the row, such as a UUID; null for none. */
  write: Write | null;
  /** Maximum number of bytes that `write` adds. */
  longest: number;
}

export type Piece =
  | { kind: 'text'; text: string }
  | Choice
  /** A position in each row at which one of the `texts` is written after the row was copied. All `texts` have the same length. */
  | { kind: 'hole'; draw: Draw; texts: readonly string[] }
  | { kind: 'uuid' };

/**
 * Maximum size of the table of a group, in bytes. Such a table fits into the first-level cache. With larger tables, rendering is slower
 * than with more groups.
 */
const MOST_TABLE_BYTES = 12 * 1024;
/** Length in bytes above which a text is stored once and copied, instead of being in every row of a table. */
const LONG_TEXT = 1024;
const LONGEST_HOLE = 4;

const emptyGroup = (): Group => ({ pieces: [], draws: [], time: null, write: null, longest: 0 });

export function groupParts(parts: readonly Part[]): Group[] {
  const groups: Group[] = [];
  const holes = holeDraws(parts);
  let current = emptyGroup();
  const close = (): void => {
    if (current.pieces.length > 0 || current.write !== null) groups.push(current);
    current = emptyGroup();
  };
  for (const part of parts) {
    switch (part.kind) {
      case 'text':
        if (part.text.length > LONG_TEXT) close();
        current.pieces.push(part);
        break;
      case 'uuid':
        current.pieces.push(part);
        break;
      case 'choice':
        if (holes.has(part.draw)) current.pieces.push({ ...part, kind: 'hole' });
        else {
          if (!fits(current, part)) close();
          current.pieces.push(part);
          if (!current.draws.includes(part.draw)) current.draws.push(part.draw);
        }
        break;
      case 'time':
        // The time is written into the row once per batch. The table therefore has only one row and no holes.
        if (current.pieces.some(({ kind }) => kind !== 'text')) close();
        current.pieces.push({ kind: 'text', text: ' '.repeat(TIME_LENGTH[part.format]) });
        current.time = part.format;
        close();
        break;
      case 'written':
        current.write = part.write;
        current.longest = part.longest;
        close();
        break;
    }
  }
  close();
  return groups;
}

/**
 * Returns the random choices that can become holes in the rows. All their texts must have the same short length and the same probability,
 * in every part of the template that uses the choice.
 */
function holeDraws(parts: readonly Part[]): Set<Draw> {
  const choices = parts.filter((part) => part.kind === 'choice');
  const short = ({ draw, texts }: Choice): boolean => {
    const length = Buffer.byteLength(texts[0]!);
    return (
      draw.wheel === undefined &&
      length <= LONGEST_HOLE &&
      texts.every((text) => Buffer.byteLength(text) === length)
    );
  };
  const all = new Set(choices.map(({ draw }) => draw));
  for (const choice of choices) if (!short(choice)) all.delete(choice.draw);
  return all;
}

/**
 * Returns whether a random choice can be added to the group. Its table must not become too large. A choice whose texts are not equally
 * likely must be the only one of its group.
 */
function fits({ draws, pieces }: Group, choice: Choice): boolean {
  if (draws.length === 0 || draws.includes(choice.draw)) return true;
  if ([...draws, choice.draw].some(({ wheel }) => wheel !== undefined)) return false;
  const rows = draws.reduce((product, draw) => product * draw.size, choice.draw.size);
  const length = [...pieces, choice].reduce((sum, piece) => sum + longestPiece(piece), 0);
  return rows * length <= MOST_TABLE_BYTES;
}

/** Returns the maximum length that a part of a document can have, in characters. */
function longestPiece(piece: Piece): number {
  switch (piece.kind) {
    case 'text':
      return piece.text.length;
    case 'uuid':
      return UUID_LENGTH;
    default:
      return piece.texts.reduce((longest, { length }) => Math.max(longest, length), 0);
  }
}
