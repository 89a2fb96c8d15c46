/** Reads a definition as the server does when one is saved, and says what came of it and what it took. */
import { costOf } from '../../common/experiment/cost';
import { readDefinitionText } from '../../common/experiment/read';
import { DynoError, MOST_PROBLEMS } from '../../common/problem';

export interface Reading {
  outcome: 'accepted' | 'refused';
  /** Of the processor, all threads of the process. */
  cpuMs: number;
}

/** A refusal beyond this is no sentence any more, characters. */
const LONGEST_REFUSAL = 120_000;

/** Throws where it was neither refused with a bounded error nor accepted with a plan. */
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
      throw new Error(`the refusal has ${extent}`, { cause: error });
    }
    return { outcome: 'refused', cpuMs: took() };
  }
}
