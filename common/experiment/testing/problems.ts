import { messageOf, type Problem } from '../../problem';
import { thrownProblems } from '../../testing/problems';
import { readDefinition } from '../read';

/** Returns the problems of a definition; empty if it is valid. */
export const problemsOf = (definition: unknown): Problem[] =>
  thrownProblems(() => readDefinition(definition));

/** Returns the problems as people see them; '' if the definition is valid. */
export function problemText(definition: unknown): string {
  try {
    readDefinition(definition);
    return '';
  } catch (error) {
    return messageOf(error);
  }
}
