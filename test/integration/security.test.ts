/** Tests Dyno with limited privileges: users, roles and API keys on the embedded Elasticsearch. */
import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DynoError } from '../../common/problem';
import { startElasticsearch, type EmbeddedElasticsearch } from '../../server/standalone/elasticsearch/start';
import { checkPrivileges, discoverCluster } from '../../server/target-cluster/cluster';
import { Connection } from '../../server/target-cluster/connection';
import { createIndex } from '../../server/target-cluster/index-lifecycle';
import { unaskedParts } from '../../server/target-cluster/index-parts';
import { workplace, type Ended } from './support/dyno';
import { START_TIMEOUT_MS } from './support/elasticsearch';

jest.setTimeout(START_TIMEOUT_MS);

const ADMINISTRATOR = 'administrator-horse-6';
let folder: string;
let place: EmbeddedElasticsearch;
let administrator: Connection;

/** Returns the hash of a password for Elasticsearch's file realm. */
function hashed(password: string): string {
  const salt = randomBytes(32);
  const hash = pbkdf2Sync(password, salt, 10_000, 32, 'sha512');
  return `{PBKDF2}10000$${salt.toString('base64')}$${hash.toString('base64')}`;
}

const as = (user: string, password: string): Connection =>
  new Connection({
    hosts: [`http://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${new URL(place.url).host}`],
  });

async function make(method: 'PUT' | 'POST', at: string, body: unknown): Promise<unknown> {
  const answer = await administrator.request({ method, path: at, body: body as object });
  expect(answer.status).toBeLessThan(300);
  return answer.body;
}

const USER = { name: 'reader@example.org', password: 'correct-horse-7' };

const asUser = (): Connection => as(USER.name, USER.password);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'dyno-security-'));
  chmodSync(folder, 0o755);
  const config = path.join(folder, 'node-1', 'config');
  mkdirSync(config, { recursive: true });
  writeFileSync(path.join(config, 'users'), `administrator:${hashed(ADMINISTRATOR)}\n`);
  writeFileSync(path.join(config, 'users_roles'), 'superuser:administrator\n');
  // The role `health` is for requests without credentials: while Elasticsearch starts, its health is checked without credentials.
  writeFileSync(path.join(config, 'roles.yml'), 'health:\n  cluster: [monitor]\n');
  place = await startElasticsearch({
    dataFolder: folder,
    heap: '512m',
    settings: {
      'xpack.security.enabled': true,
      'xpack.security.authc.api_key.enabled': true,
      'xpack.security.authc.anonymous.roles': ['health'],
    },
  });
  administrator = as('administrator', ADMINISTRATOR);
  await make('PUT', '/_security/role/logs-reader', {
    cluster: ['monitor', 'manage_own_api_key'],
    indices: [{ names: ['logs-*'], privileges: ['read', 'view_index_metadata'] }],
  });
  await make('PUT', `/_security/user/${encodeURIComponent(USER.name)}`, {
    password: USER.password,
    roles: ['logs-reader'],
    email: USER.name,
  });
  await make('POST', '/logs-a/_doc?refresh=true', { message: 'hello' });
  await make('POST', '/secret-a/_doc?refresh=true', { message: 'hello' });
}, START_TIMEOUT_MS);

afterAll(async () => {
  await administrator?.close();
  await place?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

test('a native user has only the privileges of their role', async () => {
  const connection = asUser();
  try {
    expect((await discoverCluster(connection)).version).toBe('9.5.3');
    const read = await connection.request({ method: 'GET', path: '/logs-a/_search' });
    expect(read.status).toBe(200);
    const refused = await connection.request({ method: 'GET', path: '/secret-a/_search' });
    expect(refused.status).toBe(403);
    const written = await connection.request({
      method: 'POST',
      path: '/logs-a/_doc',
      body: { message: 'x' },
    });
    expect(written.status).toBe(403);
  } finally {
    await connection.close();
  }
});

test('an API key is found by the name of its owner, and has only the privileges that it was given', async () => {
  const owner = asUser();
  const { body } = await owner.request<{ encoded: string; id: string }>({
    method: 'POST',
    path: '/_security/api_key',
    body: {
      name: 'one-index',
      role_descriptors: { one: { indices: [{ names: ['logs-b'], privileges: ['read'] }] } },
    },
  });
  await owner.close();
  const key = new Connection({ hosts: [place.url], authorization: `ApiKey ${body.encoded}` });
  try {
    const who = await key.request<{ username: string }>({ method: 'GET', path: '/_security/_authenticate' });
    expect(who).toMatchObject({ status: 200, body: { username: USER.name, authentication_type: 'api_key' } });
    expect((await key.request({ method: 'GET', path: '/logs-a/_search' })).status).toBe(403);
    const found = await administrator.request<{ api_keys: { id: string }[] }>({
      method: 'GET',
      path: '/_security/api_key',
      query: { username: USER.name },
    });
    expect(found.body.api_keys.map(({ id }) => id)).toEqual([body.id]);
  } finally {
    await key.close();
  }
});

test('missing privileges are reported for the API key, and templates that it may not read as unknown', async () => {
  await make('PUT', '/_index_template/narrow', {
    index_patterns: ['narrow-*'],
    template: { settings: { refresh_interval: '45s' } },
  });
  const keyWith = async (name: string, cluster: string[]): Promise<Connection> => {
    const { encoded } = (await make('POST', '/_security/api_key', {
      name,
      role_descriptors: { one: { cluster, indices: [{ names: ['narrow-*'], privileges: ['all'] }] } },
    })) as { encoded: string };
    return new Connection({ hosts: [place.url], authorization: `ApiKey ${encoded}` });
  };
  const key = await keyWith('narrow-key', ['monitor']);
  const blind = await keyWith('blind-key', []);
  const user = asUser();
  try {
    await checkPrivileges(key, ['narrow-*']);
    await expect(checkPrivileges(key, ['wide-*'])).rejects.toThrow(
      'the API key narrow-key (made by administrator) lacks privileges: index wide-*: create_index',
    );
    await expect(checkPrivileges(user, ['logs-*'])).rejects.toThrow(
      `the user ${USER.name} lacks privileges: index logs-*: create_index`,
    );
    const wanted = {
      index: 'narrow-1',
      settings: { number_of_replicas: 0 },
      mapping: {},
      mark: { run: 'r', trial: 't', experiment: 'e' },
    };
    await createIndex(key, wanted);
    const added = { what: 'index.refresh_interval', value: '45s' };
    expect(await unaskedParts(blind, [wanted])).toEqual([
      { ...added, from: 'elsewhere; these credentials may not read the index templates' },
    ]);
    expect(await unaskedParts(key, [wanted])).toEqual([{ ...added, from: 'index template narrow' }]);
  } finally {
    await Promise.all([key.close(), blind.close(), user.close()]);
  }
});

describe('an API key that is invalidated while its run measures', () => {
  const definition = {
    version: 1,
    name: 'revoked',
    index: { settings: { number_of_replicas: 0 } },
    tasks: [
      {
        name: 'ingest',
        ingest: { source: { generator: 'systembase' }, bulk: { docs: 20 } },
        executor: { 'constant-clients': { clients: 1, 'think-time': '50ms' } },
      },
    ],
    measure: { warmup: '0s', duration: '10m' },
    trials: 1,
  };
  /** Maximum time until the run ends, in ms. Detecting the invalid key and stopping the load take a few seconds each. */
  const ENDS_MS = 30_000;

  const withAdministrator = (): string => {
    const url = new URL(place.url);
    Object.assign(url, { username: 'administrator', password: ADMINISTRATOR });
    return url.href;
  };

  /**
   * Starts a run with an API key, and invalidates the key while the run sends requests. `options`: more options of the target. Resolves to
   * the result of the command, the time until it ended in ms, and the run's id.
   */
  async function revoked(...options: string[]): Promise<{ ended: Ended; ms: number; id: string }> {
    const { encoded, id } = (await make('POST', '/_security/api_key', { name: 'of-a-run' })) as {
      encoded: string;
      id: string;
    };
    const here = workplace({ DYNO_TARGET_API_KEY: encoded });
    places.push(here);
    const running = here.start(
      'run',
      here.write('revoked.json', definition),
      ...['--elasticsearch', place.url, ...options],
    );
    await running.says(/measure \d+s.*accepted\/s/);
    const { status } = await administrator.request({
      method: 'DELETE',
      path: '/_security/api_key',
      body: { ids: [id] },
    });
    expect(status).toBe(200);
    const since = performance.now();
    const ended = await running.ended;
    const run = /run (\d{8}-\d{6}-[0-9a-f]{4})/.exec(ended.stderr)![1]!;
    return { ended, ms: performance.now() - since, id: run };
  }

  const places: ReturnType<typeof workplace>[] = [];
  afterAll(() => places.forEach((one) => one.remove()));

  async function stored(id: string): Promise<object | undefined> {
    await administrator.request({ method: 'POST', path: '/dyno-*/_refresh' });
    const { body } = await administrator.request<{ hits: { hits: { _source: { run: object } }[] } }>({
      method: 'POST',
      path: '/dyno-runs-*/_search',
      body: { query: { term: { 'run.id': id } } },
    });
    return body.hits.hits[0]?._source.run;
  }

  const leases = async (): Promise<unknown> => {
    const { body } = await administrator.request<{ count: number }>({
      method: 'GET',
      path: '/dyno-claims/_count',
    });
    return body.count;
  };

  it('ends the run within seconds, with the reason in the stored results', async () => {
    const { ended, ms, id } = await revoked('--results', withAdministrator());
    expect(ended).toMatchObject({ code: 3 });
    expect(ms).toBeLessThan(ENDS_MS);
    expect(ended.stderr).toMatch(
      /run interrupted: the cluster does not accept these credentials: .*invalidated/,
    );
    expect(ended.stderr).toContain('dyno -- resume');
    expect(await stored(id)).toMatchObject({
      state: 'interrupted',
      reason: expect.stringContaining('can be resumed with credentials that work') as string,
    });
    expect(await leases()).toBe(0);
  });

  it('ends the run although nothing can be stored, and the next command stores its end', async () => {
    const { ended, ms, id } = await revoked();
    expect(ended).toMatchObject({ code: 3 });
    expect(ms).toBeLessThan(ENDS_MS);
    expect(ended.stderr).toMatch(/run interrupted: .*does not accept these credentials/);
    expect(ended.stderr).toContain('wait in the spool');
    // This workplace has the same data folder, but valid credentials.
    const after = workplace({ DYNO_DATA: path.join(places.at(-1)!.folder, 'data') });
    places.push(after);
    const next = await after.dyno(
      ...['run', after.write('next.json', { ...definition, measure: { documents: 100 } })],
      ...['--elasticsearch', withAdministrator()],
    );
    expect(`${next.stderr}${next.code}`).toMatch(/0$/);
    expect(await stored(id)).toMatchObject({ state: 'interrupted' });
    expect(await leases()).toBe(0);
    const left = await administrator.request({ method: 'GET', path: '/dyno-lease' });
    expect(left.status).toBe(404);
  });
});

test('a wrong password is refused with a message that does not contain it', async () => {
  const connection = as('nobody', 'wrong-horse-8');
  const failure = await discoverCluster(connection).catch((error: unknown) => error);
  await connection.close();
  expect(failure).toBeInstanceOf(DynoError);
  expect((failure as DynoError).code).toBe('target.unauthorised');
  expect((failure as DynoError).message).not.toContain('wrong-horse-8');
});

test('the token filter of the security index splits text into addresses and their parts, each once', async () => {
  await make('PUT', '/mails', {
    settings: {
      analysis: {
        filter: {
          parts: { type: 'pattern_capture', preserve_original: true, patterns: ['([^@]+)', '@(.+)'] },
        },
        analyzer: { mail: { tokenizer: 'uax_url_email', filter: ['parts', 'lowercase', 'unique'] } },
      },
    },
  });
  const { tokens } = (await make('POST', '/mails/_analyze', {
    analyzer: 'mail',
    text: 'Me@Example.org me@example.org',
  })) as { tokens: { token: string }[] };
  expect(tokens.map(({ token }) => token)).toEqual(['me@example.org', 'me', 'example.org']);
});
