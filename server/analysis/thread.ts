/** Entry of the thread that builds reports and detects changes in histories. */
import { parentPort } from 'node:worker_threads';
import type { FromAnalysis, ToAnalysis } from './messages';
import { arrived, carryOut, type OrderName } from './work';

const port = parentPort;
if (port === null) throw new Error('thread.ts is the entry of a worker thread');

/** Inputs of computations that are still being received. Maps the id of each computation to the elements received so far, by list. */
const lists = new Map<number, Record<string, unknown[]>>();

/**
 * Converts received elements of a list to the form that the computation needs. If this fails, returns the elements unchanged. The
 * computation itself then fails later and reports the error.
 */
function seen(name: OrderName, part: readonly unknown[]): readonly unknown[] {
  try {
    return arrived(name, part);
  } catch {
    return part;
  }
}

port.on('message', (message: ToAnalysis) => {
  const { id } = message;
  const own = lists.get(id) ?? {};
  if ('list' in message) {
    lists.set(id, own);
    // Elements are pushed one at a time, because the number of spread arguments is limited.
    const list = (own[message.list] ??= []);
    for (const element of seen(message.name, message.part)) list.push(element);
    return;
  }
  lists.delete(id);
  if ('dropped' in message) return;
  try {
    const answer = carryOut(message.name, message.order, own as never);
    port.postMessage({ id, answer } satisfies FromAnalysis);
  } catch (error) {
    const { name, message: text, stack = '' } = error instanceof Error ? error : new Error(String(error));
    port.postMessage({ id, failure: { name, message: text, stack } } satisfies FromAnalysis);
  }
});
