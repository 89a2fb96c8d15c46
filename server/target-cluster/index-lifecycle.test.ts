import type { ElasticsearchRequest } from '../../common/elasticsearch/client';
import { findMarkedIndices, unmarkedIndices } from './index-lifecycle';

test('an index that Elasticsearch created automatically is not taken for one of Dyno', async () => {
  const asked: string[] = [];
  const mark = { _meta: { dyno: { run: 'r', trial: 't', experiment: 'e', created: '' } } };
  const client = {
    request: <T>({ path }: ElasticsearchRequest) => {
      asked.push(path);
      const body = { 'trial-1': { mappings: mark }, 'trial-2': { mappings: { properties: {} } } };
      return Promise.resolve({ status: 200, body: body as T });
    },
  };
  await expect(unmarkedIndices(client, ['trial-1', 'trial-2', 'trial-3'])).resolves.toEqual(['trial-2']);
  expect(asked).toEqual(['/trial-1%2Ctrial-2%2Ctrial-3/_mapping']);
});

describe('the indices that Dyno created', () => {
  const body = {
    'dyno-trial-1': { mappings: { _meta: { dyno: { run: 'r', trial: 't', experiment: 'e', created: '' } } } },
  };
  const find = async (refused: (path: string) => number | undefined) => {
    const asked: string[] = [];
    const client = {
      request: <T>({ path }: ElasticsearchRequest) => {
        asked.push(path);
        const status = path.includes('_index_template') ? 404 : (refused(path) ?? 200);
        return Promise.resolve({ status, body: (status === 200 ? body : {}) as T });
      },
    };
    const found = await findMarkedIndices(client);
    return {
      found: found.map(({ index }) => index),
      asked: asked.filter((path) => path.endsWith('_mapping')),
    };
  };

  test('are found among those with the usual names if the user may not read all mappings', async () => {
    await expect(find((path) => (path === '/_mapping' ? 403 : undefined))).resolves.toEqual({
      found: ['dyno-trial-1'],
      asked: ['/_mapping', '/dyno-*/_mapping'],
    });
  });

  test('cannot be found without any privilege, or if the target fails', async () => {
    await expect(find(() => 403)).rejects.toMatchObject({ code: 'target.forbidden' });
    await expect(find(() => 500)).rejects.toMatchObject({ code: 'target.refused' });
  });
});
