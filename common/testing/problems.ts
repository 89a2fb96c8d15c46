import { DynoError, type Problem } from '../problem';

/** The problems that `act` throws; none where it throws nothing. Any other error is thrown on. */
export function thrownProblems(act: () => unknown): Problem[] {
  try {
    act();
    return [];
  } catch (error) {
    if (!(error instanceof DynoError)) throw error;
    return [...error.problems];
  }
}
