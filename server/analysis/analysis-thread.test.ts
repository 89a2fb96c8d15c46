import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AnalysisThread } from './analysis-thread';
import { until } from '../../test/support/until';
import type { Analysis } from './work';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-analysis-'));
const file = path.join(folder, 'thread.mjs');
// A thread that returns the number of received trials instead of a report, and does what the run in the order requests.
writeFileSync(
  file,
  `import { parentPort, threadId } from 'node:worker_threads';
   const lists = new Map();
   parentPort.on('message', ({ id, list, part, order, dropped }) => {
     if (dropped) return void lists.delete(id);
     if (list !== undefined) return void lists.set(id, [...(lists.get(id) ?? []), ...part]);
     if (order.run === 'die') process.exit(7);
     if (order.run === 'fail') parentPort.postMessage({ id, failure: { name: 'TypeError', message: 'no', stack: 'at' } });
     else parentPort.postMessage({ id, answer: { threadId, trials: lists.get(id), orders: lists.size } });
     lists.delete(id);
   });`,
);
let thread: AnalysisThread;
beforeEach(() => (thread = new AnalysisThread(file)));
afterEach(() => thread.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Told {
  threadId: number;
  trials: number[];
  /** Number of orders (requests to the thread) of which the thread still stores list elements. */
  orders: number;
}

type List = readonly unknown[] | AsyncIterable<readonly unknown[]>;

const ask = (run: string, trials: List = [], by = thread): Promise<Told> => {
  const analyse = by.analyse as unknown as (...order: unknown[]) => ReturnType<Analysis>;
  return analyse('report', { run }, { trials }) as Promise<unknown> as Promise<Told>;
};

test('lists of any length arrive completely and in order, even if several are sent at once', async () => {
  const of = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
  const answers = await Promise.all([ask('', of(1234)), ask('', of(0)), ask('', of(51))]);
  expect(answers.map(({ trials }) => trials)).toEqual([of(1234), of(0), of(51)]);
  expect(new Set(answers.map(({ threadId }) => threadId)).size).toBe(1);
});

test('a list is sent in parts while it is being read, and the parts of a list that fails are dropped', async () => {
  async function* read(fails: boolean): AsyncGenerator<number[]> {
    yield [1, 2];
    await new Promise((resolve) => setTimeout(resolve, 10));
    if (fails) throw new Error('cannot be read');
    yield [3];
  }
  await expect(ask('', read(true))).rejects.toThrow('cannot be read');
  expect(await ask('', read(false))).toMatchObject({ trials: [1, 2, 3], orders: 1 });
});

test('other work of the event loop continues while a long list is sent', async () => {
  let turns = 0;
  const each = setInterval(() => (turns += 1), 0);
  await ask('', Array(100_000).fill({ some: 'object' }));
  clearInterval(each);
  expect(turns).toBeGreaterThan(10);
});

test('an error in the thread rejects its order and no other', async () => {
  const [failed, done] = await Promise.allSettled([ask('fail'), ask('', [1])]);
  expect(failed).toMatchObject({
    status: 'rejected',
    reason: { name: 'TypeError', message: 'no', stack: 'at' },
  });
  expect(done).toMatchObject({ status: 'fulfilled', value: { trials: [1] } });
});

test('an order that cannot be sent is rejected, and no other is', async () => {
  await expect(ask('', [() => undefined])).rejects.toThrow('could not be cloned');
  expect((await ask('', [1])).trials).toEqual([1]);
});

test('a thread that ends early rejects its orders, and a new thread executes later ones', async () => {
  const first = await ask('');
  await expect(ask('die')).rejects.toMatchObject({ code: 'analysis.ended' });
  expect((await ask('')).threadId).not.toBe(first.threadId);
});

test('an idle thread ends after a while, and starts again when it is needed', async () => {
  const idle = new AnalysisThread(file, 0);
  const { threadId } = await ask('', [], idle);
  await until('the thread is ended', () => (idle as unknown as { worker: unknown }).worker === undefined);
  expect((await ask('', [], idle)).threadId).not.toBe(threadId);
  await idle.close();
});

test('after close, running and new orders are rejected', async () => {
  const running = Promise.allSettled([ask('', Array(1000).fill(1))]);
  await thread.close();
  expect(await running).toMatchObject([{ status: 'rejected', reason: { code: 'analysis.ended' } }]);
  await expect(ask('')).rejects.toMatchObject({ code: 'analysis.ended' });
});
