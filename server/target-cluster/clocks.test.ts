import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { readClocks, readTargetClock } from './clocks';

const answering = (answers: Record<string, unknown>): ElasticsearchClient => ({
  request: <T>({ path }: ElasticsearchRequest) =>
    Promise.resolve({ status: answers[path] === undefined ? 410 : 200, body: answers[path] as T }),
});
const nodes = (...offsets: number[]): Record<string, unknown> => ({
  '/_nodes/stats/process': {
    nodes: Object.fromEntries(offsets.map((ms, at) => [`n${at}`, { timestamp: Date.now() + ms }])),
  },
});

test('the offset of the target is the median of its nodes, with how far they are apart', async () => {
  const clock = await readTargetClock(answering(nodes(600_000, 600_040, 650_000)));
  expect(clock!.offsetMs).toBeGreaterThan(600_020);
  expect(clock!.offsetMs).toBeLessThan(600_060);
  expect(clock!.apartMs).toBe(50_000);
});

test('without statistics of nodes, `_cat` reports whole seconds', async () => {
  const epoch = String(Math.floor(Date.now() / 1000) - 3600);
  const clock = await readTargetClock(answering({ '/_cat/count/dyno-lease': [{ epoch }] }));
  expect(Math.abs(clock!.offsetMs + 3_600_000)).toBeLessThanOrEqual(clock!.errorMs);
});

test('the offset is unknown if the target does not report its time, or does not answer', async () => {
  expect(await readTargetClock(answering({}))).toBeNull();
  expect(await readTargetClock({ request: () => Promise.reject(new Error('cut')) })).toBeNull();
  expect(await readClocks(answering({}))).toEqual({});
});
