import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { until } from '../../test/support/until';
import { createFile, type OutputFile } from './file-part';
import { summarizeTraffic } from './read-traffic';
import { madeFolder, madeRecord, readAll, utf8 } from './testing/made-records';
import { PART_BYTES, TrafficWriter, type TrafficWriterOptions } from './writer';

const at = madeFolder();
const ABOUT = { startedAt: 1_764_000_000_000, origin: 'record', share: 1 } as const;
const opened = (name: string, options: TrafficWriterOptions = {}): Promise<TrafficWriter> =>
  TrafficWriter.open(at(name), ABOUT, options);

/**
 * Returns a function for the writer's option `create`. While `isFull()` returns true, the created files write only half of the bytes and
 * then fail.
 */
const fullDisk =
  (isFull: () => boolean) =>
  async (file: string): Promise<OutputFile> => {
    const real = await createFile(file);
    return {
      write: async (bytes, offset, length, position) => {
        if (!isFull()) return real.write(bytes, offset, length, position);
        await real.write(bytes, offset, Math.floor(length / 2), position);
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      },
      truncate: (length) => real.truncate(length),
      datasync: () => real.datasync(),
      close: () => real.close(),
    };
  };

test('all parts of a record survive', async () => {
  const writer = await opened('all.traffic.gz');
  const records = [
    madeRecord({
      ...{ connection: 7, at: 12, query: 'a=b%20c', encoding: 'gzip', client: '10.0.0.1' },
      answer: {
        ...{ status: 200, durationUs: 1234, bytes: 99 },
        facts: {
          ...{
            total: 3,
            hits: 3,
            isLowerBound: true,
            items: 1,
            failedItems: 0,
            found: true,
            result: 'created',
          },
          ...{ timedOut: false, failedShards: 0, error: 'x', scrollId: 's', pitId: 'p', generatedIds: ['g'] },
          versions: [{ index: 'shop', id: '1', seqNo: 5, primaryTerm: 1 }],
        },
      },
    }),
    madeRecord({ order: 1, at: 13, body: null, contentType: '', answer: null }),
    madeRecord({
      order: 2,
      at: 14,
      body: utf8(''),
      answer: { status: 0, durationUs: 0, bytes: 0, facts: null },
    }),
    madeRecord({ order: 3, at: 15, body: Buffer.from([0xff, 0, 0xfe]) }),
    madeRecord({ order: 4, at: 16, body: utf8('\uFEFF{"a":"\u0000\u2028🐒\uFDD0"}\r\n') }),
  ];
  for (const record of records) expect(writer.append(record)).toBe(true);
  await writer.close();
  const read = await readAll(at('all.traffic.gz'));
  expect(read.lost).toEqual([]);
  const plain = (each: unknown): unknown => JSON.parse(JSON.stringify(each)) as unknown;
  expect(plain([...read.records].sort((a, b) => a.at - b.at))).toEqual(
    plain(records.map((each) => ({ ...each, body: each.body === null ? null : Buffer.from(each.body) }))),
  );
});

test('every tool that reads gzip reads the lines', async () => {
  const writer = await opened('zcat.traffic.gz', { blockBytes: 500 });
  for (let order = 0; order < 50; order += 1) writer.append(madeRecord({ order, at: order }));
  await writer.close();
  const bytes = readFileSync(at('zcat.traffic.gz'));
  const lines = gunzipSync(bytes).toString().trimEnd().split('\n');
  expect(lines).toHaveLength(52);
  expect(lines.map((line) => typeof JSON.parse(line))).toEqual(lines.map(() => 'object'));
  expect(JSON.parse(lines[0]!)).toMatchObject({ 'dyno-traffic': 1, part: 1, droppedBefore: 0 });
  expect(
    execFileSync('gzip', ['-dc', at('zcat.traffic.gz')])
      .toString()
      .trimEnd(),
  ).toBe(lines.join('\n'));
});

test('a long body is written in parts, and no part cuts a character', async () => {
  const writer = await opened('long.traffic.gz');
  const body = utf8(`{"text":"${'é'.repeat(PART_BYTES)}🐒"}`);
  const pieces = [body.subarray(0, 1_000_000), body.subarray(1_000_000, 2_000_000)];
  for (const piece of pieces) expect(writer.appendPart(1, 0, piece)).toBe(true);
  writer.append(madeRecord({ body: body.subarray(2_000_000) }));
  writer.append(madeRecord({ order: 1, at: 1, body }));
  await writer.close();
  const { records } = await readAll(at('long.traffic.gz'));
  expect(records.map((record) => Buffer.compare(record.body!, body))).toEqual([0, 0]);
  const text = gunzipSync(readFileSync(at('long.traffic.gz'))).toString();
  expect(text).not.toContain('bodyBase64');
});

test('a body of 90 MB passes in pieces without waiting in memory', async () => {
  const writer = await opened('huge.traffic.gz', { queueBytes: 8 * PART_BYTES });
  const piece = Buffer.alloc(PART_BYTES, 'a');
  for (let part = 0; part < 90; part += 1) {
    await until('room in the queue', () => writer.totals.queuedBytes < 4 * PART_BYTES);
    expect(writer.appendPart(1, 0, piece)).toBe(true);
  }
  writer.append(madeRecord({ body: utf8('end') }));
  await writer.close();
  const { records } = await readAll(at('huge.traffic.gz'));
  expect(records[0]!.body).toHaveLength(90 * PART_BYTES + 3);
});

test('a new file begins at the given size, and the name of the first file reads all', async () => {
  const writer = await opened('shop.traffic.gz', { rotateBytes: 2000, blockBytes: 1000 });
  for (let order = 0; order < 200; order += 1) await writer.write(madeRecord({ order, at: order }));
  const { files } = await writer.close();
  expect(files.length).toBeGreaterThan(2);
  expect(files.slice(0, 2)).toEqual([at('shop.traffic.gz'), at('shop.2.traffic.gz')]);
  const { records, lost } = await readAll(at('shop.traffic.gz'));
  expect(lost).toEqual([]);
  expect(records.map(({ order }) => order)).toEqual(Array.from({ length: 200 }, (_, order) => order));
  const second = await readAll(at('shop.2.traffic.gz'));
  expect(second.records.length).toBeLessThan(200);
  expect(await summarizeTraffic(at('shop.traffic.gz'))).toMatchObject({
    ...{ records: 200, lastAt: 199, files, lost: [] },
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
  });
});

test('a block is written a short time after its first record', async () => {
  const writer = await opened('soon.traffic.gz', { blockMs: 20 });
  writer.append(madeRecord());
  await until('the block is on disk', () => writer.totals.records === 1);
  expect(writer.totals.queuedBytes).toBe(0);
  await writer.close();
});

test('records that the disk cannot take are dropped and counted', async () => {
  const writer = await opened('slow.traffic.gz', { queueBytes: 5000, blockBytes: 2000 });
  const taken = Array.from({ length: 100 }, (_, order) => writer.append(madeRecord({ order, at: order })));
  const kept = taken.filter(Boolean).length;
  expect(kept).toBeLessThan(100);
  expect(kept).toBeGreaterThan(10);
  expect(await writer.close()).toMatchObject({ records: kept, dropped: 100 - kept });
  const { records, lost } = await readAll(at('slow.traffic.gz'));
  expect(records).toHaveLength(kept);
  expect(lost).toEqual([
    `${100 - kept} requests dropped by the recorder, because its disk was too slow or full`,
  ]);
});

test('the record of a body with a dropped piece is dropped too', async () => {
  const writer = await opened('piece.traffic.gz', { queueBytes: 5000 });
  writer.append(madeRecord());
  expect(writer.appendPart(2, 0, Buffer.alloc(6000, 'a'))).toBe(false);
  expect(writer.append(madeRecord({ connection: 2, body: utf8('rest') }))).toBe(false);
  expect(await writer.close()).toMatchObject({ records: 1, dropped: 1 });
});

test('after an error of the disk, the same block is tried again, and nothing is lost', async () => {
  let isFull = false;
  const errors: string[] = [];
  const writer = await opened('full.traffic.gz', {
    ...{ blockBytes: 1000, rotateBytes: 3000, create: fullDisk(() => isFull) },
    onError: (error) => {
      errors.push(error.message);
      isFull = false;
    },
  });
  const send = (from: number): void => {
    for (let order = from; order < from + 20; order += 1) writer.append(madeRecord({ order, at: order }));
  };
  send(0);
  await until('blocks are on disk', () => writer.totals.records >= 15);
  isFull = true;
  send(20);
  await until('an error of the disk', () => errors.length === 1);
  send(40);
  await until('the block is on disk', () => writer.totals.records >= 50);
  expect(await writer.close()).toMatchObject({ records: 60, dropped: 0 });
  expect(errors).toEqual([expect.stringContaining('ENOSPC')]);
  const { records, lost } = await readAll(at('full.traffic.gz'));
  expect(records).toHaveLength(60);
  expect(lost).toEqual([]);
});

/** Length of a body that is longer than a part and longer than a block. */
const LONG = Buffer.alloc(1.5 * PART_BYTES, 'long ');

test.each([
  ['the disk is full for a while', false],
  ['the disk is still full at the end', true],
])(
  'records with long bodies count as on disk only if all their parts are, if %s',
  async (_when, isFullAtEnd) => {
    let isFull = false;
    let isError = false;
    const name = `parts-${isFullAtEnd}.traffic.gz`;
    const writer = await opened(name, {
      ...{ queueBytes: 8 * PART_BYTES, create: fullDisk(() => isFull) },
      onError: () => (isError = true),
    });
    let sent = 0;
    const send = (count: number): void => {
      for (; count > 0; count -= 1, sent += 1) {
        writer.appendPart(1, sent, LONG);
        writer.append(madeRecord({ order: sent, at: sent, body: LONG }));
      }
    };
    send(2);
    await until('they are on disk', () => writer.totals.records === 2);
    isFull = true;
    send(20);
    await until('an error of the disk', () => isError);
    isFull = isFullAtEnd;
    if (!isFullAtEnd) await until('the queue is on disk', () => writer.totals.queuedBytes === 0);
    const closed = writer.close();
    // When the block is given up, the disk has space again for the blocks after it.
    if (isFullAtEnd) setImmediate(() => (isFull = false));
    const { records: kept, dropped } = await closed;
    expect(kept + dropped).toBe(sent);
    expect(dropped).toBeGreaterThan(0);
    const { records, lost } = await readAll(at(name));
    expect(records).toHaveLength(kept);
    expect(lost.filter((text) => !text.includes('dropped by the recorder'))).toEqual([]);
  },
);

test('if the next file cannot be created, the current one is used further', async () => {
  const errors: string[] = [];
  const writer = await opened('one.traffic.gz', {
    ...{ blockBytes: 1000, rotateBytes: 2000 },
    create: (file) =>
      file.includes('.2.') ? Promise.reject(new Error('EMFILE: too many open files')) : createFile(file),
    onError: ({ message }) => errors.push(message),
  });
  for (let order = 0; order < 100; order += 1) await writer.write(madeRecord({ order, at: order }));
  expect(await writer.close()).toMatchObject({ records: 100, dropped: 0, files: [at('one.traffic.gz')] });
  expect(errors[0]).toContain('EMFILE');
  expect((await readAll(at('one.traffic.gz'))).records).toHaveLength(100);
});

test('without onError, the first error of the disk ends the writing', async () => {
  let isFull = false;
  const writer = await opened('strict.traffic.gz', { blockBytes: 100, create: fullDisk(() => isFull) });
  isFull = true;
  await writer.write(madeRecord());
  await expect(writer.close()).rejects.toThrow(/strict\.traffic\.gz: cannot be written: ENOSPC/);
});

test('a writer that waits loses nothing', async () => {
  const writer = await opened('wait.traffic.gz', { queueBytes: 3000, blockBytes: 500, blockMs: 10 });
  for (let order = 0; order < 300; order += 1) await writer.write(madeRecord({ order, at: order }));
  expect(await writer.close()).toMatchObject({ records: 300, dropped: 0 });
});

test('existing traffic is not overwritten', async () => {
  writeFileSync(at('taken.traffic.gz'), 'x');
  await expect(opened('taken.traffic.gz')).rejects.toThrow(/exists, and Dyno does not overwrite traffic/);
  writeFileSync(at('later.3.traffic.gz'), 'x');
  await expect(opened('later.traffic.gz')).rejects.toThrow(/later\.3\.traffic\.gz: exists/);
  await expect(opened('nowhere/a.traffic.gz')).rejects.toThrow(/nowhere: cannot be read/);
  expect(existsSync(at('later.traffic.gz'))).toBe(false);
});

test('only the owner can read the file', async () => {
  const writer = await opened('mode.traffic.gz');
  await writer.close();
  expect(statSync(at('mode.traffic.gz')).mode & 0o777).toBe(0o600);
});
