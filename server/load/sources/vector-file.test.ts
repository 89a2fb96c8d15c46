import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Batch } from './batch';
import { openVectors } from './vector-file';
import { readQueries, VectorSource } from './vectors';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-vectors-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const written = (name: string, content: Uint8Array | string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
};
const fvecs = (...rows: number[][]): Buffer =>
  Buffer.concat(
    rows.map((row) => {
      const bytes = Buffer.alloc(4 + 4 * row.length);
      bytes.writeInt32LE(row.length, 0);
      row.forEach((value, at) => bytes.writeFloatLE(value, 4 + 4 * at));
      return bytes;
    }),
  );
/** Returns bytes in the format of `numpy.save`. */
const npy = (type: string, shape: string, data: Buffer, order = 'False'): Buffer => {
  const header = `{'descr': '${type}', 'fortran_order': ${order}, 'shape': ${shape}, }`.padEnd(117) + '\n';
  const prelude = Buffer.from('\x93NUMPY\x01\x00\x00\x00', 'latin1');
  prelude.writeUInt16LE(header.length, 8);
  return Buffer.concat([prelude, Buffer.from(header, 'latin1'), data]);
};
const rowsOf = (file: string, field = 'embedding'): number[][] => {
  const opened = openVectors({ file, field });
  const rows = Array.from({ length: opened.count }, (_, number) => {
    const row = new Float32Array(opened.dimensions);
    opened.read(number, row, 0);
    return [...row];
  });
  opened.close();
  return rows;
};

const ROWS = [
  [1, -0.5, 0.25],
  [0, 2, 65_504],
];

test('the same vectors are read of every kind of file', () => {
  const flat = ROWS.flat();
  const floats = Buffer.from(Float32Array.from(flat).buffer);
  const doubles = Buffer.from(Float64Array.from(flat).buffer);
  const halves = Buffer.from(Uint16Array.of(0x3c00, 0xb800, 0x3400, 0, 0x4000, 0x7bff).buffer);
  expect(rowsOf(written('a.fvecs', fvecs(...ROWS)))).toEqual(ROWS);
  expect(rowsOf(written('a.npy', npy('<f4', '(2, 3)', floats)))).toEqual(ROWS);
  expect(rowsOf(written('b.npy', npy('<f8', '(2, 3)', doubles)))).toEqual(ROWS);
  expect(rowsOf(written('c.npy', npy('<f2', '(2, 3)', halves)))).toEqual(ROWS);
  expect(rowsOf(written('a.ndjson', `${ROWS.map((row) => JSON.stringify(row)).join('\n')}\n\n`))).toEqual(
    ROWS,
  );
  const nested = ROWS.map((row) => JSON.stringify({ a: { b: row } })).join('\n');
  expect(rowsOf(written('b.ndjson', nested), 'a.b')).toEqual(ROWS);
});

test.each([
  ['none.fvecs', null, 'does not exist'],
  [
    'cut.fvecs',
    fvecs(...ROWS).subarray(0, 30),
    'has a size that is not a multiple of a vector with 3 dimensions',
  ],
  [
    'wide.fvecs',
    Buffer.from(Int32Array.of(1_000_000, 0).buffer),
    'has vectors that Elasticsearch does not take',
  ],
  ['nan.fvecs', fvecs([1, NaN]), 'vector 0 (from 0) contains a number that JSON cannot represent'],
  ['other.npy', 'PK', 'is no .npy: its first bytes are others'],
  ['column.npy', npy('<f4', '(2, 3)', Buffer.alloc(24), 'True'), 'is no matrix that can be read row by row'],
  ['whole.npy', npy('<i4', '(2, 3)', Buffer.alloc(24)), 'is no matrix that can be read row by row'],
  ['cut.npy', npy('<f4', '(2, 3)', Buffer.alloc(20)), 'ends before the last of its 2 vectors'],
  ['bad.ndjson', '[1,2]\n[1,', 'is not JSON'],
  ['short.ndjson', '[1,2]\n[1]', 'has a vector of another length than the first line'],
  ['field.ndjson', '{"v":[1]}', 'has no vector in embedding'],
  ['empty.ndjson', '\n', 'holds no vectors'],
])('%s is refused in a sentence that names it', (name, content, message) => {
  const file = content === null ? path.join(folder, name) : written(name, content);
  expect(() => rowsOf(file)).toThrow(message);
  expect(() => rowsOf(file)).toThrow(name);
});

const SET = {
  kind: 'generated',
  dimensions: 2,
  clusters: 2,
  spread: 1,
  normalise: true,
  seed: 1,
} as const;
const documents = (source: VectorSource, docs: number): { ordinal: number; embedding: number[] }[] => {
  const batch = new Batch();
  source.fill(batch, { docs, bytes: Infinity });
  const lines = batch.bytes.toString('utf8', 0, batch.length).trim().split('\n');
  return lines.flatMap((line, at) => (at % 2 === 1 ? [JSON.parse(line) as never] : []));
};

test('the shares of a number of documents make each one once, and continue in turns', () => {
  const job = { kind: 'vectors', set: SET, field: 'embedding' } as const;
  const first = new VectorSource(job, {
    share: { index: 0, of: 2 },
    documents: { from: 0, until: 3, of: 5 },
  });
  const second = new VectorSource(job, {
    share: { index: 1, of: 2 },
    documents: { from: 3, until: 5, of: 5 },
  });
  expect(documents(first, 5).map(({ ordinal }) => ordinal)).toEqual([0, 1, 2, 5, 7]);
  expect(documents(second, 4).map(({ ordinal }) => ordinal)).toEqual([3, 4, 6, 8]);
  const uncounted = new VectorSource(job, { share: { index: 1, of: 3 } });
  const made = documents(uncounted, 2);
  expect(made.map(({ ordinal }) => ordinal)).toEqual([1, 4]);
  expect(made[0]!.embedding).toHaveLength(2);
});

test('documents of an .ndjson keep their fields beside their numbers', () => {
  const file = written('d.ndjson', '{"tag":"x","embedding":[1,2]}\n{ "embedding": [3,4] }\n');
  const set = { kind: 'file', file, field: 'embedding' } as const;
  const source = new VectorSource(
    { kind: 'vectors', set, field: 'embedding' },
    { share: { index: 0, of: 1 } },
  );
  expect(documents(source, 10)).toEqual([
    { ordinal: 0, tag: 'x', embedding: [1, 2] },
    { ordinal: 1, embedding: [3, 4] },
  ]);
});

test('queries are written as JSON, of a file no more than asked for', () => {
  const file = written('q.fvecs', fvecs(...ROWS));
  const { count, textOf } = readQueries({ kind: 'file', file, field: '' }, 1);
  expect(count).toBe(1);
  expect(JSON.parse(textOf(0))).toEqual(ROWS[0]);
});
