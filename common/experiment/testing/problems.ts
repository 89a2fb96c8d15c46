import { messageOf, type Problem } from '../../problem';
import { thrownProblems } from '../../testing/problems';
import { readDefinition } from '../read';

/** What is wrong with a definition; empty where nothing is. */
export const problemsOf = (definition: unknown): Problem[] =>
  thrownProblems(() => readDefinition(definition));

/** The same as the text that people read; '' where nothing is wrong. */
export function problemText(definition: unknown): string {
  try {
    readDefinition(definition);
    return '';
  } catch (error) {
    return messageOf(error);
  }
}
