/**
 * Chooses the index of a document by the value of a field. At first, the action lines of all documents name the first index. The router
 * overwrites only the last digits of the name, so that it allocates nothing per document.
 */
import { inputError } from '../../../common/problem';
import type { IndexRoute } from '../../../common/experiment/definition';
import type { Batch } from '../sources/batch';
import { findValue, hashOfValue, keyOf } from '../sources/json-value';
import { ACTION_LINE } from '../sources/source';

type ByField = { field: string; by: 'remainder' | 'hash' };

const BLANK = 32;
const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const ZERO = 48;
const NINE = 57;
const CLOSE = 125;

/** Returns whether a field decides which index of a trial a document goes to. */
export const isRouted = (indices: readonly string[], route: IndexRoute): route is ByField =>
  indices.length > 1 && route !== 'in-turn';

/**
 * Returns the action line, with its line feed, that precedes every document. If documents are routed, it names the first index until
 * {@link IndexRouter} overwrites the name.
 */
export const actionLineOf = (indices: readonly string[], route: IndexRoute): string =>
  isRouted(indices, route) ? `{"index":{"_index":"${indices[0]!}"}}\n` : ACTION_LINE;

export class IndexRouter {
  readonly actionLine: string;
  private readonly key: Buffer;
  private readonly digits: Buffer[];
  /** Offset of the digits within the action line. */
  private readonly offset: number;
  private readonly valueOf: (bytes: Buffer, from: number, end: number) => number;

  /** `indices`: two or more names that differ in their last digits only. */
  constructor(
    indices: readonly string[],
    private readonly route: ByField,
  ) {
    const first = indices[0]!;
    const width = String(indices.length).length;
    this.actionLine = actionLineOf(indices, route);
    this.offset = this.actionLine.indexOf(first) + first.length - width;
    this.digits = indices.map((name) => Buffer.from(name.slice(-width)));
    this.key = keyOf(route.field);
    this.valueOf = route.by === 'hash' ? hashOfValue : (...place) => this.remainderOf(...place);
  }

  /**
   * Sets the index of each document of `batch` from number `first` on. The value of the route's field decides: the first field of the
   * document with this name, at any depth. Throws a DynoError `source.no-route` if a document has no such field. With the rule `remainder`,
   * also throws it if the value is not a whole number.
   */
  write(batch: Batch, first: number): void {
    const { bytes, starts, count, length } = batch;
    for (let i = first; i < count; i += 1) {
      const start = starts[i]!;
      const end = i + 1 < count ? starts[i + 1]! : length;
      const value = this.valueOf(bytes, this.find(bytes, start + this.actionLine.length, end), end);
      const digits = this.digits[value % this.digits.length]!;
      for (let digit = 0; digit < digits.length; digit += 1)
        bytes[start + this.offset + digit] = digits[digit]!;
    }
  }

  /**
   * Returns the offset at which the value of the route's field begins. `[start, end)`: offsets of the document. Throws a DynoError
   * `source.no-route` if the document has no such field.
   */
  private find(bytes: Buffer, start: number, end: number): number {
    const at = findValue(bytes, this.key, start, end);
    if (at < 0) throw this.wrong('has no such field', bytes, start, end);
    return at;
  }

  /**
   * Returns the remainder of the number divided by the number of indices. Computes digit by digit, so that the result is exact for numbers
   * of any length.
   */
  private remainderOf(bytes: Buffer, from: number, end: number): number {
    let at = bytes[from] === QUOTE ? from + 1 : from;
    if (bytes[at] === MINUS) at += 1;
    const first = at;
    let remainder = 0;
    for (; isDigit(bytes[at]!); at += 1)
      remainder = (remainder * 10 + bytes[at]! - ZERO) % this.digits.length;
    if (at === first || !endsValue(bytes[at]!)) throw this.wrong('is no whole number', bytes, from, end);
    return remainder;
  }

  private wrong(what: string, bytes: Buffer, from: number, end: number): Error {
    return inputError('source.no-route', 'index.route.field', `${this.route.field} of a document ${what}`, {
      found: bytes.toString('utf8', from, Math.min(end, from + 200)).trim(),
    });
  }
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

const endsValue = (byte: number): boolean =>
  byte === COMMA || byte === CLOSE || byte === QUOTE || byte === BLANK;
