import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { TrafficHeader } from '../../common/traffic/record';
import { headerLine, recordLine } from './form/lines';
import { END_BYTES, HEAD_BYTES, packMember, readMember, type Member } from './form/members';
import { summarizeTraffic } from './read-traffic';
import { madeFolder, madeRecord, readAll, utf8 } from './testing/made-records';
import { TrafficWriter, type TrafficWriterOptions } from './writer';

const at = madeFolder();
const RECORDS = 60;

/** Writes a file with blocks of ten records, and returns its bytes and the places of its members. */
async function written(
  name: string,
  options: TrafficWriterOptions = {},
): Promise<{ bytes: Buffer; members: (Member & { offset: number })[] }> {
  const writer = await TrafficWriter.open(
    at(name),
    { startedAt: 5, origin: 'record', share: 1 },
    {
      blockBytes: 1700,
      ...options,
    },
  );
  for (let order = 0; order < RECORDS; order += 1)
    await writer.write(madeRecord({ order, at: order, body: utf8(`{"n":${1000 + order}}`.padEnd(64)) }));
  await writer.close();
  const bytes = readFileSync(at(name));
  const members = [];
  for (let offset = 0; offset < bytes.length;) {
    const member = readMember(bytes, offset)!;
    members.push({ ...member, offset });
    offset += member.bytes;
  }
  return { bytes, members };
}

/**
 * Reads a file with these bytes. `orders`: numbers (`order`) of the records that could be read. `lost`: the losses that the reader reports.
 */
async function readBytes(name: string, bytes: Buffer): Promise<{ orders: number[]; lost: string[] }> {
  writeFileSync(at(name), bytes);
  const { records, lost } = await readAll(at(name));
  return { orders: records.map(({ order }) => order), lost };
}

const ordersWithout = (from: number, to: number): number[] =>
  Array.from({ length: RECORDS }, (_, order) => order).filter((order) => order < from || order >= to);

/** Returns the bytes with some of them inverted. */
function inverted(bytes: Buffer, from: number, length: number): Buffer {
  const copy = Buffer.from(bytes);
  for (let place = from; place < from + length; place += 1) copy[place] = copy[place]! ^ 0xff;
  return copy;
}

const withoutIndex = (bytes: Buffer, members: (Member & { offset: number })[]): Buffer =>
  bytes.subarray(0, members.find(({ kind }) => kind === 'index')!.offset);

const UNFINISHED = '1 file not finished: the recorder was killed, or is still recording';

test('a file without its index is walked', async () => {
  const { bytes, members } = await written('walk.traffic.gz');
  const { orders, lost } = await readBytes('walked.traffic.gz', withoutIndex(bytes, members));
  expect(orders).toEqual(ordersWithout(0, 0));
  expect(lost).toEqual([UNFINISHED]);
});

test.each(['with', 'without'])('a damaged block is counted and the rest is read, %s index', async (index) => {
  const { bytes, members } = await written(`damaged-${index}.traffic.gz`);
  const block = members[3]!;
  expect(block.records).toBeGreaterThan(5);
  const whole = index === 'with' ? bytes : withoutIndex(bytes, members);
  const broken = inverted(whole, block.offset + HEAD_BYTES + 20, 5);
  const { orders, lost } = await readBytes(`broken-${index}.traffic.gz`, broken);
  expect(orders).toEqual(ordersWithout(block.firstAt, block.lastAt + 1));
  expect(lost.filter((text) => text !== UNFINISHED)).toEqual([
    '1 block damaged',
    `${block.records} requests lost in damaged blocks`,
  ]);
});

test('with an index, a damaged head of a block costs nothing but the block', async () => {
  const { bytes, members } = await written('head.traffic.gz');
  const block = members[3]!;
  const { orders, lost } = await readBytes('head2.traffic.gz', inverted(bytes, block.offset, 4));
  expect(orders).toEqual(ordersWithout(block.firstAt, block.lastAt + 1));
  expect(lost).toEqual(['1 block damaged', `${block.records} requests lost in damaged blocks`]);
});

test('without an index, a block with a damaged head is missing and the reader finds the next', async () => {
  const { bytes, members } = await written('seek.traffic.gz');
  const block = members[3]!;
  const broken = inverted(withoutIndex(bytes, members), block.offset, 30);
  const { orders, lost } = await readBytes('seek2.traffic.gz', broken);
  expect(orders).toEqual(ordersWithout(block.firstAt, block.lastAt + 1));
  expect(lost).toEqual(['1 block missing', UNFINISHED]);
});

test('a wrong length in the head of a block does not hide the blocks after it', async () => {
  const { bytes, members } = await written('length.traffic.gz');
  const block = members[3]!;
  const broken = Buffer.from(withoutIndex(bytes, members));
  broken.writeUInt32LE(block.bytes + members[4]!.bytes + 7, block.offset + HEAD_BYTES - 30 + 2);
  const { orders } = await readBytes('length2.traffic.gz', broken);
  expect(orders).toEqual(ordersWithout(0, 0));
});

test('bytes that were removed or added in the middle cost one block', async () => {
  const { bytes, members } = await written('middle.traffic.gz');
  const { offset, firstAt, lastAt, records } = members[3]!;
  const lost = ['1 block damaged', `${records} requests lost in damaged blocks`];
  const shorter = Buffer.concat([bytes.subarray(0, offset + 100), bytes.subarray(offset + 117)]);
  const expected = ordersWithout(firstAt, lastAt + 1);
  const read = await readBytes('shorter.traffic.gz', shorter);
  expect(read.orders).toEqual(expected);
  expect(read.lost).toEqual(expect.arrayContaining(lost));
  const longer = Buffer.concat([bytes.subarray(0, offset), Buffer.alloc(5000, 7), bytes.subarray(offset)]);
  expect((await readBytes('longer.traffic.gz', longer)).orders).toEqual(ordersWithout(0, 0));
});

test('wherever a file ends, all complete blocks are read', async () => {
  const { bytes, members } = await written('cut.traffic.gz');
  for (let end = members[0]!.bytes; end < bytes.length; end += 97) {
    const complete = members.filter(({ offset, bytes: length }) => offset + length <= end);
    const { orders } = await readBytes('cut2.traffic.gz', bytes.subarray(0, end));
    expect(orders).toHaveLength(complete.reduce((sum, { records }) => sum + records, 0));
  }
});

test('the index replaces a damaged header', async () => {
  const { bytes } = await written('start.traffic.gz');
  const { orders } = await readBytes('start2.traffic.gz', inverted(bytes, 0, 80));
  expect(orders).toEqual(ordersWithout(0, 0));
});

test('a further file that is a symbolic link is not read', async () => {
  await written('links.traffic.gz', { rotateBytes: 1200 });
  const whole = await readAll(at('links.traffic.gz'));
  const [first, second] = (await summarizeTraffic(at('links.traffic.gz'))).files as [string, string];
  expect(second).toBe(at('links.2.traffic.gz'));
  renameSync(second, at('elsewhere.gz'));
  symlinkSync(at('elsewhere.gz'), second);
  const { records, lost, examples } = await readAll(first);
  expect(records.length).toBeLessThan(whole.records.length);
  expect(lost).toContain('1 symbolic link to further files not followed');
  expect(examples).toContain(second);
});

test('files without any header are refused', async () => {
  const { bytes, members } = await written('none.traffic.gz');
  writeFileSync(at('none2.traffic.gz'), inverted(withoutIndex(bytes, members), 0, 80));
  await expect(readAll(at('none2.traffic.gz'))).rejects.toThrow(/its header is damaged/);
  await expect(readAll(at('absent.traffic.gz'))).rejects.toThrow(/does not exist/);
});

test('concatenated files are read one after the other', async () => {
  const { bytes } = await written('double.traffic.gz');
  const { orders, lost } = await readBytes('double2.traffic.gz', Buffer.concat([bytes, bytes]));
  expect(orders).toHaveLength(2 * RECORDS);
  expect(lost).toEqual([UNFINISHED]);
});

test('a later file of a recording is read alone, and the earlier ones are reported', async () => {
  await written('later.traffic.gz', { rotateBytes: 600 });
  const { records, lost } = await readAll(at('later.3.traffic.gz'));
  expect(records.length).toBeGreaterThan(0);
  expect(lost).toEqual(['2 earlier files of the recording not read; name the first one to read all']);
});

test('a missing or foreign file of a recording is counted', async () => {
  await written('parts.traffic.gz', { rotateBytes: 600 });
  const all = await summarizeTraffic(at('parts.traffic.gz'));
  expect(all.files.length).toBeGreaterThan(3);
  rmSync(at('parts.2.traffic.gz'));
  const { records, lost, examples } = await readAll(at('parts.traffic.gz'));
  expect(records.length).toBeLessThan(RECORDS);
  expect(lost).toEqual(['1 file missing']);
  expect(examples).toEqual([`before ${at('parts.3.traffic.gz')}`]);
  const other = await TrafficWriter.open(at('other.traffic.gz'), {
    startedAt: 6,
    origin: 'record',
    share: 1,
  });
  await other.close();
  copyFileSync(at('other.traffic.gz'), at('parts.2.traffic.gz'));
  expect((await readAll(at('parts.traffic.gz'))).lost).toEqual([
    '1 file of another recording ignored',
    '1 file missing',
  ]);
});

test('records come in the order of their times, though a slow answer ended later', async () => {
  const writer = await TrafficWriter.open(
    at('order.traffic.gz'),
    { startedAt: 5, origin: 'record', share: 1 },
    { blockBytes: 400 },
  );
  for (let time = 1; time < 40; time += 1) await writer.write(madeRecord({ order: time, at: time }));
  await writer.write(madeRecord({ connection: 2, at: 3 }));
  await writer.close();
  const { records } = await readAll(at('order.traffic.gz'));
  expect(records.map((each) => each.at)).toEqual([
    1,
    2,
    3,
    3,
    ...Array.from({ length: 36 }, (_, i) => i + 4),
  ]);
  expect(records.slice(2, 4).map(({ connection }) => connection)).toEqual([1, 2]);
});

test('a body without all of its parts is left out and counted', async () => {
  const writer = await TrafficWriter.open(
    at('body.traffic.gz'),
    { startedAt: 5, origin: 'record', share: 1 },
    { blockBytes: 10 },
  );
  writer.appendPart(1, 0, Buffer.alloc(5000, 'a'));
  writer.append(madeRecord());
  writer.appendPart(3, 0, utf8('forgotten'));
  writer.forget(3, 0);
  writer.append(madeRecord({ connection: 2, at: 1 }));
  await writer.close();
  const bytes = readFileSync(at('body.traffic.gz'));
  const part = readMember(bytes, readMember(bytes)!.bytes)!;
  const broken = inverted(bytes, readMember(bytes)!.bytes + part.bytes - 6, 2);
  writeFileSync(at('body2.traffic.gz'), broken);
  const { records, lost, examples } = await readAll(at('body2.traffic.gz'));
  expect(records.map(({ connection }) => connection)).toEqual([2]);
  expect(lost).toEqual(['1 block damaged', '1 request left out, because a part of the body is missing']);
  expect(examples.at(-1)).toBe('POST /shop/_search');
});

test('malformed lines are counted with their places', async () => {
  const header: TrafficHeader = {
    ...{ 'dyno-traffic': 1, startedAt: 5, origin: 'record', share: 1 },
    ...{ part: 1, droppedBefore: 0 },
  };
  const lines = ['{"connection":', '7', '{"connection":1,"order":0,"at":-1,"method":"GET","path":"/"}'];
  const block = Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), recordLine(madeRecord())]);
  const nothing = { records: 0, firstAt: 0, lastAt: 0 };
  writeFileSync(
    at('lines.traffic.gz'),
    await packMember(headerLine(header), { kind: 'header', number: 0, ...nothing }, 3),
  );
  appendFileSync(
    at('lines.traffic.gz'),
    await packMember(block, { kind: 'block', number: 1, ...nothing, records: 1 }, 3),
  );
  const { records, lost, examples } = await readAll(at('lines.traffic.gz'));
  expect(records).toHaveLength(1);
  expect(lost).toEqual([UNFINISHED, '3 entries malformed']);
  expect(examples.slice(1)).toEqual([
    'lines.traffic.gz, block 1, line 1: it is not a JSON object',
    'lines.traffic.gz, block 1, line 2: it is not a JSON object',
    'lines.traffic.gz, block 1, line 3: at: Too small: expected number to be >=0',
  ]);
});

test('the end is a member of fixed size', async () => {
  const { members } = await written('end.traffic.gz');
  expect(members.map(({ kind }) => kind)).toEqual([
    'header',
    ...members.slice(1, -2).map(() => 'block'),
    'index',
    'end',
  ]);
  expect(members.at(-1)!.bytes).toBe(END_BYTES);
});
