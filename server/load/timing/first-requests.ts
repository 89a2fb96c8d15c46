/** Waits until the tasks of a load thread can send their first requests: their sources are open and have read ahead. */
import type { Operation } from '../operations/operation';

/** Maximum time that the start waits for a source, in ms. */
const PATIENCE_MS = 5000;

/**
 * Calls `onReady` once: when all operations are ready to send, or after {@link PATIENCE_MS} if they are not. Returns a function that
 * cancels the call.
 */
export function whenFirstRequests(
  operations: readonly Pick<Operation, 'whenReady'>[],
  onReady: () => void,
): () => void {
  let missing = operations.length;
  let over = false;
  const end = (): void => {
    over = true;
    clearTimeout(patience);
  };
  const notify = (): void => {
    if (over) return;
    end();
    onReady();
  };
  const patience = setTimeout(notify, PATIENCE_MS);
  for (const operation of operations) {
    const one = (): void => {
      missing -= 1;
      if (missing === 0) notify();
    };
    if (operation.whenReady) operation.whenReady(one);
    else one();
  }
  return end;
}
