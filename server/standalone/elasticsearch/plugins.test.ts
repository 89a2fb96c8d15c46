import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENGINES } from '../../../common/elasticsearch/engine';
import { ADDABLE_PLUGINS } from '../../../common/experiment/requested-cluster';
import { knownPlugins, withPlugins } from './plugins';

let folder: string;
let server: Server;
const before = { ...process.env };
beforeEach(async () => {
  server = createServer((_, response) => void response.end('no archive'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  folder = mkdtempSync(join(tmpdir(), 'dyno-plugins-'));
  process.env['DYNO_CACHE'] = join(folder, 'cache');
  process.env['DYNO_MAVEN_REPOSITORY'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  process.env = { ...before };
  rmSync(folder, { recursive: true });
});

test('definitions can use exactly the plugins whose archives are known', () => {
  for (const engine of ENGINES)
    for (const [version, plugins] of Object.entries(ADDABLE_PLUGINS[engine]))
      expect(knownPlugins(engine, version)).toEqual(plugins);
  expect(knownPlugins('opensearch', '3.5.0')).toEqual([]);
});

test('a copy with plugins is used if it exists, and an archive with another checksum makes none', async () => {
  const home = join(folder, 'opensearch-3.6.0');
  mkdirSync(join(home, 'plugins'), { recursive: true });
  writeFileSync(join(home, 'a.jar'), 'a');
  const options = { engine: 'opensearch', version: '3.6.0', plugins: ['opensearch-knn'] } as const;
  await expect(withPlugins(home, options)).rejects.toMatchObject({ code: 'download.checksum' });
  expect(readFileSync(join(home, 'a.jar'), 'utf8')).toBe('a');
  const copy = `${home}-with-opensearch-knn`;
  expect(existsSync(copy)).toBe(false);
  mkdirSync(copy);
  await expect(withPlugins(home, options)).resolves.toBe(copy);
});
