import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { createExperimentHistory, pastRunMemory } from './experiment-history';

interface StoredRun {
  experiment: string;
  state: string;
  at: number;
  /** Version of the run's document. */
  version?: number;
  sentence?: string;
}

/** Simulates a results cluster with these runs, by id. */
function resultsWith(runs: Record<string, StoredRun>) {
  const asked: ElasticsearchRequest[] = [];
  const ended = ({ state }: StoredRun): boolean => !['queued', 'running', 'waiting'].includes(state);
  const sourceOf = ([id, { state, experiment, sentence }]: [string, StoredRun]) => ({
    run: { id, state },
    progress: { trials: 4, completed: 2 },
    experiment: { id: experiment },
    verdict: { sentence },
  });
  const byTime = (): [string, StoredRun][] => Object.entries(runs).sort(([, a], [, b]) => a.at - b.at);

  function answer({ path, body }: ElasticsearchRequest): unknown {
    if (path.endsWith('/_refresh')) return {};
    const asked = body as { query?: { terms: Record<string, string[]> } };
    const wanted = asked.query?.terms['run.id'];
    if (wanted) {
      const hits = byTime()
        .filter(([id]) => wanted.includes(id))
        .map((one) => ({ _source: sourceOf(one) }));
      return { _shards: { total: 1 }, hits: { hits } };
    }
    if (asked.query !== undefined) {
      const hits = byTime()
        .filter(([, run]) => !ended(run))
        .map((one) => ({ _source: sourceOf(one) }));
      return { _shards: { total: 1 }, hits: { hits } };
    }
    const ids = [...new Set(Object.values(runs).map(({ experiment }) => experiment))];
    const of = (key: string) => byTime().filter(([, { experiment }]) => experiment === key);
    const hits = ids.flatMap((key) =>
      of(key)
        .filter(([, run]) => ended(run))
        .slice(-1)
        .map(([id, { at, version = 1, sentence = null }]) => ({
          sort: [at, key, id, version, at, sentence],
        })),
    );
    const buckets = ids.map((key) => ({ key, doc_count: of(key).length }));
    return { _shards: { total: 1 }, hits: { hits }, aggregations: { experiments: { buckets } } };
  }

  const client: ElasticsearchClient = {
    request: (request) => {
      asked.push(request);
      return Promise.resolve({ status: 200, body: answer(request) as never });
    },
  };
  return {
    client,
    runs,
    /** Returns one list for each search for documents of runs since the last call: the ids of the runs that it requested. */
    reads: () =>
      asked
        .splice(0)
        .flatMap(({ body }) => (body as { query?: { terms: Record<string, string[]> } })?.query ?? [])
        .flatMap(({ terms }) => (terms['run.id'] ? [terms['run.id']] : [])),
    asked,
  };
}

test('it returns the number of runs, the newest that has ended, and the active one', async () => {
  const { client } = resultsWith({
    a1: { experiment: 'a', state: 'failed', at: 1 },
    a2: { experiment: 'a', state: 'completed', at: 3 },
    a3: { experiment: 'a', state: 'waiting', at: 2 },
    a4: { experiment: 'a', state: 'queued', at: 4 },
    a5: { experiment: 'a', state: 'running', at: 5 },
    b1: { experiment: 'b', state: 'waiting', at: 1 },
    b2: { experiment: 'b', state: 'waiting', at: 2 },
    c1: { experiment: 'c', state: 'interrupted', at: 1 },
  });
  const found = [...(await createExperimentHistory(client).read())].map(([id, { runs, active, last }]) => [
    id,
    runs,
    active?.run.id,
    last?.run.id,
  ]);
  expect(found).toEqual([
    ['a', 5, 'a4', 'a2'],
    ['b', 2, 'b2', undefined],
    ['c', 1, undefined, 'c1'],
  ]);
});

test('only new or changed runs are read, also by another reader with the same cache', async () => {
  const { client, runs, reads } = resultsWith({
    a1: { experiment: 'a', state: 'completed', at: 1 },
    b1: { experiment: 'b', state: 'completed', at: 1 },
  });
  const memory = pastRunMemory();
  const sentences = async () =>
    [...(await createExperimentHistory(client, { memory }).read()).values()].map(
      ({ last }) => last?.verdict?.sentence,
    );
  await sentences();
  expect(reads()).toEqual([['a1', 'b1']]);
  await sentences();
  expect(reads()).toEqual([]);
  runs['a1'] = { ...runs['a1']!, version: 2, sentence: 'It is faster' };
  runs['b2'] = { experiment: 'b', state: 'failed', at: 2, sentence: 'It failed' };
  expect(await sentences()).toEqual(['It is faster', 'It failed']);
  expect(reads()).toEqual([['a1', 'b2']]);
  delete runs['b2'];
  expect(await sentences()).toEqual(['It is faster', undefined]);
  expect(reads()).toEqual([]);
});

test('reading takes one refresh and two searches, however many runs exist', async () => {
  const { client, asked } = resultsWith({ a1: { experiment: 'a', state: 'completed', at: 1 } });
  const history = createExperimentHistory(client);
  await history.read();
  asked.splice(0);
  await history.read();
  expect(asked.map(({ path }) => path)).toEqual([
    '/dyno-runs-*/_refresh',
    '/dyno-runs-*/_search',
    '/dyno-runs-*/_search',
  ]);
});
