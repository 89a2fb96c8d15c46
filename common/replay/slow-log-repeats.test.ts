import { SlowLogRepeats } from './slow-log-repeats';

const RULES = { format: 'slow-log', everyShard: false } as const;
const SECOND = 1000;

/** Returns a function that reports whether an entry repeats a search. `at`: start, in s. */
function reader(repeats = new SlowLogRepeats(RULES)) {
  return (index: string, at: number, { shards = 3, tookMs = 100, body = '{}' } = {}): boolean =>
    repeats.repeats('{}', { kind: 'search', time: at * SECOND, part: { index, shards, tookMs } }, body) !==
    null;
}

test('the entries of a search of several indices are one search', () => {
  const read = reader();
  expect(['a', 'b', 'c'].map((index) => read(index, 10))).toEqual([false, true, true]);
});

test('an index that occurs again belongs to the next search, also if both ran at the same time', () => {
  const read = reader();
  expect(['a', 'a', 'b', 'b', 'c', 'c'].map((index) => read(index, 10))).toEqual([
    false,
    false,
    true,
    true,
    true,
    true,
  ]);
});

test('entries of other times, bodies and numbers of shards are other searches', () => {
  const read = reader();
  expect([
    read('a', 10),
    read('b', 15),
    read('b', 10, { body: '{"size":1}' }),
    read('b', 10, { shards: 4 }),
  ]).toEqual([false, false, false, false]);
});

test('a slow shard connects the entries of a long search', () => {
  const read = reader();
  expect([read('a', 10, { tookMs: 8000 }), read('b', 17), read('c', 18.5)]).toEqual([false, true, true]);
});

test('the logs of several nodes may follow each other', () => {
  const read = reader();
  expect([10, 20, 30].map((at) => read('a', at))).toEqual([false, false, false]);
  expect([10, 20, 30, 40].map((at) => read('b', at))).toEqual([true, true, true, false]);
});

test('an index that alone has as many shards as the search is searched alone', () => {
  const repeats = new SlowLogRepeats(RULES);
  const read = reader(repeats);
  for (const index of ['a', 'b'])
    repeats.repeats('{}', { kind: 'repeated', shard: 2, part: { index, shards: 3, tookMs: 1 } }, '');
  expect([read('a', 10), read('b', 10)]).toEqual([false, false]);
  expect([read('a', 10, { shards: 6 }), read('b', 10, { shards: 6 })]).toEqual([false, true]);
});

test('entries without the number of their shard are one search up to its number of shards', () => {
  const repeats = new SlowLogRepeats(RULES);
  const read = (): boolean =>
    repeats.repeats('{}', { kind: 'search', time: 0, part: { shards: 3, tookMs: 1 } }, '{}') !== null;
  expect(Array.from({ length: 5 }, read)).toEqual([false, true, true, false, true]);
});

test('a log that is read again has the same searches', () => {
  const repeats = new SlowLogRepeats(RULES);
  const read = reader(repeats);
  const pass = (): boolean[] => [read('a', 10), read('b', 10)];
  expect(pass()).toEqual([false, true]);
  repeats.startAgain();
  expect(pass()).toEqual([false, true]);
});

test('the memory is limited', () => {
  const read = reader();
  for (let at = 0; at < 20_000; at += 1) expect(read('a', at, { body: `${at % 7000}` })).toBe(false);
  expect(read('b', 19_999, { body: `${19_999 % 7000}` })).toBe(true);
});

test('only entries about several shards concern later entries', () => {
  const repeats = new SlowLogRepeats(RULES);
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  expect(repeats.concerns(bytes('{}'))).toBe(true);
  reader(repeats)('a', 1);
  expect(
    [
      '{"elasticsearch.slowlog.total_shards":1,"x":2}',
      '{"total_shards": "1"}',
      'total_shards[1], source[{}]',
      '{"total_hits":"2 hits"}',
      '{"total_shards":12}',
      'total_shards[3], source[{"t":"total_shards[1]"}]',
      'source "total_shards":1, "total_shards": "5"',
    ].map((text) => repeats.concerns(bytes(text))),
  ).toEqual([false, false, false, false, true, true, true]);
  expect(new SlowLogRepeats({ ...RULES, everyShard: true }).concerns(bytes('total_shards[3]'))).toBe(false);
});
