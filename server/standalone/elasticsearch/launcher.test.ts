import { launchOfElasticsearch } from './launcher';

const distribution = { home: '/no/such/home', java: { home: '/java', release: 25 } };

const launch = (folder: string) => launchOfElasticsearch(distribution, folder);

test('puts leftovers of the launcher and its child into the temporary files of the node', async () => {
  const { command, env } = await launch('/node');
  expect(command).toContain('-Djava.io.tmpdir=/node/tmp');
  expect(env['CLI_JAVA_OPTS']!.split(' ')).toContain('-Djava.io.tmpdir=/node/tmp');
  expect(env['ES_TMPDIR']).toBe('/node/tmp');
});

test('leaves a folder with white space out of the options of the child, which are split there', async () => {
  const { command, env } = await launch('/my node');
  expect(command).toContain('-Djava.io.tmpdir=/my node/tmp');
  expect(env['CLI_JAVA_OPTS']).not.toContain('/my node');
});
