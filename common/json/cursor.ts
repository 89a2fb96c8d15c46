/**
 * Reads only some parts of a JSON text, in one pass, without building a tree. This is fast for large responses of which a few fields are
 * needed.
 */
import { parsePlain } from './exact';
import { endOfValue, skipBlanks } from './source';

const NUMBER = /^-?(?:0|[1-9]\d*)$/;

/** Returns the text of a JSON string. Strings without escapes are cut out of the JSON without parsing, which is faster. */
const textOf = (token: string): string =>
  token.startsWith('"') && !token.includes('\\') ? token.slice(1, -1) : (parsePlain(token) as string);

/** A position in a JSON text. All methods throw a SyntaxError if the text is not JSON where they read it. */
export class JsonCursor {
  private at: number;

  constructor(private readonly json: string) {
    this.at = skipBlanks(json, 0);
  }

  /** Whether the cursor is at the end of the text. The cursor skips blanks, so only blanks may follow the last value. */
  get isAtEnd(): boolean {
    return this.at === this.json.length;
  }

  /**
   * Reads the object at the cursor, and calls `onMember` with each key. `onMember` may read the value of the key with this cursor;
   * otherwise the value is skipped. A value at the cursor that is not an object is skipped too.
   */
  members(onMember: (key: string) => void): void {
    if (this.json.charAt(this.at) !== '{') this.skip();
    else
      this.parts('}', () => {
        const key = textOf(this.take());
        this.expect(':');
        const from = this.at;
        onMember(key);
        if (this.at === from) this.skip();
      });
  }

  /** Reads a list, and calls `onElement` at each element; see {@link members}. Skips a value that is not a list. */
  elements(onElement: () => void): void {
    if (this.json.charAt(this.at) !== '[') this.skip();
    else
      this.parts(']', () => {
        const from = this.at;
        onElement();
        if (this.at === from) this.skip();
      });
  }

  /** Reads a string. Returns undefined for any other value. */
  string(): string | undefined {
    const token = this.take();
    return token.startsWith('"') ? textOf(token) : undefined;
  }

  /** Reads a whole number that JavaScript represents exactly. Returns undefined for any other value. */
  integer(): number | undefined {
    const token = this.take();
    const number = NUMBER.test(token) ? Number(token) : NaN;
    return Number.isSafeInteger(number) ? number : undefined;
  }

  /** Reads a boolean. Returns undefined for any other value. */
  boolean(): boolean | undefined {
    const token = this.take();
    return token === 'true' ? true : token === 'false' ? false : undefined;
  }

  /** Reads any value as a JavaScript value, whose numbers may be rounded. */
  value(): unknown {
    return parsePlain(this.take());
  }

  /** True if the value at the cursor is an object. */
  get isObject(): boolean {
    return this.json.charAt(this.at) === '{';
  }

  /** Moves the cursor to the next token after the current value. Returns the position at which the current value ends in the text. */
  private skip(): number {
    const end = endOfValue(this.json, this.at);
    // A number or word at the end of the text has no recognisable end. No response consists only of such a value.
    if (end < 0) throw new SyntaxError('the JSON text ends within a value');
    this.at = skipBlanks(this.json, end);
    return end;
  }

  private take(): string {
    const from = this.at;
    return this.json.slice(from, this.skip());
  }

  private parts(close: string, read: () => void): void {
    this.expect(this.json.charAt(this.at));
    if (this.json.charAt(this.at) === close) {
      this.expect(close);
      return;
    }
    for (;;) {
      read();
      if (this.json.charAt(this.at) !== ',') break;
      this.expect(',');
    }
    this.expect(close);
  }

  private expect(character: string): void {
    if (this.json.charAt(this.at) !== character)
      throw new SyntaxError(`the JSON text lacks ${character} at position ${this.at}`);
    this.at = skipBlanks(this.json, this.at + 1);
  }
}
