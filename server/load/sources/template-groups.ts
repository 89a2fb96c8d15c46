/**
 * Cuts a template into groups of parts that are rendered with one copy each. Choices between texts of different lengths become rows of the
 * group's table, one for each combination. Choices between short texts of equal length (such as a digit) and UUIDs are holes in every row, which
 * are overwritten after the copy.
 */
import type { Choice, Draw, Part, TimeFormat, Write } from '../../../common/generators/template';
import { TIME_LENGTH } from './time-text';
import { UUID_LENGTH } from './uuid-text';

/** Parts that are rendered with one copy. */
export interface Group {
  pieces: Piece[];
  /** Draws that choose the row. */
  draws: Draw[];
  /** Format of the time at the end of the row, which is then the only row. */
  time: TimeFormat | null;
  /** Writes more bytes after the row. */
  write: Write | null;
  /** Largest number of bytes that `write` adds. */
  longest: number;
}

export type Piece =
  | { kind: 'text'; text: string }
  | Choice
  /** `texts` have equal length. */
  | { kind: 'hole'; draw: Draw; texts: readonly string[] }
  | { kind: 'uuid' };

/** Largest size of a template's tables, so that they stay in the first-level cache. Beyond it, a larger table costs more than another copy. */
const MOST_TABLE_BYTES = 12 * 1024;
/** A longer text is copied from one place instead of being part of every row of a table. */
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
        // The time is written into the row once per batch, so the table has one row and no holes.
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

/** Returns the draws whose texts are short, of equal length and equally likely wherever they are used. */
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

/** Whether `choice` can join the table without making it too large, and without mixing a draw that is not uniform with others. */
function fits({ draws, pieces }: Group, choice: Choice): boolean {
  if (draws.length === 0 || draws.includes(choice.draw)) return true;
  if ([...draws, choice.draw].some(({ wheel }) => wheel !== undefined)) return false;
  const rows = draws.reduce((product, draw) => product * draw.size, choice.draw.size);
  const length = [...pieces, choice].reduce((sum, piece) => sum + longestPiece(piece), 0);
  return rows * length <= MOST_TABLE_BYTES;
}

/** Returns the length of the longest text, in characters. */
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
