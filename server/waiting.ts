/** Two ways to wait for promises: with a time limit, and one task after the other. */

/**
 * Resolves as `work` does, or rejects with the error that `late` makes if `work` takes longer than `ms`. `work` itself continues:
 * its result, and a later error, are ignored.
 */
export async function withTimeLimit<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves with true if `work` ends within `ms`, else with false. Rejects if `work` fails before that. */
export async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const late = new Error('late');
  try {
    await withTimeLimit(work, ms, () => late);
    return true;
  } catch (error) {
    if (error === late) return false;
    throw error;
  }
}

/** Runs tasks one after the other, in the order in which they were added. A task that fails does not stop those after it. */
export class TaskChain {
  private last: Promise<unknown>;

  /** The first task waits until `after` has settled. */
  constructor(after: Promise<unknown> = Promise.resolve()) {
    this.last = after.catch(() => undefined);
  }

  /** Runs `task` after all tasks that were added before. Settles as the task does. */
  add<T>(task: () => Promise<T>): Promise<T> {
    const result = this.last.then(task);
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all tasks that were added so far have ended or failed. */
  async settled(): Promise<void> {
    await this.last;
  }
}
