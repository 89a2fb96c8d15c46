/** Errors as values: made once, shown everywhere (terminal, page, HTTP answer). */

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
}

/**
 * Who has to act: `input` the user (exit code 2, HTTP 400), `run` the world: a cluster, disk or network that did not do
 * its part (exit code 3, HTTP 502).
 */
export type ProblemKind = 'input' | 'run';

/** An error that carries all its problems; anything else that is thrown is a bug of ours. */
export class DynoError extends Error {
  readonly kind: ProblemKind;
  readonly problems: readonly Problem[];

  constructor(kind: ProblemKind, problems: readonly Problem[], options?: ErrorOptions) {
    super(problems.map(describeProblem).join('\n'), options);
    this.name = 'DynoError';
    this.kind = kind;
    this.problems = problems;
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

/** A value, short enough for one line. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** One line: `tasks[0].executor: unknown key (found "foo"; allowed: a, b)`. */
export function describeProblem({ path, message, found, allowed }: Problem): string {
  const details = [
    found === undefined ? '' : `found ${found}`,
    allowed === undefined ? '' : `allowed: ${allowed}`,
  ]
    .filter(Boolean)
    .join('; ');
  return `${path === '' ? '' : `${path}: `}${message}${details === '' ? '' : ` (${details})`}`;
}

/** The sentence of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
