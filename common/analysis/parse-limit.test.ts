import { noParseAccount, type ParserFigures, type ParseSummary } from '../measurement/parse';
import { microsecondsPerLine, parseLimit, parserShares } from './parse-limit';

/**
 * Returns the results of 2 parsers over a measured phase of 10 s, in which 4 clients sent requests. `busy`, `blocked`: shares of the
 * parsers' total time (20 s). `waited`: share of the clients' total time (40 s) for which they waited.
 */
const parsers = (busy: number, blocked: number, waited: number): ParserFigures => ({
  workers: 2,
  account: noParseAccount(),
  times: {
    lines: 1000,
    elapsedMs: 20_000,
    busyMs: busy * 20_000,
    cpuMs: busy * 10_000,
    blockedMs: blocked * 20_000,
    hungryMs: (1 - busy - blocked) * 20_000,
    slowestLineMs: 1,
  },
  senders: { occupiedMs: 40_000, waitedMs: waited * 40_000 },
});

const byWorkers = (...shares: [number, number, number]): ParseSummary => ({
  by: 'workers',
  parsers: parsers(...shares),
});

test.each<[string, ParseSummary, string, RegExp]>([
  ['busy parsers that clients wait for', byWorkers(0.98, 0, 0.6), 'parsing', /2 parsers busy for 98%.*60%/],
  ['a full queue that nobody waits before', byWorkers(0.3, 0.7, 0), 'indexing', /full queue for 70%/],
  ['busy parsers that nobody waits for', byWorkers(0.97, 0.03, 0.01), 'undecided', /held up for 3%/],
  ['waiting for parsers that have time left', byWorkers(0.5, 0.2, 0.3), 'undecided', /lines of the source for 30%/],
  ['a source that gives no lines', byWorkers(0.2, 0, 0.8), 'undecided', /lines of the source for 80%/],
]) // oxfmt-ignore
('%s', (_, summary, name, why) => {
  const limit = parseLimit(summary, null);
  expect(limit.name).toBe(name);
  expect(limit.why).toMatch(why);
});

test('without measured work there is no limit', () => {
  const none = parsers(0, 0, 0);
  none.senders.occupiedMs = 0;
  expect(parserShares(none)).toBeNull();
  expect(parseLimit({ by: 'workers', parsers: none }, null).name).toBe('undecided');
  expect(microsecondsPerLine({ ...none.times, lines: 0 })).toBeNull();
});

test('the cost of a line is its CPU time, or elapsed time if the system does not report CPU time', () => {
  const { times } = parsers(0.5, 0.5, 0);
  expect(microsecondsPerLine(times)).toBe(5000);
  expect(microsecondsPerLine({ ...times, cpuMs: null })).toBe(10_000);
});

test('the time of a pipeline is shown as a share, because it uses the same threads as indexing', () => {
  const pipeline = { documents: 100, timeMs: 300, failed: 0, unparsed: 0 };
  const limit = parseLimit({ by: 'pipeline', pipeline }, { documents: 100, timeMs: 700 });
  expect(limit).toMatchObject({
    name: 'undecided',
    why: expect.stringContaining('30% of that time') as string,
  });
  expect(parseLimit({ by: 'pipeline', pipeline: null }, null).why).toContain('does not report');
});
