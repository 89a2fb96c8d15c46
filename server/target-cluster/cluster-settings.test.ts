import { setClusterSettings } from './cluster-settings';

test('a page of some gateway does not say that settings were changed', async () => {
  const gateway = { request: <T>() => Promise.resolve({ status: 200, body: '<html>' as T }) };
  await expect(setClusterSettings(gateway, { 'a.b': 1 })).rejects.toMatchObject({
    code: 'target.bad-answer',
    message: expect.stringContaining(
      'could not change the settings of the cluster: the answer does not come from Elasticsearch',
    ),
  });
});
