/** What is wrong with a rule's parameters, by the parameter, in sentences. */
import type * as z from 'zod';
import { problemsFrom } from '../experiment/problems';
import { describeProblem } from '../problem';

/** `params` as they are stored or typed; empty where all is well. */
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
