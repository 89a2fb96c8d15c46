import type { ElasticsearchRequest } from '../../common/elasticsearch/client';
import { unmarkedIndices } from './index-lifecycle';

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
