/**
 * Tests a real OpenSearch with its security plugin and TLS: docs/opensearch.md promises which permissions are enough, and that Dyno names
 * missing permissions before a run.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MORE_NEEDS } from '../../common/privileges';
import type { Report } from '../../common/report/model/report';
import { inspect } from '../../server/host/targets/facts';
import { createResultsReader } from '../../server/results/reader';
import type { Connection } from '../../server/target-cluster/connection';
import { checkAccess, CLOSE_SCROLLS } from '../../server/target-cluster/permissions';
import { until } from '../support/until';
import { withDynobeat } from './support/dynobeat';
import { workplace, type Ended } from './support/dyno';
import { sharedElasticsearch } from './support/elasticsearch';
import { startSecuredOpenSearch, VERSION, type SecuredOpenSearch } from './support/secured-opensearch';

const START_TIMEOUT_MS = 400_000;
const PASSWORD = 'correct-Horse-7-staple';
const DOCS = readFileSync(path.resolve(__dirname, '../../docs/opensearch.md'), 'utf8');

interface Role {
  cluster_permissions: string[];
  index_permissions: { index_patterns: string[]; allowed_actions: string[] }[];
}

/** The role that the documentation recommends. */
const ROLE = JSON.parse(/^PUT _plugins\/_security\/api\/roles\/dyno\n(.+?^})/ms.exec(DOCS)![1]!) as Role;

/** Returns the permissions in the row of the documentation's table that ends with `purpose`. */
function permissionsFor(purpose: string): string[] {
  const row = DOCS.split('\n').find((line) => line.startsWith('| ') && line.includes(`| ${purpose} |`));
  return [...row!.split('|')[1]!.matchAll(/`(.+?)`/g)].map(([, permission]) => permission!);
}

const results = sharedElasticsearch();
const beats = withDynobeat();
const place = workplace();
let target: SecuredOpenSearch;
let administrator: Connection;

async function make(at: string, body: object): Promise<void> {
  const { status } = await administrator.request({ method: 'PUT', path: at, body });
  expect(status).toBeLessThan(300);
}

/** Creates a user with a role of the same name. */
async function makeUser(name: string, role: Partial<Role>): Promise<void> {
  await make(`/_plugins/_security/api/roles/${name}`, role);
  const user = { password: PASSWORD, opendistro_security_roles: [name] };
  await make(`/_plugins/_security/api/internalusers/${name}`, user);
}

const urlFor = (user: string, password = PASSWORD): string =>
  Object.assign(new URL(target.url), { username: user, password }).href;

/** Gives `work` a connection of the user. */
async function as<T>(user: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = target.as(user, PASSWORD);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Body of a bulk request that stores 20 documents. */
const PRODUCTS = Array.from({ length: 20 }, (_, n) => `{"index":{}}\n{"n":${n}}\n`).join('');

const SEARCH = { requests: [{ name: 'all', body: { query: { match_all: {} } } }] };
const DEFINITION = {
  version: 1,
  name: 'secured',
  index: { settings: { number_of_replicas: 0 } },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'systembase' }, bulk: { docs: 10 } },
      executor: { 'constant-rate': { rate: 20 } },
    },
    { name: 'search', search: SEARCH, executor: { 'constant-rate': { rate: 20 } } },
  ],
  measure: { warmup: '0s', duration: '1s' },
  trials: 1,
};

/** Runs a definition as a user, with results in the same cluster unless `options` name another one. */
async function run(url: string, more: object, ...options: string[]): Promise<Ended & { report?: Report }> {
  const file = path.join(place.folder, 'report.json');
  const definition = place.write('definition.json', { ...DEFINITION, ...more });
  const ended = await place.dyno(
    ...['run', definition, '--elasticsearch', url, '--ca', target.ca, '--report', file, ...options],
  );
  return ended.code === 0 ? { ...ended, report: JSON.parse(readFileSync(file, 'utf8')) as Report } : ended;
}

beforeAll(async () => {
  target = await startSecuredOpenSearch();
  administrator = target.as('admin', 'admin');
  // Otherwise every user has some permissions of the demo configuration.
  await administrator.request({ method: 'DELETE', path: '/_plugins/_security/api/rolesmapping/own_index' });
  await makeUser('dyno', ROLE);
  await makeUser('more', {
    cluster_permissions: [
      ...ROLE.cluster_permissions,
      ...['`cluster.settings`', 'requests of the kind `scroll`', 'ingest pipelines'].flatMap(permissionsFor),
      ...permissionsFor('`preload.from-snapshot`'),
    ],
    index_permissions: [
      ...ROLE.index_permissions,
      { index_patterns: ['products'], allowed_actions: permissionsFor('`index.existing`') },
    ],
  });
  await makeUser('less', { cluster_permissions: ['cluster_monitor'] });
  await administrator.request({ method: 'POST', path: '/products/_bulk?refresh=true', body: PRODUCTS });
}, START_TIMEOUT_MS);
afterAll(async () => {
  place.remove();
  await administrator?.close();
  await target?.stop();
}, 60_000);

test('with the documented role, a user runs an experiment with a profile, and stores its results there', async () => {
  const measure = { warmup: '0s', duration: '2s', profile: 'hot-threads', 'profile-interval': '200ms' };
  const { code, stderr, report } = await run(urlFor('dyno'), { measure });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain(`target: OpenSearch ${VERSION} at https://`);
  expect(stderr).not.toMatch(/permission|privilege/);
  for (const { task, counts } of report!.cells[0]!.tasks)
    expect([task, counts.failed, counts.unknown, counts.accepted > 0]).toEqual([task, 0, 0, true]);
  expect(report!.profile).toBeDefined();
  const stored = await as('dyno', (connection) => createResultsReader(connection).getTrials(report!.run.id));
  expect(stored).toMatchObject([{ trial: { state: 'completed' } }]);
  const shown = await place.dyno(
    ...['report', report!.run.id, '--results', urlFor('dyno'), '--ca', target.ca],
  );
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('docs/s') as string });
});

test('with the further documented permissions, a user changes cluster settings and scrolls existing data', async () => {
  const list = [
    { name: 'pages', scroll: { size: 10, pages: 2 } },
    { name: 'all', search: { body: {} } },
  ];
  const { code, stderr, report } = await run(
    urlFor('more'),
    {
      index: { existing: 'products' },
      cluster: { settings: { 'indices.recovery.max_bytes_per_sec': '50mb' } },
      tasks: [{ name: 'reads', requests: { list }, executor: { 'constant-rate': { rate: 10 } } }],
    },
    ...['--results', results()],
  );
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).not.toMatch(/permission|privilege/);
  const { counts } = report!.cells[0]!.tasks[0]!;
  expect([counts.failed, counts.accepted > 0]).toEqual([0, true]);
});

test('with the documented role, the collector reads the nodes and stores its events there', async () => {
  const user = { username: 'dyno', password: PASSWORD, 'ssl.certificate_authorities': [target.ca] };
  const beat = beats.start({
    'dynobeat.modules': [
      { module: 'dyno', metricsets: ['node'], period: '1s', hosts: [target.url], ...user },
    ],
    'output.opensearch': { hosts: [target.url], ...user },
  });
  await until('events of the node', async () => {
    const { body } = await as('dyno', (connection) =>
      connection.request<{ count?: number }>({ method: 'GET', path: '/dyno-metrics-*/_count' }),
    );
    return (body.count ?? 0) > 1;
  });
  expect(await beat.stop()).toBe(0);
  expect(beat.log()).not.toMatch(/dropped an event|cannot read|no permissions/);
});

test('a user with too few permissions starts no run, and the error names each of them', async () => {
  const { code, stderr } = await run(urlFor('less'), {}, '--results', results());
  expect(code).toBe(3);
  expect(stderr).not.toContain('run 2');
  for (const missing of [
    ...[
      'indices:admin/create',
      'indices:admin/delete',
      'indices:data/write/bulk',
      'indices:data/write/index',
    ],
    ...['indices:data/read/search', 'indices:monitor/stats'],
  ])
    expect(stderr).toContain(`${missing} (for `);
  expect(await as('less', inspect)).toMatchObject({
    reachable: true,
    problem: expect.stringContaining('these credentials lack permissions: ') as string,
  });
  const left = await administrator.request<object>({ method: 'GET', path: '/dyno-trial-*' });
  expect(left.body).toEqual({});
});

test('each documented permission is checked before a run that needs it', async () => {
  const cluster = { engine: 'opensearch', plugins: new Set(['opensearch-security']) } as const;
  const existing = [{ names: ['products'], privileges: ['read', 'view_index_metadata', 'monitor'] }];
  const more = { cluster: [...Object.values(MORE_NEEDS), CLOSE_SCROLLS], index: ['manage'] };
  const missingTo = async (user: string): Promise<string[]> => {
    const said = await as(user, (connection) =>
      checkAccess(connection, cluster, ['dyno-trial-*'], more, existing).catch(String),
    );
    return [...said.matchAll(/(\S+) \(for /g)].map(([, permission]) => permission!);
  };
  expect(await missingTo('more')).toEqual([]);
  const onMore = [
    ...['cluster:admin/settings/update', 'cluster:admin/ingest/pipeline/put', 'cluster:admin/snapshot/get'],
    ...['indices:data/read/scroll/clear', 'indices:data/read/search'],
    ...['indices:admin/get', 'indices:monitor/stats'],
  ];
  expect((await missingTo('dyno')).sort()).toEqual(onMore.sort());
  expect(await missingTo('less')).toEqual(
    expect.arrayContaining([...onMore, 'indices:admin/index_template/put', 'indices:admin/cache/clear']),
  );
  expect(await as('dyno', inspect)).toMatchObject({ reachable: true, problem: '', notes: [] });
  // The cluster has executed none of the requests.
  for (const made of ['/dyno-trial-check', '/_index_template/dyno-check', '/_ingest/pipeline/dyno-check'])
    expect(await administrator.request({ method: 'GET', path: made })).toMatchObject({ status: 404 });
  expect((await administrator.request({ method: 'GET', path: '/_cluster/settings' })).body).toMatchObject({
    persistent: {},
  });
});

test('a wrong password is refused with a message that does not contain it', async () => {
  const { code, stderr } = await run(urlFor('dyno', 'wrong-horse-8'), {}, '--results', results());
  expect(code).toBe(3);
  expect(stderr).toContain('the cluster does not accept these credentials');
  expect(stderr).not.toContain('wrong-horse-8');
});
