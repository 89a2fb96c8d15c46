/** Validates requests. Problems are reported in the same words as problems of a definition. */
import type * as z from 'zod';
import { problemsFrom } from '../experiment/problems';
import { DynoError, type Problem } from '../problem';

/** Matches paths of values that are secrets or contain secrets. Errors never show these values. */
const SECRET = /(^|\.)(credentials|hosts|password|key|ca)\b/;

/**
 * Parses one part of a request (path parameters, query or body) with its schema, and adds defaults. Throws a DynoError that contains all
 * problems. `part`: name with which the paths of the problems begin; '' for the body.
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
  // The error does not show a value that may be a secret in the wrong place: a value with an unknown key, or an object or list where
  // another type is expected.
  const silent =
    own === '' || SECRET.test(own) || problem.code === 'definition.unknown-key' || /^[[{]/.test(found ?? '');
  return {
    ...problem,
    code: problem.code.replace('definition.', 'request.'),
    path: [part, own].filter(Boolean).join('.'),
    ...(found === undefined || silent ? {} : { found }),
  };
}
