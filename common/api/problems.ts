/** What is wrong with a request, in the same words as what is wrong with a definition. */
import type * as z from 'zod';
import { problemsFrom } from '../experiment/problems';
import { DynoError, type Problem } from '../problem';

/** Where a value may be a secret, or hold one: it is never said back. */
const SECRET = /(^|\.)(credentials|hosts|password|key|ca)\b/;

/**
 * The parts of a request as its schema reads them, with defaults. Throws a DynoError with all that is wrong; `part` is
 * where its paths begin: '' for the body.
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
  // A body or an object that is wrong as a whole, or a key that nobody knows, may hold a secret in the wrong place.
  const silent =
    own === '' || SECRET.test(own) || problem.code === 'definition.unknown-key' || /^[[{]/.test(found ?? '');
  return {
    ...problem,
    code: problem.code.replace('definition.', 'request.'),
    path: [part, own].filter(Boolean).join('.'),
    ...(found === undefined || silent ? {} : { found }),
  };
}
