/** Functions for waiting: with a time limit, for any time, and until earlier tasks have ended. */

/**
 * Settles as `work` does. If `work` takes longer than `ms`, rejects with the error that `late` creates. In this case, `work` continues, and
 * its result or error is ignored.
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

/** Longest time of a Node.js timer, in ms: 25 days. A timer with a longer time fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Calls `act` after `ms`, which may be longer than the longest time of a Node.js timer. Returns a function that cancels the call. */
export function callAfter(ms: number, act: () => void): () => void {
  const due = performance.now() + ms;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const left = due - performance.now();
    timer = left > LONGEST_TIMER_MS ? setTimeout(wait, LONGEST_TIMER_MS) : setTimeout(act, left);
  };
  wait();
  return () => clearTimeout(timer);
}

/** Resolves to whether `work` ends within `ms`. Rejects if `work` fails within `ms`. */
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

/** Executes tasks one after the other, in the order in which they were added. If a task fails, the later tasks are still executed. */
export class TaskChain {
  private last: Promise<unknown>;

  /** `after`: a promise that must settle before the first task is executed. */
  constructor(after: Promise<unknown> = Promise.resolve()) {
    this.last = after.catch(() => undefined);
  }

  /** Executes `task` after all tasks that were added earlier. Settles with the result of `task`. */
  add<T>(task: () => Promise<T>): Promise<T> {
    const result = this.last.then(task);
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all tasks that were added so far have ended, even if some failed. */
  async settled(): Promise<void> {
    await this.last;
  }
}
