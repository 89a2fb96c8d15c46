/**
 * Tests that documents and requests are counted correctly as accepted, rejected, failed and so on. Small HTTP servers answer wrongly in
 * known ways.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Counts } from '../../common/measurement/counts';
import type { TaskJob } from '../../server/load/contract';
import { startLoad } from '../../server/load/pool';
import {
  accepted,
  against,
  buildWorker,
  fire,
  FOUND,
  job,
  REFUSED,
  Target,
  WORKER,
  type Behaviour,
} from './support/load';
import { accept, ingest, search } from './support/load-tasks';

/** Returns a bulk response with the given status for each document. */
const items = (statuses: number[]): string =>
  JSON.stringify({
    took: 1,
    errors: statuses.some((status) => status >= 300),
    items: statuses.map((status) => ({
      index:
        status < 300
          ? { status }
          : {
              status,
              error: {
                type: status === 429 ? 'es_rejected_execution_exception' : 'document_parsing_exception',
                reason: 'no',
              },
            },
    })),
  });

const idOf = (document: string): string => (JSON.parse(document) as { correlationId: string }).correlationId;

const expectToAddUp = (counts: Counts): void => {
  expect(counts.attempted).toBe(counts.accepted + counts.rejected + counts.failed + counts.unknown);
};

jest.setTimeout(60_000);

beforeAll(buildWorker);

describe('documents mode', () => {
  test('sends exactly the requested number of documents, all distinct, with several load threads', async () => {
    const ids: string[] = [];
    await against(
      (documents) => {
        ids.push(...documents.map(idOf));
        return { status: 200, body: accepted(documents.length) };
      },
      async (node) => {
        const { outcome } = await fire(job(node, [ingest()], { documents: 1234, measureMs: null }), 2);
        expect(ids).toHaveLength(1234);
        expect(new Set(ids).size).toBe(1234);
        expect(outcome.workers).toBe(2);
        expect(outcome.tasks[0]!.measured).toMatchObject({
          attempted: 1234,
          accepted: 1234,
          failed: 0,
          retried: 0,
        });
        expect(outcome.tasks[0]!.elapsedMs).toBeGreaterThan(0);
        expect(outcome.measureEndedAt - outcome.measureAt).toBeGreaterThanOrEqual(
          Math.floor(outcome.tasks[0]!.elapsedMs),
        );
      },
    );
  });

  test('divides the documents between the ingest tasks, and searches run until the last is answered', async () => {
    const bulk: Behaviour = (documents, request) =>
      request.url!.includes('_search')
        ? { status: 200, body: FOUND }
        : { status: 200, body: accepted(documents.length), after: documents.length > 0 ? 20 : 0 };
    await against(bulk, async (node) => {
      const tasks = [ingest({ name: 'one' }), ingest({ name: 'two' }), search()];
      const { outcome } = await fire(job(node, tasks, { documents: 3001, measureMs: null }), 2);
      const [one, two, searches] = outcome.tasks;
      expect(one!.measured.accepted + two!.measured.accepted).toBe(3001);
      expect(Math.abs(one!.measured.accepted - two!.measured.accepted)).toBe(1);
      expect(searches!.measured.accepted).toBeGreaterThan(10);
      expect(searches!.elapsedMs).toBeGreaterThanOrEqual(Math.max(one!.elapsedMs, two!.elapsedMs) - 5);
    });
  });
});

describe('rejections', () => {
  test('every document ends as accepted, rejected or failed, and no accepted document is sent again', async () => {
    const stored = new Set<string>();
    const sentAgain: string[] = [];
    let dice = 1;
    const roll = (): number => {
      dice = (Math.imul(dice, 1103515245) + 12345) >>> 0;
      return dice / 2 ** 32;
    };
    const behave: Behaviour = (documents) => {
      const ids = documents.map(idOf);
      sentAgain.push(...ids.filter((id) => stored.has(id)));
      if (roll() < 0.3) return { status: 429, body: REFUSED };
      const statuses = ids.map((id) => {
        const luck = roll();
        if (luck < 0.3) return 429;
        if (luck < 0.35) return 400;
        stored.add(id);
        return 201;
      });
      return { status: 200, body: items(statuses) };
    };
    await against(behave, async (node, target) => {
      const { outcome, samples } = await fire(job(node, [ingest()], { documents: 2000, measureMs: null }), 2);
      const { measured, total, failures } = outcome.tasks[0]!;
      expectToAddUp(measured);
      expect(measured.attempted).toBe(2000);
      expect(measured.accepted).toBe(stored.size);
      expect(measured.rejected).toBeGreaterThan(0);
      expect(measured.failed).toBeGreaterThan(0);
      expect(measured.retried).toBeGreaterThan(0);
      expect(measured.requests).toBe(target.requests);
      expect(sentAgain).toEqual([]);
      expect(failures['es_rejected_execution_exception']!.count).toBe(total.rejected);
      expect(failures['document_parsing_exception']!.count).toBe(total.failed);
      const inSamples = samples.reduce((sum, { counts }) => sum + counts.accepted, 0);
      expect(inSamples).toBe(total.accepted);
    });
  });

  test('without retries, a 429 counts as rejected at once', async () => {
    await against(
      () => ({ status: 429, body: REFUSED }),
      async (node, target) => {
        const task = ingest();
        if (task.operation.kind === 'ingest') task.operation.retries.attempts = 0;
        const { outcome } = await fire(job(node, [task], { documents: 500, measureMs: null }));
        expect(outcome.tasks[0]!.measured).toMatchObject({ attempted: 500, rejected: 500, retried: 0 });
        expect(target.requests).toBe(10);
      },
    );
  });

  test('documents of a lost connection or a timed-out request count as unknown and are never sent again', async () => {
    const seen = new Map<string, number>();
    let requests = 0;
    const behave: Behaviour = (documents) => {
      for (const id of documents.map(idOf)) seen.set(id, (seen.get(id) ?? 0) + 1);
      requests += 1;
      if (requests === 3) return 'hang-up';
      if (requests === 5) return 'never';
      return { status: 200, body: accepted(documents.length) };
    };
    await against(behave, async (node) => {
      const load = job(node, [ingest()], { documents: 1000, measureMs: null });
      const { outcome } = await fire({ ...load, target: { ...load.target, requestTimeoutMs: 500 } });
      expect(outcome.tasks[0]!.measured).toMatchObject({
        attempted: 1000,
        accepted: 900,
        failed: 0,
        unknown: 100,
        retried: 0,
      });
      expect(outcome.tasks[0]!.failures).toMatchObject({
        'connection-lost': { count: 50 },
        timeout: { count: 50 },
      });
      expect(Math.max(...seen.values())).toBe(1);
    });
  });
});

test('documents that still wait for a retry at the end of the drain count as rejected', async () => {
  await against(
    () => ({ status: 429, body: REFUSED }),
    async (node) => {
      const task = ingest();
      if (task.operation.kind === 'ingest') {
        task.operation.retries = { attempts: 100, baseMs: 60_000, maxMs: 60_000 };
      }
      const { outcome } = await fire(job(node, [task], { measureMs: 500, drainMs: 300 }));
      const { total } = outcome.tasks[0]!;
      expectToAddUp(total);
      expect(total.rejected).toBe(150);
      expect(total.failed).toBe(0);
    },
  );
});

describe('a file', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'dyno-load-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const fileTask = (content: string, repeat = false): TaskJob => {
    const file = path.join(folder, 'corpus.json');
    writeFileSync(file, content);
    const task = ingest();
    if (task.operation.kind === 'ingest')
      task.operation.source = { kind: 'file', file, format: 'ndjson', repeat };
    return task;
  };
  const corpus = (documents: number): string =>
    Array.from({ length: documents }, (_, n) => `{"correlationId":"${n}"}\n`).join('');

  test('ends the load at its end, with every line sent once by all load threads together', async () => {
    const ids: string[] = [];
    const behave: Behaviour = (documents) => {
      ids.push(...documents.map(idOf));
      return { status: 200, body: accepted(documents.length) };
    };
    await against(behave, async (node) => {
      const { outcome } = await fire(job(node, [fileTask(corpus(777))], { measureMs: 60_000 }), 2);
      expect(ids.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 777 }, (_, n) => n));
      expect(outcome.tasks[0]!.measured.accepted).toBe(777);
      expect(outcome.tasks[0]!.elapsedMs).toBeLessThan(10_000);
      expect(outcome.stopped).toBe('');
    });
  });

  test('is read again until the documents are complete if it repeats', async () => {
    await against(accept, async (node) => {
      const load = job(node, [fileTask(corpus(10), true)], { documents: 1003, measureMs: null });
      const { outcome } = await fire(load);
      expect(outcome.tasks[0]!.measured.accepted).toBe(1003);
    });
  });

  test('that is slow to read is reported as a limit of the load generator, although its load thread is idle', async () => {
    await against(accept, async (node) => {
      const task = fileTask(`{"n":1}\n${'\n'.repeat(30_000)}`, true);
      const { samples } = await fire(job(node, [task], { measureMs: 1500 }));
      const busy = samples.filter(({ generator }) => generator.utilisation > 0.9);
      expect(busy.length).toBeGreaterThan(0);
    });
  });

  test('with a corrupt line fails the load, and the error names the line', async () => {
    await against(accept, async (node) => {
      const load = job(node, [fileTask(`${corpus(120)}not a document\n`)], { measureMs: 60_000 });
      await expect(fire(load)).rejects.toMatchObject({
        kind: 'run',
        code: 'source.corrupt-line',
        problems: [{ path: path.join(folder, 'corpus.json:121') }],
      });
    });
  });
});

describe('ends', () => {
  test('an unreachable target fails the load, without a flood of attempts', async () => {
    const target = new Target(accept);
    const node = await target.listen();
    await target.close();
    const { done } = startLoad(job(node, [ingest()], { measureMs: 60_000 }), {
      workerFile: WORKER,
      workers: 1,
      onSample: ({ counts }) => {
        expect(counts.requests).toBeLessThan(60);
      },
    });
    await expect(done).rejects.toMatchObject({ kind: 'run', code: 'target.unreachable' });
  });

  test('a stop ends the measured phase, drains and says why', async () => {
    await against(accept, async (node) => {
      const load = startLoad(job(node, [ingest()], { measureMs: 60_000 }), {
        workerFile: WORKER,
        workers: 2,
        onSample: ({ counts }) => {
          if (counts.accepted > 0) load.stop('red');
        },
      });
      const outcome = await load.done;
      expect(outcome.stopped).toBe('red');
      expect(outcome.tasks[0]!.elapsedMs).toBeLessThan(60_000);
      expectToAddUp(outcome.tasks[0]!.total);
      expect(outcome.tasks[0]!.total.failed).toBe(0);
    });
  });

  test('an abort cancels requests in flight', async () => {
    await against(
      () => 'never',
      async (node, target) => {
        const load = startLoad(job(node, [ingest()], { measureMs: 60_000, drainMs: 60_000 }), {
          workerFile: WORKER,
          workers: 1,
          onSample: () => {
            if (target.requests === 3) load.abort();
          },
        });
        const outcome = await load.done;
        expect(outcome.stopped).toBe('aborted');
        expect(outcome.tasks[0]!.failures['aborted']!.count).toBe(150);
      },
    );
  });

  test('bulks with a size in bytes are filled up to that size', async () => {
    const sizes: number[] = [];
    const behave: Behaviour = (documents, _request, body) => {
      sizes.push(Buffer.byteLength(body));
      return { status: 200, body: accepted(documents.length) };
    };
    await against(behave, async (node) => {
      const load = job(node, [ingest({}, { bytes: 20_000 })], { documents: 1000, measureMs: null });
      const { outcome } = await fire(load);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(20_000);
      expect(sizes.filter((size) => size > 19_000).length).toBeGreaterThanOrEqual(sizes.length - 1);
      expect(outcome.tasks[0]!.measured).toMatchObject({
        accepted: 1000,
        bytes: sizes.reduce((sum, size) => sum + size),
      });
    });
  });

  test('searches are sent with their parameters and credentials, and drawn by their weights', async () => {
    const urls: Record<string, number> = {};
    const behave: Behaviour = (_documents, request) => {
      expect(request.headers.authorization).toBe('ApiKey abc');
      urls[request.url!] = (urls[request.url!] ?? 0) + 1;
      return { status: 200, body: FOUND };
    };
    await against(behave, async (node) => {
      await fire(
        job(node, [search({ executor: { kind: 'constant-rate', perSecond: 500, maxClients: 50 } })]),
      );
      const often = urls['/trial-1/_search?request_cache=false']!;
      const rare = urls['/trial-1/_search']!;
      // A busy machine may send fewer than the scheduled 1000. The weights hold nevertheless.
      const all = often + rare;
      expect(all).toBeGreaterThan(300);
      const deviation = Math.sqrt((0.75 * 0.25) / all);
      expect(Math.abs(often / all - 0.75)).toBeLessThan(4 * deviation);
    });
  });
});
