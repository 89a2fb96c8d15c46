import { DynoError, type Problem } from '../problem';

/** Returns the problems of the DynoError that `act` throws; empty if it throws nothing. Any other error is rethrown. */
export function thrownProblems(act: () => unknown): Problem[] {
  try {
    act();
    return [];
  } catch (error) {
    if (!(error instanceof DynoError)) throw error;
    return [...error.problems];
  }
}
