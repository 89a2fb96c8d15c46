import { createTraffic } from './traffic';

test('only files within the folder are surveyed', async () => {
  const traffic = createTraffic('/nowhere/corpora', '/nowhere/traffic.js');
  for (const file of ['../secret.traffic.gz', '/etc/passwd'])
    await expect(traffic.survey(file)).rejects.toMatchObject({ problems: [{ code: 'definition.file' }] });
  await expect(traffic.survey('missing.traffic.gz')).rejects.toMatchObject({
    problems: [{ code: 'traffic.not-found' }],
  });
  expect(await traffic.list()).toMatchObject({ folder: '/nowhere/corpora', files: [] });
});
