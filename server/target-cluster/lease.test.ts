import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import {
  findTargetHolder,
  type IsGone,
  LEASE_INDEX,
  removeAbandonedLease,
  takeTargetLease,
  type TargetHolder,
  type TargetLease,
  type TargetLeaseDocument,
} from './lease';

const holder = (run: string, instance = run): TargetHolder => ({
  run: { id: run },
  experiment: { name: 'Shards' },
  carrier: { host: 'bench', pid: 7, instance },
});

/**
 * Simulates a cluster that can contain only the index of the lease. Its clock is an hour ahead. A test can replace `before`, which is
 * called before each request, for example to change the lease.
 */
function cluster() {
  let document: { _seq_no: number; _primary_term: number; _source: TargetLeaseDocument } | undefined;
  let seq = 0;
  const state = {
    index: false,
    now: Date.now() + 3600_000,
    refuses: undefined as { status: number; body: unknown } | undefined,
    before: (_request: ElasticsearchRequest): void => undefined,
    writes: [] as string[],
    get lease() {
      return document?._source;
    },
  };
  const answer = ({ method, path, query = {}, body }: ElasticsearchRequest): [number, unknown] => {
    if (state.refuses && method === 'PUT') return [state.refuses.status, state.refuses.body];
    if (path.startsWith('/_cat/count')) return [200, [{ epoch: `${Math.floor(state.now / 1000)}` }]];
    if (path === `/${LEASE_INDEX}`) {
      if (method === 'PUT' && state.index)
        return [400, { error: { type: 'resource_already_exists_exception' } }];
      const status = method === 'DELETE' && !state.index ? 404 : 200;
      state.index = method === 'PUT';
      document = undefined;
      return [status, {}];
    }
    if (!state.index) return [404, { error: { type: 'index_not_found_exception' } }];
    if (method === 'GET') return document ? [200, document] : [404, { found: false }];
    const isStale = 'if_seq_no' in query ? query.if_seq_no !== document?._seq_no : document !== undefined;
    if (isStale) return [409, {}];
    document = { _seq_no: ++seq, _primary_term: 1, _source: body as TargetLeaseDocument };
    return [200, {}];
  };
  const client: ElasticsearchClient = {
    request<T>(request: ElasticsearchRequest) {
      state.before(request);
      if (request.method !== 'GET') state.writes.push(`${request.method} ${request.path}`);
      const [status, body] = answer(request);
      return Promise.resolve({ status, body: structuredClone(body) as T });
    },
  };
  return { client, state };
}

const ALIVE: { ms: number; isGone: IsGone } = { ms: 60_000, isGone: () => false };

async function taken(client: ElasticsearchClient, by: TargetHolder, asked = ALIVE): Promise<TargetLease> {
  const lease = await takeTargetLease(client, by, asked);
  if (typeof lease === 'string') throw new Error(lease);
  return lease;
}

test('a lease expires by the clock of the cluster, and nothing is left after its release', async () => {
  const { client, state } = cluster();
  const lease = await taken(client, holder('a'));
  const now = Math.floor(state.now / 1000) * 1000;
  const time = (ms: number): string => new Date(ms).toISOString();
  expect(state.lease).toEqual({ ...holder('a'), since: time(now), until: time(now + 60_000) });
  state.now += 50_000;
  await lease.renew(120_000);
  expect(state.lease).toMatchObject({ since: time(now), until: time(now + 170_000) });
  await lease.release();
  expect(state.index).toBe(false);
});

test('a second run learns the holder, the start and the end of the lease, and writes nothing', async () => {
  const { client, state } = cluster();
  await taken(client, holder('a'));
  state.writes.splice(0);
  const { since, until } = state.lease!;
  const refused = takeTargetLease(client, holder('b'), ALIVE);
  await expect(refused).rejects.toMatchObject({ code: 'target.busy' });
  await expect(refused).rejects.toThrow(
    `run a (Shards, process 7 on bench) has been running on this cluster since ${since}`,
  );
  await expect(refused).rejects.toThrow(`until ${until}`);
  await expect(refused).rejects.toThrow(`delete the index ${LEASE_INDEX}`);
  expect(state.writes).toEqual([]);
});

test('it is released even if the first answers are unreadable', async () => {
  const { client, state } = cluster();
  const lease = await taken(client, holder('a'));
  let garbled = 3;
  state.before = () => {
    if (garbled-- > 0) throw new Error('the answer is not JSON');
  };
  await lease.release();
  expect([state.index, garbled < 0]).toEqual([false, true]);
});

test.each([
  ['its index', `/${LEASE_INDEX}`],
  ['its document', `/${LEASE_INDEX}/_doc/lease`],
])('nothing is left of one that could not be taken, though the cluster wrote %s', async (_, where) => {
  const { client, state } = cluster();
  let cut = 3;
  const cutting: ElasticsearchClient = {
    async request<T>(request: ElasticsearchRequest) {
      const isHit = request.method === 'PUT' && request.path === where;
      const answer = await client.request<T>(request);
      if ((isHit || cut < 3) && cut-- > 0) throw new Error('the connection was closed without an answer');
      return answer;
    },
  };
  await expect(takeTargetLease(cutting, holder('a'), ALIVE)).rejects.toThrow('closed');
  expect([state.index, cut < 0]).toEqual([false, true]);
});

test('a lease that another run has taken in the meantime is kept', async () => {
  const { client, state } = cluster();
  await taken(client, holder('b'));
  const deaf: ElasticsearchClient = {
    request<T>(request: ElasticsearchRequest) {
      if (request.method === 'GET' && state.writes.length < 3) {
        state.writes.push('not seen');
        return Promise.resolve({ status: 404, body: {} as T });
      }
      if (request.path === `/${LEASE_INDEX}`) return Promise.reject(new Error('closed'));
      return client.request<T>(request);
    },
  };
  await expect(takeTargetLease(deaf, holder('a'), ALIVE)).rejects.toThrow('closed');
  expect(state.lease?.run.id).toBe('b');
});

test('it is released even if a gateway answers with pages of success', async () => {
  const { client, state } = cluster();
  const lease = await taken(client, holder('a'));
  let pages = 7;
  const behind: ElasticsearchClient = {
    request: <T>(request: ElasticsearchRequest) =>
      request.method !== 'GET' && pages-- > 0
        ? Promise.resolve({ status: 200, body: '<html>' as T })
        : client.request<T>(request),
  };
  // The release gives up after a time limit. On a busy machine, fewer answers may arrive within this time, so the time is simulated.
  jest.useFakeTimers();
  const released = lease.release(behind);
  await jest.runAllTimersAsync();
  jest.useRealTimers();
  await released;
  expect([state.index, pages < 0]).toEqual([false, true]);
});

test('the same run in another living process counts as another run', async () => {
  const { client } = cluster();
  await taken(client, holder('a', 'one'));
  await expect(takeTargetLease(client, holder('a', 'two'), ALIVE)).rejects.toMatchObject({
    code: 'target.busy',
  });
});

test('a lease that has expired by the clock of the cluster is taken, and its former holder is notified', async () => {
  const { client, state } = cluster();
  const first = await taken(client, holder('a'));
  state.now += 60_000;
  const second = await taken(client, holder('b'));
  await expect(first.renew(60_000)).rejects.toMatchObject({ code: 'target.lease-lost' });
  await first.release();
  expect(state.lease?.run.id).toBe('b');
  await second.release();
  expect(state.index).toBe(false);
});

test('the lease of a dead process is taken at once', async () => {
  const { client, state } = cluster();
  await taken(client, holder('a'));
  await taken(client, holder('b'), { ...ALIVE, isGone: ({ carrier }) => carrier.instance === 'a' });
  expect(state.lease?.run.id).toBe('b');
});

test('if two runs take a free cluster at once, one of them is refused', async () => {
  const { client } = cluster();
  const both = await Promise.allSettled([
    takeTargetLease(client, holder('a'), ALIVE),
    takeTargetLease(client, holder('b'), ALIVE),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('removing the index does not remove the lease of a run that takes the cluster at that moment', async () => {
  const { client, state } = cluster();
  const first = await taken(client, holder('a'));
  let second: Promise<unknown> | undefined;
  state.before = ({ method, path }) => {
    if (method !== 'DELETE' || path !== `/${LEASE_INDEX}` || second) return;
    second = takeTargetLease(client, holder('b'), ALIVE).catch((error: unknown) => error);
  };
  await first.release();
  const answer = await second;
  if (answer instanceof Error) await taken(client, holder('b'));
  expect(state.lease?.run.id).toBe('b');
});

test('the release of an expiring lease does not remove the new lease of another run', async () => {
  const { client, state } = cluster();
  const first = await taken(client, holder('a'));
  state.now += 60_000;
  let second: Promise<unknown> | undefined;
  state.before = ({ method, path }) => {
    if (method !== 'PUT' || !path.includes('_doc') || second) return;
    second = takeTargetLease(client, holder('b'), ALIVE).catch((error: unknown) => error);
  };
  await first.release();
  // Either request may be faster, but the second process must not hold a lease that is not stored.
  const isRefused = (await second) instanceof Error;
  expect([isRefused, state.lease?.run.id]).toEqual(isRefused ? [true, undefined] : [false, 'b']);
});

test.each([
  [403, { error: { reason: 'action [indices:admin/create] is unauthorized' } }, 'is unauthorized'],
  [
    403,
    { error: { reason: 'index [dyno-lease] blocked by: [FORBIDDEN/6/cluster read-only (api)]' } },
    'read-only',
  ],
  [405, null, 'it answered 405'],
])('if the cluster answers %d, a sentence says that it is unknown', async (status, body, why) => {
  const { client, state } = cluster();
  state.refuses = { status, body };
  const sentence = await takeTargetLease(client, holder('a'), ALIVE);
  expect(sentence).toContain('cannot find out');
  expect(sentence).toContain(why);
});

test('a manually deleted lease is taken again with the next trial', async () => {
  const { client, state } = cluster();
  const lease = await taken(client, holder('a'));
  await client.request({ method: 'DELETE', path: `/${LEASE_INDEX}` });
  await lease.renew(60_000);
  expect(state.lease?.run.id).toBe('a');
});

test('the lease of a crashed run is removed once it is known to be abandoned, and not before', async () => {
  const { client, state } = cluster();
  const remover = holder('x').carrier;
  await taken(client, holder('a'));
  expect((await findTargetHolder(client, () => false))?.run.id).toBe('a');
  expect(await removeAbandonedLease(client, remover, () => false)).toBeUndefined();
  expect(state.index).toBe(true);
  expect(await findTargetHolder(client, () => true)).toBeUndefined();
  state.now += 60_000;
  expect((await removeAbandonedLease(client, remover, () => false))?.run.id).toBe('a');
  expect(state.index).toBe(false);
  expect(await removeAbandonedLease(client, remover, () => true)).toBeUndefined();
});
