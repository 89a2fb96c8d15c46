/** Errors as data. The same problems are shown in the terminal, on pages and in HTTP responses. */

import { printable } from './text/printable';
import { jsonOfText, markedToken, plainKey, stringifyPlain } from './json/exact';
import { isSecretHeaderName, REMOVED, withoutShownSecrets } from './secrets/redact';

/** One problem, with everything that a user needs to fix it. */
export interface Problem {
  /** Code for programs, such as `definition.unknown-key`. It never changes. */
  code: string;
  /**
   * Location of the problem: a path in the definition (`tasks[0].executor`), a file and line, or a URL. '' if the problem has no location.
   */
  path: string;
  /** One sentence for users. */
  message: string;
  /** The found value, shortened. */
  found?: string;
  /** The allowed values. */
  allowed?: string;
  /** The spelling that was probably meant. */
  meant?: Meant;
}

/**
 * Suggested correction: a name that exists in Dyno or in the definition. `key` replaces the last key of the problem's path. In `factors`,
 * `key` replaces the whole path of the factor, such as `index.settings.number_of_shards`. `text` replaces the value.
 */
export type Meant = { key: string } | { text: string };

export const meantText = (meant: Meant): string => ('key' in meant ? meant.key : meant.text);

/** Cause of a problem: `input` of the user (exit code 2, HTTP 400), or `run`: a failed cluster, disk or network (exit code 3, HTTP 502). */
export type ProblemKind = 'input' | 'run';

/** Largest number of problems in one error. */
export const MOST_PROBLEMS = 20;

/** Code of the problem that ends a list with only the first problems. Its `found` contains the number of problems that were left out. */
const MORE_PROBLEMS = 'more-problems';

/** Largest number of characters in each part of a problem. Any part may quote input of any length. */
const MOST_CHARACTERS = { path: 300, message: 2000, found: 300, allowed: 3000 } as const;

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 3)}...` : text;

/** Shortens the parts of a problem and makes them safe to print, because they may quote files and responses. */
function shortened(problem: Problem): Problem {
  const parts = Object.entries(MOST_CHARACTERS) as [keyof typeof MOST_CHARACTERS, number][];
  const cuts = parts.flatMap(([part, most]) =>
    problem[part] === undefined ? [] : [[part, cut(printable(problem[part]), most)]],
  );
  const { meant } = problem;
  // A suggestion that was shortened would be wrong, so it is removed.
  const isWhole = meant === undefined || printable(meantText(meant)).length <= MOST_CHARACTERS.path;
  return { ...problem, ...Object.fromEntries(cuts), ...(isWhole ? {} : { meant: undefined }) };
}

/**
 * Returns the first problems, at most {@link MOST_PROBLEMS}. If there are more, the last problem of the result contains the number of those
 * that were left out. `unlisted`: number of further problems that `problems` does not contain.
 */
export function boundedProblems(problems: readonly Problem[], unlisted = 0): readonly Problem[] {
  const first = problems.slice(0, MOST_PROBLEMS).map(shortened);
  const rest = problems.slice(MOST_PROBLEMS);
  // If the list was already bounded, its last problem contains the number of problems that were left out.
  const counted = rest.map(({ code, found }) => (code === MORE_PROBLEMS ? Number(found) : 1));
  const more = counted.reduce((sum, count) => sum + count, unlisted);
  if (more === 0) return first;
  const message = more === 1 ? 'there is one more problem' : 'there are more problems';
  return [...first, { code: MORE_PROBLEMS, path: '', message, found: String(more) }];
}

/** An error that contains one or more problems. All other thrown errors are bugs in Dyno. */
export class DynoError extends Error {
  readonly kind: ProblemKind;
  readonly problems: readonly Problem[];

  /** `problems`: all problems, of which the error keeps {@link MOST_PROBLEMS}. */
  constructor(kind: ProblemKind, problems: readonly Problem[], options?: ErrorOptions) {
    const bounded = boundedProblems(problems);
    super(bounded.map(describeProblem).join('\n'), options);
    this.name = 'DynoError';
    this.kind = kind;
    this.problems = bounded;
  }

  /** The code of the first problem. All problems of an error have the same {@link kind}. */
  get code(): string {
    return this.problems[0]?.code ?? 'unknown';
  }
}

/** Returns an error for wrong input (exit code 2). */
export const inputError = (
  code: string,
  path: string,
  message: string,
  more: Partial<Problem> = {},
): DynoError => new DynoError('input', [{ code, path, message, ...more }]);

/** Returns an error for a failed run (exit code 3). */
export const runError = (code: string, path: string, message: string, cause?: unknown): DynoError =>
  new DynoError('run', [{ code, path, message }], { cause });

/** Maximum length of a value in a message, in characters. Longer values are shortened. */
const SHOWN = 60;

/**
 * Maximum number of characters of a text in which Dyno looks for credentials. Only then is the text shortened to {@link SHOWN} characters.
 * This maximum limits the time for long texts.
 */
const SEARCHED = 2000;

/**
 * One of two ways to clean a value: removing its credentials, or leaving it as it is. `text`: returns the cleaned text. `isRemoved`:
 * returns whether the whole value of a key is removed, because the key is the name of a secret.
 */
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

/**
 * Returns a value as text on one line, without credentials, for messages. The text of a long value is shortened, and only the beginning of
 * the value is read.
 */
export const showValue = (value: unknown): string => shortJson(value, CLEAN);

/**
 * Like {@link showValue}, but does not remove credentials. This is for names of combinations of factor levels. The names must differ,
 * although a level may contain a harmless key such as `token`. The code that shows such a name has to remove the credentials of the
 * definition.
 */
export const nameOfValue = (value: unknown): string => shortJson(value, AS_IT_IS);

/**
 * Returns the beginning of the JSON of a value. It has at least the {@link SHOWN} characters that messages show, if the JSON is that long.
 */
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

/** Returns a problem as one line: `tasks[0].executr: unknown key, did you mean executor? (found "foo"; allowed: a, b)`. */
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

/** Returns the message of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
