/** Splits the text of a template into literal text and the tokens of tags, like Jinja with its default settings. */
import { TemplateFault, type Source } from './fault';

export type TokenType =
  | 'text'
  | 'open-expression'
  | 'close-expression'
  | 'open-statement'
  | 'close-statement'
  | 'name'
  | 'integer'
  | 'float'
  | 'string'
  | 'operator'
  | 'end';

export interface Token {
  type: TokenType;
  /** The value of a string literal. For every other token, its text in the template. */
  value: string;
  /** Offset of the token in the template. */
  at: number;
  /** Offset in the template at which the tag of the token begins. */
  tag: number;
}

const OPEN = /\{[%{#][-+]?/g;
const RAW = /\{%[-+]?\s*raw\s*(-?)%\}([\s\S]*?)\{%([-+]?)\s*endraw\s*(-?)%\}/y;
const COMMENT = /\{#([-+]?)[\s\S]*?(-?)#\}/y;
const BLANKS = /\s+/y;
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const FLOAT = /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iy;
const INTEGER = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iy;
const STRING = /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"/y;
const OPERATOR = /\/\/|\*\*|==|!=|<=|>=|[-+*/%~<>=.,:|()[\]{};]/y;

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\u0007', '\\': '\\', "'": "'", '"': '"', '\n': '',
}; // oxfmt-ignore

/** Returns the text that a string literal means. As in Python, an unknown escape sequence such as `\d` stays unchanged. */
const unescaped = (literal: string): string =>
  literal
    .slice(1, -1)
    .replaceAll(
      /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g,
      (whole, x?: string, u?: string, long?: string, octal?: string, other?: string) => {
        const hex = x ?? u ?? long;
        if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
        if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
        return ESCAPES[other!] ?? whole;
      },
    );

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

class Lexer {
  private readonly tokens: Token[] = [];
  private at = 0;
  private tag = 0;

  constructor(
    private readonly source: Source,
    private readonly text: string,
  ) {}

  tokenize(): Token[] {
    // A hyphen at the end of a tag removes the white space after it, and a hyphen at the beginning the white space before it. This variable
    // is whether the last tag ended with a hyphen.
    let strips = false;
    while (this.at < this.text.length) {
      OPEN.lastIndex = this.at;
      const open = OPEN.exec(this.text);
      const until = open?.index ?? this.text.length;
      this.put(this.at, until, strips, open?.[0].endsWith('-') ?? false);
      if (open === null) break;
      this.at = until;
      strips = this.readTag(open[0]);
    }
    this.tokens.push({ type: 'end', value: '', at: this.text.length, tag: this.tag });
    return this.tokens;
  }

  /** Adds the literal text between two offsets, without white space that a hyphen removes. Adds nothing if the text is empty. */
  private put(from: number, to: number, stripsStart: boolean, stripsEnd: boolean): void {
    let [start, end] = [from, to];
    if (stripsStart) while (start < end && /\s/.test(this.text[start]!)) start += 1;
    if (stripsEnd) while (end > start && /\s/.test(this.text[end - 1]!)) end -= 1;
    if (start < end)
      this.tokens.push({ type: 'text', value: this.text.slice(start, end), at: start, tag: start });
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at += found[0].length;
    return found;
  }

  private fail(message: string, at = this.at): never {
    throw new TemplateFault(message, { source: this.source, at });
  }

  /**
   * Reads a comment, a raw block or a tag. Returns whether the closing delimiter has a hyphen, as in `-%}`, which removes the white space
   * after it.
   */
  private readTag(open: string): boolean {
    const begin = this.at;
    this.tag = begin;
    if (open.startsWith('{#')) {
      const comment = this.match(COMMENT);
      return comment === null ? this.fail('a comment is never closed by #}') : comment[2] === '-';
    }
    const raw = open.startsWith('{%') ? this.match(RAW) : null;
    if (raw !== null) {
      const [whole, start, inner, before, after] = raw;
      const from = begin + whole.indexOf('%}') + 2;
      this.put(from, from + inner!.length, start === '-', before === '-');
      return after === '-';
    }
    const isExpression = open.startsWith('{{');
    this.token(isExpression ? 'open-expression' : 'open-statement', open, begin);
    this.at = begin + open.length;
    return this.readTokens(isExpression ? '}}' : '%}');
  }

  private token(type: TokenType, value: string, at: number): void {
    this.tokens.push({ type, value, at, tag: this.tag });
  }

  private readTokens(close: '}}' | '%}'): boolean {
    const brackets: string[] = [];
    for (;;) {
      this.match(BLANKS);
      const { at } = this;
      if (at >= this.text.length) this.fail(`a tag is never closed by ${close}`, this.tag);
      if (brackets.length === 0) {
        const sign = /^[-+]/.exec(this.text.slice(at, at + 1))?.[0] ?? '';
        if (this.text.startsWith(close, at + sign.length)) {
          this.token(close === '}}' ? 'close-expression' : 'close-statement', close, at);
          this.at = at + sign.length + close.length;
          return sign === '-';
        }
      }
      const number = this.match(FLOAT);
      if (number !== null) this.token('float', number[0], at);
      else {
        const [integer] = this.match(INTEGER) ?? [];
        if (integer !== undefined) {
          if (/^\w/.test(this.text.slice(this.at))) this.fail(`Unexpected character: ${this.text[this.at]!}`);
          this.token('integer', integer, at);
        } else this.readWord(at, brackets);
      }
    }
  }

  private readWord(at: number, brackets: string[]): void {
    const [name] = this.match(NAME) ?? [];
    if (name !== undefined) return this.token('name', name, at);
    const [literal] = this.match(STRING) ?? [];
    if (literal !== undefined) return this.token('string', unescaped(literal), at);
    const [operator] = this.match(OPERATOR) ?? [];
    if (operator === undefined)
      this.fail(`Unexpected character: ${String.fromCodePoint(this.text.codePointAt(at)!)}`);
    if (CLOSING[operator] !== undefined) brackets.push(CLOSING[operator]);
    else if (/[)\]}]/.test(operator) && brackets.pop() !== operator)
      this.fail(`Unexpected character: ${operator}`, at);
    return this.token('operator', operator, at);
  }
}

/** Splits a template into tokens. Throws a {@link TemplateFault} if the template is invalid. */
export function tokenize(source: Source): Token[] {
  // Jinja ignores one line feed at the end of a template.
  return new Lexer(source, source.text.replace(/\r?\n$/, '')).tokenize();
}
