/** Undoes the steps of some work, the last step first. All steps are undone, even if the work or the undoing of another step fails. */

/** Registers a function that undoes a step. Must be called before the step begins, so that a step that fails halfway is undone too. */
export type Undo = (step: () => unknown) => void;

/**
 * Does `work`, then undoes its steps in reverse order. Rejects if `work` or an undoing fails, but only after all steps have been undone.
 */
export async function withUndo<T>(work: (undo: Undo) => Promise<T>): Promise<T> {
  const steps: (() => unknown)[] = [];
  try {
    return await work((step) => void steps.push(step));
  } finally {
    await undoAll(steps);
  }
}

async function undoAll(steps: (() => unknown)[]): Promise<void> {
  const last = steps.pop();
  if (last === undefined) return;
  try {
    await last();
  } finally {
    await undoAll(steps);
  }
}
