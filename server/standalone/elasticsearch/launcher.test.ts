import type { Distribution } from './distribution';
import { launchOf } from './launcher';

const distribution = { home: '/no/such/home', java: { home: '/java' } } as Distribution;

const launch = (temporary: string) => launchOf(distribution, { config: '/node/config', temporary });

test('puts leftovers of the launcher and its child into the temporary files of the node', async () => {
  const { command, env } = await launch('/node/tmp');
  expect(command).toContain('-Djava.io.tmpdir=/node/tmp');
  expect(env['CLI_JAVA_OPTS']!.split(' ')).toContain('-Djava.io.tmpdir=/node/tmp');
  expect(env['ES_TMPDIR']).toBe('/node/tmp');
});

test('leaves a folder with white space out of the options of the child, which are split there', async () => {
  const { command, env } = await launch('/my node/tmp');
  expect(command).toContain('-Djava.io.tmpdir=/my node/tmp');
  expect(env['CLI_JAVA_OPTS']).not.toContain('/my node');
});
