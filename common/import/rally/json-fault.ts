/** Finds the first error in a JSON text and its position. `JSON.parse` reports the position only in some of its messages. */
import { jsonOfText } from '../../json/exact';

export class JsonFault extends Error {
  /** `at`: offset of the error in the text. If the text ends too early, this is the length of the text. */
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
// oxlint-disable-next-line no-control-regex -- JSON forbids them in texts
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\n\r]*/y;
/** Words that people and template languages write although JSON does not allow them. */
const OTHER_WORDS = /(?:True|False|None|NaN|undefined|-?Infinity)\b/y;

class Scanner {
  private at = 0;

  constructor(private readonly text: string) {}

  /** Reads the text and throws the first error. */
  scan(): void {
    this.space();
    this.value('a value');
    this.space();
    if (this.at < this.text.length) this.fail(`the JSON ends here, but ${this.found()} follows`);
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  private space(): void {
    this.match(SPACE);
  }

  private found(): string {
    const next = this.text.codePointAt(this.at);
    return next === undefined ? 'the end' : jsonOfText(String.fromCodePoint(next));
  }

  private fail(message: string): never {
    throw new JsonFault(this.at, message);
  }

  private expected(what: string): never {
    const { text, at } = this;
    if (text.startsWith('//', at) || text.startsWith('/*', at) || text[at] === '#')
      this.fail('JSON has no comments: write {# ... #}, which the template removes');
    if (text[at] === "'") this.fail('JSON requires double quotes');
    const word = this.match(OTHER_WORDS);
    if (word !== undefined) {
      this.at = at;
      this.fail(`${word} is not a value of JSON`);
    }
    this.fail(`expected ${what}, but found ${this.found()}`);
  }

  private value(what: string): void {
    const next = this.text[this.at];
    if (next === '{') this.object();
    else if (next === '[') this.list();
    else if (next === '"') this.string(what);
    else if (this.match(WORD) === undefined && this.match(NUMBER) === undefined) this.expected(what);
  }

  private string(what: string): void {
    if (this.text[this.at] !== '"') this.expected(what);
    if (this.match(TEXT) !== undefined) return;
    // The string has no closing quote, or contains a character that JSON does not allow.
    const end = /[^\\]"|\n|$/.exec(this.text.slice(this.at + 1))!;
    this.fail(
      end[0] === '\n' || end[0] === ''
        ? 'a text is not closed on its line'
        : 'a text contains a character or an escape that JSON does not allow',
    );
  }

  private object(): void {
    this.at += 1;
    this.space();
    if (this.text[this.at] === '}') {
      this.at += 1;
      return;
    }
    for (;;) {
      this.string('a key in double quotes');
      this.space();
      if (this.text[this.at] !== ':') this.expected('":"');
      this.at += 1;
      this.space();
      this.value('a value');
      if (!this.hasNext('}', 'a key')) return;
    }
  }

  private list(): void {
    this.at += 1;
    this.space();
    if (this.text[this.at] === ']') {
      this.at += 1;
      return;
    }
    for (;;) {
      this.value('a value');
      if (!this.hasNext(']', 'a value')) return;
    }
  }

  /** Reads a comma or the end of a list or object. Returns whether another item follows. `item`: name of the items, for the error. */
  private hasNext(end: ']' | '}', item: string): boolean {
    this.space();
    const next = this.text[this.at];
    if (next === end) {
      this.at += 1;
      return false;
    }
    if (next !== ',') {
      const begins = next !== undefined && /["[{\d-]/.test(next);
      if (begins) this.fail(`a comma is missing before ${this.found()}`);
      this.expected(`"," or "${end}"`);
    }
    const comma = this.at;
    this.at += 1;
    this.space();
    if (this.text[this.at] === end) {
      this.at = comma;
      this.fail(`there is a superfluous comma before "${end}"`);
    }
    if (this.text[this.at] === ',') this.fail(`expected ${item}, but found another comma`);
    return true;
  }
}

/** Returns the first error in a text. Returns undefined if the text is valid JSON. */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    new Scanner(text).scan();
    return undefined;
  } catch (fault) {
    if (fault instanceof JsonFault) return fault;
    throw fault;
  }
}
