/** JSON of answers, in both hosts: short ones whole, long ones as a stream of pieces between which the event loop has its turn. */
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

/** Values of a piece, a millisecond's work. */
const PIECE = 5000;
/** Answers of so many values go out in pieces. */
const LONG = 4 * PIECE;

/** How many values there are, up to `most`: to know that there are more takes no longer. */
function countValues(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    count += countValues(part, most - count);
    if (count >= most) return most;
  }
  return count;
}

/** As `JSON.stringify` writes it, in pieces; of plain data, which has no `toJSON`. */
export function* jsonPieces(value: unknown, piece = PIECE): Generator<string> {
  if (typeof value !== 'object' || value === null || countValues(value, piece) < piece) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  if (!Array.isArray(value)) {
    let before = '{';
    for (const [key, part] of Object.entries(value)) {
      if (part === undefined) continue;
      yield `${before}${JSON.stringify(key)}:`;
      yield* jsonPieces(part, piece);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
    return;
  }
  let before = '[';
  let short: unknown[] = [];
  let count = 0;
  const written = (): string => {
    const text = before + JSON.stringify(short).slice(1, -1);
    [before, short, count] = [',', [], 0];
    return text;
  };
  for (const part of value as unknown[]) {
    const own = countValues(part, piece);
    if (short.length > 0 && count + own > piece) yield written();
    if (own < piece) {
      short.push(part);
      count += own;
      continue;
    }
    yield before;
    yield* jsonPieces(part, piece);
    before = ',';
  }
  if (short.length > 0) yield written();
  yield before === '[' ? '[]' : ']';
}

async function* inTurns(value: unknown): AsyncGenerator<string> {
  let text = '';
  for (const piece of jsonPieces(value)) {
    text += piece;
    if (text.length < SENT) continue;
    yield text;
    text = '';
    await turn();
  }
  yield text;
}

/** Characters that go out at once. */
const SENT = 64 * 1024;

/** A text, or for many values a stream of texts. */
export const jsonAnswer = (value: unknown): string | Readable =>
  countValues(value, LONG) < LONG
    ? JSON.stringify(value)
    : Readable.from(inTurns(value), { objectMode: false, highWaterMark: SENT });
