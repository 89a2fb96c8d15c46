import { decodeHistogram } from '../../common/measurement/histogram';
import { correctedTimes } from '../../common/measurement/corrected';
import {
  answerText,
  FOUND,
  ACCEPTED,
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
        else socket.write(kind === 'search' ? found : answerText(ACCEPTED));
      },
      ({ url }) => runShare([url], [kind === 'search' ? search(executor) : ingest(executor)]),
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
    ({ url }) => runShare([url], [search(executor)], { requestTimeoutMs: 150 }),
  );
  expect(countOf(outcome.unanswered)).toBe(outcome.cohort.unknown);
  expect(ms(outcome.latency, 50)).toBeGreaterThan(150);
  const gone = await loopback(() => undefined);
  await gone.close();
  const away = await runShare([gone.url], [search(executor)]);
  expect(away.outcome.cohort.failed).toBeGreaterThan(0);
  expect([away.outcome.latency, away.outcome.service, away.outcome.unanswered].map(countOf)).toEqual([
    0, 0, 0,
  ]);
});

test('what was due and never sent is in the latency with the time that it had waited', async () => {
  // One request at a time, each 50 ms, where 100 a second are due: four fifths are never sent.
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
  // What was due in the warm-up and sent in the measured phase is the warm-up's.
  expect(countOf(outcome.latency)).toBe(outcome.offered!);
  expect(outcome.offered).toBe(60);
  expect(ms(outcome.neverSent, 100)).toBeLessThan(610);
  expect(ms(outcome.latency, 90)).toBeGreaterThan(300);
});

test('a closed executor shows a stall of 30% of the time once it is corrected', async () => {
  const began = performance.now();
  // Stalls of 150 ms in each 500 ms.
  const { outcome } = await against(
    (socket) => {
      const within = (performance.now() - began) % 500;
      setTimeout(() => socket.write(found), within < 150 ? 150 - within : 2);
    },
    ({ url }) =>
      runShare([url], [search({ kind: 'constant-clients', clients: 2, thinkTimeMs: 0 })], {
        measureMs: 1500,
      }),
  );
  const { times, intervalMs } = correctedTimes([outcome.latency], 0)!;
  // A request at a random moment waits up to 150 ms with a chance of 0.3: p90 is 100 ms.
  expect(ms(outcome.latency, 90)).toBeLessThan(60);
  expect(intervalMs).toBeLessThan(30);
  expect(times.p90).toBeGreaterThan(75);
  expect(times.p90).toBeLessThan(140);
});
