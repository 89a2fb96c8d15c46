import { appendFileSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { Spool } from './spool';
import type { StoredDocument } from './stored';
import type { writeWhole } from '../whole-file';

let diskIsFull: () => boolean = () => false;
jest.mock('../whole-file', () => {
  const real = jest.requireActual<{ writeWhole: typeof writeWhole }>('../whole-file');
  return {
    writeWhole: async (file: string, text: string) => {
      if (diskIsFull()) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      await real.writeWhole(file, text);
    },
  };
});

let folder: string;
const lost: [number, string][] = [];
const aSpool = (boundBytes = 1e6): Spool =>
  new Spool({ folder, boundBytes, onLost: (documents, why) => lost.push([documents, why]) });

const sample = (number: number): StoredDocument => ({ index: 's', id: `${number}`, source: { number } });
const run = (id: string, version: number): StoredDocument => ({
  index: 'r',
  id,
  version,
  source: { version },
});
const samples = (from: number, to: number): StoredDocument[] =>
  Array.from({ length: to - from }, (_, offset) => sample(from + offset));

/** Takes everything out, in order. */
async function drain(spool: Spool): Promise<StoredDocument[]> {
  const documents: StoredDocument[] = [];
  for (let portion = await spool.take(); portion; portion = await spool.take()) {
    documents.push(...portion.documents);
    await spool.settle(portion, []);
  }
  return documents;
}

/** Makes the only folder look like that of a process that is dead. */
function orphan(pid = 2 ** 22 + 1): string {
  const [name] = readdirSync(folder);
  const random = name!.split('~').at(-1);
  const orphaned = path.join(folder, `${hostname()}~${pid}~${random}`);
  renameSync(path.join(folder, name!), orphaned);
  return orphaned;
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dyno-spool-'));
  lost.splice(0);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('nothing is on disk before something waits, nor after', async () => {
  const spool = aSpool();
  expect(readdirSync(folder)).toEqual([]);
  await spool.append('samples', samples(0, 3));
  expect(readdirSync(folder)).toHaveLength(1);
  await drain(spool);
  await spool.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('runs and trials come out first, then samples in their order', async () => {
  const spool = aSpool();
  await spool.append('samples', samples(0, 2));
  await spool.append('documents', [run('a', 1)]);
  await spool.append('samples', samples(2, 4));
  expect(spool.count).toBe(5);
  expect(await drain(spool)).toEqual([run('a', 1), ...samples(0, 4)]);
  await spool.close();
});

test('of a run only the newest state waits', async () => {
  const spool = aSpool();
  for (const version of [1, 2, 3]) await spool.append('documents', [run('a', version), run('b', version)]);
  expect(await drain(spool)).toEqual([run('a', 3), run('b', 3)]);
  await spool.close();
});

test('a state that came while the one before was being sent outlives it', async () => {
  const spool = aSpool();
  await spool.append('documents', [run('a', 1)]);
  const portion = await spool.take();
  await spool.append('documents', [run('a', 2)]);
  await spool.settle(portion!, portion!.documents);
  expect(await drain(spool)).toEqual([run('a', 2)]);
  await spool.close();
});

test('what could not be sent stays, what was is forgotten', async () => {
  const spool = aSpool();
  await spool.append('samples', samples(0, 5));
  const portion = await spool.take();
  await spool.append('samples', samples(5, 7));
  await spool.settle(portion!, samples(3, 5));
  expect(spool.count).toBe(4);
  expect(await drain(spool)).toEqual(samples(3, 7));
  await spool.close();
});

test('over the bound the oldest samples go, are counted and told; runs never go', async () => {
  const spool = aSpool(20_000);
  await spool.append('documents', [run('a', 1)]);
  for (let number = 0; number < 1000; number++) await spool.append('samples', [sample(number)]);
  const gone = lost.reduce((sum, [documents]) => sum + documents, 0);
  expect(gone).toBeGreaterThan(0);
  expect(lost[0]![1]).toContain('the spool is full');
  expect(await drain(spool)).toEqual([run('a', 1), ...samples(gone, 1000)]);
  await spool.close();
});

test('on a full disk the oldest samples make room for a run; without any its caller is told', async () => {
  const spool = aSpool(20_000);
  for (let number = 0; number < 100; number++) await spool.append('samples', [sample(number)]);
  diskIsFull = () => lost.length === 0;
  await spool.append('documents', [run('a', 1)]);
  expect(lost).toEqual([[expect.any(Number), expect.stringContaining('the disk is full')]]);
  diskIsFull = () => true;
  await expect(spool.append('documents', [run('b', 1)])).rejects.toMatchObject({ code: 'ENOSPC' });
  diskIsFull = () => false;
  expect(await drain(spool)).toEqual([run('a', 1)]);
  await spool.close();
});

test('what a dead process left behind is adopted, a living one keeps its own', async () => {
  const dead = aSpool();
  await dead.append('samples', samples(0, 3));
  await dead.append('documents', [run('a', 1)]);
  orphan();
  const living = aSpool();
  await living.append('samples', samples(7, 9));

  const next = aSpool();
  expect(await next.adoptLeftovers()).toBe(4);
  expect(await next.adoptLeftovers()).toBe(0);
  expect(await drain(next)).toEqual([run('a', 1), ...samples(0, 3)]);
  expect(await drain(living)).toEqual(samples(7, 9));
  await Promise.all([living.close(), next.close()]);
});

test('what this process itself closed with something in it is adopted too', async () => {
  const first = aSpool();
  await first.append('samples', samples(0, 3));
  await first.close();
  const next = aSpool();
  expect(await next.adoptLeftovers()).toBe(3);
  expect(await drain(next)).toEqual(samples(0, 3));
  await next.close();
});

test('a line that was cut off by a crash is counted as lost, and the others are kept', async () => {
  const dead = aSpool();
  await dead.append('samples', samples(0, 3));
  const orphaned = orphan();
  appendFileSync(path.join(orphaned, readdirSync(orphaned)[0]!), '{"index":"s","id":"3","sou');
  const next = aSpool();
  expect(await next.adoptLeftovers()).toBe(3);
  expect(lost).toEqual([[1, expect.stringContaining('cut off')]]);
  expect(await drain(next)).toEqual(samples(0, 3));
  await next.close();
});

test('files that somebody removed are counted as lost and hold nothing up', async () => {
  const spool = aSpool();
  await spool.append('samples', samples(0, 3));
  rmSync(path.join(folder, readdirSync(folder)[0]!), { recursive: true });
  expect(await drain(spool)).toEqual([]);
  expect(lost).toEqual([[3, expect.stringContaining('cannot be read')]]);
  expect(spool.count).toBe(0);
  await spool.close();
});

test('what stands in a file and names no place is told as lost, and the rest is stored', async () => {
  const first = aSpool();
  await first.append('documents', [run('a', 1)]);
  const left = orphan();
  const [name] = readdirSync(left);
  const odd = [null, 1, [], {}, { index: 'r', id: 'b', version: {}, source: {} }, { index: 'r', id: 'c' }];
  appendFileSync(path.join(left, name!), odd.map((value) => `${JSON.stringify(value)}\n`).join(''));
  const second = aSpool();
  expect(await second.adoptLeftovers()).toBe(1);
  expect(lost.map(([documents]) => documents)).toEqual([odd.length]);
  expect(await drain(second)).toEqual([run('a', 1)]);
  await second.close();
});
