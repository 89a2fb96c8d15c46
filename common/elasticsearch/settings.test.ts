import { expandsReplicas, flattenSettings, refreshMsOf, replicasOf, shardsOf } from './settings';

test('settings are flattened without the leading index., and the last of two spellings wins', () => {
  expect(
    flattenSettings({
      'index.refresh_interval': '1s',
      index: { merge: { scheduler: { max_thread_count: 1 } }, refresh_interval: '5s' },
    }),
  ).toEqual({ refresh_interval: '5s', 'merge.scheduler.max_thread_count': 1 });
});

test.each([
  [{}, 1, 1],
  [{ number_of_shards: 3, number_of_replicas: 0 }, 3, 0],
  [{ number_of_shards: '3', number_of_replicas: '2' }, 3, 2],
  [{ number_of_shards: null, number_of_replicas: null }, 1, 1],
  [{ number_of_shards: 'many', number_of_replicas: 'some' }, 1, 1],
])('an index with %p has %p shards, each with %p replicas', (settings, shards, replicas) => {
  expect([shardsOf(settings), replicasOf(settings)]).toEqual([shards, replicas]);
});

test.each([
  [{}, false],
  [{ auto_expand_replicas: false }, false],
  [{ auto_expand_replicas: 'false' }, false],
  [{ auto_expand_replicas: '0-all' }, true],
])('the replicas of an index with %p follow the number of nodes: %p', (settings, expands) => {
  expect(expandsReplicas(settings)).toBe(expands);
});

test.each([
  [{}, 1000],
  [{ refresh_interval: null }, 1000],
  [{ refresh_interval: '30s' }, 30_000],
  [{ refresh_interval: -1 }, null],
  [{ refresh_interval: '-1' }, null],
])('an index with %p is refreshed every %p ms', (settings, ms) => {
  expect(refreshMsOf(settings)).toBe(ms);
});
