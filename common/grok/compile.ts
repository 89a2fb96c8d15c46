/**
 * Compiles a grok pattern to one regular expression. Also returns, for each field, the capturing groups of the expression that belong to
 * it.
 *
 * Dyno uses no grok package, because such packages need the native library Oniguruma. In the browser, Dyno must be able to check patterns
 * while a user types.
 */
import { MOST_PROBLEMS } from '../problem';
import { GROK_LIBRARY, LIBRARY_NAMES } from './library';
import type { PatternProblem } from './problem';
import { scanPattern, type Piece } from './scan';

/** Types of captured fields in the document. */
export const FIELD_TYPES = ['string', 'int', 'long', 'float', 'double', 'boolean'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export interface GrokField {
  name: string;
  type: FieldType;
  /** Indices of the capturing groups that contain this field. There are several if alternatives in the pattern have the same field. */
  groups: number[];
}

export interface CompiledGrok {
  regex: RegExp;
  /** The fields, in the order of their first appearance. */
  fields: GrokField[];
}

/** Maximum length of an expression in characters. Without a limit, nested patterns could expand to any length. */
const LONGEST = 50_000;

/**
 * Returns a pattern that matches only at the beginning of a line. Any text may follow the match. Logstash and Elasticsearch search for a
 * match anywhere in the line. A line of another format could then produce fields from its middle.
 */
export const anchored = (pattern: string): string => `^(?:${pattern})`;

/**
 * Limits the total length of several patterns. `left`: number of characters that remain for further patterns. Compiling a pattern reduces
 * `left`.
 */
export interface Allowance {
  left: number;
}

/**
 * Compiles `pattern`. If the pattern is invalid, returns all its problems instead. `own`: patterns that take precedence over the library.
 * Catastrophic backtracking is not detected here, so the caller must limit the time of a match.
 */
export function compileGrok(
  pattern: string,
  own: Readonly<Record<string, string>> = {},
  allowance?: Allowance,
): { compiled: CompiledGrok; problems: [] } | { compiled: null; problems: PatternProblem[] } {
  const expansion = new Expansion(own);
  const source = expansion.expand(pattern, []);
  if (allowance) allowance.left -= expansion.length;
  const { problems, fields } = expansion;
  if (problems.length === 0) problems.push(...checkWhole(source, fields));
  return problems.length > 0
    ? { compiled: null, problems }
    : { compiled: { regex: new RegExp(anchored(source)), fields: [...fields.values()] }, problems: [] };
}

function checkWhole(source: string, fields: ReadonlyMap<string, GrokField>): PatternProblem[] {
  const wrong = (message: string, allowed?: string): PatternProblem[] => [{ pattern: '', message, allowed }];
  try {
    new RegExp(source);
  } catch (error) {
    // V8's message begins with the whole expression. This beginning is removed.
    return wrong(`is not a regular expression: ${(error as Error).message.replace(/^.*: /s, '')}`);
  }
  if (fields.size === 0) return wrong('has no field: nothing would be parsed from a line', '%{NAME:field}');
  return [];
}

/**
 * Returns the definitions that `patterns` need directly or indirectly, by name. The definitions come from `own`, which takes precedence, or
 * from the library.
 */
export function neededDefinitions(
  patterns: readonly string[],
  own: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const needed = new Map<string, string>();
  const visit = (pattern: string): void => {
    for (const piece of scanPattern(pattern).pieces) {
      if (piece.kind !== 'reference' || needed.has(piece.name)) continue;
      const definition = own[piece.name] ?? GROK_LIBRARY[piece.name];
      if (definition === undefined) continue;
      needed.set(piece.name, definition);
      visit(definition);
    }
  };
  patterns.forEach(visit);
  return Object.fromEntries(needed);
}

class Expansion {
  readonly problems: PatternProblem[] = [];
  readonly fields = new Map<string, GrokField>();
  private groups = 0;
  /** Total length of the patterns that were expanded so far, in characters. */
  length = 0;

  constructor(private readonly own: Readonly<Record<string, string>>) {}

  /**
   * Expands the references in a pattern, and returns the regular expression as text. `within`: names of the patterns that contain this
   * pattern, the outermost first.
   */
  expand(pattern: string, within: readonly string[]): string {
    const { pieces, problems } = scanPattern(pattern);
    const owner = within.at(-1) ?? '';
    for (const problem of problems) this.complain(owner, problem);
    this.length += pattern.length;
    if (this.length > LONGEST) {
      if (this.length - pattern.length <= LONGEST)
        this.complain(owner, {
          message: 'the expanded expression is too long',
          allowed: `${LONGEST} characters`,
        });
      return '';
    }
    return pieces.map((piece) => this.render(piece, within)).join('');
  }

  private render(piece: Piece, within: readonly string[]): string {
    switch (piece.kind) {
      case 'text':
        return piece.text;
      case 'capture':
        this.groups += 1;
        if (piece.field !== null) this.note(piece.field, 'string', within);
        return '(';
      case 'reference':
        return this.reference(piece, within);
    }
  }

  /** Whether more problems were found than an error shows. */
  private get isFull(): boolean {
    return this.problems.length > MOST_PROBLEMS;
  }

  private reference(
    { name, field, type }: Extract<Piece, { kind: 'reference' }>,
    within: readonly string[],
  ): string {
    const owner = within.at(-1) ?? '';
    const definition = this.own[name] ?? GROK_LIBRARY[name];
    if (definition === undefined) {
      if (this.isFull) return '';
      const allowed = [...Object.keys(this.own), ...nearest(name)].join(', ');
      this.complain(owner, { message: 'there is no such pattern', found: name, allowed });
      return '';
    }
    if (within.includes(name)) {
      const found = [...within.slice(within.indexOf(name)), name].join(' > ');
      this.complain(owner, { message: 'the pattern contains itself', found });
      return '';
    }
    if (field === null) return `(?:${this.expand(definition, [...within, name])})`;
    this.groups += 1;
    if (type !== null && !FIELD_TYPES.includes(type as FieldType))
      this.complain(owner, { message: 'no such type', found: type, allowed: FIELD_TYPES.join(', ') });
    this.note(field, (type ?? 'string') as FieldType, within);
    return `(${this.expand(definition, [...within, name])})`;
  }

  private note(name: string, type: FieldType, within: readonly string[]): void {
    const known = this.fields.get(name);
    if (name === 'message' || name === '@timestamp')
      this.complain(within.at(-1) ?? '', {
        message: 'this field already contains the line or its time',
        found: name,
        allowed: 'another name; for the time, use timestamp',
      });
    else if (known === undefined) this.fields.set(name, { name, type, groups: [this.groups] });
    else if (known.type === type) known.groups.push(this.groups);
    else
      this.complain(within.at(-1) ?? '', {
        message: `the field ${name} has two types`,
        found: `${known.type}, ${type}`,
      });
  }

  private complain(pattern: string, problem: Omit<PatternProblem, 'pattern'>): void {
    if (this.isFull) return;
    const same = this.problems.some(
      (known) =>
        known.pattern === pattern && known.message === problem.message && known.found === problem.found,
    );
    if (!same) this.problems.push({ pattern, ...problem });
  }
}

/** Returns those names of the library that begin with the same three letters as `name`; all names if none does. */
function nearest(name: string): readonly string[] {
  const like = LIBRARY_NAMES.filter((known) => known.slice(0, 3) === name.toUpperCase().slice(0, 3));
  return like.length > 0 ? like : LIBRARY_NAMES;
}
