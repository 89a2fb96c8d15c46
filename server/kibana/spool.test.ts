import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { becomeActor } from './actor';
import { spoolOf } from './spool';
import { fakeKibanaServices } from './testing/fake-kibana-services';
import { fakeSavedObjects } from './testing/fake-saved-objects';
import { fakeTaskManager } from './testing/fake-task-manager';

/** Simulates a cluster that only returns its UUID. */
const clusterOf = (uuid: string): ElasticsearchClient =>
  ({
    request: ({ path }: { path: string }) =>
      Promise.resolve(
        path === '/'
          ? { status: 200, body: { cluster_name: 'c', cluster_uuid: uuid, version: { number: '9.5.3' } } }
          : { status: 200, body: {} },
      ),
  }) as unknown as ElasticsearchClient;

test('results for different clusters wait in separate folders', async () => {
  const kibana = { dataFolder: '/data' };
  expect(await spoolOf(kibana, clusterOf('a'))).toBe('/data/spool/a');
  expect(await spoolOf(kibana, clusterOf('b'))).toBe('/data/spool/b');
});

test('an actor that cannot start because the results cluster is unavailable gives its key back', async () => {
  const away = { request: () => Promise.reject(new Error('away')) };
  const kibana = {
    ...fakeKibanaServices({
      client: away as never,
      objects: fakeSavedObjects(),
      taskManager: fakeTaskManager(),
      folder: '/nowhere',
    }),
    resultsOf: () => away,
  };
  const giveBack = jest.fn(() => Promise.resolve());
  await expect(
    becomeActor(kibana, { key: null, shared: null, giveBack }, { space: undefined, corpora: '' }),
  ).rejects.toThrow('away');
  expect(giveBack).toHaveBeenCalledTimes(1);
});
