import { gunzipSync } from 'node:zlib';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TrafficRecord } from '../../../common/traffic/record';
import { madeFolder, madeRecord, readAll, utf8 } from '../../traffic-file/testing/made-records';
import { TrafficWriter } from '../../traffic-file/writer';
import { thisProcess } from '../../process-life';
import { isDraft, newDraft } from '../../whole-file';
import { madeValues, START, valuesIn } from './testing/made-values';
import { maskFile, maskingKey, type MaskFileOptions } from './mask-file';

const place = madeFolder();

/** Returns the names of the files of a copy: those with its final names, and its drafts. */
const filesOf = (to: string): string[] =>
  readdirSync(path.dirname(to)).filter((name) => name.startsWith(path.basename(to)));
const options = (given: Partial<MaskFileOptions> = {}): MaskFileOptions => ({
  ...{ fields: 'keep', indices: 'keep', keep: [], drop: [], key: Buffer.from('0123456789abcdef') },
  ...given,
});

async function fileOf(name: string, records: readonly TrafficRecord[]): Promise<string> {
  const file = place(name);
  const writer = await TrafficWriter.open(file, { startedAt: START, origin: 'record', share: 1 });
  for (const record of records) await writer.write(record);
  await writer.close();
  return file;
}

test('no value is in the masked file, which has the same size within 10%', async () => {
  const made = madeValues(5000);
  const { records } = made;
  const file = await fileOf('shop.traffic.gz', records);
  const result = await maskFile(file, place('masked.traffic.gz'), options());
  const [before, after] = [file, place('masked.traffic.gz')].map((name) =>
    gunzipSync(readFileSync(name)).toString(),
  );
  expect(valuesIn(before!, made).length).toBeGreaterThan(5000);
  expect(valuesIn(after!, made)).toEqual([]);
  expect(after).not.toContain('192.168.7.9');
  expect(result.requests).toEqual({ read: records.length, written: records.length, dropped: 0 });
  expect(result.bytes.after / result.bytes.before).toBeCloseTo(1, 1);
  const sizes = [file, place('masked.traffic.gz')].map((name) => readFileSync(name).length);
  expect(Math.abs(sizes[1]! / sizes[0]! - 1)).toBeLessThan(0.1);
});

test('the same key masks alike, another key differently, and the key is not in the file', async () => {
  const file = await fileOf('key.traffic.gz', [
    madeRecord({ body: utf8('{"query":{"match":{"a":"Berlin"}}}') }),
  ]);
  const keys = ['the first secret key', 'the first secret key', 'the other secret key'];
  const texts: string[] = [];
  for (const [at, key] of keys.entries()) {
    const to = place(`key-${at}.traffic.gz`);
    await maskFile(file, to, options({ key: Buffer.from(key) }));
    const text = gunzipSync(readFileSync(to)).toString();
    expect(text).not.toContain(key);
    texts.push(text);
  }
  expect(texts[0]).toBe(texts[1]);
  expect(texts[0]).not.toBe(texts[2]);
  expect(texts[0]).toContain('"origin":"mask"');
});

test('the start of the recording is shifted like the dates', async () => {
  const body = '{"day":"2026-03-05T00:00:00Z"}';
  const file = await fileOf('start.traffic.gz', [madeRecord({ path: '/shop/_doc', body: utf8(body) })]);
  await maskFile(file, place('start-masked.traffic.gz'), options());
  const lines = gunzipSync(readFileSync(place('start-masked.traffic.gz')))
    .toString()
    .split('\n');
  const { startedAt } = JSON.parse(lines[0]!) as { startedAt: number };
  const { records } = await readAll(place('start-masked.traffic.gz'));
  const { day } = JSON.parse(Buffer.from(records[0]!.body!).toString()) as { day: string };
  expect(new Date(startedAt).toISOString().replace('.000Z', 'Z')).toBe(day);
  expect(startedAt).toBeGreaterThan(START);
});

test('an existing file is not overwritten', async () => {
  const file = await fileOf('own.traffic.gz', [madeRecord()]);
  const before = readFileSync(file);
  await expect(maskFile(file, file, options())).rejects.toThrow('does not overwrite');
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('an interrupted masking removes what it wrote', async () => {
  const file = await fileOf('long.traffic.gz', [madeRecord()]);
  const to = place('long-masked.traffic.gz');
  await expect(maskFile(file, to, options({ signal: AbortSignal.abort(new Error('stop')) }))).rejects.toThrow(
    'stop',
  );
  expect(existsSync(to)).toBe(false);
});

test('a process that exits during the masking, as at a second Ctrl-C, leaves no copy', async () => {
  const file = await fileOf('exit.traffic.gz', [madeRecord()]);
  const to = place('exit-masked.traffic.gz');
  const others = process.listeners('exit');
  const { signal } = new AbortController();
  const seen: boolean[] = [];
  jest.spyOn(signal, 'throwIfAborted').mockImplementation(() => {
    seen.push(filesOf(to).some(isDraft));
    for (const listener of process.listeners('exit')) if (!others.includes(listener)) listener(3);
    seen.push(filesOf(to).length > 0);
  });
  // The draft was removed during the masking, so it cannot get its final name.
  await expect(maskFile(file, to, options({ signal }))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(seen.slice(0, 2)).toEqual([true, false]);
  expect(process.listeners('exit')).toEqual(others);
});

test('a masking that is interrupted while it writes removes what it wrote', async () => {
  const records = Array.from({ length: 20 }, (_, order) => madeRecord({ order, at: order }));
  const file = await fileOf('middle.traffic.gz', records);
  const to = place('middle-masked.traffic.gz');
  const stopped = new AbortController();
  let asked = 0;
  let during: string[] = [];
  const signal = new Proxy(stopped.signal, {
    get(target, key) {
      // This property is read once for each record in both readings.
      if (key === 'throwIfAborted' && (asked += 1) === records.length + 10) {
        during = filesOf(to);
        stopped.abort(new Error('stop'));
      }
      const found: unknown = Reflect.get(target, key, target);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
  await expect(maskFile(file, to, options({ signal }))).rejects.toThrow('stop');
  expect(during.map(isDraft)).toEqual([true]);
  expect(filesOf(to)).toEqual([]);
});

test('the next masking replaces the draft of a killed one', async () => {
  const file = await fileOf('killed.traffic.gz', [madeRecord()]);
  const to = place('killed-masked.traffic.gz');
  writeFileSync((await newDraft(to)).replace(thisProcess().instance, `${process.pid}-1`), 'half');
  await maskFile(file, to, options());
  expect(filesOf(to)).toEqual([path.basename(to)]);
});

test('all files of a large copy get their final names', async () => {
  const records = Array.from({ length: 200 }, (_, order) => madeRecord({ order, at: order }));
  const file = await fileOf('large.traffic.gz', records);
  const open = TrafficWriter.open.bind(TrafficWriter);
  jest
    .spyOn(TrafficWriter, 'open')
    .mockImplementation((draft, about) => open(draft, about, { rotateBytes: 1000, blockBytes: 1000 }));
  const to = place('large-masked.traffic.gz');
  const { written } = await maskFile(file, to, options());
  expect(written.files.slice(0, 2)).toEqual([to, place('large-masked.2.traffic.gz')]);
  expect((await readAll(to)).records).toHaveLength(200);
  expect(readdirSync(path.dirname(to)).filter(isDraft)).toEqual([]);
});

test('a file that appears under the name of the copy during the masking is not overwritten', async () => {
  const file = await fileOf('meanwhile.traffic.gz', [madeRecord()]);
  const to = place('meanwhile-masked.traffic.gz');
  const { signal } = new AbortController();
  jest.spyOn(signal, 'throwIfAborted').mockImplementation(() => writeFileSync(to, 'of somebody else'));
  await expect(maskFile(file, to, options({ signal }))).rejects.toThrow('does not overwrite');
  expect(filesOf(to)).toEqual([path.basename(to)]);
  expect(readFileSync(to, 'utf8')).toBe('of somebody else');
});

test('a key file is read as bytes, without line ends at its end', async () => {
  const bytes = Buffer.from(Array.from({ length: 16 }, (_, at) => 0xf0 + at));
  writeFileSync(place('bytes.key'), Buffer.concat([bytes, Buffer.from('\r\n')]));
  expect(Buffer.from(await maskingKey({ file: place('bytes.key') })).equals(bytes)).toBe(true);
  writeFileSync(place('short-bytes.key'), bytes.subarray(1));
  await expect(maskingKey({ file: place('short-bytes.key') })).rejects.toThrow('too short');
});

test('a key that is missing or short is refused', async () => {
  writeFileSync(place('short.key'), 'short\n');
  await expect(maskingKey({ file: place('short.key') })).rejects.toThrow('too short');
  await expect(maskingKey({ file: place('missing.key') })).rejects.toThrow('cannot be read');
  await expect(maskingKey({ variable: 'DYNO_TEST_NO_SUCH_KEY' })).rejects.toThrow('has no key');
  expect(await maskingKey({})).toHaveLength(32);
});
