/** Finds the invalid parameters of a Kibana alerting rule, and describes each problem in a sentence. */
import type * as z from 'zod';
import { problemsFrom } from '../experiment/problems';
import { describeProblem } from '../problem';

/**
 * Returns the problems of a rule's parameters: one list of sentences per parameter name. Empty if all parameters are valid. `params`:
 * stored parameters, or those that a user is just typing.
 */
export function paramProblems(schema: z.ZodType, params: unknown): Record<string, string[]> {
  const result = schema.safeParse(params, { reportInput: true });
  if (result.success) return {};
  const found: Record<string, string[]> = {};
  for (const problem of problemsFrom(result.error.issues, schema)) {
    const name = /^\w+/.exec(problem.path)?.[0] ?? '';
    (found[name] ??= []).push(describeProblem({ ...problem, path: '' }));
  }
  return found;
}
