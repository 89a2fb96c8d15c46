/** Tests the embedded Elasticsearch as users see it: its answers, its data, and that it ends when the process that started it ends. */
import { spawn, type ChildProcess } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { request } from 'undici';
import { isAlive } from '../../server/process-life';
import { acquireElasticsearch } from '../../server/standalone/elasticsearch/acquire';
import { elasticsearchDistribution } from '../../server/standalone/elasticsearch/distribution';
import { serverIdentity } from '../../server/standalone/elasticsearch/identity';
import { startElasticsearch } from '../../server/standalone/elasticsearch/start';
import { until } from '../support/until';
import { ask, sharedElasticsearch, START_TIMEOUT_MS, withElasticsearch } from './support/elasticsearch';

const COMMAND = resolve(__dirname, '../../build/dyno.js');
const isRoot = process.getuid?.() === 0;

jest.setTimeout(START_TIMEOUT_MS);

const jvmsOf = async (url: string): Promise<number[]> => {
  const { body } = await ask<{ nodes: Record<string, { process: { id: number } }> }>(
    'GET',
    `${url}/_nodes/process`,
  );
  return Object.values(body.nodes).map((node) => node.process.id);
};

describe('one node', () => {
  const url = sharedElasticsearch();

  it('answers GET / and HEAD / as a stock node does', async () => {
    const { status, body } = await ask('GET', `${url()}/`);
    expect(status).toBe(200);
    expect(body).toEqual({
      name: 'dyno-1',
      cluster_name: 'dyno',
      cluster_uuid: expect.stringMatching(/^[\w-]{22}$/),
      version: {
        number: '9.5.3',
        build_flavor: 'default',
        build_type: 'zip',
        build_hash: expect.any(String),
        build_date: expect.any(String),
        build_snapshot: false,
        lucene_version: expect.any(String),
        minimum_wire_compatibility_version: '8.19.0',
        minimum_index_compatibility_version: '8.0.0',
      },
      tagline: 'You Know, for Search',
    });
    const head = await request(`${url()}/`, { method: 'HEAD', reset: true });
    expect(head.statusCode).toBe(200);
    expect(head.headers['x-elastic-product']).toBe('Elasticsearch');
    await head.body.dump();
  });

  it('indexes and searches', async () => {
    const bulk = '{"index":{"_index":"things"}}\n{"word":"dynamometer"}\n';
    await expect(ask('POST', `${url()}/_bulk?refresh=true`, bulk)).resolves.toMatchObject({
      body: { errors: false },
    });
    await expect(ask('GET', `${url()}/things/_search?q=word:dynamometer`)).resolves.toMatchObject({
      body: { hits: { total: { value: 1 } } },
    });
  });

  it('listens on loopback only, and runs as the user nobody when root starts it', async () => {
    const { body } = await ask<{ nodes: Record<string, { host: string }> }>('GET', `${url()}/_nodes`);
    expect(Object.values(body.nodes).map(({ host }) => host)).toEqual(['127.0.0.1']);
    if (!isRoot) return;
    const status = readFileSync(`/proc/${(await jvmsOf(url()))[0]}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\s+65534\s+65534/m);
    expect(status).toMatch(/^Gid:\s+65534\s+65534/m);
  });
});

describe('several nodes', () => {
  const place = withElasticsearch({
    nodes: 2,
    settings: { 'cluster.routing.allocation.awareness.attributes': 'rack' },
    nodeAttributes: [{ rack: 'a' }, { rack: 'b' }],
  });

  it('form one cluster, and each of them answers', async () => {
    const uuids = await Promise.all(
      place.cluster.urls.map(async (url) => (await ask('GET', url)).body['cluster_uuid']),
    );
    expect(uuids).toHaveLength(2);
    expect(new Set(uuids).size).toBe(1);
    expect(place.cluster.nodes.map(({ name }) => name)).toEqual(['dyno-1', 'dyno-2']);
    expect((await jvmsOf(place.url)).sort()).toEqual(place.cluster.nodes.map(({ pid }) => pid).sort());
  });

  it('have the requested attributes and settings', async () => {
    const { body } = await ask<{
      nodes: Record<string, { name: string; attributes: Record<string, string> }>;
    }>('GET', `${place.url}/_nodes`);
    const racks = Object.values(body.nodes).map(({ name, attributes }) => [name, attributes.rack]);
    expect(racks.sort()).toEqual([
      ['dyno-1', 'a'],
      ['dyno-2', 'b'],
    ]);
  });

  it('keep working when one is lost', async () => {
    await place.cluster.kill(1);
    expect(isAlive(place.cluster.nodes[1]!.pid)).toBe(false);
    const lost = new Promise((resolve) => place.cluster.onLoss(resolve));
    await expect(lost).resolves.toMatchObject({ node: 'dyno-2', left: ['dyno-1'] });
    expect((await ask('GET', place.cluster.urls[0]!)).status).toBe(200);
  });
});

describe('an embedded Elasticsearch', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dyno-embedded-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('reports at once that its port is taken', async () => {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as { port: number };
    const failure = startElasticsearch({ dataFolder: folder, port });
    await expect(failure).rejects.toMatchObject({ kind: 'run', code: 'elasticsearch.port-in-use' });
    await expect(failure).rejects.toThrow(`port ${port}`);
    server.close();
  });

  it('reports why Elasticsearch refuses a setting, and leaves no folder behind', async () => {
    const failure = startElasticsearch({ ephemeral: true, heap: '256m', settings: { 'no.such.setting': 1 } });
    await expect(failure).rejects.toMatchObject({ kind: 'run', code: 'elasticsearch.setting-refused' });
    await expect(failure).rejects.toThrow(/unknown setting \[no\.such\.setting\]/);
  });

  it('does not start with fewer nodes than its data was written with', async () => {
    for (const node of ['node-1', 'node-2']) mkdirSync(join(folder, node));
    await expect(startElasticsearch({ dataFolder: folder })).rejects.toMatchObject({
      kind: 'input',
      code: 'elasticsearch.nodes',
    });
  });

  if (isRoot) {
    it('refuses a data folder that the user nobody cannot reach, and names the folder that prevents it', async () => {
      const failure = startElasticsearch({ dataFolder: join(folder, 'data') });
      await expect(failure).rejects.toMatchObject({ code: 'elasticsearch.folder-unreachable' });
      await expect(failure).rejects.toThrow(`has no access to ${folder}`);
    });
  }
});

describe('the command dyno elasticsearch', () => {
  let folder: string;
  let command: ChildProcess;
  let stdout: string;
  let stderr: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dyno-embedded-'));
  });
  afterEach(() => {
    command.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts the command. Resolves to the URL that it prints on standard output. */
  async function start(
    environment: Record<string, string> = {},
    user?: number,
    built = COMMAND,
  ): Promise<string> {
    stdout = '';
    stderr = '';
    command = spawn(process.execPath, [built, 'elasticsearch', '--heap', '512m', '--data', folder], {
      cwd: folder,
      env: { ...process.env, ...environment },
      ...(user === undefined ? {} : { uid: user, gid: user }),
    });
    command.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    command.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const isStarted = (): boolean => {
      if (command.exitCode !== null) throw new Error(`ended: ${stderr}`);
      return stdout.includes('\n');
    };
    await until('its URL', isStarted, START_TIMEOUT_MS);
    return stdout.trim();
  }

  it('prints its URL, shuts down cleanly with exit code 0, and keeps its data for the next start', async () => {
    const url = await start({ DYNO_TEST_JVM_OPTIONS: '' });
    const { body } = await ask<{ nodes: Record<string, { jvm: { input_arguments: string[] } }> }>(
      'GET',
      `${url}/_nodes/jvm`,
    );
    // The default JVM options of users apply, unlike for the nodes of the other tests.
    expect(Object.values(body.nodes)[0]!.jvm.input_arguments).not.toContain('-XX:TieredStopAtLevel=1');
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
    await ask('PUT', `${url}/kept/_doc/1?refresh=true`, { word: 'kept' });
    const jvms = await jvmsOf(url);
    const exit = new Promise((ended) => command.once('exit', ended));
    command.kill('SIGTERM');
    await expect(exit).resolves.toBe(0);
    expect(jvms.some(isAlive)).toBe(false);

    const options = { dataFolder: folder, heap: '512m' };
    const first = await acquireElasticsearch(options);
    expect(first.started).toBeDefined();
    await expect(ask('GET', `${first.url}/kept/_doc/1`)).resolves.toMatchObject({
      body: { _source: { word: 'kept' } },
    });
    const second = await acquireElasticsearch(options);
    expect(second.url).toBe(first.url);
    expect(second.started).toBeUndefined();
    await second.stop();
    expect((await ask('GET', first.url)).status).toBe(200);
    await expect(startElasticsearch(options)).rejects.toMatchObject({ code: 'elasticsearch.data-locked' });
    await first.stop();
  });

  it('runs Elasticsearch as a user other than root, and Elasticsearch ends when the command is killed with SIGKILL', async () => {
    // If the tests do not run as root, the user of the tests can be used.
    const user = isRoot ? 12_345 : process.getuid!();
    const { home } = await elasticsearchDistribution(serverIdentity());
    // The checkout may be in a folder that only root can enter, such as /root.
    const built = join(folder, 'build');
    for (const name of ['dyno.js', 'dyno-parts'])
      cpSync(join(dirname(COMMAND), name), join(built, name), { recursive: true });
    writeFileSync(join(built, 'package.json'), '{"type":"module"}');
    if (isRoot) chownSync(folder, user, user);
    chmodSync(folder, 0o700);
    const environment: Record<string, string> = isRoot
      ? { HOME: folder, DYNO_CACHE: resolve(home, '..') }
      : {};
    const jvms = await jvmsOf(await start(environment, isRoot ? user : undefined, join(built, 'dyno.js')));
    expect(readFileSync(`/proc/${jvms[0]}/status`, 'utf8')).toMatch(new RegExp(`^Uid:\\s+${user}\\s`, 'm'));
    expect(() => accessSync(join(folder, 'node-1', 'data'))).not.toThrow();
    expect(jvms.every(isAlive)).toBe(true);
    command.kill('SIGKILL');
    await until('the end of its JVMs', () => !jvms.some(isAlive), 25_000);
    expect(jvms.some(isAlive)).toBe(false);
  });
});
