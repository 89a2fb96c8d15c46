/** A plain line as the end of a JSON document: escaped, closed, with its line feed. */
import { isUtf8 } from 'node:buffer';

/** What follows the line's text. */
const TAIL = Buffer.from('"}\n');
const QUOTE = 34;
const BACKSLASH = 92;
const HEX = Buffer.from('0123456789abcdef');
const CONTROL = Buffer.from('\\u00');

/** Bytes that {@link wrapLine} writes at most for a line of `length` bytes: a control character becomes six. */
export const longestWrapped = (length: number): number => length * 6 + TAIL.length;

/** Writes `line[start, end)` at `at`, ready to stand behind an opening quote; returns where it ended. */
export function wrapLine(line: Buffer, start: number, end: number, out: Buffer, at: number): number {
  let source = line;
  let from = start;
  let until = end;
  if (!isUtf8(line.subarray(start, end))) {
    // Elasticsearch refuses bytes that are no UTF-8: they become replacement characters, at most three bytes for one.
    source = Buffer.from(line.toString('utf8', start, end));
    from = 0;
    until = source.length;
  }
  let place = at;
  for (let i = from; i < until; i += 1) {
    const byte = source[i]!;
    if (byte === QUOTE || byte === BACKSLASH) {
      out[place] = BACKSLASH;
      out[place + 1] = byte;
      place += 2;
    } else if (byte < 32) {
      out.set(CONTROL, place);
      out[place + 4] = HEX[byte >>> 4]!;
      out[place + 5] = HEX[byte & 15]!;
      place += 6;
    } else {
      out[place] = byte;
      place += 1;
    }
  }
  out.set(TAIL, place);
  return place + TAIL.length;
}
