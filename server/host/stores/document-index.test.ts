import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { DocumentIndex } from './document-index';

interface Thing {
  updated: string;
}

const indexAnswering = (answer: (path: string, body: unknown) => { status: number; body: unknown }) =>
  new DocumentIndex<Thing>(
    { request: ({ path, body }) => Promise.resolve(answer(path, body)) } as ElasticsearchClient,
    'things',
    {} as never,
    'things',
  );

test('stamps change with the version, also if a recreated index counts from 0 again', async () => {
  const stampOf = async (updated: number, sequence: number): Promise<string> => {
    const hits = [{ sort: ['a', updated, sequence] }];
    const index = indexAnswering(() => ({ status: 200, body: { hits: { hits } } }));
    const [one] = await index.stamps();
    expect(one!.id).toBe('a');
    return one!.stamp;
  };
  const stamps = [await stampOf(1, 0), await stampOf(1, 1), await stampOf(2, 0)];
  expect(new Set(stamps).size).toBe(3);
  expect(await stampOf(1, 0)).toBe(stamps[0]);
});

test('without an index there are no documents', async () => {
  const index = indexAnswering(() => ({ status: 404, body: {} }));
  expect(await index.stamps()).toEqual([]);
  expect(await index.getMany(['a'])).toEqual([]);
  const noIndex = { _id: 'a', error: { type: 'index_not_found_exception' } };
  const asMany = indexAnswering(() => ({ status: 200, body: { docs: [noIndex] } }));
  expect(await asMany.getMany(['a'])).toEqual([]);
});

test('documents are read in pages; missing ones are left out, and one that cannot be read is an error', async () => {
  const asked: number[] = [];
  const index = indexAnswering((_path, body) => {
    const { ids } = body as { ids: string[] };
    asked.push(ids.length);
    const docs = ids.map((id) =>
      id === 'broken'
        ? { _id: id, error: { type: 'no_shard_available_action_exception', reason: 'no shard' } }
        : { _id: id, _seq_no: 1, _primary_term: 1, _source: { updated: '1' }, found: id !== 'gone' },
    );
    return { status: 200, body: { docs } };
  });
  const ids = Array.from({ length: 300 }, (_, at) => String(at));
  expect(await index.getMany([...ids, 'gone'])).toHaveLength(300);
  expect(asked).toEqual([250, 51]);
  await expect(index.getMany(['1', 'broken'])).rejects.toThrow(/could not read the things.*no shard/);
});
