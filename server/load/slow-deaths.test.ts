import { decodeHistogram } from '../../common/measurement/histogram';
import { correctedTimes } from '../../common/measurement/corrected';
import {
  answerText,
  FOUND,
  accepted,
  ingest,
  loopback,
  runShare,
  search,
  type Loopback,
  type Reply,
} from './testing/loopback';

const ms = (encoded: string, percent: number): number =>
  decodeHistogram(encoded).getValueAtPercentile(percent) / 1000;
const countOf = (encoded: string): number => decodeHistogram(encoded).totalCount;
const found = answerText(FOUND);

async function against<T>(reply: Reply, act: (target: Loopback) => Promise<T>): Promise<T> {
  const target = await loopback(reply);
  try {
    return await act(target);
  } finally {
    await target.close();
  }
}

test.each(['search', 'ingest'] as const)(
  'a connection of a %s that hangs and is then reset is in the latency, and apart',
  async (kind) => {
    const executor = { kind: 'constant-clients', clients: 2, thinkTimeMs: 5 } as const;
    const { outcome } = await against(
      (socket, number) => {
        if (number % 10 === 9) setTimeout(() => socket.resetAndDestroy(), 120);
        else socket.write(kind === 'search' ? found : answerText(accepted(10)));
      },
      (target) =>
        runShare([target.url], [kind === 'search' ? search(executor) : ingest(executor)], {
          until: () => target.requests >= 25,
        }),
    );
    const lost = countOf(outcome.unanswered);
    expect(lost).toBeGreaterThan(0);
    expect(ms(outcome.unanswered, 1)).toBeGreaterThan(115);
    expect(ms(outcome.latency, 99.9)).toBeGreaterThan(115);
    expect(ms(outcome.service, 99.9)).toBeGreaterThan(115);
    expect(countOf(outcome.latency)).toBe(outcome.cohort.requests);
  },
);

test('a timeout is in the latency, and apart; what never connected is in neither', async () => {
  const executor = { kind: 'constant-clients', clients: 1, thinkTimeMs: 0 } as const;
  const { outcome } = await against(
    () => undefined,
    (target) =>
      runShare([target.url], [search(executor)], {
        requestTimeoutMs: 150,
        until: () => target.requests >= 3,
      }),
  );
  expect(countOf(outcome.unanswered)).toBe(outcome.cohort.unknown);
  expect(ms(outcome.latency, 50)).toBeGreaterThan(150);
  const gone = await loopback(() => undefined);
  await gone.close();
  const away = await runShare([gone.url], [search(executor)], { measureMs: 500 });
  expect(away.outcome.cohort.failed).toBeGreaterThan(0);
  expect([away.outcome.latency, away.outcome.service, away.outcome.unanswered].map(countOf)).toEqual([
    0, 0, 0,
  ]);
});

test('what was due and never sent is in the latency with the time that it had waited', async () => {
  // Each request takes 50 ms, and only one is in flight at a time. 100 requests per second are due, so four fifths of them are never sent.
  const { outcome } = await against(
    (socket) => setTimeout(() => socket.write(found), 50),
    ({ url }) =>
      runShare([url], [search({ kind: 'constant-rate', perSecond: 100, maxClients: 1 })], {
        warmupMs: 200,
        measureMs: 600,
      }),
  );
  const neverSent = countOf(outcome.neverSent);
  expect(neverSent).toBeGreaterThan(30);
  // Requests that were due in the warm-up and sent in the measured phase count for the warm-up.
  expect(countOf(outcome.latency)).toBe(outcome.offered!);
  expect(outcome.offered).toBe(60);
  expect(ms(outcome.neverSent, 100)).toBeLessThan(610);
  expect(ms(outcome.latency, 90)).toBeGreaterThan(300);
});

test('a closed executor shows a target that stalls once its times are corrected', async () => {
  // One of 40 answers takes 150 ms. The target is stalled most of the time, so few requests wait.
  const { outcome } = await against(
    (socket, number) => setTimeout(() => socket.write(found), number % 40 === 39 ? 150 : 0),
    (target) =>
      runShare([target.url], [search({ kind: 'constant-clients', clients: 1, thinkTimeMs: 0 })], {
        until: () => target.requests >= 200,
      }),
  );
  const { times, intervalMs } = correctedTimes(decodeHistogram(outcome.latency), 0)!;
  expect(ms(outcome.latency, 90)).toBeLessThan(75);
  expect(intervalMs).toBeLessThan(30);
  expect(times.p90).toBeGreaterThan(75);
  expect(times.count).toBeGreaterThan(outcome.cohort.requests);
});

test('with one node of three gone nothing fails: its requests go to the others', async () => {
  const [one, gone, two] = await Promise.all([1, 2, 3].map(() => loopback((socket) => socket.write(found))));
  await gone!.close();
  try {
    const nodes = [one!.url, gone!.url, two!.url];
    const task = search({ kind: 'constant-clients', clients: 3, thinkTimeMs: 1 });
    const until = (): boolean => one!.requests + two!.requests >= 60;
    const { outcome, refusedConnections } = await runShare(nodes, [task], { until });
    expect(outcome.cohort.accepted).toBeGreaterThan(20);
    expect(outcome.cohort).toMatchObject({ failed: 0, unknown: 0, accepted: outcome.cohort.attempted });
    expect(refusedConnections).toEqual([
      { node: 1, refused: refusedConnections[0]!.moved, moved: expect.any(Number) as number },
    ]);
    // The transport leaves the node alone between two attempts, and does not try it for each request.
    expect(refusedConnections[0]!.refused).toBeLessThan(10);
  } finally {
    await Promise.all([one!.close(), two!.close()]);
  }
});
