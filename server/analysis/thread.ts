/** The entry of the thread that builds reports and looks for changes in histories. */
import { parentPort } from 'node:worker_threads';
import type { FromAnalysis, ToAnalysis } from './messages';
import { carryOut, type Orders, type OrderName, type PackedSeries } from './work';

const port = parentPort;
if (port === null) throw new Error('thread.ts is the entry of a worker thread');

/** Of orders that are still to come, by their ids. */
const lists = new Map<number, Record<string, unknown[]>>();

const isPacked = (value: unknown): value is PackedSeries =>
  typeof value === 'object' && value !== null && 'columns' in value && value.columns instanceof Float64Array;

/** Blocks of memory change hands in place of being copied. */
const transferable = (answer: Orders[OrderName]['answer']): ArrayBuffer[] =>
  Array.isArray(answer) ? answer.filter(isPacked).map(({ columns }) => columns.buffer) : [];

port.on('message', (message: ToAnalysis) => {
  const { id } = message;
  const own = lists.get(id) ?? {};
  if ('list' in message) {
    lists.set(id, own);
    // Not by a spread of arguments, of which a call takes only so many.
    const list = (own[message.list] ??= []);
    for (const element of message.part) list.push(element);
    return;
  }
  lists.delete(id);
  try {
    const answer = carryOut(message.name, message.order, own as never);
    port.postMessage({ id, answer } satisfies FromAnalysis, transferable(answer));
  } catch (error) {
    const { name, message: text, stack = '' } = error instanceof Error ? error : new Error(String(error));
    port.postMessage({ id, failure: { name, message: text, stack } } satisfies FromAnalysis);
  }
});
