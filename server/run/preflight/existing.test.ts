import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { makePlan } from '../../../common/experiment/plan';
import { readDefinition } from '../../../common/experiment/read';
import { checkExistingData } from './existing';

/** Checks a replay into the existing index `copy`. `found`: the index behind this name. */
function checked(replay: object, found: object = { copy: {} }): Promise<string[]> {
  const connection = {
    request: ({ path }) => {
      const body = path === '/copy' ? found : path.includes('_count') ? { count: 7 } : {};
      return Promise.resolve({ status: 200, body });
    },
  } as ElasticsearchClient;
  const tasks = [
    { name: 'shop', replay: { file: 'a.traffic', indices: { shop: { existing: 'copy' } }, ...replay } },
  ];
  return checkExistingData(connection, makePlan(readDefinition({ version: 1, name: 'a', tasks })));
}

const MAY_WRITE = { 'allow-writes': true };

test('an index that a replay may change is announced, as existing data of an experiment is', async () => {
  expect(await checked(MAY_WRITE)).toEqual(['existing data: copy, 7 documents; changes to it remain']);
  const only = ['existing data: copy, 7 documents; it is only searched'];
  expect(await checked({})).toEqual(only);
  expect(await checked({ ...MAY_WRITE, types: ['search'] })).toEqual(only);
});

test('a replay may not change an index of Dyno behind an alias, or use an index of a run', async () => {
  const results = { 'dyno-runs-2026.11': { aliases: { copy: {} } } };
  await expect(checked(MAY_WRITE, results)).rejects.toMatchObject({ code: 'target.reserved-name' });
  const ours = { copy: { mappings: { _meta: { dyno: { run: 'r-1', trial: 't' } } } } };
  for (const replay of [MAY_WRITE, {}])
    await expect(checked(replay, ours)).rejects.toThrow(
      'tasks[0].replay: copy was created by Dyno for run r-1 and is removed with it',
    );
});
