/** Tests the standalone server over HTTP, as browsers and scripts use it: `dyno start` with a real Elasticsearch. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { request } from 'undici';
import { ABOUT_PARTS, type About, type AboutPaths } from '../../common/api/about';
import type { ErrorBody } from '../../common/api/error';
import type { Experiment, ExperimentSummary } from '../../common/api/experiments';
import type { Status } from '../../common/api/host';
import { MOST_UPLOADED, type ImportedRun } from '../../common/api/run-files';
import type { RunStreamEvent, RunSummary } from '../../common/api/runs';
import type { Target } from '../../common/api/targets';
import type { TriedRequest } from '../../common/api/tries';
import { EXAMPLE } from '../../common/example';
import { loadDefinition } from '../../server/standalone/definition-file';
import { until } from '../support/until';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { workplace, type Running } from './support/dyno';

const PASSWORD = 'geheimes-Kennwort-7';
const API_KEY = 'Z2VoZWltZXI6c2NobHVlc3NlbA==';

const url = sharedElasticsearch();
const place = workplace();
let server: Running;
let base: string;
/** All answers of the server, which are searched for secrets at the end. */
const answers: string[] = [];

async function startServer(...more: string[]): Promise<Running> {
  const started = place.start('start', '--port', '0', '--elasticsearch', url(), ...more);
  base = await new Promise<string>((resolve, reject) => {
    let output = '';
    started.child.stdout!.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /(http:\/\/\S+)/.exec(output);
      if (found) resolve(found[1]!);
    });
    void started.ended.then((ended) => reject(new Error(JSON.stringify(ended))));
  });
  return started;
}

interface Answer<T> {
  status: number;
  body: T;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

async function call<T = ErrorBody>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  where: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  const sent = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const answer = await request(base + where, {
    method,
    headers: {
      'x-dyno-request': '1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : sent,
  });
  const text = await answer.body.text();
  answers.push(text);
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text,
    body: (isJson ? JSON.parse(text) : text) as T,
  };
}

/** Sends raw bytes that no HTTP client would send. Resolves to the status line and the body. */
const raw = (bytes: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.write(bytes));
    let received = '';
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });

const definition = (name: string, more = ''): string => `version: 1
name: ${name} # a comment that stays
hypothesis: A longer refresh interval raises throughput
tags: [test]
index: { settings: { number_of_shards: 1, number_of_replicas: 0 } }
tasks:
  - name: ingest
    ingest: { source: { generator: systembase }, bulk: { docs: 500 } }
    executor: { constant-clients: { clients: 1 } }
measure: { documents: 2_000 }
trials: 1
${more}`;

beforeAll(async () => {
  server = await startServer();
});

afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
  place.remove();
});

describe('pages', () => {
  it('return the app at each of its paths, with a strict content security policy', async () => {
    for (const where of ['/', '/experiments/a%2Fb', '/runs/20261120-1/result?tab=x']) {
      const { status, headers, text } = await call<string>('GET', where);
      expect(status).toBe(200);
      expect(headers['content-type']).toContain('text/html');
      expect(text).toContain('<title>Dyno</title>');
      expect(headers['content-security-policy']).toMatch(/script-src 'self';.*frame-ancestors 'none'/);
      expect(headers['content-security-policy']).not.toContain('unsafe-eval');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('have assets that browsers cache, and expose no other files', async () => {
    const [, asset] = /src="(\/assets\/[^"]+)"/.exec((await call<string>('GET', '/')).text) ?? [];
    const { status, headers } = await call('GET', asset!);
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const zipped = await call('GET', asset!, undefined, { 'accept-encoding': 'br, gzip' });
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(zipped.headers['content-type']).toBe(headers['content-type']);
    const ways = [
      'none.js',
      '',
      '..%2Findex.html',
      '%2e%2e/%2e%2e/dyno.js',
      '../../dyno.js',
      '..%5c..%5cdyno.js',
    ];
    for (const way of ways) {
      // Sent as raw bytes, because HTTP clients normalise paths.
      const answer = await raw(`GET /assets/${way} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 40[034] /);
    }
  });
});

describe('the interface', () => {
  it('describes itself', async () => {
    const { body } = await call<{ openapi: string; paths: object }>('GET', '/api/dyno/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    expect(Object.keys(body.paths)).toContain('/api/dyno/runs/{id}/stream');
  });

  it.each<[string, Parameters<typeof call>, number, string]>([
    ['an unknown path', ['GET', '/api/dyno/nothing'], 404, 'request.not-found'],
    ['another method', ['PUT', '/api/dyno/experiments', {}], 405, 'request.method'],
    ['another method of an item', ['POST', '/api/dyno/experiments/a', {}], 405, 'request.method'],
    ['a POST to a page', ['POST', '/experiments'], 405, 'request.method'],
    [
      'another type',
      ['POST', '/api/dyno/experiments', 'a=b', { 'content-type': 'text/plain' }],
      415,
      'request.content-type',
    ],
    [
      'too much',
      ['POST', '/api/dyno/experiments', { text: 'x'.repeat(3_000_000) }],
      413,
      'request.too-large',
    ],
    [
      'a text of more than 1 MB',
      ['POST', '/api/dyno/experiments', { text: 'x'.repeat(1_000_001) }],
      400,
      'request.out-of-range',
    ],
    ['no JSON', ['POST', '/api/dyno/experiments', '{"text": '], 400, 'request.malformed'],
    ['nothing', ['POST', '/api/dyno/experiments', ''], 400, 'request.malformed'],
    [
      'no UTF-8',
      ['POST', '/api/dyno/experiments', Buffer.from([0x22, 0xff, 0x22])],
      400,
      'request.malformed',
    ],
    ['a prototype', ['POST', '/api/dyno/experiments', '{"__proto__": {}}'], 400, 'request.malformed'],
    ['an unknown key', ['POST', '/api/dyno/experiments', { text: 'a', more: 1 }], 400, 'request.unknown-key'],
    ['a wrong query', ['GET', '/api/dyno/runs?limit=0&state=happy'], 400, 'request.wrong-value'],
    ['a query given twice', ['GET', '/api/dyno/runs?state=queued&state=running'], 400, 'request.wrong-value'],
    ['a broken path', ['GET', '/api/dyno/runs/%c3%28'], 400, 'request.malformed'],
    ['a null byte', ['GET', '/api/dyno/runs/%00'], 404, 'run.not-found'],
    ['a pattern for an id', ['DELETE', '/api/dyno/experiments/*'], 404, 'experiment.not-found'],
    [
      'a path that leaves the folder',
      ['DELETE', '/api/dyno/experiments/..%2f..%2fdyno-runs-2026.11'],
      404,
      'experiment.not-found',
    ],
    ['a very long id', ['GET', `/api/dyno/runs/${'x'.repeat(201)}`], 400, 'request.out-of-range'],
    ['an id without a run', ['GET', '/api/dyno/runs/none/stream'], 404, 'run.not-found'],
    [
      'a comparison with an unknown run',
      ['POST', '/api/dyno/compare', { runs: ['a', 'b'] }],
      404,
      'run.not-found',
    ],
    [
      'another site',
      ['POST', '/api/dyno/compare', {}, { origin: 'http://evil.example' }],
      403,
      'request.forbidden',
    ],
    [
      'another name',
      ['GET', '/api/dyno/status', undefined, { host: 'evil.example' }],
      403,
      'request.forbidden',
    ],
  ])('refuses %s with an error in the common format', async (_, given, status, code) => {
    const { body, ...answer } = await call(...given);
    expect({ status: answer.status, code: body.attributes.problems[0]?.code }).toEqual({ status, code });
    expect(body).toMatchObject({
      statusCode: status,
      error: expect.any(String),
      message: expect.any(String),
    });
    expect(answer.headers['allow'] ?? '').toMatch(status === 405 ? /GET|POST/ : /^$/);
  });

  it('refuses requests that its own pages did not send', async () => {
    const answer = await request(`${base}/api/dyno/experiments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: definition('forged') }),
    });
    expect(answer.statusCode).toBe(403);
    await answer.body.dump();
  });

  it.each([
    ['no HTTP', 'HELLO\r\n\r\n', '400'],
    ['very long headers', `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(70_000)}\r\n\r\n`, '431'],
    ['no host', 'GET /api/dyno/status HTTP/1.0\r\n\r\n', '403'],
  ])('answers %s and keeps running', async (_, bytes, status) => {
    expect(await raw(bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*"statusCode":${status}`));
    expect((await call('GET', '/api/dyno/status')).status).toBe(200);
  });
});

describe('experiments', () => {
  it('are stored as written, listed, changed only with the newest version, and removed', async () => {
    const text = definition('Über alles (kept)');
    const created = await call<Experiment>('POST', '/api/dyno/experiments', { text });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ id: 'ber-alles-kept', text, definition: { trials: 1 } });
    const second = await call<Experiment>('POST', '/api/dyno/experiments', { text });
    expect(second.body.id).toBe('ber-alles-kept-2');
    expect((await call('DELETE', `/api/dyno/experiments/${second.body.id}`)).status).toBe(200);

    const where = `/api/dyno/experiments/${created.body.id}`;
    const { version } = created.body;
    const changed = text.replace('trials: 1', 'trials: 2\nschedule: 0 2 * * *');
    const saved = await call<Experiment>('PUT', where, { text: changed, version });
    expect(saved.status).toBe(200);
    const late = await call('PUT', where, { text, version });
    expect(late.status).toBe(409);
    expect(late.body.attributes.problems[0]!.code).toBe('experiment.conflict');
    expect(late.body.attributes.current).toMatchObject({ text: changed, version: saved.body.version });
    expect((await call('PUT', where, { text, version: 'made up' })).status).toBe(409);

    const { body } = await call<{ experiments: ExperimentSummary[] }>('GET', '/api/dyno/experiments');
    expect(body.experiments).toMatchObject([
      { id: created.body.id, tags: ['test'], cells: 1, trials: 2, runs: 0, active: null, last: null },
    ]);
    expect(body.experiments[0]!.nextRun).toMatch(/T02:00:00\.000Z$/);
    expect((await call('DELETE', where)).body).toEqual({ deletedRuns: 0 });
    expect((await call('GET', where)).status).toBe(404);
    expect((await call('DELETE', where)).status).toBe(404);
  });

  it.each([
    ['an unknown key', definition('bad').replace('trials:', 'trails:')],
    ['several things at once', definition('bad', 'margin: 7\nthresholds: [ingest.speed < 3]')],
    ['broken YAML', 'version: 1\nname: [a'],
    ['an alias without an anchor', 'version: *one'],
    ['an invalid schedule', definition('bad', 'schedule: every day')],
  ])('are refused with the same messages as in the command: %s', async (_, text) => {
    const file = place.write('definition.yml', text);
    const printed = await loadDefinition(file, { set: [] }).then(String, (error: Error) => error.message);
    const { status, body } = await call('POST', '/api/dyno/experiments', { text });
    expect(status).toBe(400);
    expect(body.message).toBe(printed);
  });

  it('must have an existing target, and can read files of one folder only', async () => {
    const nowhere = await call('POST', '/api/dyno/experiments', {
      text: definition('bad', 'target: nowhere'),
    });
    expect(nowhere.body.message).toBe('target: there is no such target (found nowhere; allowed: local)');
    const corpora = path.join(place.folder, 'data', 'corpora');
    for (const file of ['/etc/passwd', '../secret.key']) {
      const text = definition('bad')
        .replace('generator: systembase', `file: ${file}`)
        .replace('index: {', 'index: { mapping: {},');
      const { status, body } = await call('POST', '/api/dyno/experiments', { text });
      expect(status).toBe(400);
      expect(body.message).toContain(`a path relative to ${corpora}, within it`);
    }
    mkdirSync(path.join(corpora, 'logs'), { recursive: true });
    writeFileSync(path.join(corpora, 'logs', 'a.ndjson'), '{"a":1}\n');
    const text = definition('corpus')
      .replace('generator: systembase', 'file: logs/a.ndjson')
      .replace('index: {', 'index: { mapping: {},');
    const kept = await call<Experiment>('POST', '/api/dyno/experiments', { text });
    expect(kept.status).toBe(201);
    await call('DELETE', `/api/dyno/experiments/${kept.body.id}`);
  });
});

describe('targets', () => {
  const settings = {
    title: 'Production',
    hosts: ['http://127.0.0.1:9'],
    credentials: { kind: 'basic', username: 'elastic', password: PASSWORD },
    ca: null,
    verifyCertificates: true,
  };

  it('are stored with encrypted secrets, which appear in no answer, index or log', async () => {
    const created = await call<Target>('POST', '/api/dyno/targets', { id: 'production', ...settings });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      id: 'production',
      credentials: { kind: 'basic', username: 'elastic' },
      builtIn: false,
      experiments: 0,
    });
    expect((await call('POST', '/api/dyno/targets', { id: 'production', ...settings })).status).toBe(409);
    const withKey = { ...settings, credentials: { kind: 'api-key', key: API_KEY } };
    expect((await call('POST', '/api/dyno/targets', { id: 'by-key', ...withKey })).status).toBe(201);
    await call('GET', '/api/dyno/targets/production/facts');
    await call('POST', '/api/dyno/targets/_test', withKey);
    await call('GET', '/api/dyno/collector');
    await call('GET', '/api/dyno/targets');
    await call('POST', '/api/dyno/targets', { id: 'x', ...settings, hosts: [`http://u:${PASSWORD}@h`] });
    await call('POST', '/api/dyno/targets', { id: 'x', ...settings, hosts: `http://u:${PASSWORD}@h` });
    await call('POST', '/api/dyno/targets', {
      id: 'x',
      ...settings,
      credentials: { kind: 'x', key: API_KEY },
    });
    await call('POST', '/api/dyno/targets', `{"id": "x", "password": "${PASSWORD}"`);
    await call('GET', `/api/dyno/runs/${PASSWORD}?x=${API_KEY}`).then(() => answers.pop());

    const indices = await ask('GET', `${url()}/dyno-*/_search?size=1000`);
    const kept = JSON.stringify(indices.body);
    expect(kept).toContain('production');
    for (const secret of [PASSWORD, API_KEY, Buffer.from(`elastic:${PASSWORD}`).toString('base64')]) {
      for (const text of [kept, ...answers]) expect(text).not.toContain(secret);
    }
  });

  it('are changed only with the newest version, and stored credentials are never sent to another host', async () => {
    const { body: before } = await call<{ targets: Target[] }>('GET', '/api/dyno/targets');
    const { version } = before.targets.find(({ id }) => id === 'production')!;
    const where = '/api/dyno/targets/production';
    const keeping = { ...settings, credentials: { kind: 'keep' }, version };
    const elsewhere = await call('PUT', where, { ...keeping, hosts: ['http://127.0.0.1:19'] });
    expect(elsewhere.body.message).toContain('the stored credentials were given for other hosts');
    const tried = await call('POST', '/api/dyno/targets/_test', {
      ...keeping,
      version: undefined,
      id: 'production',
      hosts: ['http://127.0.0.1:19'],
    });
    expect(tried.status).toBe(400);
    const saved = await call<Target>('PUT', where, { ...keeping, title: 'Renamed' });
    expect(saved.body).toMatchObject({
      title: 'Renamed',
      credentials: { kind: 'basic', username: 'elastic' },
    });
    const late = await call('PUT', where, keeping);
    expect(late.status).toBe(409);
    expect(late.body.attributes.current).toMatchObject({ title: 'Renamed' });
  });

  it('are tested: the answer names the cluster, or says why it cannot be reached', async () => {
    const local = await call<object>('GET', '/api/dyno/targets/local/facts');
    expect(local.body).toMatchObject({
      reachable: true,
      cluster: { health: 'green' },
      nodes: [{ jvm: /./ }].map(() => ({})),
    });
    const { body } = await call<object>('GET', '/api/dyno/targets/production/facts');
    expect(body).toMatchObject({ reachable: false, problem: expect.stringContaining('refuses connections') });
  });

  it('that an experiment uses, or that are built in, cannot be removed', async () => {
    const text = definition('user', 'target: production');
    const { body } = await call<Experiment>('POST', '/api/dyno/experiments', { text });
    const used = await call('DELETE', '/api/dyno/targets/production');
    expect([used.status, used.body.attributes.problems[0]!.code]).toEqual([409, 'target.in-use']);
    const refused = await call('POST', `/api/dyno/experiments/${body.id}/run`);
    expect(refused.status).toBe(502);
    await call('DELETE', `/api/dyno/experiments/${body.id}`);
    expect((await call('DELETE', '/api/dyno/targets/production')).body).toEqual({ deleted: true });
    expect((await call('DELETE', '/api/dyno/targets/local')).status).toBe(403);
  });
});

describe('trying a request before a run', () => {
  const index = 'tried-before';
  beforeAll(async () => {
    await ask('PUT', `${url()}/${index}`, {
      mappings: { properties: { tag: { type: 'keyword' }, at: { type: 'date' } } },
    });
    for (const tag of ['java', 'java', 'go']) await ask('POST', `${url()}/${index}/_doc`, { tag, at: 1 });
    await ask('POST', `${url()}/${index}/_refresh`);
  });
  afterAll(() => ask('DELETE', `${url()}/${index}`));

  it('offers the indices of a target and their fields', async () => {
    const indices = await call<{ names: string[] }>('GET', '/api/dyno/targets/local/indices');
    expect(indices.body.names).toContain(index);
    const { body } = await call<{ fields: object[] }>('GET', `/api/dyno/targets/local/fields?index=${index}`);
    expect(body.fields).toEqual([
      { name: 'at', type: 'date' },
      { name: 'tag', type: 'keyword' },
    ]);
  });

  it('sends each kind of request once, with values from the target, and returns the answer', async () => {
    const attempt = async (request: object, more: object = {}): Promise<TriedRequest> => {
      const body = { request: { name: 'tried', ...request }, index, ...more };
      const answer = await call<TriedRequest>('POST', '/api/dyno/targets/local/_try', body);
      expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
      return answer.body;
    };
    const terms = { parameters: { tag: { terms: { field: 'tag' } } } };
    const search = { body: { query: { term: { tag: '{{tag}}' } } } };
    const found = await attempt({ search, expect: ['hits.total.value > 0'] }, terms);
    expect(found).toMatchObject({ outcome: 'accepted', index, steps: [{ status: 200, failure: null }] });
    expect(found.steps[0]!.body).toMatch(/"tag":"(java|go)"/);
    expect(await attempt({ count: {}, expect: ['count > 3'] })).toMatchObject({
      outcome: 'failed',
      steps: [{ failure: { type: 'expectation-failed' } }],
    });
    expect(await attempt({ search: { body: { query: { nonsense: {} } } } })).toMatchObject({
      outcome: 'failed',
      steps: [{ status: 400, failure: { type: 'parsing_exception' } }],
    });
    const pages = await attempt({ scroll: { size: 1, pages: 3 } });
    expect({ outcome: pages.outcome, parts: pages.steps.map(({ part }) => part) }).toEqual({
      outcome: 'accepted',
      parts: ['open', 'page', 'close'],
    });
  });

  it('sends a request to a temporary index of a definition, and removes the index afterwards', async () => {
    const indices = async (): Promise<string[]> =>
      Object.keys((await ask<Record<string, object>>('GET', `${url()}/dyno-trial*/_settings`)) ?? {});
    const before = await indices();
    const definition = {
      version: 1,
      name: 'tried',
      expect: ['not finished'],
      index: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
      tasks: [{ name: 'ingest', ingest: { source: { generator: 'apache-logs' } } }],
    };
    const attempt = (request: object, more: object = {}) =>
      call<TriedRequest>('POST', '/api/dyno/targets/local/_try', {
        request: { name: 'tried', ...request },
        definition: { ...definition, ...more },
      });
    const found = await attempt({ count: {}, expect: ['count >= 300'] });
    expect({ status: found.status, text: found.text }).toMatchObject({ status: 200 });
    expect(found.body).toMatchObject({ outcome: 'accepted', temporary: { documents: 300, notes: [] } });
    const written = await attempt({
      http: { method: 'POST', path: '/{{index}}/_doc', body: { verb: 'GET' } },
    });
    expect(written.body).toMatchObject({ outcome: 'accepted' });
    const parse = { pattern: '%{COMBINEDAPACHELOG}' };
    const lines = [{ name: 'ingest', ingest: { source: { generator: 'apache-access-lines' }, parse } }];
    const parsed = await attempt(
      { count: {} },
      { tasks: lines, index: { ...definition.index, mapping: {} } },
    );
    expect({ status: parsed.status, text: parsed.text }).toMatchObject({ status: 200 });
    // The reduced distribution of Elasticsearch has no grok processor.
    expect(parsed.body).toMatchObject({ outcome: 'accepted', temporary: { documents: 300 } });
    // It has no data streams either.
    const stream = await call('POST', '/api/dyno/targets/local/_try', {
      request: { name: 'tried', count: {} },
      definition: { ...definition, index: { as: 'data-stream' } },
    });
    expect(stream.body.attributes.problems[0]!.code).toBe('target.no-data-streams');
    const settings = { number_of_shards: 1, 'sort.field': 'nowhere' };
    const refused = await call('POST', '/api/dyno/targets/local/_try', {
      request: { name: 'tried', count: {} },
      definition: { ...definition, index: { settings } },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.attributes.problems[0]!.code).toBe('target.illegal-index');
    expect(await indices()).toEqual(before);
  });

  it('previews documents of a source', async () => {
    const { status, body } = await call<{ documents: { text: string }[]; mapping: object }>(
      'POST',
      '/api/dyno/documents/_preview',
      { source: { generator: 'apache-logs' }, count: 2 },
    );
    expect(status).toBe(200);
    expect(body.documents.map(({ text }) => JSON.parse(text) as object)).toHaveLength(2);
    expect(body.mapping).toHaveProperty('properties.clientip');
  });

  it('refuses requests that write unless that is allowed explicitly', async () => {
    const http = { method: 'POST', path: '/{{index}}/_doc', body: { tag: 'tried' } };
    const body = { request: { name: 'tried', http }, index };
    const { status, body: refused } = await call('POST', '/api/dyno/targets/local/_try', body);
    expect({ status, code: refused.attributes.problems[0]!.code }).toEqual({
      status: 400,
      code: 'try.writes',
    });
    const gone = { request: { name: 'tried', count: {} }, index: 'tried-nowhere' };
    expect((await call('POST', '/api/dyno/targets/local/_try', gone)).status).toBe(400);
    expect((await call('POST', '/api/dyno/targets/nobody/_try', body)).status).toBe(404);
  });
});

describe('a run', () => {
  let run: string;

  it('can be followed live from its beginning to its end', async () => {
    const text = definition('short', 'factors: { index.settings.refresh_interval: [1s, 30s] }');
    const { body } = await call<Experiment>('POST', '/api/dyno/experiments', { text });
    const begun = await call<{ run: string; state: string }>('POST', `/api/dyno/experiments/${body.id}/run`);
    expect(begun.status).toBe(202);
    run = begun.body.run;
    expect((await call('DELETE', `/api/dyno/experiments/${body.id}?runs=delete`)).status).toBe(409);
    const stream = await request(`${base}/api/dyno/runs/${run}/stream`);
    const streamed = await stream.body.text();
    // An error's text is in the message of the failed test.
    expect({ type: stream.headers['content-type'], text: streamed }).toEqual({
      type: 'text/event-stream; charset=utf-8',
      text: expect.stringMatching(/^retry: \d+\n\n/) as string,
    });
    const events = [...streamed.matchAll(/^data: (.*)$/gm)].map(
      ([, data]) => JSON.parse(data!) as RunStreamEvent,
    );
    expect(events[0]!.type).toBe('run');
    expect(events.some(({ type }) => type === 'progress')).toBe(true);
    expect(events.at(-1)).toEqual({ type: 'end', state: 'completed' });
    const last = events.findLast((event) => event.type === 'run');
    expect(last?.detail.trials.map(({ state }) => state)).toEqual(['completed', 'completed']);
    const { body: list } = await call<{ experiments: ExperimentSummary[] }>('GET', '/api/dyno/experiments');
    expect(list.experiments[0]).toMatchObject({
      id: 'short',
      runs: 1,
      active: null,
      last: { id: run, state: 'completed', unit: 'docs/s', cells: [{ baseline: true }, { baseline: false }] },
    });
  });

  it('has the same report as in the command, in every format', async () => {
    const files = ['csv', 'md', 'html'].map((form) => path.join(place.folder, `r.${form}`));
    const command = await place.dyno(
      ...['report', run, '--results', url(), '--json'],
      ...files.flatMap((file) => ['--report', file]),
    );
    const exported = (format: string): Promise<Answer<unknown>> =>
      call<unknown>('GET', `/api/dyno/runs/${run}/export?format=${format}`);
    const json = await exported('json');
    expect(json.body).toEqual(JSON.parse(command.stdout));
    expect(json.headers['content-disposition']).toBe(`attachment; filename="dyno-${run}.json"`);
    for (const file of files) {
      expect((await exported(path.extname(file).slice(1))).text).toBe(readFileSync(file, 'utf8'));
    }
    const { body: shown } = await call<{ cells: unknown }>('GET', `/api/dyno/runs/${run}/report`);
    expect(shown.cells).toEqual((json.body as { cells: unknown }).cells);
    const compared = await call<{ runs: unknown[] }>('POST', '/api/dyno/compare', { runs: [run, run] });
    expect(compared.body.runs).toHaveLength(2);
  });

  it('can be exported to a file and imported again, over HTTP and with the command', async () => {
    const asked = await request(`${base}/api/dyno/run-files?run=${run}`);
    expect(asked.headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-disposition': `attachment; filename="${run}.dyno-runs.gz"`,
    });
    const bytes = Buffer.from(await asked.body.arrayBuffer());
    const file = path.join(place.folder, 'runs.gz');
    const command = await place.dyno('results', 'export', run, '--file', file, '--results', url());
    expect(command.stdout).toMatch(/^1 run in /);
    const { body: before } = await call<unknown>('GET', `/api/dyno/runs/${run}/export?format=json`);

    const send = (body: Buffer, query = ''): Promise<Answer<{ runs: ImportedRun[] } & ErrorBody>> =>
      call('POST', `/api/dyno/run-files${query}`, body, { 'content-type': 'application/gzip' });
    expect((await send(bytes)).body.runs).toMatchObject([{ id: run, outcome: 'unchanged', trials: 2 }]);
    expect((await call('DELETE', `/api/dyno/runs/${run}`)).status).toBe(200);
    const damaged = await send(bytes.subarray(0, -40));
    expect([damaged.status, damaged.body.attributes.problems[0]!.code]).toEqual([400, 'results.file']);
    expect((await send(bytes)).body.runs).toMatchObject([{ id: run, outcome: 'stored', trials: 2 }]);
    expect((await call<unknown>('GET', `/api/dyno/runs/${run}/export?format=json`)).body).toEqual(before);
    const again = await place.dyno('results', 'import', file, '--results', url());
    expect(again.stdout).toContain(`${run}: already stored, unchanged, 2 trials`);

    expect((await call('POST', '/api/dyno/run-files', {})).status).toBe(415);
    const elsewhere = { 'content-type': 'application/gzip' };
    expect((await call('POST', '/api/dyno/experiments', bytes, elsewhere)).status).toBe(415);
    expect((await call('GET', '/api/dyno/run-files?run=none')).status).toBe(404);
    const large = await send(Buffer.alloc(MOST_UPLOADED + 1));
    expect([large.status, large.text]).toEqual([413, expect.stringContaining('100 MB')]);
  });

  it('has a timeline, and is deleted with its experiment on request', async () => {
    const timeline = await call<{ phases: unknown[] }>('GET', `/api/dyno/runs/${run}/timeline`);
    expect(timeline.status).toBe(200);
    expect(timeline.body.phases.length).toBeGreaterThan(1);
    const { body } = await call<{ tasks: { cells: unknown[] }[] }>(
      'GET',
      `/api/dyno/runs/${run}/distributions`,
    );
    expect(body.tasks[0]!.cells).toHaveLength(2);
    expect((await call('POST', `/api/dyno/runs/${run}/cancel`)).status).toBe(409);
    expect((await call('POST', `/api/dyno/runs/${run}/resume`)).status).toBe(409);
    expect((await call('DELETE', '/api/dyno/experiments/short?runs=delete')).body).toEqual({
      deletedRuns: 1,
    });
    expect((await call('GET', `/api/dyno/runs/${run}`)).status).toBe(404);
  });
});

describe('a run that the command line carries', () => {
  it('can be cancelled through a server on the same results', async () => {
    const own = workplace();
    try {
      const text = definition('carried elsewhere').replace('documents: 2_000', 'duration: 10m');
      const command = own.start('run', own.write('long.yml', text), '--elasticsearch', url());
      const run = await until('the run of the command line', async () => {
        const { body } = await call<{ runs: RunSummary[] }>('GET', '/api/dyno/runs?state=running');
        return body.runs.find(({ experiment }) => experiment.name === 'carried elsewhere')?.id;
      });
      const cancelled = await call<{ state: string }>('POST', `/api/dyno/runs/${run}/cancel`);
      expect([cancelled.status, cancelled.body]).toEqual([202, { state: 'running' }]);
      const { code, stderr } = await command.ended;
      expect(`${stderr}\n${code}`).toMatch(/run cancelled: cancelled manually\n\n3$/);
      const { body } = await call<{ run: { run: object } }>('GET', `/api/dyno/runs/${run}`);
      expect(body.run.run).toMatchObject({ state: 'cancelled', indices: [] });
      expect((await call('POST', `/api/dyno/runs/${run}/cancel`)).status).toBe(409);
    } finally {
      own.remove();
    }
  });
});

describe('the recorded example', () => {
  const where = `/api/dyno/runs/${EXAMPLE.run.id}`;

  it('is returned like a run, although it is not stored in the results', async () => {
    expect((await call('GET', where)).status).toBe(200);
    const { body } = await call<{ runs: RunSummary[] }>('GET', '/api/dyno/runs');
    expect(body.runs.map(({ id }) => id)).not.toContain(EXAMPLE.run.id);
  });

  it.each([
    ['POST', '/resume'],
    ['POST', '/cancel'],
    ['POST', '/clean-up'],
    ['DELETE', ''],
  ] as const)('cannot be changed with %s %s', async (method, what) => {
    const { status, body } = await call(method, where + what);
    expect([status, body.attributes.problems[0]!.code]).toEqual([403, 'run.example']);
  });
});

describe('the server', () => {
  it('needs its own data folder and its own port', async () => {
    const second = await place.dyno('start', '--port', '0', '--elasticsearch', url());
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`already serves this data folder, at ${base}`);
    const other = workplace();
    try {
      const taken = await other.dyno('start', '--port', new URL(base).port, '--elasticsearch', url());
      expect(taken.code).toBe(2);
      expect(taken.stderr).toContain('another program already listens there');
      const open = await other.dyno('start', '--host', '0.0.0.0', '--elasticsearch', url());
      expect(open.code).toBe(2);
      expect(open.stderr).toContain('so a password is required');
    } finally {
      other.remove();
    }
  });

  it('reports its steps and shows the example while Elasticsearch starts, and ends cleanly during the start', async () => {
    // The server sends a quarter of the file, then nothing more.
    const mirror = createServer((_, response) => {
      response.writeHead(200, { 'content-length': 1_000_000 });
      response.write(Buffer.alloc(250_000));
    });
    await new Promise<void>((resolve) => mirror.listen(0, '127.0.0.1', resolve));
    // The user of Elasticsearch must be able to read this folder.
    const cache = mkdtempSync(path.join(tmpdir(), 'dyno-cache-'));
    chmodSync(cache, 0o755);
    const { port } = mirror.address() as AddressInfo;
    const other = workplace({ DYNO_CACHE: cache, DYNO_MAVEN_REPOSITORY: `http://127.0.0.1:${port}` });
    try {
      const started = other.start('start', '--port', '0');
      let output = '';
      started.child.stderr!.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await started.says(/Downloading Elasticsearch/);
      const at = /The pages are already at (\S+?),/.exec(output)![1]!;
      const askThere = async (where: string): Promise<{ status: number; text: string }> => {
        const { statusCode, body } = await request(`${at}/api/dyno/${where}`);
        return { status: statusCode, text: await body.text() };
      };
      await until('a quarter is downloaded', async () => {
        const { start } = JSON.parse((await askThere('status')).text) as Status;
        const { state, share } = start!.steps.at(-1)!;
        return state === 'under-way' && share === 0.25;
      });
      expect((await askThere('experiments')).status).toBe(503);
      expect((await askThere(`runs/${EXAMPLE.run.id}/report`)).status).toBe(200);
      started.child.kill('SIGTERM');
      const { code, stdout } = await started.ended;
      expect([code, stdout]).toEqual([0, '']);
      expect(existsSync(path.join(other.folder, 'data', 'serving.json'))).toBe(false);
    } finally {
      other.remove();
      mirror.closeAllConnections();
      mirror.close();
      rmSync(cache, { recursive: true, force: true });
    }
  });

  it('reports its health, and exports a support bundle without secrets, over HTTP and with the command', async () => {
    const { body: about } = await call<About>('GET', '/api/dyno/about');
    expect(Object.values(about.parts).map(({ failure }) => failure)).toEqual(ABOUT_PARTS.map(() => ''));
    expect(about.parts.results.found).toMatchObject({ url: url(), version: expect.stringMatching(/^\d+\./) });
    const { body: paths } = await call<AboutPaths>('GET', '/api/dyno/about/paths');
    expect(paths.paths).toContainEqual({
      name: 'data',
      path: path.join(place.folder, 'data'),
      state: 'there',
    });
    const { headers, text } = await call<string>('GET', '/api/dyno/about/support');
    expect(headers['content-disposition']).toMatch(/dyno-support-\d{8}-\d{4}\.zip/);
    expect(text.startsWith('PK')).toBe(true);
    const file = path.join(place.folder, 'support.zip');
    const { code, stderr } = await place.dyno('support', '--file', file, '--results', url());
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/runs\.json: .*\n/) });
    expect(stderr).not.toContain('not in it');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await place.dyno('support', '--file', file)).code).toBe(2);
  });

  it('ends within seconds while a client follows a running run, and marks the run as interrupted', async () => {
    const text = definition('long').replace('documents: 2_000', 'duration: 10m');
    const { body } = await call<Experiment>('POST', '/api/dyno/experiments', { text });
    const begun = await call<{ run: string }>('POST', `/api/dyno/experiments/${body.id}/run`);
    const stream = await request(`${base}/api/dyno/runs/${begun.body.run}/stream`);
    const over = stream.body.text().catch(() => '');
    const before = Date.now();
    server.child.kill('SIGTERM');
    const { code, stderr } = await server.ended;
    expect(`${stderr}\n${code}`).toMatch(/\n0$/);
    expect(Date.now() - before).toBeLessThan(15_000);
    await over;
    for (const secret of [PASSWORD, API_KEY]) expect(stderr).not.toContain(secret);
    expect(stderr).not.toMatch(/ at .*\.ts:\d+/);

    server = await startServer();
    const { body: detail } = await call<{ run: { run: { state: string; reason: string } } }>(
      'GET',
      `/api/dyno/runs/${begun.body.run}`,
    );
    expect(detail.run.run).toMatchObject({ state: 'interrupted', reason: 'the server was stopped' });
  });
});
