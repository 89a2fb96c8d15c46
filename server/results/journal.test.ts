import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type * as promises from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { Journal } from './journal';
import type { StoredDocument } from './stored';

let diskIsFull: () => boolean = () => false;
let keepsFiles = false;
let onSync: () => void = () => undefined;
const syncs: string[] = [];
jest.mock('node:fs/promises', () => {
  const real = jest.requireActual<typeof promises>('node:fs/promises');
  const failed = (code: string): Error => Object.assign(new Error('the disk refuses it'), { code });
  return {
    ...real,
    async open(file: string, flags: string, mode?: number) {
      const handle = await real.open(file, flags, mode);
      if (!/^(a|wx)/.test(flags)) return handle;
      const sync = handle.sync.bind(handle);
      const datasync = handle.datasync.bind(handle);
      const refuse = async (): Promise<void> => {
        syncs.push(path.basename(file));
        onSync();
        if (diskIsFull()) throw failed('ENOSPC');
      };
      handle.sync = async () => refuse().then(sync);
      handle.datasync = async () => refuse().then(datasync);
      return handle;
    },
    async rm(file: string, options: object) {
      if (keepsFiles && file.endsWith('.ndjson')) throw failed('EROFS');
      await real.rm(file, options);
    },
  };
});

let folder: string;
const lost: [number, string][] = [];
const refused: unknown[] = [];
const aJournal = (boundBytes = 1e6): Journal =>
  new Journal({
    folder,
    boundBytes,
    onLost: (documents, why) => lost.push([documents, why]),
    onRefused: (error) => refused.push((error as NodeJS.ErrnoException).code),
  });

const sample = (number: number): StoredDocument => ({ index: 's', id: `${number}`, source: { number } });
const run = (id: string, version: number): StoredDocument => ({
  index: 'r',
  id,
  version,
  source: { version },
});
const samples = (from: number, to: number): StoredDocument[] =>
  Array.from({ length: to - from }, (_, offset) => sample(from + offset));

async function keep(journal: Journal, documents: readonly StoredDocument[]): Promise<void> {
  for (const document of documents) journal.append(document);
  await journal.commit();
}

/** Takes all documents from the journal, in order. */
async function drain(journal: Journal): Promise<StoredDocument[]> {
  const documents: StoredDocument[] = [];
  for (let portion = await journal.take(); portion; portion = await journal.take()) {
    documents.push(...portion.documents);
    await journal.settle(portion, []);
  }
  return documents;
}

/** Renames the only folder, so that it looks like the folder of a dead process. */
function orphan(pid = 2 ** 22 + 1): string {
  const [name] = readdirSync(folder);
  const random = name!.split('~').at(-1);
  const orphaned = path.join(folder, `${hostname()}~${pid}~${random}`);
  renameSync(path.join(folder, name!), orphaned);
  return orphaned;
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dyno-journal-'));
  for (const list of [lost, refused, syncs]) list.splice(0);
  diskIsFull = () => false;
  keepsFiles = false;
  onSync = () => undefined;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('an empty journal leaves nothing on disk', async () => {
  const journal = aJournal();
  await journal.commit();
  expect(readdirSync(folder)).toEqual([]);
  await keep(journal, samples(0, 3));
  expect(readdirSync(folder)).toHaveLength(1);
  await drain(journal);
  await journal.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('documents since the last group are written and synced at once, samples before states', async () => {
  const journal = aJournal(256 * 1024 ** 2);
  const [older] = [run('a', 1), ...samples(0, 400)].map((document) => journal.append(document));
  const newer = journal.append(run('a', 2));
  expect([older!, newer].map((one) => journal.isSafe(one))).toEqual([false, false]);
  await Promise.all([journal.commit(), journal.commit()]);
  expect([older!, newer].map((one) => journal.isSafe(one))).toEqual([true, true]);
  expect(journal.count()).toBe(401);
  expect(syncs.map((name) => name.split('.')[1])).toEqual(['samples', 'documents']);
  expect(await drain(journal)).toEqual([run('a', 2), ...samples(0, 400)]);
  await journal.close();
});

test('runs and trials come out first, then samples in their order', async () => {
  const journal = aJournal();
  await keep(journal, samples(0, 2));
  await keep(journal, [run('a', 1)]);
  await keep(journal, samples(2, 4));
  expect(journal.count()).toBe(5);
  expect(await drain(journal)).toEqual([run('a', 1), ...samples(0, 4)]);
  await journal.close();
});

test('only the newest state of a run waits', async () => {
  const journal = aJournal();
  for (const version of [1, 2, 3]) await keep(journal, [run('a', version), run('b', version)]);
  expect(await drain(journal)).toEqual([run('a', 3), run('b', 3)]);
  await journal.close();
});

test('a state that is added while the one before is being sent remains', async () => {
  const journal = aJournal();
  await keep(journal, [run('a', 1)]);
  const portion = await journal.take();
  await keep(journal, [run('a', 2)]);
  expect(journal.count()).toBe(1);
  expect(journal.newestVersion(run('a', 1))).toBe(2);
  await journal.settle(portion!, portion!.documents);
  expect(await drain(journal)).toEqual([run('a', 2)]);
  await journal.close();
});

test('a state on disk remains until the newer one is on disk too', async () => {
  const journal = aJournal();
  await keep(journal, [run('a', 1)]);
  const second = journal.append(run('a', 2));
  let third: typeof second | undefined;
  // The third state is added while the previous one is being written.
  onSync = () => (third ??= journal.append(run('a', 3)));
  await journal.commit();
  expect([second, third!].map((one) => journal.isSafe(one))).toEqual([true, false]);
  expect(journal.count()).toBe(1);
  await journal.commit();
  expect(await drain(journal)).toEqual([run('a', 3)]);
  await journal.close();
});

test('documents that could not be sent remain, the others are removed', async () => {
  const journal = aJournal();
  await keep(journal, samples(0, 5));
  const portion = await journal.take();
  await keep(journal, samples(5, 7));
  await journal.settle(portion!, samples(3, 5));
  expect(journal.count()).toBe(4);
  expect(await drain(journal)).toEqual(samples(3, 7));
  await journal.close();
});

test('beyond the limit the oldest samples are dropped, counted and reported; runs never are', async () => {
  const journal = aJournal(20_000);
  await keep(journal, [run('a', 1)]);
  for (let number = 0; number < 1000; number++) await keep(journal, [sample(number)]);
  const gone = lost.reduce((sum, [documents]) => sum + documents, 0);
  expect(gone).toBeGreaterThan(0);
  expect(lost[0]![1]).toContain('the spool is full');
  expect(await drain(journal)).toEqual([run('a', 1), ...samples(gone, 1000)]);
  await journal.close();
});

test('beyond the limit the newest samples remain, even if all came at once', async () => {
  const journal = aJournal(20_000);
  await keep(journal, samples(0, 2000));
  const gone = lost.reduce((sum, [documents]) => sum + documents, 0);
  expect(gone).toBeLessThan(2000);
  expect(await drain(journal)).toEqual(samples(gone, 2000));
  await journal.close();
});

test('a large document counts as several samples, so few of them fill the memory', async () => {
  diskIsFull = () => true;
  const journal = aJournal();
  const mb = 1024 ** 2;
  for (let number = 0; number < 200; number++) journal.append(sample(number), 0, mb);
  const gone = lost.reduce((sum, [documents]) => sum + documents, 0);
  // 20,000 samples of 4 KB have about 80 MB.
  expect(journal.inMemory).toHaveLength(78);
  expect(gone).toBe(122);
  await journal.close();
});

test('large documents are written to files of limited size', async () => {
  const journal = aJournal(256 * 1024 ** 2);
  const large = (number: number): StoredDocument => ({
    ...sample(number),
    source: { number, text: 'x'.repeat(1024 ** 2) },
  });
  const documents = [0, 1, 2, 3, 4, 5].map(large);
  for (const document of documents) journal.append(document, undefined, 1024 ** 2);
  await journal.commit();
  const sizes: number[] = [];
  for (let portion = await journal.take(); portion; portion = await journal.take()) {
    sizes.push(portion.segment.bytes);
    await journal.settle(portion, []);
  }
  expect(sizes.length).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThan(6 * 1024 ** 2);
  await journal.close();
});

test('on a full disk the oldest samples make room for a run', async () => {
  const journal = aJournal(20_000);
  for (let number = 0; number < 100; number++) await keep(journal, [sample(number)]);
  diskIsFull = () => lost.length === 0;
  await keep(journal, [run('a', 1)]);
  expect(lost).toEqual([[expect.any(Number), expect.stringContaining('the disk is full')]]);
  expect(journal.held).toBe(0);
  await journal.close();
});

describe('where the disk refuses documents', () => {
  test('they are sent from memory, and written once the disk takes them', async () => {
    const journal = aJournal();
    await keep(journal, samples(0, 2));
    diskIsFull = () => true;
    await keep(journal, [...samples(2, 4), run('b', 1)]);
    const newer = journal.append(run('b', 2));
    await journal.commit();
    expect(journal.isSafe(newer)).toBe(false);
    // Samples on disk were dropped to free space, but the space was not sufficient.
    expect([journal.held, journal.count(), refused]).toEqual([3, 0, ['ENOSPC']]);
    const state = await journal.take();
    expect(state!.documents).toEqual([run('b', 2)]);
    await journal.settle(state!, []);
    expect(journal.isSafe(newer)).toBe(true);
    const portion = await journal.take();
    expect(portion!.documents).toEqual(samples(2, 4));
    await journal.settle(portion!, samples(3, 4));
    expect(journal.held).toBe(1);
    diskIsFull = () => false;
    await journal.commit();
    expect([journal.held, journal.count()]).toEqual([0, 1]);
    expect(await drain(journal)).toEqual(samples(3, 4));
    expect(await journal.close()).toEqual([]);
  });

  test('nothing is appended to a line that was written only in part', async () => {
    const journal = aJournal();
    await keep(journal, samples(0, 2));
    diskIsFull = () => true;
    await keep(journal, samples(2, 4));
    diskIsFull = () => false;
    await keep(journal, samples(4, 5));
    expect(await drain(journal)).toEqual(samples(0, 5));
    expect(lost).toEqual([]);
    await journal.close();
  });

  test('a state newer than the one that is being sent from memory remains', async () => {
    const journal = aJournal();
    diskIsFull = () => true;
    await keep(journal, [run('a', 1)]);
    const portion = await journal.take();
    await keep(journal, [run('a', 2)]);
    await journal.settle(portion!, portion!.documents);
    expect(await journal.close()).toEqual([run('a', 2)]);
  });

  test('samples that come while others are being written are not lost', async () => {
    const journal = aJournal();
    for (let number = 0; number < 300; number++) {
      journal.append(sample(number));
      if (number % 3 === 0) void journal.commit();
      if (number % 5 === 0) await Promise.resolve();
      if (number % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await journal.commit();
    expect(await drain(journal)).toEqual(samples(0, 300));
    await journal.close();
  });

  test('the oldest samples are lost and counted if memory holds too many; states never are', async () => {
    const journal = aJournal();
    diskIsFull = () => true;
    await keep(journal, [run('a', 1), ...samples(0, 20_100)]);
    const gone = lost.reduce((sum, [documents]) => sum + documents, 0);
    expect(gone).toBeGreaterThanOrEqual(100);
    expect(await journal.close()).toEqual([run('a', 1), ...samples(gone, 20_100)]);
  });
});

test('a file that cannot be removed is not sent again, and is removed later', async () => {
  const journal = aJournal();
  await keep(journal, [run('a', 1), ...samples(0, 3)]);
  keepsFiles = true;
  expect(await drain(journal)).toHaveLength(4);
  expect(await drain(journal)).toEqual([]);
  expect(journal.isEmpty).toBe(true);
  keepsFiles = false;
  await journal.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('the documents of a dead process are adopted, a living process keeps its own', async () => {
  const dead = aJournal();
  await keep(dead, samples(0, 3));
  await keep(dead, [run('a', 1)]);
  orphan();
  const living = aJournal();
  await keep(living, samples(7, 9));

  const next = aJournal();
  expect(await next.adoptLeftovers()).toBe(4);
  expect(await next.adoptLeftovers()).toBe(0);
  const first = await next.take();
  expect([first!.segment.since, first!.documents]).toEqual([-Infinity, [run('a', 1)]]);
  await next.settle(first!, []);
  expect(await drain(next)).toEqual(samples(0, 3));
  expect(await drain(living)).toEqual(samples(7, 9));
  await Promise.all([living.close(), next.close()]);
});

test('of two states of a run from a killed process, only the newest is adopted', async () => {
  const left = path.join(folder, `${hostname()}~${2 ** 22 + 1}~0123456789ab`);
  mkdirSync(left);
  for (const version of [1, 2])
    writeFileSync(path.join(left, `0000000${version}.documents.ndjson`), JSON.stringify(run('a', version)));
  const next = aJournal();
  expect(await next.adoptLeftovers()).toBe(1);
  expect(await drain(next)).toEqual([run('a', 2)]);
  await next.close();
});

test('a folder that this process closed with documents in it is adopted too', async () => {
  const first = aJournal();
  await keep(first, samples(0, 3));
  await first.close();
  const next = aJournal();
  expect(await next.adoptLeftovers()).toBe(3);
  expect(await drain(next)).toEqual(samples(0, 3));
  await next.close();
});

test('a line truncated by a crash is counted as lost, and the others are kept', async () => {
  const dead = aJournal();
  await keep(dead, samples(0, 3));
  const orphaned = orphan();
  appendFileSync(path.join(orphaned, readdirSync(orphaned)[0]!), '{"index":"s","id":"3","sou');
  const next = aJournal();
  expect(await next.adoptLeftovers()).toBe(3);
  expect(lost).toEqual([[1, expect.stringContaining('truncated')]]);
  expect(await drain(next)).toEqual(samples(0, 3));
  await next.close();
});

test('removed files are counted as lost, and do not delay other documents', async () => {
  const journal = aJournal();
  await keep(journal, samples(0, 3));
  rmSync(path.join(folder, readdirSync(folder)[0]!), { recursive: true });
  expect(await drain(journal)).toEqual([]);
  expect(lost).toEqual([[3, expect.stringContaining('cannot be read')]]);
  expect(journal.count()).toBe(0);
  await journal.close();
});

test('a process whose folder was adopted while it was suspended continues in a new one', async () => {
  const suspended = aJournal();
  await keep(suspended, samples(0, 3));
  orphan();
  const other = aJournal();
  expect(await other.adoptLeftovers()).toBe(3);
  await keep(suspended, [run('a', 1)]);
  expect([suspended.held, suspended.count()]).toEqual([0, 1]);
  expect(lost).toEqual([[3, expect.stringContaining('folder of the spool is gone')]]);
  expect(await drain(suspended)).toEqual([run('a', 1)]);
  expect(await drain(other)).toEqual(samples(0, 3));
  await Promise.all([suspended.close(), other.close()]);
});

test('lines without index and id are reported as lost, and the rest is stored', async () => {
  const first = aJournal();
  await keep(first, [run('a', 1)]);
  const left = orphan();
  const [name] = readdirSync(left);
  const odd = [null, 1, [], {}, { index: 'r', id: 'b', version: {}, source: {} }, { index: 'r', id: 'c' }];
  appendFileSync(path.join(left, name!), odd.map((value) => `${JSON.stringify(value)}\n`).join(''));
  const second = aJournal();
  expect(await second.adoptLeftovers()).toBe(1);
  expect(lost.map(([documents]) => documents)).toEqual([odd.length]);
  expect(await drain(second)).toEqual([run('a', 1)]);
  await second.close();
});
