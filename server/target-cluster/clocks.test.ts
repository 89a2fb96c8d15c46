import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { readClocks, readTargetClock } from './clocks';

afterEach(() => jest.restoreAllMocks());

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
  // The clock of this process is stopped for this test, because a pause of the process would become part of the offset.
  jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  const clock = await readTargetClock(answering(nodes(600_000, 600_040, 650_000)));
  expect(clock).toEqual({ offsetMs: 600_040, errorMs: 0, apartMs: 50_000 });
});

test('the round trip of the request is half before the reading and half after it', async () => {
  const start = Date.now();
  const times = [start, start + 100];
  const answer = answering(nodes(1000));
  jest.spyOn(Date, 'now').mockImplementation(() => times.shift()!);
  expect(await readTargetClock(answer)).toMatchObject({ offsetMs: 950, errorMs: 50 });
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
