/** Tests a queue at moments when other processes act on the same runs. Integration tests check everything else. */
import { refreshRun } from '../../../common/analysis/testing/made-run';
import type { ElasticsearchClient, ElasticsearchResponse } from '../../../common/elasticsearch/client';
import type { RunDocument } from '../../../common/experiment/run';
import { runError, type Problem } from '../../../common/problem';
import { until } from '../../../test/support/until';
import { thisProcess } from '../../process-life';
import { createLeases } from '../../results/leases';
import type { ResultsReader } from '../../results/reader';
import type { ResultsWriter } from '../../results/writer';
import { aRun } from '../../results/testing/made-documents';
import type { Connection } from '../../target-cluster/connection';
import { cleanTarget, createRunService, recoverRuns, RunQueue, takeUpQueuedRuns, type Actor } from './queue';
import type { Asker, CarriedRuns } from './service';

const OTHER = { host: 'elsewhere', pid: 7, instance: '7-7' };
const DEAD = { ...thisProcess(), pid: 2 ** 22 + 1 };

interface StoredLease {
  _seq_no: number;
  _source: { carrier: { instance: string } };
}

/** A promise that the test resolves. */
function gate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** Simulates results of runs in memory. Their leases behave like those in Elasticsearch. `before`: called before each request. */
function results(...found: RunDocument[]) {
  const runs = new Map(found.map((run) => [run.run.id, run]));
  const leases = new Map<string, StoredLease>();
  /** Names of the indices through which a run communicates with the machines that generate its load. */
  const buses = new Set<string>();
  let last = 0;
  const hooks = { before: (_method: string, _path: string): void | Promise<void> => undefined };
  const answer = (
    method: string,
    path: string,
    query: object,
    body: unknown,
  ): ElasticsearchResponse<unknown> => {
    if (path === '/dyno-claims/_search')
      return { status: 200, body: { _shards: { total: 1 }, hits: { hits: [...leases.values()] } } };
    if (path.startsWith('/dyno-seats-') && path.endsWith('/_alias'))
      return { status: 200, body: Object.fromEntries([...buses].map((index) => [index, {}])) };
    if (method === 'DELETE' && buses.delete(path.slice(1)))
      return { status: 200, body: { acknowledged: true } };
    if (path.endsWith('/_search')) return { status: 200, body: { _shards: { total: 0 } } };
    if (path.endsWith('/_mget')) {
      const { ids } = body as { ids: string[] };
      return { status: 200, body: { docs: ids.map((one) => leases.get(one) ?? { found: false }) } };
    }
    if (!path.includes('/_doc/')) return { status: 200, body: {} };
    const id = path.slice(path.lastIndexOf('/') + 1);
    const stored = leases.get(id);
    if (method === 'GET') return stored ? { status: 200, body: stored } : { status: 404, body: {} };
    const isStale = 'if_seq_no' in query ? stored?._seq_no !== query.if_seq_no : stored !== undefined;
    if (isStale) return { status: 409, body: {} };
    if (method === 'DELETE') leases.delete(id);
    else leases.set(id, { _seq_no: ++last, _source: body as StoredLease['_source'] });
    return { status: 200, body: {} };
  };
  const client: ElasticsearchClient = {
    async request<T>({ method, path, query = {}, body }: Parameters<ElasticsearchClient['request']>[0]) {
      await hooks.before(method, path);
      return answer(method, path, query, body) as ElasticsearchResponse<T>;
    },
  };
  const saved: RunDocument['run'][] = [];
  const writer = {
    saveRun(run: RunDocument) {
      saved.push(structuredClone(run.run));
      runs.set(run.run.id, structuredClone(run));
      return Promise.resolve();
    },
    saveTrial: () => Promise.resolve(),
    markTrial: () => Promise.resolve(true),
    markRun: async (run: RunDocument) => {
      await writer.saveRun(run);
      return true;
    },
    flush: () => Promise.resolve(true),
    stats: () => ({ spooled: 0, dropped: 0 }),
  } as unknown as ResultsWriter;
  const reader = {
    getRun: (id: string) => Promise.resolve(structuredClone(runs.get(id))),
    getTrials: () => Promise.resolve([]),
    findActiveRuns: () => Promise.resolve([]),
    findRunsWithReplaced: () => Promise.resolve([]),
  } as unknown as ResultsReader;
  return { client, leases, buses, hooks, saved, runs, reader, writer };
}

type Results = ReturnType<typeof results>;

const target = {
  urls: ['http://127.0.0.1:9200'],
  request({ path }: { path: string }) {
    const body = path === '/' ? { cluster_name: 'c', cluster_uuid: 'u', version: { number: '9.5.3' } } : {};
    return Promise.resolve({ status: path === '/' ? 200 : 404, body });
  },
  close: () => Promise.resolve(),
} as unknown as Connection;

const queues: RunQueue[] = [];
afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.close('the test is over');
});

function carrying(
  { client, reader, writer }: Results,
  connect: Actor['connect'] = () => Promise.resolve(target),
  name?: string,
) {
  const problems: Problem[] = [];
  const onProblem = (problem: Problem): void => void problems.push(problem);
  const ended: string[] = [];
  const onEnd = ({ run: { id, state } }: RunDocument): void => void ended.push(`${id} ${state}`);
  const queue = new RunQueue({ name, workerFile: '', version: 'test', onProblem, onEnd });
  queues.push(queue);
  const actor: Actor = {
    reader,
    writer,
    results: client,
    resultsUuid: 'results',
    folder: '/',
    connect,
    close: () => Promise.resolve(),
  };
  const service = createRunService(queue, {
    reader,
    results: client,
    allowedHosts: undefined,
    becomeActor: () => Promise.resolve(actor),
    withWriter: (work) => work(writer),
    onProblem,
  });
  return { queue, actor, service, problems, ended };
}

const interrupted = (id: string): RunDocument => aRun(id, { state: 'interrupted' });
const isTake = (method: string, path: string): boolean => method === 'PUT' && path.includes('/_doc/');

test('a run that another process has resumed and ended before the lease could be taken is not resumed again', async () => {
  const stored = results(interrupted('ended-elsewhere'));
  const { queue, actor } = carrying(stored);
  stored.hooks.before = (method, path) => {
    if (isTake(method, path)) stored.runs.get('ended-elsewhere')!.run.state = 'completed';
  };
  await expect(queue.resume('ended-elsewhere', actor)).rejects.toMatchObject({ code: 'run.not-interrupted' });
  expect([stored.saved, stored.leases.size, queue.carries('ended-elsewhere')]).toEqual([[], 0, false]);
});

test('a run is resumed from the document that is stored when its lease is taken', async () => {
  const stored = results(interrupted('further'));
  const hold = gate();
  let connections = 0;
  const { queue, actor } = carrying(stored, async () => {
    if (++connections > 1) await hold.opened;
    return target;
  });
  stored.hooks.before = (method, path) => {
    if (isTake(method, path)) stored.runs.get('further')!.progress.completed = 4;
  };
  await queue.resume('further', actor);
  expect(stored.runs.get('further')!.progress.completed).toBe(4);
  stored.hooks.before = () => undefined;
  await queue.cancel('further', 'enough');
  hold.open();
});

test('a failed run can be resumed, and fails again if it cannot continue', async () => {
  const stored = results(aRun('failed', { state: 'failed' }));
  const { queue, actor, ended } = carrying(stored);
  const { done } = await queue.resume('failed', actor);
  await done;
  await until('its end to be reported', () => Promise.resolve(ended.length > 0 || undefined));
  expect(ended).toEqual(['failed failed']);
  // The target of this test refuses all requests of the preflight.
  const { run, events } = stored.runs.get('failed')!;
  expect(run.state).toBe('failed');
  expect(run.reason).not.toBe('');
  expect(events.map(({ message }) => message)).toContain('continues after the failure');
});

test('a run that is resumed while its lease is being released keeps the new lease', async () => {
  const stored = results(interrupted('again'));
  const refused = gate();
  const second = gate();
  let connections = 0;
  const { queue, actor } = carrying(stored, async () => {
    connections++;
    if (connections === 2) throw runError('elsewhere.away', '', 'nobody answers');
    if (connections === 4) await second.opened;
    return target;
  });
  const released = gate();
  stored.hooks.before = async (method) => {
    if (method !== 'DELETE') return;
    refused.open();
    await released.opened;
  };
  await queue.resume('again', actor);
  await refused.opened;
  expect(stored.runs.get('again')!.run.state).toBe('interrupted');
  const resumed = queue.resume('again', actor);
  // Lets the request proceed until it waits for the lease. All other answers are immediate here.
  await new Promise(setImmediate);
  released.open();
  await resumed;
  expect(stored.runs.get('again')!.run.state).toBe('queued');
  expect(stored.leases.get('again')!._source.carrier).toEqual(thisProcess());
  await queue.cancel('again', 'enough');
  second.open();
});

test('a run that waits is not cancelled while it is being resumed', async () => {
  const waiting = aRun('both', { state: 'waiting' });
  const stored = results({ ...waiting, run: { ...waiting.run, waiting: { environment: {}, since: '' } } });
  const hold = gate();
  let connections = 0;
  const { queue, actor, service } = carrying(stored, async () => {
    if (++connections > 1) await hold.opened;
    return target;
  });
  const read = gate();
  const reading = gate();
  stored.hooks.before = async (method, path) => {
    if (!isTake(method, path)) return;
    reading.open();
    await read.opened;
  };
  const resumed = queue.resume('both', actor);
  await reading.opened;
  await expect(service.cancel('both', 'not wanted')).rejects.toMatchObject({ code: 'run.claimed' });
  read.open();
  await resumed;
  expect([stored.runs.get('both')!.run.state, stored.leases.size]).toEqual(['queued', 1]);
  await queue.cancel('both', 'enough');
  hold.open();
});

describe('a run that has just begun to wait for its environment', () => {
  /** Creates a run that failed to begin, because its target was gone. The run keeps its lease until the test calls `released.open`. */
  async function leaving() {
    const waiting = aRun('waits', { state: 'waiting' });
    const stored = results({ ...waiting, run: { ...waiting.run, waiting: { environment: {}, since: '' } } });
    let connections = 0;
    const { queue, actor, service } = carrying(stored, () => {
      if (++connections === 2) return Promise.reject(runError('elsewhere.away', '', 'nobody answers'));
      return Promise.resolve(target);
    });
    const begun = gate();
    const released = gate();
    stored.hooks.before = async (method) => {
      if (method !== 'DELETE') return;
      begun.open();
      await released.opened;
    };
    await queue.resume('waits', actor);
    await begun.opened;
    expect([stored.runs.get('waits')!.run.state, stored.leases.size]).toEqual(['waiting', 1]);
    return { stored, service, released };
  }

  test('is cancelled once its lease is released', async () => {
    const { stored, service, released } = await leaving();
    const cancelled = service.cancel('waits', 'not wanted');
    // Lets the request proceed until it waits for the lease. All other answers are immediate here.
    await new Promise(setImmediate);
    released.open();
    await expect(cancelled).resolves.toEqual({ state: 'cancelled' });
    expect([stored.runs.get('waits')!.run.state, stored.leases.size]).toEqual(['cancelled', 0]);
  });

  test('is resumed once its lease is released, instead of being refused as running', async () => {
    const waiting = aRun('waits', { state: 'waiting' });
    const { reader } = results({
      ...waiting,
      run: { ...waiting.run, waiting: { environment: {}, since: '' } },
    });
    let isCarried = true;
    const queue = {
      letGo: () => Promise.resolve(void (isCarried = false)),
      carries: () => isCarried,
      resume: (run: string) => Promise.resolve({ run, state: 'queued' }),
    } as unknown as CarriedRuns;
    const asker = { reader, becomeActor: () => Promise.resolve({}) } as unknown as Asker;
    await expect(createRunService(queue, asker).resume('waits')).resolves.toMatchObject({ run: 'waits' });
  });
});

test('a run ends as one that can be resumed when the results cluster no longer accepts its credentials', async () => {
  const stored = results();
  const { queue, actor, problems } = carrying(stored);
  queue.hold('something else needs the machine');
  const { run, done } = await queue.start({ definition: aRun('any').definition }, actor);
  stored.hooks.before = (_method, path) => {
    if (path.startsWith('/dyno-claims'))
      throw runError('results.unauthorised', '', 'the key was invalidated');
  };
  await done;
  const reason = 'the key was invalidated. The run ends here and can be resumed with credentials that work';
  expect(stored.runs.get(run)!.run).toMatchObject({ state: 'interrupted', reason });
  expect(problems).toContainEqual({ code: 'run.credentials', path: '', message: `run ${run}: ${reason}` });
}, 20_000);

test('a lease that a run could not release is removed once the run has ended and the lease is no longer renewed', async () => {
  const stored = results(aRun('over', { state: 'interrupted' }), aRun('going', { state: 'running' }));
  const lease = (id: string, agoMs: number) => ({
    _seq_no: 1,
    _source: {
      '@timestamp': new Date(Date.now() - agoMs).toISOString(),
      run: { id },
      carrier: thisProcess(),
    },
  });
  stored.leases.set('over', lease('over', 10 * 60_000));
  stored.leases.set('going', lease('going', 10 * 60_000));
  stored.leases.set('just over', lease('just over', 1000));
  stored.runs.set('just over', aRun('just over', { state: 'completed' }));
  await recoverRuns(stored.reader, stored.writer, stored.client);
  expect([...stored.leases.keys()].sort()).toEqual(['going', 'just over']);
});

test('no run begins while the queue is held, and the queue cannot be held while a run is running', async () => {
  const stored = results();
  const hold = gate();
  let connections = 0;
  const { queue, actor } = carrying(stored, async () => {
    if (++connections > 1) await hold.opened;
    return target;
  });
  const release = queue.hold('something else needs the machine');
  const { run, state } = await queue.start({ definition: aRun('any').definition }, actor);
  expect([state, queue.heldBack(run)]).toEqual(['queued', 'something else needs the machine']);
  release();
  await until('it has begun', () => queue.progress(run) !== null);
  expect(queue.heldBack(run)).toBe('');
  expect(() => queue.hold('again')).toThrow('a run is running here');
  await queue.cancel(run, 'enough');
  hold.open();
});

test('a scheduled run that waited into a quiet period is missed and recorded as such; a manual run begins', async () => {
  const stored = results();
  const logged: unknown[] = [];
  const { queue, actor } = carrying(stored);
  actor.results = {
    request<T>(asked: Parameters<ElasticsearchClient['request']>[0]) {
      if (asked.path.startsWith('/dyno-schedules/_doc/')) logged.push(asked.body);
      return stored.client.request<T>(asked);
    },
  };
  const { definition } = aRun('any');
  const quiet = { ...definition, schedule: { cron: '0 3 * * *', quiet: ['Sun-Sat'] } };
  const release = queue.hold('something else needs the machine');
  const scheduled = await queue.start(
    { definition: quiet, experimentId: 'e1', asked: 'by its schedule' },
    actor,
  );
  expect(scheduled.state).toBe('queued');
  release();
  const { run, events } = (await scheduled.done).run;
  const why = 'the quiet period Sun-Sat (UTC) is in progress';
  expect(run).toMatchObject({ state: 'cancelled', reason: `it waited for its turn, and then ${why}` });
  expect(events.map(({ message }) => message)).not.toContain('began');
  await until('it is recorded', () => logged.length > 0);
  expect(logged).toMatchObject([
    { kind: 'missed', experiment: { id: 'e1' }, reason: 'quiet', why, run: run.id },
  ]);
  const manual = await queue.start({ definition: quiet, experimentId: 'e1' }, actor);
  expect((await manual.done).run.run.state).toBe('failed');
  expect(logged).toHaveLength(1);
});

describe('recovery', () => {
  const orphan = (id: string): RunDocument => {
    const run = aRun(id);
    return { ...run, run: { ...run.run, carrier: DEAD } };
  };
  const recover = (stored: Results, found: RunDocument) =>
    recoverRuns(
      { ...stored.reader, findActiveRuns: () => Promise.resolve([found]) },
      stored.writer,
      stored.client,
    );

  test('leaves a run alone that another process has resumed since it was found', async () => {
    const found = orphan('resumed');
    const stored = results({ ...found, run: { ...found.run, carrier: thisProcess(), state: 'queued' } });
    expect(await recover(stored, found)).toEqual({ interrupted: [], queued: [], notes: [] });
    expect([stored.saved, stored.leases.size]).toEqual([[], 0]);
  });

  test('leaves a run alone if another process has its lease', async () => {
    const found = orphan('taken');
    const stored = results(found);
    await createLeases(stored.client).take('taken', OTHER, () => false);
    expect(await recover(stored, found)).toEqual({ interrupted: [], queued: [], notes: [] });
    expect([stored.saved, stored.leases.size]).toEqual([[], 1]);
  });

  test('ends an orphan under its lease, and then releases the lease', async () => {
    const found = orphan('orphan');
    const stored = results(found);
    await createLeases(stored.client).take('orphan', DEAD, () => false);
    let holder = '';
    stored.hooks.before = (_, path) => {
      if (path === '/dyno-markers/_search') holder = stored.leases.get('orphan')!._source.carrier.instance;
    };
    expect((await recover(stored, found)).interrupted).toHaveLength(1);
    expect(stored.saved.map(({ state }) => state)).toEqual(['interrupted']);
    expect([holder, stored.leases.size]).toEqual([thisProcess().instance, 0]);
  });

  test('counts the stored trials, because the carrier may have died before it counted the last one', async () => {
    const found = orphan('orphan');
    const stored = results({ ...found, progress: { ...found.progress, completed: 1 } });
    const { trials } = refreshRun();
    stored.reader.getTrials = () => Promise.resolve(trials.slice(0, 2));
    const { interrupted } = await recover(stored, found);
    expect(interrupted.map(({ progress }) => progress.completed)).toEqual([2]);
  });
});

test('leftovers of a run in a target are not touched once the run is resumed', async () => {
  const stored = results(interrupted('left'));
  const dropped: string[] = [];
  const connection = {
    ...target,
    request({ method, path }: Parameters<ElasticsearchClient['request']>[0]) {
      if (method === 'DELETE') dropped.push(path);
      const mark = {
        dyno: { run: 'left', trial: 't', experiment: 'e', created: '2026-11-20T10:00:00.000Z' },
      };
      const marked = { 'dyno-left': { mappings: { _meta: mark } } };
      return path.includes('_mapping')
        ? Promise.resolve({ status: 200, body: marked })
        : target.request({ method, path });
    },
  } as unknown as Connection;
  const cleaning = { connection, results: stored.client, reader: stored.reader, writer: stored.writer };
  stored.hooks.before = (method, path) => {
    if (isTake(method, path)) stored.runs.get('left')!.run.state = 'queued';
  };
  expect(await cleanTarget(cleaning)).toEqual([]);
  expect([dropped, stored.saved, stored.leases.size]).toEqual([[], [], 0]);

  stored.hooks.before = () => undefined;
  stored.runs.get('left')!.run.state = 'interrupted';
  stored.runs.get('left')!.run.indices = ['dyno-left'];
  expect(await cleanTarget(cleaning)).toEqual(['removed dyno-left, left behind by run left']);
  expect([dropped, stored.saved.map(({ indices }) => indices)]).toEqual([['/dyno-left'], [[]]]);
});

test('an index that a check of settings left is removed once its process has ended, even without a stored run', async () => {
  const stored = results();
  const dropped: string[] = [];
  const marked = (carrier: object): object => {
    const dyno = {
      run: 'refused',
      trial: 'check',
      experiment: 'e',
      created: new Date().toISOString(),
      carrier,
    };
    return { mappings: { _meta: { dyno } } };
  };
  const all: Record<string, object> = { 'dyno-dead': marked(DEAD), 'dyno-alive': marked(thisProcess()) };
  const connection = {
    ...target,
    request({ method, path }: Parameters<ElasticsearchClient['request']>[0]) {
      if (method === 'DELETE') dropped.push(path);
      const [, name = ''] = path.split('/');
      const found = name in all ? { [name]: all[name] } : all;
      return path.includes('_mapping')
        ? Promise.resolve({ status: 200, body: found })
        : target.request({ method, path });
    },
  } as unknown as Connection;
  const cleaning = { connection, results: stored.client, reader: stored.reader, writer: stored.writer };
  expect(await cleanTarget(cleaning)).toEqual([
    'dyno-alive belongs to run refused, which is not in this results cluster: left alone',
  ]);
  expect(dropped).toEqual(['/dyno-dead']);
});

test('a lease is released even if a request to end the run arrives at that moment', async () => {
  const stored = results();
  const leases = createLeases(stored.client);
  await leases.take('asked', thisProcess(), () => false);
  let asked = false;
  stored.hooks.before = (method) => {
    if (method !== 'DELETE' || asked) return;
    asked = true;
    stored.leases.get('asked')!._seq_no += 1;
  };
  await leases.release('asked', thisProcess());
  expect(stored.leases.size).toBe(0);
});

describe('the leftovers of a run in its target', () => {
  /** Simulates a target. `indices`: for each of its indices, by name, the id of the run that created it. */
  function targetWith(indices: Map<string, string>, uuid = 'u'): Connection {
    const mappings = (names: readonly string[]): object =>
      Object.fromEntries(
        names.map((name) => [
          name,
          { mappings: { _meta: { dyno: { run: indices.get(name), trial: 't', experiment: 'e' } } } },
        ]),
      );
    return {
      urls: ['http://127.0.0.1:9200'],
      request({ method, path }: { method: string; path: string }) {
        const [, name = '', rest] = path.split('/');
        if (path === '/')
          return Promise.resolve({
            status: 200,
            body: { cluster_name: 'c', cluster_uuid: uuid, version: { number: '9.5.3' } },
          });
        if (path === '/_mapping')
          return Promise.resolve({ status: 200, body: mappings([...indices.keys()]) });
        if (!indices.has(name)) return Promise.resolve({ status: 404, body: {} });
        if (method === 'DELETE') indices.delete(name);
        return Promise.resolve({ status: 200, body: rest === '_mapping' ? mappings([name]) : {} });
      },
      close: () => Promise.resolve(),
    } as unknown as Connection;
  }
  const leaving = (...indices: string[]): RunDocument => {
    const run = interrupted('left');
    run.run.indices = indices;
    return run;
  };

  test('are removed on request, those of other runs are kept, and missing ones are removed from the document', async () => {
    const stored = results(leaving('trial-1', 'gone-already'), interrupted('other'));
    const indices = new Map([
      ['trial-1', 'left'],
      ['trial-9', 'other'],
    ]);
    const { service } = carrying(stored, () => Promise.resolve(targetWith(indices)));
    await expect(service.cleanUp('left')).resolves.toEqual({
      notes: ['removed trial-1, left behind by run left'],
      left: null,
    });
    expect([...indices.keys()]).toEqual(['trial-9']);
    expect(stored.runs.get('left')!.run.indices).toEqual([]);
  });

  test('are removed also if the run of a dead process is not marked as interrupted yet', async () => {
    const run = leaving('trial-1');
    Object.assign(run.run, { state: 'running', carrier: DEAD });
    const stored = results(run);
    stored.reader.findActiveRuns = () => Promise.resolve([...stored.runs.values()]);
    const indices = new Map([['trial-1', 'left']]);
    const { service } = carrying(stored, () => Promise.resolve(targetWith(indices)));
    await expect(service.cleanUp('left')).resolves.toMatchObject({ left: null });
    expect([indices.size, stored.runs.get('left')!.run.state]).toEqual([0, 'interrupted']);
  });

  test('are not searched in another cluster, nor while a process carries the run', async () => {
    const stored = results(leaving('trial-1'), aRun('going'));
    const { service } = carrying(stored, () => Promise.resolve(targetWith(new Map(), 'another')));
    await expect(service.cleanUp('left')).rejects.toMatchObject({ code: 'run.other-cluster' });
    expect(stored.runs.get('left')!.run.indices).toEqual(['trial-1']);
    await expect(service.cleanUp('going')).rejects.toMatchObject({ code: 'run.unfinished' });
  });
});

describe('a target that is measured by a run of another results cluster', () => {
  const leased = (until: string): Connection => {
    const lease = {
      run: { id: 'foreign' },
      experiment: { name: 'Elsewhere' },
      carrier: OTHER,
      since: '2026-11-20T10:00:00.000Z',
      until,
    };
    return {
      ...target,
      request: ({ method, path }: Parameters<ElasticsearchClient['request']>[0]) =>
        path.startsWith('/dyno-lease/_doc') && method === 'GET'
          ? Promise.resolve({ status: 200, body: { _seq_no: 1, _primary_term: 1, _source: lease } })
          : target.request({ method, path }),
    } as unknown as Connection;
  };
  const FAR = new Date(Date.now() + 3600_000).toISOString();
  const order = { definition: aRun('any').definition };

  test('refuses an attended run, of which nothing is stored', async () => {
    const stored = results();
    const { queue, actor } = carrying(stored, () => Promise.resolve(leased(FAR)));
    const listener = { onProgress: () => undefined, onEvent: () => undefined };
    const { done } = await queue.start(order, actor, listener);
    await expect(done).rejects.toMatchObject({ code: 'target.busy' });
    await expect(done).rejects.toThrow('run foreign (Elsewhere, process 7 on elsewhere)');
    expect([stored.saved, stored.leases.size]).toEqual([[], 0]);
  });

  test('lets another run wait', async () => {
    const stored = results();
    const { queue, actor } = carrying(stored, () => Promise.resolve(leased(FAR)));
    const { run } = await queue.start(order, actor);
    await until(
      () => 'it waits for the other run',
      () => queue.queuedBehind(run) === 1,
    );
    expect(stored.saved.map(({ state }) => state)).toEqual(['queued']);
    await queue.cancel(run, 'enough');
    expect(stored.runs.get(run)!.events.some(({ message }) => message.includes('run foreign'))).toBe(true);
  });
});

describe('runs that wait in a queue with a name', () => {
  /** Creates a run that is running, and another run that waits until the first one ends. */
  async function oneBehindAnother() {
    const stored = results();
    const hold = gate();
    let connections = 0;
    const connect = async (): Promise<Connection> => {
      // The first connection of the first run identifies the cluster. With the second one, the run begins.
      if (++connections === 2) await hold.opened;
      return target;
    };
    const carried = carrying(stored, connect, 'ours');
    const order = { definition: aRun('any').definition };
    const first = await carried.queue.start(order, carried.actor);
    const second = await carried.queue.start(order, carried.actor);
    return { stored, hold, first: first.run, second: second.run, ...carried };
  }
  const ended = async (): Promise<Awaited<ReturnType<typeof oneBehindAnother>>> => {
    const all = await oneBehindAnother();
    expect(all.queue.queuedBehind(all.second)).toBe(1);
    const closed = all.queue.close('the server was stopped');
    all.hold.open();
    await closed;
    return all;
  };
  const orphaned = (stored: Results, id: string): RunDocument => {
    const run = stored.runs.get(id)!;
    run.run.carrier = DEAD;
    return structuredClone(run);
  };
  const recovered = (stored: Results, found: RunDocument, name?: string) =>
    recoverRuns(
      { ...stored.reader, findActiveRuns: () => Promise.resolve([found]) },
      stored.writer,
      stored.client,
      name,
    );

  test('keep waiting in the next process with that queue', async () => {
    const { stored, first, second } = await ended();
    expect([stored.runs.get(first)!.run.state, stored.runs.get(second)!.run.state]).toEqual([
      'interrupted',
      'queued',
    ]);
    expect(stored.leases.size).toBe(0);
    const found = orphaned(stored, second);
    for (const name of [undefined, 'another'])
      expect(await recovered(stored, found, name)).toMatchObject({ interrupted: [], queued: [] });
    const { queued } = await recovered(stored, found, 'ours');
    expect(queued.map(({ run }) => run.id)).toEqual([second]);

    const next = carrying(stored, () => new Promise<Connection>(() => undefined), 'ours');
    void next.queue.takeUpQueued(second, next.actor).catch(() => undefined);
    expect(next.queue.carries(second)).toBe(true);
  });

  test('are taken up in their previous state', async () => {
    const { stored, second } = await ended();
    orphaned(stored, second);
    const hold = gate();
    let connections = 0;
    const next = carrying(
      stored,
      async () => {
        if (++connections === 2) await hold.opened;
        return target;
      },
      'ours',
    );
    await next.queue.takeUpQueued(second, next.actor);
    const { carrier, state } = stored.runs.get(second)!.run;
    expect([carrier, state, stored.leases.size]).toEqual([thisProcess(), 'queued', 1]);
    await next.queue.cancel(second, 'enough');
    hold.open();
  });

  test('can be cancelled while no process carries them', async () => {
    const { stored, second } = await ended();
    orphaned(stored, second);
    const { service } = carrying(stored);
    expect(await service.cancel(second, 'not wanted')).toEqual({ state: 'cancelled' });
    expect([stored.runs.get(second)!.run.state, stored.leases.size]).toEqual(['cancelled', 0]);
  });

  test('are interrupted with a note if they cannot wait any longer', async () => {
    const { stored, second } = await ended();
    const found = orphaned(stored, second);
    const take = (): Promise<never> => Promise.reject(runError('elsewhere.away', '', 'nobody answers'));
    const notes = await takeUpQueuedRuns(take, [found], { results: stored.client, writer: stored.writer });
    expect(notes).toEqual([expect.stringContaining('nobody answers')]);
    expect(stored.runs.get(second)!.run.state).toBe('interrupted');
  });
});

test('recovery removes leases that are no longer needed, and no others', async () => {
  const going = aRun('going');
  const stored = results(aRun('over', { state: 'completed' }), { ...going, run: { ...going.run } });
  const leases = createLeases(stored.client);
  await leases.take('over', DEAD, () => false);
  await leases.take('deleted', DEAD, () => false);
  await leases.take('going', DEAD, () => false);
  await leases.take('alive', thisProcess(), () => false);
  await recoverRuns(stored.reader, stored.writer, stored.client);
  expect([...stored.leases.keys()].sort()).toEqual(['alive', 'going']);
});

test('recovery removes the buses of runs that have ended and that no process carries', async () => {
  const stored = results(
    aRun('over', { state: 'completed' }),
    aRun('going'),
    aRun('resumed', { state: 'failed' }),
  );
  for (const id of ['over', 'deleted', 'going', 'resumed']) stored.buses.add(`dyno-seats-${id}-1a2b`);
  await createLeases(stored.client).take('resumed', thisProcess(), () => false);
  const { notes } = await recoverRuns(stored.reader, stored.writer, stored.client);
  expect([...stored.buses]).toEqual(['dyno-seats-going-1a2b', 'dyno-seats-resumed-1a2b']);
  expect(notes).toEqual([]);
});
