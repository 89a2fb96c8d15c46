/** Undoes the steps of some work, the last step first, even if the work or another undoing fails. */

/** Registers how to undo a step. Call it before the step begins, so that a step that fails halfway is undone too. */
export type Undo = (step: () => unknown) => void;

/** Runs `work`, then undoes its steps in reverse order. Rejects if `work` or one of them does, after undoing all. */
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
