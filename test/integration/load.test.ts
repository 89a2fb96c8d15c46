/**
 * Tests the times at which the load generator sends requests, and the times that it measures. Uses its threads, and small HTTP servers that
 * misbehave in known ways.
 */
import { decodeHistogram } from '../../common/measurement/histogram';
import type { Sample } from '../../common/measurement/sample';
import type { LoadOutcome, TaskJob } from '../../server/load/contract';
import { prepareLoad, startLoad } from '../../server/load/pool';
import {
  accepted,
  against,
  buildWorker,
  fire,
  FOUND,
  job,
  percentile,
  WORKER,
  type Behaviour,
} from './support/load';
import { accept, ingest, search } from './support/load-tasks';

jest.setTimeout(60_000);

beforeAll(buildWorker);

// Tests that mostly wait for stalls, ramps and drains run in parallel.
describe('a stalled target', () => {
  test.concurrent('shows in the latency of a constant rate, although service time alone would hide it', async () => {
    let stallUntil = 0;
    let first = 0;
    const behave: Behaviour = () => {
      const now = Date.now();
      first ||= now;
      // One stall of two seconds, one second after the first request.
      if (stallUntil === 0 && now > first + 1000) stallUntil = now + 2000;
      return { status: 200, body: FOUND, after: Math.max(0, stallUntil - now) };
    };
    await against(behave, async (node) => {
      const task = search({ executor: { kind: 'constant-rate', perSecond: 200, maxClients: 2 } });
      const { outcome, samples } = await fire(job(node, [task], { measureMs: 6000 }));
      const [{ service, latency, neverSent, offered, sent, unsent, requests }] = outcome.tasks as [
        LoadOutcome['tasks'][0],
      ];
      expect(percentile(latency, 99)).toBeGreaterThan(1800);
      expect(percentile(latency, 80)).toBeGreaterThan(300);
      // The stall hit two clients, which is two of more than a thousand service times.
      expect(percentile(service, 99)).toBeLessThan(500);
      expect(offered).toBe(1200);
      expect(sent! + unsent).toBe(1200);
      expect(unsent).toBeLessThanOrEqual(2);
      expect(Math.max(...samples.map(({ backlog }) => backlog))).toBeGreaterThan(200);
      // The target caused the waiting. The load generator kept its schedule.
      const lags = samples.map(({ generator }) => generator.scheduleLagMs).sort((a, b) => a - b);
      expect(lags[Math.floor(lags.length / 2)]).toBeLessThan(20);
      const named = Object.values(requests).map((request) => decodeHistogram(request.latency!).totalCount);
      expect(decodeHistogram(neverSent).totalCount).toBe(unsent);
      expect(named.reduce((sum, count) => sum + count, unsent)).toBe(decodeHistogram(latency).totalCount);
    });
  });

  test.concurrent('a stall at the end of the measured phase counts in full, because drained answers are in the histograms', async () => {
    let first = 0;
    const behave: Behaviour = () => {
      const now = Date.now();
      first ||= now;
      return { status: 200, body: FOUND, after: now > first + 1500 ? 1500 : 0 };
    };
    await against(behave, async (node) => {
      const task = search({ executor: { kind: 'constant-rate', perSecond: 100, maxClients: 200 } });
      const { outcome } = await fire(job(node, [task], { measureMs: 2000 }));
      const { measured, total, latency } = outcome.tasks[0]!;
      expect(total.accepted).toBe(200);
      expect(measured.accepted).toBeLessThan(160);
      expect(decodeHistogram(latency).totalCount).toBe(200);
      expect(percentile(latency, 99)).toBeGreaterThan(1400);
    });
  });

  test.concurrent('requests without an answer at the end of the drain are cancelled and count as unknown', async () => {
    await against(
      () => 'never',
      async (node) => {
        const { outcome } = await fire(job(node, [ingest()], { measureMs: 1000, drainMs: 300 }));
        const { measured, total, failures } = outcome.tasks[0]!;
        expect(measured.attempted).toBe(0);
        expect(total).toMatchObject({ attempted: 150, failed: 0, unknown: 150, requests: 3 });
        expect(failures['drain-timeout']!.count).toBe(150);
        expect(outcome.drainedAt - outcome.measureEndedAt).toBeLessThan(1500);
      },
    );
  });
});

describe('executors', () => {
  test('load threads take turns to keep a constant rate together', async () => {
    const arrivals: number[] = [];
    const behave: Behaviour = () => {
      arrivals.push(performance.now());
      return { status: 200, body: FOUND };
    };
    await against(behave, async (node) => {
      const { outcome, samples } = await fire(job(node, [search()], { warmupMs: 1000, measureMs: 2000 }), 2);
      expect(outcome.tasks[0]).toMatchObject({ offered: 400, sent: 400, unsent: 0 });
      expect(samples.map(({ phase }) => phase)).toEqual(expect.arrayContaining(['warm-up', 'measure']));
      expect(samples.filter(({ phase }) => phase === 'measure').map(({ offered }) => offered)).toEqual([
        200, 200,
      ]);
      expect(arrivals).toHaveLength(600);
      const gaps = arrivals.slice(1).map((time, place) => time - arrivals[place]!);
      const middle = gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)]!;
      expect(middle).toBeGreaterThan(3);
      expect(middle).toBeLessThan(7);
    });
  });

  test.concurrent('samples of closed executors have equal service time and latency, and add up to the outcome', async () => {
    await against(accept, async (node) => {
      const load = job(
        node,
        [ingest({ executor: { kind: 'constant-clients', clients: 2, thinkTimeMs: 5 } })],
        {
          warmupMs: 1000,
        },
      );
      const { outcome, samples } = await fire(load, 2);
      const [task] = outcome.tasks;
      const measuring = samples.filter(({ phase }) => phase === 'measure');
      expect(samples.map(({ at }) => at)).toEqual(
        samples.map((_, second) => outcome.startedAt + second * 1000),
      );
      expect(measuring).toHaveLength(2);
      expect(measuring.reduce((sum, { counts }) => sum + counts.accepted, 0)).toBe(task!.measured.accepted);
      expect(decodeHistogram(task!.latency).outputPercentileDistribution()).toBe(
        decodeHistogram(task!.service).outputPercentileDistribution(),
      );
      expect(measuring.every(({ clients }) => clients === 2)).toBe(true);
      expect(measuring.every(({ generator }) => generator.utilisation > 0 && generator.utilisation < 1)).toBe(
        true,
      );
    });
  });

  test.concurrent('the number of clients follows its ramp, also downwards', async () => {
    let inFlight = 0;
    let most = 0;
    const behave: Behaviour = (documents) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      setTimeout(() => (inFlight -= 1), 20);
      return { status: 200, body: accepted(documents.length), after: 20 };
    };
    await against(behave, async (node) => {
      const executor: TaskJob['executor'] = {
        kind: 'ramping-clients',
        start: 0,
        stages: [
          { clients: 8, overMs: 1500 },
          { clients: 1, overMs: 500 },
        ],
        thinkTimeMs: 0,
      };
      const { samples } = await fire(job(node, [ingest({ executor })], { measureMs: 4000 }));
      expect(most).toBeGreaterThanOrEqual(7);
      expect(most).toBeLessThanOrEqual(8);
      expect(samples.map(({ clients }) => clients).slice(2, 4)).toEqual([1, 1]);
    });
  });
});

describe('the start', () => {
  const paced = search({ executor: { kind: 'constant-rate', perSecond: 100, maxClients: 20 } });

  test('is the same for all threads, after they are ready and the start is given', async () => {
    let first = Infinity;
    const behave: Behaviour = () => {
      first = Math.min(first, Date.now());
      return { status: 200, body: FOUND };
    };
    await against(behave, async (node, target) => {
      const samples: Sample[] = [];
      const load = prepareLoad(job(node, [paced], { measureMs: 1000 }), {
        workerFile: WORKER,
        workers: 3,
        onSample: (sample) => samples.push(sample),
      });
      const leadMs = await load.ready;
      expect(leadMs).toBeGreaterThanOrEqual(20);
      expect(target.requests).toBe(0);
      const startAt = Date.now() + leadMs + 200;
      load.begin(startAt);
      const { startedAt, lateMs, tasks } = await load.done;
      expect(startedAt).toBe(startAt);
      expect(first).toBeGreaterThanOrEqual(startAt);
      expect(lateMs).toBeLessThan(100);
      expect(tasks[0]).toMatchObject({ offered: 100 });
      expect(samples[0]).toMatchObject({ at: startAt, offered: 100 });
    });
  });

  test('reports how late a thread started that received the start too late', async () => {
    await against(accept, async (node) => {
      const load = prepareLoad(job(node, [paced], { measureMs: 1000 }), {
        workerFile: WORKER,
        workers: 1,
        onSample: () => undefined,
      });
      await load.ready;
      load.begin(Date.now() - 300);
      const { lateMs } = await load.done;
      expect(lateMs).toBeGreaterThanOrEqual(300);
      expect(lateMs).toBeLessThan(600);
    });
  });

  test('is ignored after the load was stopped', async () => {
    await against(accept, async (node, target) => {
      const load = prepareLoad(job(node, [ingest()], { measureMs: 60_000 }), {
        workerFile: WORKER,
        workers: 2,
        onSample: () => undefined,
      });
      load.stop('cancelled');
      await load.ready;
      load.begin(Date.now());
      expect((await load.done).stopped).toBe('cancelled');
      expect(target.requests).toBe(0);
    });
  });

  test('does not happen if a source cannot be read', async () => {
    const task = ingest();
    const source = { kind: 'file', file: '/nowhere.ndjson', format: 'ndjson', repeat: false } as const;
    Object.assign(task.operation, { source });
    await against(accept, async (node) => {
      const load = startLoad(job(node, [task], { measureMs: 60_000 }), {
        workerFile: WORKER,
        workers: 1,
        onSample: () => undefined,
      });
      await expect(load.done).rejects.toMatchObject({ code: 'source.unreadable' });
    });
  });
});
