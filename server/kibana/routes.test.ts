import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { API } from '../../common/api';
import { MOST_UPLOADED } from '../../common/api/run-files';
import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { inputError, runError } from '../../common/problem';
import type { Handlers } from '../routes/handler';
import { Conflict } from '../routes/services';
import { featureFor } from './features';
import { registerRoutes } from './routes';
import { askRoute, checkFeature, fakeRouter, type Registered } from './testing/fake-kibana';

const log: string[] = [];
const VERSIONS = ['8.3.3', '8.17.9', '8.18.0', '8.19.4', '9.0.0', '9.1.0', '9.5.3'];

function routesOf(
  handlers: Partial<Handlers>,
  kibanaVersion = '9.5.3',
  results: ElasticsearchClient = { request: () => Promise.reject(new Error('nobody asks')) },
): (path: string, method?: string) => Registered {
  const router = fakeRouter(kibanaVersion);
  registerRoutes({
    router,
    kibanaVersion,
    version: '1.0.0',
    handlersFor: () => Promise.resolve(handlers as Handlers),
    resultsFor: () => results,
    closing: new AbortController().signal,
    log: { info: () => undefined, warn: () => undefined, error: (text) => log.push(text) },
  });
  return (path, method = 'get') =>
    router.routes.find((route) => route.config.path === path && route.method === method)!;
}

test.each(VERSIONS)(
  'Kibana %s takes every route of the table, each guarded by what the feature grants',
  (version) => {
    const route = routesOf({}, version);
    const feature = featureFor({ kibanaVersion: version, alerting: true });
    for (const { path, method, privilege } of Object.values(API)) {
      const { config } = route(path, method.toLowerCase());
      const guards = config.security?.authz.requiredPrivileges ?? config.options.tags!;
      expect(guards.map((guard) => guard.replace('access:', ''))).toEqual([`dyno_${privilege}`]);
      expect(feature.privileges.all.api).toContain(`dyno_${privilege}`);
      expect(config.options.access).toBe('public');
    }
  },
);

test.each(VERSIONS)('Kibana %s accepts the feature, with and without alerting', (kibanaVersion) => {
  for (const alerting of [true, false]) {
    expect(() => checkFeature(featureFor({ kibanaVersion, alerting }), kibanaVersion)).not.toThrow();
  }
  const other = kibanaVersion.startsWith('8.3') || kibanaVersion === '8.17.9' ? '9.5.3' : '8.3.3';
  expect(() => checkFeature(featureFor({ kibanaVersion: other, alerting: true }), kibanaVersion)).toThrow(
    'alerting',
  );
});

test('a user with read access may only read', () => {
  const feature = featureFor({ kibanaVersion: '9.5.3', alerting: true });
  expect(Object.keys(feature.privileges.read.alerting!.rule)).toEqual(['read']);
  expect(feature.privileges.read.api).toEqual(['dyno_read']);
  expect(feature.privileges.read.savedObject.all).toEqual([]);
  expect(feature.privileges.read.ui).toEqual(['read']);
});

test('a handler receives the parsed input, with defaults', async () => {
  const listRuns = jest.fn(() => Promise.resolve({ runs: [] }));
  const answer = await askRoute(routesOf({ listRuns })('/api/dyno/runs'), { query: { limit: '7' } });
  expect(answer).toMatchObject({ status: 200, body: '{"runs":[]}' });
  expect(listRuns).toHaveBeenCalledWith({ query: { limit: 7 } }, expect.anything());
});

test('an invalid request is answered with every problem, and without secrets', async () => {
  const route = routesOf({})('/api/dyno/targets', 'post');
  const answer = await askRoute(route, {
    body: { id: 'A b', credentials: { kind: 'basic', password: 'geheim' } },
  });
  expect(answer.status).toBe(400);
  const { attributes } = answer.body as { attributes: { problems: { path: string }[] } };
  expect(attributes.problems.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['id', 'title', 'hosts']),
  );
  expect(JSON.stringify(answer)).not.toContain('geheim');
});

test('a conflict contains the stored object, and a missing object is a 404', async () => {
  const current = { id: 'a', version: 'new' };
  const problem = { code: 'experiment.conflict', path: 'version', message: 'somebody was faster' };
  const route = routesOf({
    saveExperiment: () => Promise.reject(new Conflict(problem, current)),
    getRun: () => Promise.reject(inputError('run.not-found', 'id', 'there is no such run')),
  });
  const body = { text: 'a', version: 'old' };
  const conflict = await askRoute(route('/api/dyno/experiments/{id}', 'put'), { params: { id: 'a' }, body });
  expect(conflict).toMatchObject({ status: 409, body: { attributes: { current, problems: [problem] } } });
  const missing = await askRoute(route('/api/dyno/runs/{id}'), { params: { id: 'a' } });
  expect(missing).toMatchObject({
    status: 404,
    body: { attributes: { problems: [{ code: 'run.not-found' }] } },
  });
});

describe('a user whose role lacks privileges on the results', () => {
  const handlers: Partial<Handlers> = {
    listRuns: () => Promise.reject(runError('results.forbidden', '', 'these credentials may not read runs')),
    deleteRun: () => Promise.reject(runError('results.forbidden', '', 'these credentials may not write')),
  };
  const asked: unknown[] = [];
  const results: ElasticsearchClient = {
    request: <T>({ body }: ElasticsearchRequest) => {
      asked.push(body);
      const index = { 'dyno-*': { read: false, view_index_metadata: true } };
      const answer = { has_all_requested: false, username: 'ann', cluster: { monitor: false }, index };
      return Promise.resolve({ status: 200, body: answer as T });
    },
  };

  test('gets a 403 with the missing privileges, for reading and for starting runs', async () => {
    const { status, body } = await askRoute(routesOf(handlers, '9.5.3', results)('/api/dyno/runs'));
    expect(status).toBe(403);
    expect(body).toMatchObject({
      message:
        'these credentials may not read runs. Missing: the user ann lacks cluster: monitor, index dyno-*: read, which the role dyno_viewer grants',
      attributes: { problems: [{ code: 'results.forbidden' }] },
    });
    const remove = routesOf(handlers, '9.5.3', results)('/api/dyno/runs/{id}', 'delete');
    const refused = await askRoute(remove, { params: { id: 'a' } });
    expect(refused).toMatchObject({ status: 403 });
    expect(JSON.stringify(refused.body)).toContain('which the role dyno_user grants');
    expect(asked).toHaveLength(2);
  });

  test('gets a 403 even if Elasticsearch cannot name the missing privileges', async () => {
    const { status, body } = await askRoute(routesOf(handlers)('/api/dyno/runs'));
    expect([status, JSON.stringify(body)]).toEqual([403, expect.stringContaining('may not read runs')]);
  });
});

test('an internal error is described only in the log', async () => {
  log.length = 0;
  const route = routesOf({ listRuns: () => Promise.reject(new Error('password hunter2')) });
  const answer = await askRoute(route('/api/dyno/runs'));
  expect(answer.status).toBe(500);
  expect(JSON.stringify(answer)).not.toContain('hunter2');
  expect(log.join()).toContain('hunter2');
  const id = /under the request ([\w-]+)/.exec(JSON.stringify(answer))![1]!;
  expect(log.join()).toContain(id);
});

test('files of runs are streamed in both directions', async () => {
  const importRuns = jest.fn(() => Promise.resolve({ runs: [] }));
  const route = routesOf({
    importRuns,
    exportRuns: ({ query: { run } }) =>
      Promise.resolve({
        contentType: 'application/gzip',
        fileName: `${run.join('-')}.gz`,
        stream: Readable.from(['a', 'b']),
      }),
  });
  const answer = await askRoute(route('/api/dyno/run-files'), { query: { run: ['a', 'b'] } });
  expect(answer.headers).toMatchObject({
    'content-type': 'application/gzip',
    'content-disposition': 'attachment; filename="a-b.gz"',
  });
  expect(await text(answer.body as Readable)).toBe('ab');

  const into = route('/api/dyno/run-files', 'post');
  expect(into.config.options.body).toEqual({
    maxBytes: MOST_UPLOADED,
    accepts: ['application/gzip'],
    output: 'stream',
    parse: false,
  });
  const file = Readable.from(['c']);
  expect(await askRoute(into, { query: { replace: 'true' }, body: file })).toMatchObject({ status: 200 });
  expect(importRuns).toHaveBeenCalledWith({ query: { replace: 'true' }, file }, expect.anything());
});

test('a file is sent as a download, whatever its name', async () => {
  const text = 'a,b';
  const route = routesOf({
    exportReport: () => Promise.resolve({ contentType: 'text/csv', fileName: 'dyno-"\r\nx.csv', text }),
  });
  const answer = await askRoute(route('/api/dyno/runs/{id}/export'), {
    params: { id: 'a' },
    query: { format: 'csv' },
  });
  expect(answer.headers['content-disposition']).toBe('attachment; filename="dyno-___x.csv"');
  expect(answer.body).toBe(text);
});

test('a stream sends events, flushes the compressor, and ends when its reader disconnects', async () => {
  let ended = false;
  async function* endless(): AsyncGenerator<{ type: 'end'; state: 'completed' }> {
    try {
      for (;;) {
        yield { type: 'end', state: 'completed' };
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    } finally {
      ended = true;
    }
  }
  const route = routesOf({ streamRun: () => Promise.resolve(endless()) })('/api/dyno/runs/{id}/stream');
  let leave: () => void = () => undefined;
  const answer = await askRoute(route, { params: { id: 'a' } }, (left) => (leave = left));
  expect(answer.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
  });
  const body = answer.body as NodeJS.ReadableStream & { setCompressor(compressor: { flush(): void }): void };
  const flush = jest.fn();
  body.setCompressor({ flush });
  let text = '';
  for await (const chunk of body) {
    text += String(chunk);
    if (text.split('data:').length > 3) leave();
  }
  expect(text).toMatch(/^retry: 2000\n\ndata: \{"type":"end","state":"completed"\}\n\n/);
  expect(flush).toHaveBeenCalled();
  expect(ended).toBe(true);
});

test('a stream that fails at once is an ordinary failure', async () => {
  // oxlint-disable-next-line require-yield -- it throws first
  async function* failing(): AsyncGenerator<never> {
    throw inputError('run.not-found', 'id', 'there is no such run');
  }
  const route = routesOf({ streamRun: () => Promise.resolve(failing()) })('/api/dyno/runs/{id}/stream');
  expect(await askRoute(route, { params: { id: 'a' } })).toMatchObject({ status: 404 });
});

test('the OpenAPI document contains Kibana’s requirements, not those of the other host', async () => {
  const { body } = await askRoute(routesOf({})('/api/dyno/openapi.json'));
  expect(String(body)).toContain('kbn-xsrf');
  expect(String(body)).not.toContain('x-dyno-request');
});
