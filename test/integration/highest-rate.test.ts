/**
 * Tests a task that looks for the highest rate that a target can sustain, with simulated targets of known capacity.
 * `highest-rate-runs.test.ts` tests it with Elasticsearch.
 */
import type { RateSearchJob } from '../../common/executors/highest-rate';
import type { ExecutorJob } from '../../common/executors/registry';
import type { LoadJob, TaskJob } from '../../server/load/contract';
import { expectToBeConsistent } from './support/highest-rate';
import { against, buildWorker, fire, FOUND, job, REFUSED, type Behaviour } from './support/load';
import { searchJob } from '../../common/tasks/search';

jest.setTimeout(120_000);
beforeAll(buildWorker);

/**
 * Settings of a task that looks for the highest rate, with short steps. One step has enough answers for a p90 if the target sends at least
 * 20 answers per second.
 */
const SEARCH: RateSearchJob = {
  start: 80,
  max: null,
  grow: 1.7,
  precision: 0.15,
  settleMs: 300,
  stepMs: 1000,
  holdMs: 2500,
  limits: ['latency.p90 < 300ms', 'rejection_rate < 1%'],
};

const searching = (search: Partial<RateSearchJob> = {}, maxClients = 256): TaskJob => {
  const executor: ExecutorJob = { kind: 'highest-rate', search: { ...SEARCH, ...search }, maxClients };
  return { name: 'search', operation: searchJob({ name: 'all', body: {} }), executor };
};

const loadOf = (node: string, task: TaskJob, more: Partial<LoadJob> = {}): LoadJob =>
  job(node, [task], { warmupMs: 500, measureMs: 60_000, ...more });

/** Returns the behaviour of a server that answers `perSecond` requests per second, one at a time. The other requests wait in order. */
function queue(perSecond: number): Behaviour {
  let free = 0;
  return () => {
    const now = performance.now();
    free = Math.max(now, free) + 1000 / perSecond;
    return { status: 200, body: FOUND, after: free - now };
  };
}

// These run in parallel. Each search mostly waits, and sends its own server a few hundred requests per second.
describe('against a server of known capacity', () => {
  const CAPACITY = 300;

  test.concurrent('the bracket contains the capacity, with several load threads', async () => {
    await against(queue(CAPACITY), async (node) => {
      const { outcome } = await fire(loadOf(node, searching()), 2);
      const task = outcome.tasks[0]!;
      const found = task.highestRate!;
      const { held, broken, confirmed, stop } = found.answer;
      expectToBeConsistent(found);
      expect(confirmed).toBe(true);
      expect(stop).toBe('limit');
      // Above the capacity the queue needs a while to reach the limit. A hold is too short to detect an excess of less than a tenth.
      expect(held).toBeLessThan(CAPACITY * 1.2);
      expect(broken).toBeGreaterThan(CAPACITY * 0.85);
      expect(held).toBeGreaterThan(CAPACITY * 0.6);
      // The metrics cover only the hold, and the totals cover the whole load.
      const hold = found.steps.at(-1)!;
      expect(task.elapsedMs).toBe(hold.judgedMs);
      expect(task.offered).toBe(hold.due);
      expect(task.cohort.attempted).toBe(hold.answered);
      const judged = found.steps.reduce((sum, { answered }) => sum + answered, 0);
      expect(task.total.attempted).toBeGreaterThan(judged);
      expect(outcome.stopped).toBe('');
      expect(outcome.measureEndedAt - outcome.measureAt).toBeLessThan(60_000);
    });
  });

  test.concurrent('rejections limit the rate of a target that rejects requests above a rate', async () => {
    const times: number[] = [];
    const behave: Behaviour = () => {
      const now = performance.now();
      while (times.length > 0 && times[0]! < now - 500) times.shift();
      if (times.length >= 100) return { status: 429, body: REFUSED };
      times.push(now);
      return { status: 200, body: FOUND, after: 1 };
    };
    await against(behave, async (node) => {
      const { outcome } = await fire(loadOf(node, searching({ precision: 0.2 })));
      const found = outcome.tasks[0]!.highestRate!;
      expectToBeConsistent(found);
      expect(found.answer.stop).toBe('limit');
      expect(found.answer.why).toContain('rejection_rate was');
      expect(found.answer.held).toBeLessThan(220);
      expect(found.answer.broken).toBeGreaterThan(180);
    });
  });

  test.concurrent('too few clients are reported, because they are not a limit of the target', async () => {
    // Four clients with 50 ms per request can send 80 requests per second. The target would accept any number.
    const behave: Behaviour = () => ({ status: 200, body: FOUND, after: 50 });
    await against(behave, async (node) => {
      const search = { start: 30, grow: 2, precision: 0.3, limits: ['latency.p90 < 200ms'] };
      const { outcome } = await fire(loadOf(node, searching(search, 4)), 2);
      const found = outcome.tasks[0]!.highestRate!;
      expectToBeConsistent(found);
      expect(found.answer).toMatchObject({ confirmed: true, stop: 'clients' });
      expect(found.answer.why).toContain('all 4 clients being busy');
      expect(found.answer.held).toBeLessThan(85);
    });
  });

  test.concurrent('ends when its time is over, and reports if no rate was held', async () => {
    const behave: Behaviour = () => ({ status: 200, body: FOUND, after: 400 });
    await against(behave, async (node) => {
      const { outcome } = await fire(loadOf(node, searching({ grow: 1.1 })));
      const { answer, steps } = outcome.tasks[0]!.highestRate!;
      expect(answer).toMatchObject({ held: null, confirmed: false, end: 'nothing-held', stop: 'limit' });
      expect(answer.broken).toBe(Math.min(...steps.map(({ perSecond }) => perSecond)));
    });
    await against(queue(1e6), async (node) => {
      const { outcome } = await fire(loadOf(node, searching(), { measureMs: 9000, drainMs: 500 }));
      const { answer } = outcome.tasks[0]!.highestRate!;
      expect(answer).toMatchObject({ confirmed: true, broken: null, end: 'time', stop: null });
    });
  });
});
