/** The search for the highest rate against targets whose capacity is known; highest-rate-runs is on Elasticsearch. */
import type { RateSearchJob } from '../../common/executors/highest-rate';
import type { ExecutorJob } from '../../common/executors/registry';
import type { LoadJob, TaskJob } from '../../server/load/contract';
import { expectToBeConsistent } from './support/highest-rate';
import { against, buildWorker, fire, FOUND, job, REFUSED, type Behaviour } from './support/load';
import { searchJob } from '../../common/tasks/search';

jest.setTimeout(120_000);
beforeAll(buildWorker);

/** Short steps; p90 and 20 answers a second and more need no longer ones. */
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

/** One at a time, so many a second: what comes meanwhile waits in order. */
function queue(perSecond: number): Behaviour {
  let free = 0;
  return () => {
    const now = performance.now();
    free = Math.max(now, free) + 1000 / perSecond;
    return { status: 200, body: FOUND, after: free - now };
  };
}

// At once: each search waits most of its time, and asks a server of its own for a few hundred answers a second.
describe('against a server of known capacity', () => {
  const CAPACITY = 300;

  test.concurrent('the bracket holds the capacity, over several shares', async () => {
    await against(queue(CAPACITY), async (node) => {
      const { outcome } = await fire(loadOf(node, searching()), 2);
      const task = outcome.tasks[0]!;
      const found = task.highestRate!;
      const { held, broken, confirmed, stop } = found.answer;
      expectToBeConsistent(found);
      expect(confirmed).toBe(true);
      expect(stop).toBe('limit');
      // Above it the queue takes a while to grow to the limit: a hold is too short to see less than a tenth too much.
      expect(held).toBeLessThan(CAPACITY * 1.2);
      expect(broken).toBeGreaterThan(CAPACITY * 0.85);
      expect(held).toBeGreaterThan(CAPACITY * 0.6);
      // The figures are those of the hold, and the whole is the whole.
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

  test.concurrent('a target that refuses above a rate is stopped by its refusals, not by its times', async () => {
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

  test.concurrent('too few clients are named, for they are no limit of the target', async () => {
    // Four clients and 50 ms each: 80 requests a second, with a target that would take any number.
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

  test.concurrent('ends with its time, and says when nothing was held', async () => {
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
