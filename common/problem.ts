/** Errors as values: made once, shown everywhere (terminal, page, HTTP answer). */

import { printable } from './text/printable';
import { jsonOfText, markedToken, plainKey, stringifyPlain } from './json/exact';
import { isSecretHeaderName, REMOVED, withoutShownSecrets } from './secrets/redact';

/** One thing that is wrong, worded so that its reader can fix it. */
export interface Problem {
  /** Stable, machine-readable, e.g. `definition.unknown-key`. */
  code: string;
  /** Where: a path into the definition (`tasks[0].executor`), a file and line, a URL; '' where there is none. */
  path: string;
  /** One sentence for a person. */
  message: string;
  /** What stood there, shortened. */
  found?: string;
  /** What may stand there. */
  allowed?: string;
  /** The spelling that was probably meant. */
  meant?: Meant;
}

/**
 * What to write instead: `key` for the last key of the problem's path (of a factor, its whole path), or `text` for the value there. It is
 * one of the names that the product or the definition knows.
 */
export type Meant = { key: string } | { text: string };

export const meantText = (meant: Meant): string => ('key' in meant ? meant.key : meant.text);

/**
 * Who has to act: `input` the user (exit code 2, HTTP 400), `run` the world: a cluster, disk or network that did not do
 * its part (exit code 3, HTTP 502).
 */
export type ProblemKind = 'input' | 'run';

/** Most problems that one error tells: the first ones are to be fixed first. */
export const MOST_PROBLEMS = 20;

/** The code of the last problem where some are left out; its `found` is how many. */
const MORE_PROBLEMS = 'more-problems';

/** Characters of each part of a problem: what was written may be in any of them, however long it is. */
const MOST_CHARACTERS = { path: 300, message: 2000, found: 300, allowed: 3000 } as const;

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 3)}...` : text;

/** Parts of a problem come from files and answers: each is cut, and made safe to print. */
function shortened(problem: Problem): Problem {
  const parts = Object.entries(MOST_CHARACTERS) as [keyof typeof MOST_CHARACTERS, number][];
  const cuts = parts.flatMap(([part, most]) =>
    problem[part] === undefined ? [] : [[part, cut(printable(problem[part]), most)]],
  );
  const { meant } = problem;
  // A suggestion that was cut would be wrong.
  const isWhole = meant === undefined || printable(meantText(meant)).length <= MOST_CHARACTERS.path;
  return { ...problem, ...Object.fromEntries(cuts), ...(isWhole ? {} : { meant: undefined }) };
}

/** As many of `problems` as one error tells, and how many more there are; `unlisted`: of those that are not in the list. */
export function boundedProblems(problems: readonly Problem[], unlisted = 0): readonly Problem[] {
  const told = problems.slice(0, MOST_PROBLEMS).map(shortened);
  const rest = problems.slice(MOST_PROBLEMS);
  // A list that was bounded before ends with its own count.
  const counted = rest.map(({ code, found }) => (code === MORE_PROBLEMS ? Number(found) : 1));
  const more = counted.reduce((sum, count) => sum + count, unlisted);
  if (more === 0) return told;
  const message = more === 1 ? 'there is one more problem' : 'there are more problems';
  return [...told, { code: MORE_PROBLEMS, path: '', message, found: String(more) }];
}

/** An error that carries its problems; anything else that is thrown is a bug of ours. */
export class DynoError extends Error {
  readonly kind: ProblemKind;
  readonly problems: readonly Problem[];

  /** `problems`: as many as were found, of which {@link MOST_PROBLEMS} are kept. */
  constructor(kind: ProblemKind, problems: readonly Problem[], options?: ErrorOptions) {
    const told = boundedProblems(problems);
    super(told.map(describeProblem).join('\n'), options);
    this.name = 'DynoError';
    this.kind = kind;
    this.problems = told;
  }

  /** The code of the first problem; errors with several problems share one kind. */
  get code(): string {
    return this.problems[0]?.code ?? 'unknown';
  }
}

/** A wrong input: exit code 2. */
export const inputError = (
  code: string,
  path: string,
  message: string,
  more: Partial<Problem> = {},
): DynoError => new DynoError('input', [{ code, path, message, ...more }]);

/** A run that could not be carried out: exit code 3. */
export const runError = (code: string, path: string, message: string, cause?: unknown): DynoError =>
  new DynoError('run', [{ code, path, message }], { cause });

/** Characters of a value that are shown. */
const SHOWN = 60;

/** Characters of a text that are searched for credentials before it is cut to {@link SHOWN}. */
const SEARCHED = 2000;

/** Changes a text within a value, or replaces the whole value that has this name. */
interface Cleaning {
  text(text: string): string;
  isRemoved(name: string): boolean;
}

const CLEAN: Cleaning = { text: withoutShownSecrets, isRemoved: isSecretHeaderName };
const AS_IT_IS: Cleaning = { text: (text) => text, isRemoved: () => false };

const shortJson = (value: unknown, cleaning: Cleaning): string => {
  if (value === undefined) return 'nothing';
  const text = jsonBeginning(value, cleaning);
  return text.length > SHOWN ? `${text.slice(0, SHOWN - 3)}...` : text;
};

/** A value, short enough for one line and without credentials; reads no more of it than is shown. */
export const showValue = (value: unknown): string => shortJson(value, CLEAN);

/**
 * Like {@link showValue}, but complete: names of cells must differ, and a field of a mapping may be called `token`. Whoever
 * shows such a name removes the credentials of the definition from it.
 */
export const nameOfValue = (value: unknown): string => shortJson(value, AS_IT_IS);

/** JSON as `JSON.stringify` writes it, which may end once it is longer than what is shown of it. */
function jsonBeginning(value: unknown, cleaning: Cleaning): string {
  if (typeof value === 'string')
    return (
      markedToken(value) ?? jsonOfText(cleaning.text(plainKey(value.slice(0, SEARCHED))).slice(0, SHOWN + 1))
    );
  if (typeof value !== 'object' || value === null || 'toJSON' in value)
    return stringifyPlain(value) ?? String(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  let text = open!;
  let separator = '';
  for (const key in value) {
    if (text.length > SHOWN) return text;
    const inner = (value as Record<string, unknown>)[key];
    if (!Array.isArray(value) && inner === undefined) continue;
    const name = Array.isArray(value) ? '' : `${jsonBeginning(key, AS_IT_IS)}:`;
    const isRemoved =
      !Array.isArray(value) && inner !== null && typeof inner !== 'boolean' && cleaning.isRemoved(key);
    const shown = isRemoved ? jsonOfText(REMOVED) : jsonBeginning(inner ?? null, cleaning);
    text += `${separator}${name}${shown}`;
    separator = ',';
  }
  return text + close!;
}

/** One line: `tasks[0].executr: unknown key, did you mean executor? (found "foo"; allowed: a, b)`. */
export function describeProblem({ path, message, found, allowed, meant }: Problem): string {
  const details = [
    found === undefined ? '' : `found ${found}`,
    allowed === undefined ? '' : `allowed: ${allowed}`,
  ]
    .filter(Boolean)
    .join('; ');
  const suggestion = meant === undefined ? '' : `, did you mean ${printable(meantText(meant))}?`;
  return `${path === '' ? '' : `${path}: `}${message}${suggestion}${details === '' ? '' : ` (${details})`}`;
}

/** Returns the code of a DynoError; '' for other errors. */
export const codeOf = (error: unknown): string => (error instanceof DynoError ? error.code : '');

/** The sentence of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
