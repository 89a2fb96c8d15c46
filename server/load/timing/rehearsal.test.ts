import type { ExecutorJob } from '../../../common/executors/registry';
import { searchJob } from '../../../common/tasks/search';
import type { ShareJob } from '../contract';
import { rehearse } from './rehearsal';

const jobWith = (executor: ExecutorJob, measureMs: number | null): ShareJob => ({
  indices: ['i'],
  route: 'in-turn',
  // Nothing listens on this port, so the test fails if a rehearsal sends requests to the target.
  target: { nodes: ['http://127.0.0.1:1'], headers: {}, verifyCertificates: true, requestTimeoutMs: 1000 },
  tasks: [{ name: 'search', operation: searchJob({ name: '', body: {} }), executor }],
  seed: 1,
  warmupMs: 0,
  measureMs,
  documents: null,
  drainMs: 0,
  share: { index: 0, of: 1 },
});

const PACED: ExecutorJob = { kind: 'constant-rate', perSecond: 1, maxClients: 1 };
const CLOSED: ExecutorJob = { kind: 'constant-clients', clients: 1, thinkTimeMs: 0 };

test('a thread that is to keep a rate sends to itself before it begins', async () => {
  // The first load sends at most 300 requests, so the faster loads have sent requests too.
  expect(await rehearse(jobWith(PACED, 60_000))).toBeGreaterThan(300);
});

test.each([
  ['closed loops', CLOSED, 60_000],
  ['loads of a second', PACED, 1000],
] as const)('%s begin at once', async (_what, executor, measureMs) => {
  expect(await rehearse(jobWith(executor, measureMs))).toBe(0);
});
