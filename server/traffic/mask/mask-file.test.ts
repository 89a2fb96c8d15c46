import { gunzipSync } from 'node:zlib';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRandom } from '../../../common/random';
import type { TrafficRecord } from '../../../common/traffic/record';
import { madeFolder, madeRecord, readAll, utf8 } from '../../traffic-file/testing/made-records';
import { TrafficWriter } from '../../traffic-file/writer';
import { maskFile, maskingKey, type MaskFileOptions } from './mask-file';

const place = madeFolder();
const START = Date.UTC(2026, 2, 5);
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

/** Letters of texts in lower case. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Creates `count` distinct texts, numbers and dates, and requests that contain them. */
function madeShop(count: number): { texts: string[]; numbers: string[]; records: TrafficRecord[] } {
  const random = createRandom(7);
  const word = (length: number): string =>
    Array.from({ length }, () => LETTERS[random.below(LETTERS.length)]!).join('');
  const texts: string[] = [];
  const numbers: string[] = [];
  const text = (made: string): string => {
    texts.push(made);
    return made;
  };
  const records: TrafficRecord[] = [];
  const send = (path: string, body: string): void => {
    const order = records.length;
    records.push(madeRecord({ order, at: order * 1000, path, body: utf8(body), client: '192.168.7.9' }));
  };
  const document = (): Record<string, unknown> => {
    const number = 100_000 + random.below(900_000_000);
    numbers.push(String(number));
    return {
      name: text(`${word(9)} ${word(7)}`),
      email: text(`${word(8)}.${word(9)}@${word(8)}.example`),
      sku: text(`${word(4).toUpperCase()}-${1000 + random.below(9000)}-${word(6)}`),
      amount: number,
      day: text(
        new Date(START - random.below(1e6) * 86_400_0).toISOString().replace('Z', `${random.below(1000)}Z`),
      ),
    };
  };
  while (texts.length + numbers.length < count) {
    const one = document();
    const id = text(`${word(11)}`);
    send('/_bulk', `{"index":{"_index":"shop","_id":"${id}"}}\n${JSON.stringify(one)}\n`);
    send(
      '/shop/_search',
      JSON.stringify({
        query: {
          bool: {
            must: [{ match: { name: one['name'] } }],
            filter: [
              { term: { email: one['email'] } },
              { range: { amount: { gte: one['amount'] } } },
              { range: { day: { lte: one['day'] } } },
            ],
          },
        },
      }),
    );
    send(
      '/shop/_search',
      JSON.stringify({
        query: { query_string: { query: `sku:"${one['sku'] as string}" OR name:(${text(word(10))})` } },
        highlight: { fields: { name: {} } },
      }),
    );
  }
  return { texts, numbers, records };
}

test('none of 50,000 values is in the masked file, which has the same size within 10%', async () => {
  const { texts, numbers, records } = madeShop(50_000);
  const file = await fileOf('shop.traffic.gz', records);
  const result = await maskFile(file, place('masked.traffic.gz'), options());
  const before = gunzipSync(readFileSync(file)).toString();
  const after = gunzipSync(readFileSync(place('masked.traffic.gz'))).toString();
  expect(texts.length + numbers.length).toBeGreaterThanOrEqual(50_000);
  // Parts of values are searched too: whole values, their words, and dates with their times.
  const parts = (text: string): Set<string> => new Set(text.match(/[\w.:@-]+|\w+/g));
  const words = (text: string): Set<string> => new Set(text.match(/[a-z]+/gi));
  const [beforeParts, afterParts, afterWords] = [parts(before), parts(after), words(after)];
  const single = texts.filter((text) => !text.includes(' '));
  expect(single.filter((text) => !beforeParts.has(text))).toEqual([]);
  expect(single.filter((text) => afterParts.has(text))).toEqual([]);
  // By chance, a word of at least 7 letters is never the mask of another one here.
  const long = texts.flatMap((text) => text.match(/[a-z]{7,}/gi) ?? []).filter((word) => word !== 'example');
  expect(long.filter((word) => afterWords.has(word))).toEqual([]);
  // A masked number can be another number of the recording by chance, but not often.
  const found = numbers.filter((number) => afterParts.has(number));
  expect(found.length).toBeLessThan(numbers.length / 1000);
  expect(after).not.toContain('192.168.7.9');
  expect(result.requests).toEqual({ read: records.length, written: records.length, dropped: 0 });
  expect(result.bytes.after / result.bytes.before).toBeCloseTo(1, 1);
  const sizes = [file, place('masked.traffic.gz')].map((name) => readFileSync(name).length);
  expect(Math.abs(sizes[1]! / sizes[0]! - 1)).toBeLessThan(0.1);
}, 60_000);

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

test('a key that is missing or short is refused', async () => {
  writeFileSync(place('short.key'), 'short\n');
  await expect(maskingKey({ file: place('short.key') })).rejects.toThrow('too short');
  await expect(maskingKey({ file: place('missing.key') })).rejects.toThrow('cannot be read');
  await expect(maskingKey({ variable: 'DYNO_TEST_NO_SUCH_KEY' })).rejects.toThrow('has no key');
  expect(await maskingKey({})).toHaveLength(32);
});
