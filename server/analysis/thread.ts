/** The entry of the thread that builds reports and looks for changes in histories. */
import { parentPort } from 'node:worker_threads';
import type { FromAnalysis, ToAnalysis } from './messages';
import { arrived, carryOut, type OrderName } from './work';

const port = parentPort;
if (port === null) throw new Error('thread.ts is the entry of a worker thread');

/** Of orders that are still to come, by their ids. */
const lists = new Map<number, Record<string, unknown[]>>();

/** What cannot be read fails with the order that it belongs to. */
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
    // Not by a spread of arguments, of which a call takes only so many.
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
