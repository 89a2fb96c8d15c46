import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { accountedFor, addReplay, noReplay, type ReplayAccount } from '../../../common/measurement/replay';
import type { LogRules } from '../../../common/replay/judge';
import { until } from '../../../test/support/until';
import { NOT_YET } from '../executors/due-times';
import { LogTimes } from '../operations/log-times';
import { ReplayLog, type LoggedSearch } from './replay-log';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-replay-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RULES: LogRules = {
  format: 'query-log',
  types: null,
  everyShard: false,
  timed: true,
  route: null,
  rewrite: new Set(),
  accept: new Set(),
};

/** Returns a line of a log. `ms`: its time in ms after an arbitrary moment. */
const line = (ms: number, body: object = { n: ms }, type = 'product'): string =>
  `${((1_451_880_953_000 + ms) / 1000).toFixed(3)}|${type}|${JSON.stringify(body)}`;

let files = 0;
const write = (lines: readonly string[], packed = false): string => {
  files += 1;
  const file = path.join(folder, `${files}.log${packed ? '.gz' : ''}`);
  const text = `${lines.join('\n')}\n`;
  writeFileSync(file, packed ? gzipSync(text) : text);
  return file;
};

interface Opened {
  log: ReplayLog;
  malformed: number[];
  broken: unknown[];
}

const open = (
  file: string,
  rules: Partial<LogRules> = {},
  share = { index: 0, of: 1 },
  repeat = false,
): Opened => {
  const malformed: number[] = [];
  const broken: unknown[] = [];
  const log = new ReplayLog(
    { source: { kind: 'file', file }, repeat, rules: { ...RULES, ...rules } },
    share,
    (error) => broken.push(error),
    ({ line: number }) => malformed.push(number),
  );
  return { log, malformed, broken };
};

/** Takes all searches, or `most`. */
async function takeAll(log: ReplayLog, most = Infinity): Promise<LoggedSearch[]> {
  const taken: LoggedSearch[] = [];
  while (taken.length < most && !log.exhausted) {
    const search = log.take();
    if (search !== null) taken.push(search);
    else await new Promise<void>((resolve) => log.whenReady(resolve));
  }
  return taken;
}

const bodies = (searches: readonly LoggedSearch[]): unknown[] =>
  searches.map(({ body }) => JSON.parse(body.toString('utf8')) as unknown);

const expectToAddUp = (account: ReplayAccount): void => expect(accountedFor(account)).toBe(account.lines);

test('gives every search with its time since the first one, and its body byte by byte', async () => {
  const file = write([line(0), '', line(250), line(1000.4, { text: 'a  "b" é' })]);
  const { log } = open(file);
  const searches = await takeAll(log);
  expect(searches.map(({ offset }) => Math.round(offset))).toEqual([0, 250, 1000]);
  expect(bodies(searches)[2]).toEqual({ text: 'a  "b" é' });
  expect(log.accounted()).toMatchObject({ lines: 3, sent: 3, malformed: 0 });
});

test('accounts for every line: types, malformed, refused and rewritten ones, with the first examples', async () => {
  const lines = [
    line(0),
    'rubbish',
    line(1, {}, 'suggest'),
    line(2, { query: { filtered: {} } }),
    line(3, { query: { query: { match_all: {} } } }),
    '1451880953.1|product|[]',
  ];
  const { log, malformed } = open(write(lines), {
    types: new Set(['product']),
    rewrite: new Set(['query-filter']),
  });
  const searches = await takeAll(log);
  expect(bodies(searches)).toEqual([{ n: 0 }, { query: { match_all: {} } }]);
  const account = log.accounted();
  expect(account).toMatchObject({
    lines: 6,
    sent: 2,
    otherType: 1,
    malformed: 2,
    refused: 1,
    rewritten: 1,
    rules: { 'query-filter': 1 },
    refusals: { filtered: 1 },
    refusedExamples: [{ line: 4, reason: 'is of an old version (filtered)' }],
  });
  expect(account.malformedExamples.map((example) => example.line)).toEqual([2, 6]);
  expect(malformed).toEqual([2, 6]);
  expectToAddUp(account);
});

test('bytes that are no UTF-8 are malformed, not sent as something else', async () => {
  const file = path.join(folder, 'latin1.log');
  writeFileSync(file, Buffer.concat([Buffer.from(line(0).slice(0, -1)), Buffer.from([0xe9, 0x7d, 10])]));
  const { log } = open(file);
  await takeAll(log);
  expect(log.accounted()).toMatchObject({ lines: 1, malformed: 1, sent: 0 });
});

test('shares divide the lines, agree on the first moment, and together have all of them once', async () => {
  const lines = Array.from({ length: 5000 }, (_, n) => (n % 7 === 3 ? `broken ${n}` : line(n * 2)));
  const file = write(['broken', line(0, {}, 'other'), ...lines], true);
  const rules = { types: new Set(['product']) };
  const shares = [0, 1, 2].map((index) => open(file, rules, { index, of: 3 }).log);
  const searches = (await Promise.all(shares.map((log) => takeAll(log)))).flat();
  const numbers = searches.map(({ body }) => (JSON.parse(body.toString()) as { n: number }).n);
  expect(searches.every(({ offset }, at) => Math.abs(offset - numbers[at]!) < 0.01)).toBe(true);
  expect([...numbers].sort((a, b) => a - b)).toEqual(
    lines.flatMap((text, n) => (text.startsWith('broken') ? [] : [n * 2])),
  );
  const account = shares.map((log) => log.accounted()).reduce(addReplay, noReplay());
  expect(account).toMatchObject({ lines: 5002, otherType: 1, malformed: 715 });
  expect(account.malformedExamples.map((example) => example.line)).toEqual([1, 6, 13, 20, 27]);
  expectToAddUp(account);
});

describe('lines that are out of order', () => {
  test('are put in order as far as the log is read ahead', async () => {
    const times = Array.from({ length: 3000 }, (_, n) => (n % 2 === 0 ? n + 150 : n));
    const { log } = open(write(times.map((time) => line(time))));
    const offsets = (await takeAll(log)).map(({ offset }) => offset);
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
    const account = log.accounted();
    expect(account.late).toBe(0);
    expect(account.outOfOrder).toBe(1500);
  });

  test('come at once when they belong further back, and are counted', async () => {
    const lines = [...Array.from({ length: 3000 }, (_, n) => line(1000 + n)), line(1000, { n: 'late' })];
    const { log } = open(write(lines));
    const searches = await takeAll(log);
    const place = bodies(searches).findIndex((body) => (body as { n: unknown }).n === 'late');
    // As far as reading ahead allows.
    expect(place).toBeGreaterThanOrEqual(1000);
    expect(searches[place]!.offset).toBe(searches[place - 1]!.offset);
    expect(log.accounted()).toMatchObject({ late: 1, outOfOrder: 1, lines: 3001, sent: 3001 });
  });

  test('before the first one are due with it', async () => {
    const { log } = open(write([line(500), line(100), line(900)]));
    expect((await takeAll(log)).map(({ offset }) => Math.round(offset))).toEqual([0, 0, 400]);
  });
});

test('each search has the routing that its body asks for; one without is not sent', async () => {
  const term = (key: unknown): object => ({ query: { term: { key } } });
  const { log } = open(write([line(0, term('a b')), line(1), line(2, term(7))]), { routing: 'key' });
  expect((await takeAll(log)).map(({ routing }) => routing)).toEqual(['a b', '7']);
  expect(log.accounted()).toMatchObject({ refused: 1, refusals: { 'no-routing': 1 } });
});

test('a line without a time cannot be paced by it; elsewhere it keeps its place', async () => {
  const file = write([
    '{"timestamp":1451880953,"body":{"n":0}}',
    '{"n":1}',
    '{"timestamp":1451880954,"body":{"n":2}}',
  ]);
  const timed = open(file, { format: 'ndjson' }).log;
  expect(bodies(await takeAll(timed))).toEqual([{ n: 0 }, { n: 2 }]);
  expect(timed.accounted()).toMatchObject({ refused: 1, refusals: { 'no-time': 1 } });
  const untimed = open(file, { format: 'ndjson', timed: false }).log;
  expect(bodies(await takeAll(untimed))).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
});

test('keeps its order where it is not the pace', async () => {
  const { log } = open(write([line(50), line(0), line(20)]), { timed: false });
  expect(bodies(await takeAll(log))).toEqual([{ n: 50 }, { n: 0 }, { n: 20 }]);
  expect(log.accounted()).toMatchObject({ outOfOrder: 2, late: 0 });
});

test('repeats in its order, and ends by itself when it holds nothing to send', async () => {
  const again = open(write([line(0), line(30), 'rubbish']), { timed: false }, undefined, true).log;
  const searches = await takeAll(again, 5);
  again.close();
  expect(bodies(searches)).toEqual([{ n: 0 }, { n: 30 }, { n: 0 }, { n: 30 }, { n: 0 }]);
  const offsets = searches.map(({ offset }) => offset);
  expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
  const nothing = open(write(['rubbish']), { timed: false }, undefined, true).log;
  expect(await takeAll(nothing)).toEqual([]);
});

test('a search of several indices is sent once, whatever thread reads its lines', async () => {
  const days = ['logs-1', 'logs-2', 'logs-3', 'logs-4'];
  const slow = (second: number, index: string): string =>
    `[2026-11-20T10:00:${String(second).padStart(2, '0')},000][WARN ][i.s.s.query] [n] [${index}][0] took[20ms], took_millis[20], search_type[QUERY_THEN_FETCH], total_shards[4], source[{"size":${second % 3}}], id[], `;
  const seconds = Array.from({ length: 10 }, (_, number) => 5 * number);
  const file = write(seconds.flatMap((second) => days.map((index) => slow(second, index))));
  for (const threads of [1, 3]) {
    const accounts: ReplayAccount[] = [];
    const offsets: number[] = [];
    for (let index = 0; index < threads; index += 1) {
      const { log } = open(file, { format: 'slow-log-text' }, { index, of: threads }, false);
      offsets.push(...(await takeAll(log)).map(({ offset }) => offset));
      accounts.push(log.accounted());
      log.close();
    }
    expect(offsets.sort((a, b) => a - b)).toEqual(seconds.map((second) => second * 1000));
    expect(accounts.reduce(addReplay, noReplay())).toMatchObject({ lines: 40, sent: 10, repeated: 30 });
  }
});

test('a file that cannot be read breaks the load', async () => {
  const { log, broken } = open(path.join(folder, 'none.log'));
  await until('its end', () => log.exhausted);
  expect(broken).toMatchObject([{ kind: 'run', problems: [{ code: 'source.unreadable' }] }]);
});

describe('as a schedule', () => {
  const opened = async (file: string, speed: number): Promise<{ log: ReplayLog; times: LogTimes }> => {
    const { log } = open(file);
    const times = await new Promise<LogTimes>((resolve) => {
      const made: LogTimes = new LogTimes(log, speed, () => resolve(made));
      if (made.due() !== NOT_YET) resolve(made);
    });
    return { log, times };
  };
  const takeUntil = async (log: ReplayLog, times: LogTimes, time: number): Promise<number> => {
    for (let taken = 0; ;) {
      const due = times.due();
      if (due === NOT_YET) await new Promise(setImmediate);
      else if (due >= time) return taken;
      else {
        times.taken(log.take()!);
        taken += 1;
      }
    }
  };

  test('a search is due at its recorded time, or so many times sooner', async () => {
    const file = write(Array.from({ length: 500 }, (_, n) => line(n * 10)));
    const { log, times } = await opened(file, 4);
    expect(await takeUntil(log, times, 1000)).toBe(400);
    expect(times.due()).toBeCloseTo(1000, 1);
    expect([times.dueBefore(1000), times.dueBefore(1100), times.dueBefore(Infinity)]).toEqual([
      400, 440, 500,
    ]);
    expect(await takeUntil(log, times, Infinity)).toBe(100);
    expect([times.dueBefore(0), times.dueBefore(1000), times.dueBefore(5000)]).toEqual([0, 400, 500]);
    expect(times.due()).toBe(Infinity);
  });

  test('what was due and never read is counted when the load ends', async () => {
    const file = write(Array.from({ length: 20_000 }, (_, n) => line(n)));
    const { log, times } = await opened(file, 1);
    expect(await takeUntil(log, times, 500)).toBe(500);
    const unsent: number[] = [];
    await new Promise<void>((resolve) => times.countOn(9000, resolve, (due) => unsent.push(due)));
    expect(unsent).toHaveLength(8500);
    expect([Math.min(...unsent), Math.max(...unsent)]).toEqual([500, 8999]);
    expect(times.dueBefore(9000)).toBe(9000);
    const account = log.accounted();
    expect(account.sent).toBe(500);
    expect(account.unsent).toBeGreaterThanOrEqual(8500);
    expectToAddUp(account);
  });
});
