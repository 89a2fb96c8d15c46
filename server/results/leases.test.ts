import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { createLeases } from './leases';

const carrier = { host: 'bench', pid: 7, instance: 'a' };
const lease = { '@timestamp': '2026-11-22T00:00:00Z', run: { id: 'r1' }, carrier };

/** Simulates a results cluster that gives the same answer to every request. */
const answering = (body: unknown, status = 200): ElasticsearchClient => ({
  request: () => Promise.resolve({ status, body: body as never }),
});

const PAGE = '<html>Welcome to the gateway</html>';

test('a lease is missing only if the cluster says so for each run', async () => {
  const held = { docs: [{ found: true, _source: lease }, { found: false }] };
  const read = (body: unknown): Promise<unknown> => createLeases(answering(body)).read(['r1', 'r2']);
  await expect(read(held)).resolves.toEqual(new Map([['r1', lease]]));
  const missing = { error: { type: 'index_not_found_exception', reason: 'no such index' } };
  await expect(read({ docs: [missing, missing] })).resolves.toEqual(new Map());
  // A process ends its run if the lease is missing, so an invalid answer must not count as a missing lease.
  const away = { error: { type: 'no_shard_available_action_exception', reason: 'no shard' } };
  for (const body of [PAGE, null, {}, { docs: [] }, { docs: [{ found: false }] }, { docs: [away, missing] }])
    await expect(read(body)).rejects.toMatchObject({ code: 'results.refused' });
});

/**
 * Simulates a results cluster that contains the lease. `first`: answers to the first requests that remove the lease. `asked.removals`
 * counts these requests.
 */
function removing(first: { status: number; body: unknown }[]) {
  const asked = { removals: 0 };
  const client: ElasticsearchClient = {
    request<T>({ method }: ElasticsearchRequest) {
      if (method !== 'DELETE')
        return Promise.resolve({ status: 200, body: { _seq_no: 1, _primary_term: 1, _source: lease } as T });
      const { status, body } = first[asked.removals++] ?? { status: 200, body: {} };
      return Promise.resolve({ status, body: body as T });
    },
  };
  return { asked, leases: createLeases(client) };
}

test('a lease is released even if the first answers fail, or another process writes it in between', async () => {
  const { asked, leases } = removing([
    { status: 200, body: PAGE },
    { status: 409, body: {} },
    { status: 503, body: null },
  ]);
  await leases.release('r1', carrier);
  expect(asked.removals).toBe(4);
});

test('a release is not repeated with credentials that the cluster rejects', async () => {
  const { asked, leases } = removing([{ status: 401, body: null }]);
  await expect(leases.release('r1', carrier)).rejects.toMatchObject({ code: 'results.unauthorised' });
  expect(asked.removals).toBe(1);
});

test('an invalid answer neither takes, renews nor releases a lease', async () => {
  const leases = createLeases(answering(PAGE));
  await expect(leases.take('r1', carrier, () => true)).rejects.toMatchObject({
    code: 'results.refused',
    message: expect.stringContaining('it answered 200, but not as Elasticsearch does') as string,
  });
  await expect(leases.renew('r1', carrier)).rejects.toMatchObject({ code: 'results.refused' });
  await expect(leases.release('r1', carrier)).rejects.toMatchObject({ code: 'results.refused' });
});
