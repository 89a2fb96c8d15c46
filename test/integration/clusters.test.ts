/**
 * Tests runs for which Dyno starts clusters itself, with the real command. The engine, the number of nodes and their heap vary between
 * trials.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { definitionSchema } from '../../common/experiment/definition';
import { engineWithVersion } from '../../common/elasticsearch/engine';
import type { Report } from '../../common/report/model/report';
import { createResultsReader } from '../../server/results/reader';
import { createResultsWriter } from '../../server/results/writer';
import type { RunOrder } from '../../server/run/active-run/active-run';
import { createClusterStarter } from '../../server/standalone/clusters/starter';
import { announceElasticsearch } from '../../server/standalone/elasticsearch/acquire';
import { TEST_JVM_OPTIONS } from '../../server/standalone/elasticsearch/node-folder';
import { discoverCluster } from '../../server/target-cluster/cluster';
import { Connection } from '../../server/target-cluster/connection';
import { until } from '../support/until';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch, START_TIMEOUT_MS } from './support/elasticsearch';
import { ownRuns } from './support/runs';
import { storedBlocks } from '../../common/measurement/stored-names';

jest.setTimeout(START_TIMEOUT_MS);

const MIB = 1024 ** 2;
const place = workplace();
const data = path.join(place.folder, 'data');
const clusters = path.join(data, 'clusters');
const url = sharedElasticsearch();

beforeAll(async () => {
  // Elasticsearch may run as another user, who must be able to enter the folder.
  chmodSync(place.folder, 0o711);
  // The commands use the shared cluster for results, which saves starting one for each command.
  const folder = path.join(data, 'elasticsearch');
  mkdirSync(folder, { recursive: true });
  await announceElasticsearch(folder, { urls: [url()], nodes: [], kind: 'reduced' });
});
afterAll(() => place.remove());

const definition = (more: object): object => ({
  version: 1,
  name: 'clusters',
  index: { settings: { number_of_shards: 2, number_of_replicas: 0 } },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'systembase' }, bulk: { docs: 50 } },
      // Leaves CPU time for the test files that run in parallel.
      executor: { 'constant-clients': { clients: 1, 'think-time': '100ms' } },
    },
  ],
  measure: { documents: 500 },
  trials: 1,
  ...more,
});

/** Returns the processes of clusters that runs of this file started. */
const processes = (): string[] =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(clusters));
const whereLeft = (): string[] => readdirSync(clusters);

/**
 * Runs `action` with clusters that use Java's garbage collector G1, as users' clusters do. The clusters of other tests use the serial
 * collector. With that, the nodes report a smaller heap than the configured one.
 */
async function withG1<T>(action: () => Promise<T>): Promise<T> {
  const ofTests = process.env[TEST_JVM_OPTIONS] ?? '';
  process.env[TEST_JVM_OPTIONS] = ofTests.replace('-XX:-UseG1GC -XX:+UseSerialGC', '');
  try {
    return await action();
  } finally {
    process.env[TEST_JVM_OPTIONS] = ofTests;
  }
}

const runIdOf = (stderr: string): string => /run (\d{8}-\d{6}-[0-9a-f]{4})/.exec(stderr)![1]!;

test('each environment gets its own cluster, next to the one with the results', async () => {
  const file = path.join(place.folder, 'report.json');
  const factors = [
    { 'environment.nodes': 1, 'environment.heap': '256m' },
    { 'environment.engine': 'opensearch', 'environment.nodes': 2, 'environment.heap': '384m' },
  ];
  const { code, stderr, stdout } = await withG1(() =>
    place.dyno(
      'run',
      place.write('clusters.json', definition({ factors, measure: { warmup: '0s', duration: '4s' } })),
      '--report',
      file,
    ),
  );
  expect(`${stderr}\n${code}`).toMatch(/\n0$/);
  expect(stderr).toContain('Dyno sets engine, nodes, heap itself (2 clusters');
  expect(stderr).toContain(
    'environment 1 of 2: nodes: 1, heap: 256m; afterwards the run continues with engine: opensearch, nodes: 2',
  );
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  expect(report.run).toMatchObject({ state: 'completed', trials: { planned: 2, completed: 2 } });
  const blocks = storedBlocks(report.provenance);
  expect(blocks.map(({ started }) => started)).toEqual([
    { engine: 'elasticsearch', nodes: 1, heapBytes: 256 * MIB, version: '9.5.3' },
    { engine: 'opensearch', nodes: 2, heapBytes: 384 * MIB, version: '3.6.0' },
  ]);
  expect(blocks.map(({ cluster }) => engineWithVersion(cluster))).toEqual([
    'Elasticsearch 9.5.3',
    'OpenSearch 3.6.0',
  ]);
  expect(blocks.map((block) => block.nodes.map(({ heapBytes }) => heapBytes / MIB))).toEqual([
    [256],
    [384, 384],
  ]);
  expect(new Set(blocks.map(({ cluster }) => cluster.uuid)).size).toBe(2);
  for (const { resultsInTarget } of blocks) expect(resultsInTarget).toBe(false);
  expect(report.trials.flatMap(({ doubts }) => doubts.map(({ kind }) => kind))).not.toContain(
    'other-cluster',
  );
  expect(report.warnings.join('\n')).toMatch(/All nodes share the cores/);
  expect(stdout).toMatch(/2 nodes\s+of\s+OpenSearch\s+3\.6\.0,\s+heap\s+384\s+MB\s+each/);
  expect(report.engineDefaults!.engines).toEqual(['Elasticsearch 9.5.3', 'OpenSearch 3.6.0']);
  expect(report.engineDefaults!.settings.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['index.translog.flush_threshold_size', '-XX:G1ReservePercent']),
  );
  expect(stdout).toContain('index.translog.flush_threshold_size: Elasticsearch 9.5.3 ');
  expect([processes(), whereLeft()]).toEqual([[], []]);

  expect(stderr).toContain('collector: metrics of 2 of 2 nodes');

  // The results are still there after both clusters have ended.
  const { body } = await ask('GET', `${url()}/dyno-trials-*/_count`);
  expect(body).toMatchObject({ count: 2 });
});

test('cancelling while a cluster starts leaves only the cancelled run behind', async () => {
  const running = place.start(
    'run',
    place.write('cancelled.json', definition({ environment: { nodes: 2 } })),
  );
  await running.says(/starts 2 nodes/);
  running.child.kill('SIGINT');
  const { code, stderr } = await running.ended;
  expect(`${stderr}\n${code}`).toMatch(/run cancelled: cancelled by SIGINT\s+3$/);
  expect([processes(), whereLeft()]).toEqual([[], []]);
});

test('the next command removes what a killed run left, and the run continues', async () => {
  const more = { environment: { heap: '256m' }, measure: { warmup: '0s', duration: '5s' } };
  const killed = place.start('run', place.write('killed.json', definition(more)));
  await killed.says(/measure/);
  killed.child.kill('SIGKILL');
  const { stderr } = await killed.ended;
  expect(whereLeft()).toHaveLength(1);
  const resumed = await place.dyno('resume', runIdOf(stderr));
  expect(`${resumed.stderr}\n${resumed.code}`).toMatch(/\n0$/);
  expect([processes(), whereLeft()]).toEqual([[], []]);
});

test('a cluster that cannot be started is refused before any other starts', async () => {
  const none = await place.dyno(
    'run',
    place.write('none.json', definition({ environment: { nodes: 0, heap: 12 } })),
  );
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('environment.nodes: Elasticsearch cannot be started');
  expect(none.stderr).toContain('environment.heap: Elasticsearch cannot be started');
  expect(none.stderr).not.toContain('Starting');
  const factors = { 'environment.nodes': [1, 2], 'environment.heap': ['256m', '4000g'] };
  const large = await place.dyno('run', place.write('large.json', definition({ factors })));
  expect(large.code).toBe(2);
  expect(large.stderr).toContain("--set 'factors.environment.heap=[256m]'");
  expect(large.stderr).not.toMatch(/starts \d/);
});

test('a host reports the cluster that it starts, and can cancel the start', async () => {
  const connection = new Connection({ hosts: [url()] });
  const { uuid } = await discoverCluster(connection);
  const reader = createResultsReader(connection);
  const onProblem = (): void => undefined;
  const writer = createResultsWriter({
    client: connection,
    spoolDir: path.join(data, 'own-spool'),
    onProblem,
  });
  const starter = createClusterStarter({
    beside: uuid,
    dataFolder: place.folder,
    nodePids: [],
    folder: clusters,
    collect: undefined,
    console: { warn: onProblem },
  });
  const service = await ownRuns({
    reader,
    writer,
    results: connection,
    connect: () => Promise.resolve(new Connection({ hosts: [url()] })),
    clusters: (target) => (target === 'local' ? starter : undefined),
    folder: place.folder,
    onProblem,
  });
  const order = (environment: object): RunOrder => ({
    definition: definitionSchema.parse(definition({ environment })),
    experimentId: 'clusters',
    asked: 'manually',
  });
  try {
    await expect(service.start(order({ nodes: 0 }))).rejects.toThrow(
      /environment.nodes: Elasticsearch cannot be started/,
    );
    const { run } = await service.start(order({ nodes: 2 }));
    await until('its progress', () => service.progress(run)?.doing !== undefined);
    expect(service.progress(run)).toMatchObject({
      phase: 'preflight',
      doing: expect.stringMatching(/^starts 2 nodes/),
    });
    await service.cancel(run, 'enough');
    await service.close('the test is over');
    expect((await reader.getRun(run))!.run).toMatchObject({
      state: 'cancelled',
      reason: 'enough',
      beside: uuid,
    });
    expect([processes(), whereLeft()]).toEqual([[], []]);
  } finally {
    await service.close('the test is over');
    await writer.close();
    await connection.close();
  }
});
