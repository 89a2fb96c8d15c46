/** Splits a grok pattern into pieces, and finds syntax that JavaScript's regular expressions do not support or interpret differently. */
import type { PatternProblem } from './problem';

export type Piece =
  | { kind: 'text'; text: string }
  /** The opening parenthesis of a capturing group, with its name if it is `(?<name>`. */
  | { kind: 'capture'; field: string | null }
  | { kind: 'reference'; name: string; field: string | null; type: string | null };

type Found = Omit<PatternProblem, 'pattern'>;

/** Escapes that have a meaning in Oniguruma but are plain letters in JavaScript, with their replacements. */
const FOREIGN_ESCAPES: Readonly<Record<string, string>> = {
  A: '^',
  z: '$',
  Z: '$',
  G: 'nothing: each line is matched once',
  h: '[0-9A-Fa-f]',
  H: '[^0-9A-Fa-f]',
  R: 'nothing: a line has no line feed',
  X: '.',
  p: 'a class such as [A-Za-z]',
  P: 'a class such as [^A-Za-z]',
  Q: 'each special character escaped',
  E: 'each special character escaped',
  k: 'the pattern itself again',
};
const REFERENCE = /^%\{([A-Za-z0-9_]+)(?::([A-Za-z0-9_@.[\]-]+))?(?::([a-z]+))?\}/;
const NAMED = /^\(\?<([A-Za-z_][A-Za-z0-9_@.-]*)>/;
const PLAIN_GROUPS = ['(?:', '(?=', '(?!', '(?<=', '(?<!'];
const SHOWN = 30;

export function scanPattern(pattern: string): { pieces: Piece[]; problems: Found[] } {
  const scan = new Scan(pattern);
  scan.run();
  return scan;
}

class Scan {
  readonly pieces: Piece[] = [];
  readonly problems: Found[] = [];
  private at = 0;

  constructor(private readonly pattern: string) {}

  run(): void {
    while (this.at < this.pattern.length) this.step();
  }

  private step(): void {
    const { pattern } = this;
    const char = pattern[this.at]!;
    if (char === '\\') this.take(this.escape(this.at));
    else if (char === '[') this.takeClass();
    else if (char === '(') this.takeGroup();
    else if (char === '%' && pattern[this.at + 1] === '{') this.takeReference();
    else if ('*+?}'.includes(char) && pattern[this.at + 1] === '+') {
      const allowed = `${char}; a negated class such as [^"]* instead of .*+`;
      this.complain('possessive repetition is unknown to JavaScript', 2, allowed);
      this.take(2);
    } else this.take(1);
  }

  /** Returns the length of the escape that begins at `at`. */
  private escape(at: number): number {
    const next = this.pattern[at + 1];
    if (next === undefined) {
      this.complain('ends with a backslash', 1);
      return 1;
    }
    const instead = FOREIGN_ESCAPES[next];
    if (instead !== undefined)
      this.problems.push({
        message: 'this escape is unknown to JavaScript',
        found: `\\${next}`,
        allowed: instead,
      });
    if (/[1-9]/.test(next))
      this.problems.push({ message: 'numbered back-references are not allowed', found: `\\${next}` });
    return 2;
  }

  private takeClass(): void {
    const { pattern } = this;
    let at = this.at + (pattern[this.at + 1] === '^' ? 2 : 1);
    if (pattern[at] === ']') this.complain('an empty class matches nothing', 3, '\\] for a bracket');
    for (; at < pattern.length && pattern[at] !== ']'; at += 1) {
      if (pattern[at] === '\\') at += this.escape(at) - 1;
      else if (pattern.startsWith('[:', at)) {
        this.complain('named classes are unknown to JavaScript', SHOWN, 'a class such as [A-Za-z]');
        at = Math.max(at, pattern.indexOf(':]', at) + 1);
      } else if (pattern[at] === '[') {
        this.complain('a class within a class is unknown to JavaScript', SHOWN, '\\[ for the bracket itself');
      } else if (pattern.startsWith('&&', at)) {
        this.complain('an intersection of classes is unknown to JavaScript', SHOWN, 'one class');
      }
    }
    if (at >= pattern.length) this.complain('a class is not closed', SHOWN, ']');
    this.take(at + 1 - this.at);
  }

  private takeGroup(): void {
    const rest = this.pattern.slice(this.at);
    if (!rest.startsWith('(?')) return this.capture(1, null);
    const named = NAMED.exec(rest);
    if (named) return this.capture(named[0].length, named[1]!);
    const plain = PLAIN_GROUPS.find((opening) => rest.startsWith(opening));
    if (plain === undefined) {
      const message = rest.startsWith('(?>')
        ? 'atomic groups are unknown to JavaScript'
        : 'this kind of group is unknown to JavaScript';
      this.complain(message, 3, `${PLAIN_GROUPS.join(', ')} or (?<name>`);
      this.take(2);
      return;
    }
    this.take(plain.length);
  }

  private takeReference(): void {
    const found = REFERENCE.exec(this.pattern.slice(this.at));
    if (found === null) {
      this.complain('not a reference to a pattern', SHOWN, '%{NAME}, %{NAME:field} or %{NAME:field:type}');
      this.take(2);
      return;
    }
    const [whole, name, field, type] = found;
    this.pieces.push({ kind: 'reference', name: name!, field: fieldName(field), type: type ?? null });
    this.at += whole.length;
  }

  private capture(length: number, field: string | null): void {
    this.pieces.push({ kind: 'capture', field });
    this.at += length;
  }

  private take(length: number): void {
    const text = this.pattern.slice(this.at, this.at + length);
    const last = this.pieces.at(-1);
    if (last?.kind === 'text') last.text += text;
    else this.pieces.push({ kind: 'text', text });
    this.at += length;
  }

  private complain(message: string, length: number, allowed?: string): void {
    const found = this.pattern.slice(this.at, this.at + length);
    this.problems.push({ message, found, ...(allowed === undefined ? {} : { allowed }) });
  }
}

/** Returns `source.address` for `[source][address]`, as Elasticsearch does. */
const fieldName = (field: string | undefined): string | null =>
  field === undefined ? null : field.replaceAll('][', '.').replaceAll(/[[\]]/g, '');
