/** Validates requests, and reports problems in the same words as those of a definition. */
import type * as z from 'zod';
import { problemsFrom } from '../experiment/problems';
import { DynoError, type Problem } from '../problem';

/** Paths whose values may be or contain secrets. Errors never include them. */
const SECRET = /(^|\.)(credentials|hosts|password|key|ca)\b/;

/**
 * Parses a part of a request with its schema, which adds defaults. Throws a DynoError with all problems. `part`: prefix of the paths in the
 * problems; '' for the body.
 */
export function readPart<S extends z.ZodType>(
  schema: S,
  value: unknown,
  part: '' | 'params' | 'query',
): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw new DynoError(
    'input',
    problemsFrom(result.error.issues, schema).map((problem) => inRequest(problem, part)),
  );
}

function inRequest({ found, ...problem }: Problem, part: string): Problem {
  const own = problem.path === 'the definition' ? '' : problem.path;
  // If the body or an object has the wrong type, or a key is unknown, the value may be a secret in the wrong place, so the error does not
  // contain the value.
  const silent =
    own === '' || SECRET.test(own) || problem.code === 'definition.unknown-key' || /^[[{]/.test(found ?? '');
  return {
    ...problem,
    code: problem.code.replace('definition.', 'request.'),
    path: [part, own].filter(Boolean).join('.'),
    ...(found === undefined || silent ? {} : { found }),
  };
}
