/** The search for the highest rate: against a target whose capacity is known, and on Elasticsearch from end to end. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RateSearchJob } from '../../common/executors/highest-rate';
import type { ExecutorJob } from '../../common/executors/registry';
import type { HighestRate } from '../../common/measurement/highest-rate';
import type { Report } from '../../common/report/model/report';
import type { LoadJob, TaskJob } from '../../server/load/contract';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { against, buildWorker, fire, FOUND, job, REFUSED, type Behaviour } from './support/load';
import { searchJob } from '../../common/tasks/search';

jest.setTimeout(120_000);
/** Concurrent tests begin before any hook: each waits for it by itself. */
const built = buildWorker();
beforeAll(() => built);

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

const expectToBeConsistent = ({ steps, answer }: HighestRate): void => {
  const heldRates = steps.filter(({ held }) => held).map(({ perSecond }) => perSecond);
  const broken = steps.filter(({ held }) => !held).map(({ perSecond }) => perSecond);
  expect(heldRates).toContain(answer.held);
  expect([...broken, null]).toContain(answer.broken);
  expect(steps.at(-1)).toMatchObject(
    answer.confirmed ? { phase: 'hold', held: true, perSecond: answer.held } : {},
  );
  for (const { due, answered, unsent, unsettled, perSecond, judgedMs } of steps) {
    expect(answered + unsent + unsettled).toBe(due);
    expect(Math.abs(due - (perSecond * judgedMs) / 1000)).toBeLessThanOrEqual(2);
  }
};

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

  test.concurrent(
    'a target that refuses above a rate is stopped by its refusals, not by its times',
    async () => {
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
    },
  );

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

describe('on Elasticsearch', () => {
  const url = sharedElasticsearch();
  const place = workplace();
  afterAll(() => place.remove());

  test('finds a rate, keeps its steps, and tells of them in every form', async () => {
    const file = place.write('highest.json', {
      version: 1,
      name: 'highest rate',
      expect: ['ingest.sustainable_rate stays with tasks.ingest.ingest.bulk.docs'],
      index: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
      tasks: [
        {
          name: 'ingest',
          ingest: { source: { generator: 'http-events' }, bulk: { docs: 20 } },
          executor: {
            'highest-rate': {
              start: 5,
              max: 10,
              grow: 2,
              limits: ['latency.p50 < 20s', 'rejection_rate < 0.1%'],
              settle: '500ms',
              step: '2s',
              hold: '1s',
            },
          },
        },
      ],
      factors: { 'tasks.ingest.ingest.bulk.docs': [20, 40] },
      measure: { warmup: '1s', duration: '90s' },
      trials: 1,
      thresholds: ['ingest.sustainable_rate >= 5'],
    });
    const files = ['json', 'html', 'md', 'csv'].map((form) => path.join(place.folder, `report.${form}`));
    const { code, stdout, stderr } = await place.dyno(
      'run',
      file,
      '--elasticsearch',
      url(),
      ...files.flatMap((each) => ['--report', each]),
    );
    expect(`${stderr}\n${code}`).toMatch(/\n0$/);
    // Live, then in the report.
    expect(stderr + stdout).toMatch(/ingest: .* accepted\/s · (grow|hold) at \d/);
    expect(stdout).toContain('Highest sustained rate of ingest, requests/s');
    const texts = files.map((each) => readFileSync(each, 'utf8'));
    for (const text of [...texts, stdout]) expect(text).not.toMatch(/undefined|NaN/);
    for (const text of texts.slice(1, 3)) expect(text).toContain('Steps of the search of ingest');

    const report = JSON.parse(texts[0]!) as Report;
    expect(report.trials).toHaveLength(2);
    for (const { tasks, doubts, limit, cellIndex } of report.trials) {
      const { highestRate, throughput } = tasks[0]!;
      const { steps, answer } = highestRate!;
      expectToBeConsistent(highestRate!);
      expect(answer.confirmed).toBe(true);
      // A busy machine may not hold ten bulks a second.
      expect(answer).toMatchObject(
        answer.broken === null ? { held: 10, end: 'max', stop: null } : { end: 'found' },
      );
      const ended = doubts.some(({ kind }) => kind === 'rate-without-end');
      expect(ended).toBe(answer.broken === null);
      // A hold sees three refreshes, of a second each by default.
      expect(steps.at(-1)!.judgedMs).toBe(3000);
      const documents = cellIndex === 0 ? 20 : 40;
      expect(answer.heldAccepted! / answer.held!).toBeGreaterThan(0.9 * documents);
      expect(throughput).toBe(answer.heldAccepted);
      expect(report.cells[cellIndex]!.tasks[0]!.highestRate!.sustained.mean).toBe(answer.held);
      // A machine that others use too may hold up the generator.
      expect(limit!.why).toMatch(
        limit!.name === 'generator' ? /load thread|requests left/ : /varied the rate on purpose/,
      );
    }

    await ask('POST', `${url()}/dyno-trials-*/_refresh`);
    const { body } = await ask<{ hits: { total: { value: number } } }>(
      'POST',
      `${url()}/dyno-trials-*/_search`,
      { query: { term: { 'tasks.highestRate.answer.confirmed': true } } },
    );
    expect(body.hits.total.value).toBe(2);
  });
});
