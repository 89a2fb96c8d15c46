import { makePlan } from '../../../common/experiment/plan';
import { readDefinition } from '../../../common/experiment/read';
import { Connection } from '../../target-cluster/connection';
import { chooseCellLoads, type CellLoads } from './preflight';

const HOSTS = ['http://127.0.0.1:9201', 'http://127.0.0.1:9202'];

async function loadsOf(more: object, given: { workers?: number; cores?: number } = {}): Promise<CellLoads> {
  const connection = new Connection({ hosts: HOSTS });
  const definition = readDefinition({
    version: 1,
    name: 'loads',
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
    ...more,
  });
  try {
    // The target has no known nodes, so no requests are sent.
    return await chooseCellLoads(
      { plan: makePlan(definition), folder: '/', connection, ...given },
      { nodes: [], engine: 'elasticsearch' },
    );
  } finally {
    await connection.close();
  }
}

test('the load of a cell goes to the hosts that its `spread` selects', async () => {
  const { cells, urls, notes } = await loadsOf({
    factors: { spread: ['data-nodes', 'one-host', 'given-hosts'] },
  });
  expect(cells.map(({ target }) => target.nodes)).toEqual([HOSTS, HOSTS.slice(0, 1), HOSTS]);
  expect(urls).toEqual(HOSTS);
  expect(notes).toEqual(['the data nodes are unknown: the load goes to the given hosts']);
});

test('a cell has as many threads as suit its clients, unless the number is given', async () => {
  const factors = { 'tasks.ingest.executor.constant-clients.clients': [1, 2, 512] };
  const workers = async (given: object): Promise<number[]> =>
    (await loadsOf({ factors }, given)).cells.map((cell) => cell.workers);
  expect(await workers({ cores: 4 })).toEqual([1, 2, 3]);
  expect(await workers({ cores: 64 })).toEqual([1, 2, 8]);
  expect(await workers({ cores: 4, workers: 5 })).toEqual([5, 5, 5]);
});

test('a definition that profiles searches, but has no task with such searches, gets a note', async () => {
  const measure = { duration: '1m', 'profile-searches': true };
  const executor = { 'constant-clients': { clients: 1 } };
  const counts = { name: 'counts', requests: { list: [{ name: 'all', count: {} }] }, executor };
  const searches = { name: 'searches', requests: { list: [{ name: 'all', search: {} }] }, executor };
  const notesOf = async (...tasks: object[]): Promise<string[]> => (await loadsOf({ measure, tasks })).notes;
  const note = expect.stringContaining('`measure.profile-searches` profiles nothing');
  expect(await notesOf(counts)).toContainEqual(note);
  expect(await notesOf(counts, searches)).not.toContainEqual(note);
});
