import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { Batch } from './batch';
import { checkSource } from './check';
import { FileSource } from './file';
import { ACTION_LINE } from './source';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dyno-source-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const NOW = Date.UTC(2026, 0, 1);

function write(name: string, content: string | Buffer): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** Returns a valid zstd frame of raw blocks, which are not compressed. */
function zstd(content: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])];
  for (let at = 0; at < content.length; at += 1000) {
    const block = content.subarray(at, at + 1000);
    const header = (block.length << 3) | (at + 1000 >= content.length ? 1 : 0);
    parts.push(Buffer.from([header & 255, (header >> 8) & 255, (header >> 16) & 255]), block);
  }
  return Buffer.concat(parts);
}

interface Options {
  format?: 'ndjson' | 'lines';
  share?: { index: number; of: number };
  limit?: { docs: number; bytes: number };
}

/** Reads all documents of the file. Also returns the size of each batch. */
async function read(
  file: string,
  { format = 'ndjson', share = { index: 0, of: 1 }, limit }: Options = {},
): Promise<{
  documents: unknown[];
  sizes: number[];
}> {
  const broken: unknown[] = [];
  const source = new FileSource(
    { kind: 'file', file, format, repeat: false },
    { share, actionLine: ACTION_LINE, onBroken: (error) => broken.push(error) },
  );
  const batch = new Batch();
  const documents: unknown[] = [];
  const sizes: number[] = [];
  for (;;) {
    const filled = source.fill(batch, limit ?? { docs: 7, bytes: Infinity }, NOW);
    if (filled === 'waiting') {
      await new Promise<void>((resolve) => {
        source.whenReady(resolve);
      });
      continue;
    }
    const lines = batch.body().toString('utf8').split('\n').slice(0, -1);
    for (let i = 0; i < lines.length; i += 2) {
      expect(lines[i]).toBe('{"index":{}}');
      documents.push(JSON.parse(lines[i + 1]!));
    }
    sizes.push(batch.length);
    batch.clear();
    if (filled === 'ended') break;
  }
  source.close();
  if (broken.length > 0) throw broken[0];
  return { documents, sizes };
}

const numbered = (count: number): { n: number; text: string }[] =>
  Array.from({ length: count }, (_, n) => ({ n, text: 'ä'.repeat(n % 50) }));
const ndjson = (documents: unknown[], end = '\n'): string =>
  documents.map((document) => JSON.stringify(document) + end).join('');

test('reads plain, gzip and zstd files alike', async () => {
  const documents = numbered(3000);
  const content = Buffer.from(ndjson(documents));
  for (const file of [
    write('a.json', content),
    write('a.json.gz', gzipSync(content)),
    write('a.json.zst', zstd(content)),
    write(
      'two-frames.json.zst',
      Buffer.concat([zstd(content.subarray(0, 5000)), zstd(content.subarray(5000))]),
    ),
  ]) {
    expect((await read(file)).documents).toEqual(documents);
  }
});

test('a last line without line feed, carriage returns, blank lines and a byte order mark do no harm', async () => {
  const file = write('a.json', `\uFEFF{"n":1}\r\n\r\n   \n {"n":2} \r\n{"n":3}`);
  expect((await read(file)).documents).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('shares take turns and together read every line once', async () => {
  const documents = numbered(100);
  const file = write('a.json', ndjson(documents));
  const parts = await Promise.all([0, 1, 2].map((index) => read(file, { share: { index, of: 3 } })));
  expect(parts[1]!.documents.slice(0, 2)).toEqual([documents[1], documents[4]]);
  const all = parts.flatMap((part) => part.documents) as { n: number }[];
  expect(all.map(({ n }) => n).sort((a, b) => a - b)).toEqual(documents.map(({ n }) => n));
});

test('batches by bytes lose no document between them', async () => {
  const documents = numbered(200);
  const file = write('a.json', ndjson(documents));
  const result = await read(file, { limit: { docs: Infinity, bytes: 500 } });
  expect(result.documents).toEqual(documents);
  expect(Math.max(...result.sizes)).toBeLessThanOrEqual(500);
});

test('plain lines become documents with their time, whatever they hold', async () => {
  const lines = ['GET "/a\\b"', 'tab\there', 'ünïcode', '\u0001control'];
  const file = write(
    'a.log',
    Buffer.concat([Buffer.from(lines.join('\n')), Buffer.from([10, 0x66, 0xfc, 0x72, 10])]),
  );
  const { documents } = await read(file, { format: 'lines' });
  expect(documents).toEqual(
    [...lines, 'f\uFFFDr'].map((message) => ({ '@timestamp': '2026-01-01T00:00:00.000Z', message })),
  );
});

test('a line that is no object ends the source and is named', async () => {
  const file = write('a.json', '{"n":1}\n\n[1,2]\n{"n":3}\n');
  await expect(read(file)).rejects.toMatchObject({
    kind: 'run',
    problems: [{ code: 'source.corrupt-line', path: `${file}:3` }],
  });
});

describe('the check before a run', () => {
  const code = (file: string, format: 'ndjson' | 'lines' = 'ndjson'): Promise<unknown> =>
    checkSource(file, format).then(
      () => 'fine',
      (error: unknown) => error,
    );

  test('reports the number of documents and their size', async () => {
    const file = write('a.json', '{"n":1}\n{"n":222}\n');
    expect(await checkSource(file, 'ndjson')).toEqual({ documents: 2, documentBytes: 8, fileBytes: 18 });
  });

  test('reads no more than the first thousand documents', async () => {
    const file = write('a.json', `${ndjson(numbered(1000))}broken\n`);
    expect((await checkSource(file, 'ndjson')).documents).toBe(1000);
  });

  test('names what is wrong, with file and line', async () => {
    const input = (problemCode: string, where: string): object => ({
      kind: 'input',
      problems: [expect.objectContaining({ code: problemCode, path: where })],
    });
    const missing = path.join(folder, 'none.json');
    expect(await code(missing)).toMatchObject(input('source.missing', missing));
    expect(await code(folder)).toMatchObject(input('source.unreadable', folder));
    const empty = write('empty.json', '\n\n');
    expect(await code(empty)).toMatchObject(input('source.empty', empty));
    const packed = write('a.json.bz2', 'BZh9');
    expect(await code(packed)).toMatchObject(input('source.unknown-compression', packed));
    const corrupt = write('a.json', '{"n":1}\n{"n":\n');
    expect(await code(corrupt)).toMatchObject(input('source.corrupt-line', `${corrupt}:2`));
    const noObject = write('b.json', '"text"\n');
    expect(await code(noObject)).toMatchObject(input('source.corrupt-line', `${noObject}:1`));
    const gzip = write('a.json.gz', 'this is no gzip');
    expect(await code(gzip)).toMatchObject(input('source.unreadable', gzip));
    const cut = write('cut.json.gz', gzipSync(ndjson(numbered(500))).subarray(0, 300));
    expect(await code(cut)).toMatchObject({ kind: 'input' });
    const noZstd = write('a.json.zst', 'this is no zstd');
    expect(await code(noZstd)).toMatchObject(input('source.unreadable', noZstd));
  });

  test('any line is a document where lines are asked for', async () => {
    expect(await code(write('a.log', 'anything\n'), 'lines')).toBe('fine');
  });
});
