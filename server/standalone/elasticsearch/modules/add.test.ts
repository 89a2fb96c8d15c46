import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { addModule, modulesToAdd } from './add';
import { ADDED_IN } from '../../../../common/elasticsearch/modules';
import { ENGINES } from '../../../../common/elasticsearch/engine';
import { EARLIER_VERSIONS } from '../../../../common/experiment/requested-cluster';
import type { AddedModule, Jar } from './added-module';
import { addedModules, completedVersions } from './table';

const JAVA = { home: '/nowhere', release: 25 };
const DESCRIPTOR = 'name=made\nclassname=a.Made\n\nextended.plugins=x-pack-core,lang-painless\n';

let folder: string;
let home: string;
let server: Server;
let files: Record<string, Buffer>;
const before = { ...process.env };

async function jarOf(entries: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(entries)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return await buffer(zip.outputStream);
}

/** Makes a jar available on the fake Maven server as `made:ARTIFACT:1.0`. */
async function publish(artifact: string, entries: Record<string, string>): Promise<Jar> {
  const content = await jarOf(entries);
  files[`/made/${artifact}/1.0/${artifact}-1.0.jar`] = content;
  return {
    coordinates: `made:${artifact}:1.0`,
    sha512: createHash('sha512').update(content).digest('hex'),
  };
}

const read = (...path: string[]): string => readFileSync(join(home, 'modules', ...path), 'utf8');
const add = (module: AddedModule): Promise<void> => addModule(home, module, JAVA, {});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-modules-'));
  home = join(folder, 'elasticsearch-1.0');
  mkdirSync(join(home, 'modules'), { recursive: true });
  files = {};
  server = createServer((request, response) => {
    const file = files[request.url!];
    if (file === undefined) response.writeHead(404).end();
    else response.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env['DYNO_MAVEN_REPOSITORY'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env['DYNO_CACHE'] = join(folder, 'cache');
});
afterEach(async () => {
  process.env = { ...before };
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

test('a module has its jars and its own descriptor, and is added only once', async () => {
  const jars = [
    await publish('made', { 'META-INF/es-plugins/made/plugin-descriptor.properties': DESCRIPTOR }),
    await publish('library', { 'a/B.class': '' }),
  ];
  const module = { name: 'made', jars };
  expect(await modulesToAdd(home, [module])).toEqual([module]);
  await add(module);
  expect(readdirSync(join(home, 'modules', 'made')).sort()).toEqual([
    'dyno.sha256',
    'library-1.0.jar',
    'made-1.0.jar',
    'plugin-descriptor.properties',
  ]);
  expect(read('made', 'plugin-descriptor.properties')).toBe(DESCRIPTOR);
  expect(await modulesToAdd(home, [module])).toEqual([]);
});

test('a module whose jars have no descriptor gets the files of the table', async () => {
  const files = { 'plugin-descriptor.properties': 'name=made\n', 'plugin-security.policy': 'grant {};\n' };
  await add({ name: 'made', jars: [await publish('made', { 'a/B.class': '' })], files });
  expect(read('made', 'plugin-descriptor.properties')).toBe('name=made\n');
  expect(read('made', 'plugin-security.policy')).toBe('grant {};\n');
});

test('a changed entry of the table replaces the module', async () => {
  const jar = await publish('made', { 'META-INF/es-plugins/x/plugin-descriptor.properties': DESCRIPTOR });
  await add({ name: 'made', jars: [jar, await publish('old', {})] });
  const changed = { name: 'made', jars: [jar], extended: ['x-pack-core', 'other'] };
  expect(await modulesToAdd(home, [changed])).toEqual([changed]);
  await add(changed);
  expect(read('made', 'plugin-descriptor.properties')).toBe(
    'name=made\nclassname=a.Made\n\nextended.plugins=x-pack-core,other\n',
  );
  expect(readdirSync(join(home, 'modules', 'made'))).not.toContain('old-1.0.jar');
});

test('a jar with another checksum, or without a descriptor, adds no module', async () => {
  const jar = await publish('made', { 'a/B.class': '' });
  await expect(add({ name: 'made', jars: [{ ...jar, sha512: '0'.repeat(128) }] })).rejects.toThrow(/SHA-512/);
  await expect(add({ name: 'made', jars: [jar] })).rejects.toThrow(/contains no descriptor of a module/);
  expect(readdirSync(join(home, 'modules'))).toEqual([]);
});

test.each(ENGINES.flatMap((engine) => completedVersions(engine).map((version) => ({ engine, version }))))(
  'the table of $engine $version pins each jar, and names none twice in a module',
  (release) => {
    const modules = addedModules(release);
    for (const { jars } of modules) {
      for (const { coordinates, sha512 } of jars) {
        expect(coordinates).toMatch(/^[\w.-]+:[\w.-]+:\d[\w.-]*$/);
        expect(sha512).toMatch(/^[0-9a-f]{128}$/);
      }
      const names = jars.map(({ coordinates }) => coordinates.split(':')[1]);
      expect(new Set(names).size).toBe(names.length);
    }
    expect(new Set(modules.map(({ name }) => name)).size).toBe(modules.length);
  },
);

test('other versions get no modules', () => {
  expect(addedModules({ engine: 'elasticsearch', version: '9.5.3' })).toEqual([]);
  expect(addedModules({ engine: 'opensearch', version: '8.19.21' })).toEqual([]);
  expect(addedModules({ engine: 'opensearch', version: 'constructor' })).toEqual([]);
});

test('each module of OpenSearch 2 has its own descriptor, and extends only added modules', () => {
  expect(EARLIER_VERSIONS.opensearch).toEqual(completedVersions('opensearch'));
  for (const version of completedVersions('opensearch')) {
    const modules = addedModules({ engine: 'opensearch', version });
    for (const { name, files = {} } of modules) {
      const lines = files['plugin-descriptor.properties']!.split('\n');
      expect(lines).toEqual(
        expect.arrayContaining([`name=${name}`, `version=${version}`, `opensearch.version=${version}`]),
      );
      const extended = lines.find((line) => line.startsWith('extended.plugins='))!.split('=')[1]!;
      for (const other of extended.split(',').filter(Boolean))
        expect(modules.map((each) => each.name)).toContain(other);
    }
  }
});

test('advice names only versions to which the module is added', () => {
  for (const [module, version] of Object.entries(ADDED_IN))
    expect(addedModules({ engine: 'elasticsearch', version }).map(({ name }) => name)).toContain(module);
});
