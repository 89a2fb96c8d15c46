/** Reads a definition as the server does when a user saves it. Returns the outcome and the CPU time. */
import { costOf } from '../../common/experiment/cost';
import { readDefinitionText } from '../../common/experiment/read';
import { DynoError, MOST_PROBLEMS } from '../../common/problem';

export interface Reading {
  outcome: 'accepted' | 'refused';
  /** CPU time for reading the definition, in ms, of all threads of the process. */
  cpuMs: number;
}

/** Maximum length of an error message, in characters. */
const LONGEST_REFUSAL = 120_000;

/** Reads a definition. Throws unless the definition was accepted, or refused with an error message of limited length. */
export function readHostile(text: string): Reading {
  const begun = process.cpuUsage();
  const took = (): number => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
  try {
    costOf(readDefinitionText(text, 'definition.yml'));
    return { outcome: 'accepted', cpuMs: took() };
  } catch (error) {
    if (!(error instanceof DynoError) || error.kind !== 'input') throw error;
    const { problems, message } = error;
    if (problems.length > MOST_PROBLEMS + 1 || message.length > LONGEST_REFUSAL) {
      const extent = `${problems.length} problems, ${message.length} characters`;
      throw new Error(`the error has ${extent}`, { cause: error });
    }
    return { outcome: 'refused', cpuMs: took() };
  }
}
