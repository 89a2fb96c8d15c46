/** When the tasks of a share could send their first requests at once: sources are opened and read ahead before. */
import type { Operation } from '../operations/operation';

/** Sources that give nothing for this long do not hold up the start any longer, ms. */
const PATIENCE_MS = 5000;

/** Calls back once, at the latest after some seconds; the returned function takes that back. */
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
  const tell = (): void => {
    if (over) return;
    end();
    onReady();
  };
  const patience = setTimeout(tell, PATIENCE_MS);
  for (const operation of operations) {
    const one = (): void => {
      missing -= 1;
      if (missing === 0) tell();
    };
    if (operation.whenReady) operation.whenReady(one);
    else one();
  }
  return end;
}
