import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import type { DynoError } from '../../../common/problem';
import type { IngestJob } from '../../../common/tasks/ingest';
import { Batch } from '../sources/batch';
import { RenderedSource } from '../sources/rendered';
import { ACTION_LINE } from '../sources/source';
import { Reader } from './reader';

let folder = '';
let ports: MessagePort[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dyno-reader-'));
});
afterEach(() => {
  for (const port of ports) port.close();
  ports = [];
  rmSync(folder, { recursive: true });
});

function write(name: string, content: string | Buffer): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, n) => `${JSON.stringify({ n })}\n`).join('');

/** Reads bulks until the source ends or `most` bulks were read. Returns each bulk as the numbers of its documents. */
async function read(
  file: string,
  limit: IngestJob['bulk'],
  { repeat = false, most = Infinity }: { repeat?: boolean; most?: number } = {},
): Promise<{ bulks: number[][]; broken: unknown[] }> {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  const share = { index: 0, of: 1 };
  new Reader(
    { source: { kind: 'file', file, format: 'ndjson', repeat }, share, bulk: limit, actionLine: ACTION_LINE },
    port2,
  );
  const broken: unknown[] = [];
  const source = new RenderedSource([port1], share, (error) => broken.push(error));
  const batch = new Batch();
  const bulks: number[][] = [];
  while (bulks.length < most) {
    const filled = source.fill(batch, { docs: Infinity, bytes: Infinity, ...limit });
    if (filled === 'waiting') {
      await new Promise<void>((resolve) => source.whenReady(resolve));
      continue;
    }
    if (batch.count > 0) {
      const lines = batch.body().toString('utf8').split('\n').slice(0, -1);
      bulks.push(lines.filter((_, at) => at % 2 === 1).map((line) => (JSON.parse(line) as { n: number }).n));
    }
    batch.clear();
    if (filled === 'ended') break;
  }
  source.close();
  return { bulks, broken };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

test.each([
  ['whole bulks', { docs: 300 }, 300],
  ['bulks of few documents', { docs: 7 }, 7],
  ['one document at a time', { docs: 1 }, 1],
])('%s hold every document once, in order', async (_, limit, size) => {
  for (const file of [write('a.json', numbered(1000)), write('a.json.gz', gzipSync(numbered(1000)))]) {
    const { bulks, broken } = await read(file, limit);
    expect(bulks.flat()).toEqual(upTo(1000));
    expect(bulks.slice(0, -1).every(({ length }) => length === size)).toBe(true);
    expect(broken).toEqual([]);
  }
});

test('bulks of few bytes keep to them', async () => {
  const { bulks } = await read(write('a.json', numbered(500)), { bytes: 100 });
  expect(bulks.flat()).toEqual(upTo(500));
  // The lines `{"index":{}}` and `{"n":100}` with their line feeds have 23 bytes together.
  expect(new Set(bulks.map(({ length }) => length))).toEqual(new Set([4]));
});

test('a file that repeats begins again', async () => {
  const { bulks } = await read(write('a.json', numbered(300)), { docs: 256 }, { repeat: true, most: 4 });
  expect(bulks.flat().slice(0, 1000)).toEqual(upTo(1000).map((n) => n % 300));
});

test('lines before a wrong one are sent before the error', async () => {
  const file = write('a.json', `${numbered(600)}broken\n${numbered(10)}`);
  const { bulks, broken } = await read(file, { docs: 500 });
  expect(bulks.flat()).toEqual(upTo(600));
  expect((broken as DynoError[]).flatMap(({ problems }) => problems)).toMatchObject([
    { code: 'source.corrupt-line', path: `${file}:601` },
  ]);
});

test('a missing file is reported', async () => {
  const { bulks, broken } = await read(path.join(folder, 'none.json'), { docs: 500 });
  expect(bulks).toEqual([]);
  expect((broken as DynoError[]).flatMap(({ problems }) => problems)).toMatchObject([
    { code: 'source.unreadable' },
  ]);
});
