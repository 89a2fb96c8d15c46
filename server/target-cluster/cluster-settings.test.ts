import { setClusterSettings } from './cluster-settings';

test('the page of a gateway does not count as a change of settings', async () => {
  const gateway = { request: <T>() => Promise.resolve({ status: 200, body: '<html>' as T }) };
  await expect(setClusterSettings(gateway, { 'a.b': 1 })).rejects.toMatchObject({
    code: 'target.bad-answer',
    message: expect.stringContaining(
      'could not change the settings of the cluster: the answer does not come from Elasticsearch',
    ),
  });
});
