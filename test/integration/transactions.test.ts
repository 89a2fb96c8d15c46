/**
 * Tests transactions, which consist of several requests with pauses. If one request stalls, both the time of this request and the time of
 * its transaction must show this.
 */
import { transactionTimes } from '../../common/analysis/transaction';
import type { ExecutorJob } from '../../common/executors/registry';
import { requestJob } from '../../common/tasks/request-list';
import { decodeHistogram, summariseHistogram, type LatencySummary } from '../../common/measurement/histogram';
import type { LoadJob, TaskJob, TaskOutcome } from '../../server/load/contract';
import { against, buildWorker, fire, FOUND, job, REFUSED, type Behaviour } from './support/load';
import { expectToAddUp } from './support/transactions';

jest.setTimeout(120_000);
beforeAll(buildWorker);

const PARTS = ['first', 'second', 'third'];
const BACK_TO_BACK: ExecutorJob = { kind: 'constant-clients', clients: 1, thinkTimeMs: 0 };

const transaction = (gapMs = 0, executor: ExecutorJob = BACK_TO_BACK): TaskJob => ({
  name: 'queries',
  operation: {
    kind: 'transaction',
    parts: PARTS.map((name) => requestJob({ name, body: { size: 0, stats: [name] } })),
    gapMs,
    parameters: {},
  },
  executor,
});

/** Returns a load with a measured phase of 3 s. */
const loadOf = (node: string, task: TaskJob, more: Partial<LoadJob> = {}): LoadJob =>
  job(node, [task], { measureMs: 3000, ...more });

/**
 * Returns a function that a test server calls with the body of each request. The function returns the name of this request in the
 * transaction. It also returns how many requests with this name the server received before.
 */
function seen(): (body: string) => { part: string; before: number } {
  const counts = new Map<string, number>();
  return (body) => {
    const part = (JSON.parse(body) as { stats: [string] }).stats[0];
    const before = counts.get(part) ?? 0;
    counts.set(part, before + 1);
    return { part, before };
  };
}

const summaryOf = (encoded: string): LatencySummary => summariseHistogram(decodeHistogram(encoded));
const partOf = (outcome: TaskOutcome, name: string): LatencySummary =>
  summaryOf(outcome.requests[name]!.service);
const timesOf = (outcome: TaskOutcome, gapsMs: number) =>
  transactionTimes(
    PARTS.map((name) => partOf(outcome, name)),
    summaryOf(outcome.service),
    gapsMs,
  )!;

const MS: Readonly<Record<string, number>> = { first: 20, second: 40, third: 5 };

// The tests run in parallel. Each load mostly waits, and has its own server.
describe('against a server of known speed', () => {
  test.concurrent('parts are sent in order, and with the stated gaps they add up to the whole', async () => {
    const order: string[] = [];
    const read = seen();
    const behave: Behaviour = (_documents, _request, body) => {
      const { part } = read(body);
      order.push(part);
      return { status: 200, body: FOUND, after: MS[part] };
    };
    await against(behave, async (node) => {
      const { outcome, samples } = await fire(loadOf(node, transaction(30)));
      const [queries] = outcome.tasks;
      order.forEach((part, at) => expect(part).toBe(PARTS[at % 3]));
      const counts = queries!.cohort;
      const whole = summaryOf(queries!.service);
      const times = timesOf(queries!, 60);
      expect(counts).toMatchObject({ attempted: whole.count, accepted: whole.count, failed: 0 });
      expect(counts.requests).toBe(3 * whole.count);
      for (const name of PARTS) {
        expect(queries!.requests[name]).toMatchObject({ count: whole.count, failed: 0, latency: null });
        expect(partOf(queries!, name).mean).toBeGreaterThanOrEqual(MS[name]!);
      }
      expect(times.wholeMs).toBeGreaterThanOrEqual(20 + 40 + 5 + 60);
      expect(times.gapsMs).toBe(60);
      expectToAddUp(times);
      const inSamples = samples.reduce((sum, { requests }) => sum + (requests['second']?.count ?? 0), 0);
      expect(inSamples).toBe(order.filter((part) => part === 'second').length);
    });
  });

  test.concurrent('a query that stalls once shows in its part and in the whole, but in no other part', async () => {
    const read = seen();
    const behave: Behaviour = (_documents, _request, body) => {
      const { part, before } = read(body);
      return { status: 200, body: FOUND, after: part === 'second' && before === 5 ? 700 : 2 };
    };
    await against(behave, async (node) => {
      const { outcome, samples } = await fire(loadOf(node, transaction()));
      const queries = outcome.tasks[0]!;
      expect(partOf(queries, 'second').max).toBeGreaterThan(700);
      expect(summaryOf(queries.service).max).toBeGreaterThan(700);
      for (const name of ['first', 'third']) expect(partOf(queries, name).max).toBeLessThan(500);
      expectToAddUp(timesOf(queries, 0));
      // The stall is also in the sample of the second in which the request ended.
      const stalled = samples.filter(({ service }) => (summaryOf(service).max ?? 0) > 700);
      expect(stalled).toHaveLength(1);
      expect(summaryOf(stalled[0]!.requests['second']!.service).max).toBeGreaterThan(700);
    });
  });

  test.concurrent('at an interval, transactions that are due during a stall wait, and their latency includes the wait', async () => {
    const read = seen();
    const behave: Behaviour = (_documents, _request, body) => {
      const { part, before } = read(body);
      return { status: 200, body: FOUND, after: part === 'first' && before === 5 ? 1000 : 2 };
    };
    const everyTenth: ExecutorJob = { kind: 'constant-rate', perSecond: 10, maxClients: 1 };
    await against(behave, async (node) => {
      const { outcome } = await fire(loadOf(node, transaction(0, everyTenth)));
      const queries = outcome.tasks[0]!;
      expect(queries.offered).toBe(30);
      const [service, latency] = [summaryOf(queries.service), summaryOf(queries.latency)];
      expect(service.max).toBeGreaterThan(1000);
      // About ten transactions were due during the stall. Their parts took as long as usual.
      expect(service.p50).toBeLessThan(500);
      expect(latency.mean! - service.mean!).toBeGreaterThan(80);
      expect(partOf(queries, 'first').p50).toBeLessThan(200);
      expectToAddUp(timesOf(queries, 0));
    });
  });

  test.concurrent('a failed part makes the transaction fail, but the other parts are still sent', async () => {
    const read = seen();
    const behave: Behaviour = (_documents, _request, body) => {
      const { part, before } = read(body);
      if (part === 'second' && before % 4 === 1) return { status: 429, body: REFUSED };
      if (part === 'second' && before % 4 === 2) {
        return { status: 400, body: '{"error":{"type":"parsing_exception","reason":"no"},"status":400}' };
      }
      if (part === 'third' && before % 4 === 3) return 'hang-up';
      return { status: 200, body: FOUND, after: 3 };
    };
    await against(behave, async (node) => {
      const { outcome } = await fire(loadOf(node, transaction()));
      const { cohort, requests, failures, service } = outcome.tasks[0]!;
      const { attempted, accepted, rejected, failed, unknown } = cohort;
      expect(attempted).toBe(accepted + rejected + failed + unknown);
      for (const name of PARTS) expect(requests[name]!.count).toBe(attempted);
      expect(requests['first']!.failed).toBe(0);
      const refused = failures['es_rejected_execution_exception']!.count;
      const [wrong, lost] = [failures['parsing_exception']!.count, failures['connection-lost']!.count];
      expect(requests['second']!.failed).toBe(refused + wrong);
      expect(requests['third']!.failed).toBe(lost);
      expect([rejected, failed, unknown]).toEqual([refused, wrong, lost]);
      expect(refused).toBeGreaterThan(0);
      // The duration of a transaction whose connection was lost counts in the times of the whole, and is also recorded separately.
      expect(decodeHistogram(service).totalCount).toBe(attempted);
      expect(decodeHistogram(outcome.tasks[0]!.unanswered).totalCount).toBe(lost);
    });
  });

  test.concurrent('a transaction that the end of the drain interrupts counts as unknown, and its other parts are not sent', async () => {
    const read = seen();
    const behave: Behaviour = (_documents, _request, body) =>
      read(body).part === 'first' ? { status: 200, body: FOUND } : 'never';
    await against(behave, async (node, target) => {
      const load = loadOf(node, transaction(), { drainMs: 300 });
      const { outcome } = await fire(load);
      expect(outcome.tasks[0]!.cohort).toMatchObject({ attempted: 1, unknown: 1, requests: 2 });
      expect(outcome.tasks[0]!.failures).toMatchObject({ 'drain-timeout': { count: 1 } });
      expect(target.requests).toBe(2);
    });
  });

  test.concurrent('a transaction that the end of the drain interrupts in a gap also fails', async () => {
    const behave: Behaviour = () => ({ status: 200, body: FOUND });
    await against(behave, async (node, target) => {
      const load = loadOf(node, transaction(20_000), { drainMs: 300 });
      const { outcome } = await fire(load);
      expect(outcome.tasks[0]!.cohort).toMatchObject({ attempted: 1, failed: 1, requests: 1 });
      expect(target.requests).toBe(1);
    });
  });
});
