import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inspectLog, lostNote, otherKindNote, type LogFacts } from './inspect-log';

const folder = mkdtempSync(path.join(os.tmpdir(), 'dyno-inspect-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ofShard = (shard: number): string =>
  `[2018-03-13T00:01:09,810][WARN ][i.s.s.query] [n] [i][${shard}] took[1ms], took_millis[1], search_type[QUERY_THEN_FETCH], total_shards[5], source[{"size":1}], id[], `;
const OF_REQUEST =
  '[2018-03-13T00:01:09,810][WARN ][c.s.r.slowlog] [n] took[1ms], took_millis[1], search_type[QUERY_THEN_FETCH], shards[{total:5}], source[{"size":1}], id[]';

async function factsOfLines(lines: readonly string[], everyShard = false): Promise<LogFacts> {
  const file = path.join(folder, 'slow.log');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return inspectLog(
    { kind: 'file', file },
    {
      format: 'slow-log-text',
      types: null,
      everyShard,
      timed: false,
      route: null,
      rewrite: new Set(),
      accept: new Set(),
    },
  );
}

/**
 * Returns the facts about a slow log with one line for each of these shards. `everyShard`: whether each line counts as a search. Otherwise,
 * only lines of shard 0 do.
 */
const factsOf = async (shards: readonly number[], everyShard = false): Promise<LogFacts> =>
  factsOfLines(shards.map(ofShard), everyShard);

test('searches without a line of shard 0 are counted as far as the log shows them', async () => {
  const facts = await factsOf([0, 3, 3, 3, 1]);
  expect(facts).toMatchObject({ lost: 2, account: { sent: 1, repeated: 4 } });
  expect(lostNote(facts)).toContain('at least 2 searches left out');
});

test('a search that is in the log with all its shards is not lost', async () => {
  const facts = await factsOf([0, 1, 2, 3, 4, 0, 1, 4]);
  expect(facts.lost).toBe(0);
  expect(lostNote(facts)).toBe('');
});

test('a search of several indices is one search, and none of it is lost', async () => {
  const ofIndex = (index: string, shard: number): string =>
    ofShard(shard).replace('[i]', `[${index}]`).replace('total_shards[5]', 'total_shards[4]');
  const lines = ['a', 'b'].flatMap((index) => [0, 1].map((shard) => ofIndex(index, shard)));
  expect(await factsOfLines([...lines, ...lines])).toMatchObject({
    lost: 0,
    account: { sent: 2, repeated: 6 },
  });
});

test('nothing is lost where each line is a search', async () => {
  expect(await factsOf([3, 3], true)).toMatchObject({ lost: 0, account: { sent: 2 } });
});

test('of searches that OpenSearch logged by request and by shard, the kind that comes first is sent', async () => {
  const requests = await factsOfLines([OF_REQUEST, ofShard(0), OF_REQUEST, ofShard(3)]);
  expect(requests).toMatchObject({
    lost: 0,
    otherKind: { of: 'shards', count: 2 },
    account: { sent: 2, repeated: 2 },
  });
  expect(otherKindNote(requests)).toMatch(
    /^2 entries of shards left out, .*; those of requests are sent, .* with: grep -vE '/,
  );
  const shards = await factsOfLines([ofShard(1), ofShard(0), OF_REQUEST]);
  expect(shards).toMatchObject({ otherKind: { of: 'requests', count: 1 }, account: { sent: 1 } });
  expect(otherKindNote(shards)).toMatch(/^1 entry of requests left out, .*; those of shards are sent/);
  expect((await factsOfLines([OF_REQUEST, OF_REQUEST])).otherKind).toBeNull();
  expect(otherKindNote(await factsOf([0, 0]))).toBe('');
  expect(await factsOfLines([OF_REQUEST, ofShard(0)], true)).toMatchObject({ account: { sent: 2 } });
});
