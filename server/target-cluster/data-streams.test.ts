/** Tests the requests for data streams. test/integration/index-modes.test.ts tests that they work. */
import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { createIndex, dropIndex, findMarkedIndices } from './index-lifecycle';
import { rollOver } from './data-streams';

type Answer = { status: number; body: unknown };
const NONE: Answer = { status: 404, body: { error: { type: 'resource_not_found_exception' } } };
const DONE: Answer = { status: 200, body: { acknowledged: true } };

/** Simulates a cluster with these answers by `METHOD /path`. All other changes succeed, and other objects do not exist. */
function cluster(answers: Record<string, Answer>) {
  const asked: string[] = [];
  const bodies = new Map<string, unknown>();
  const client: ElasticsearchClient = {
    request: <T>({ method, path, body }: ElasticsearchRequest) => {
      const key = `${method} ${path}`;
      asked.push(key);
      if (body !== undefined) bodies.set(key, body);
      const answer = answers[key] ?? (method === 'GET' ? NONE : DONE);
      return Promise.resolve({ ...answer, body: answer.body as T });
    },
  };
  return { client, asked, bodies };
}

const MARK = { run: 'r', trial: 't', experiment: 'e' };
const wanted = {
  index: 's',
  settings: { index: { mode: 'logsdb' } },
  mapping: { properties: {}, _meta: { own: 1 } },
  mark: MARK,
  stream: { lifecycle: { data_retention: '7d' } },
};
const marked = (stream: string): object => ({ _meta: { dyno: { ...MARK, created: '', stream } } });
const template = (name: string, own: object): object => ({ name, index_template: own });

it('creates the template with the mark, then the stream', async () => {
  const { client, asked, bodies } = cluster({});
  await createIndex(client, wanted);
  expect(asked).toEqual(['GET /_index_template/s', 'PUT /_index_template/s', 'PUT /_data_stream/s']);
  expect(bodies.get('PUT /_index_template/s')).toMatchObject({
    index_patterns: ['s'],
    data_stream: {},
    _meta: { dyno: { ...MARK, stream: 's' } },
    template: {
      settings: { mode: 'logsdb' },
      mappings: { _meta: { own: 1, dyno: { ...MARK, stream: 's' } } },
      lifecycle: { data_retention: '7d' },
    },
  });
});

it('removes the template if the stream cannot be created, and never overwrites one', async () => {
  const found = { status: 200, body: { index_templates: [template('s', marked('s'))] } };
  const lacking = {
    status: 400,
    body: { error: 'no handler found for uri [/_data_stream/s] and method [PUT]' },
  };
  const without = cluster({ 'PUT /_data_stream/s': lacking });
  let isMade = false;
  const client: ElasticsearchClient = {
    request: async (request) => {
      if (request.method === 'PUT') isMade = true;
      const { status, body } = await without.client.request<never>(request);
      return isMade && request.method === 'GET' ? { ...found, body: found.body as never } : { status, body };
    },
  };
  await expect(createIndex(client, wanted)).rejects.toMatchObject({
    code: 'target.no-data-streams',
    kind: 'input',
  });
  expect(without.asked.at(-1)).toBe('DELETE /_index_template/s');

  const taken = cluster({ 'GET /_index_template/s': found });
  await expect(createIndex(taken.client, wanted)).rejects.toMatchObject({ code: 'target.index-exists' });
  expect(taken.asked).toHaveLength(1);
});

describe('removing', () => {
  const mapping = (own: object): Answer => ({
    status: 200,
    body: { '.ds-s-000001': { mappings: own }, '.ds-s-000002': { mappings: marked('s') } },
  });
  const templates = (own: object): Answer => ({
    status: 200,
    body: { index_templates: [template('s', own)] },
  });

  it('removes the stream and then its template', async () => {
    const { client, asked } = cluster({
      'GET /s/_mapping': mapping(marked('s')),
      'GET /_index_template/s': templates(marked('s')),
    });
    expect(await dropIndex(client, 's')).toBe(true);
    expect(asked.filter((key) => key.startsWith('DELETE'))).toEqual([
      'DELETE /_data_stream/s',
      'DELETE /_index_template/s',
    ]);
  });

  it.each([
    ['no mark', {}],
    ['the mark of another stream', marked('z')],
    ['that of an index', { _meta: { dyno: MARK } }],
  ])('leaves alone what has a backing index with %s', async (_, own) => {
    const { client, asked } = cluster({ 'GET /s/_mapping': mapping(own) });
    await expect(dropIndex(client, 's')).rejects.toMatchObject({ code: 'target.index-not-ours' });
    expect(asked).toEqual(['GET /s/_mapping']);
  });

  it('removes a template whose stream was never created, and keeps one without the mark', async () => {
    const own = cluster({ 'GET /_index_template/s': templates(marked('s')) });
    expect(await dropIndex(own.client, 's')).toBe(true);
    const others = cluster({ 'GET /_index_template/s': templates({ _meta: {} }) });
    expect(await dropIndex(others.client, 's')).toBe(false);
    expect(others.asked).not.toContain('DELETE /_index_template/s');
  });
});

it('is found once by its name, also if only its template exists', async () => {
  const { client } = cluster({
    'GET /_mapping': {
      status: 200,
      body: {
        a: { mappings: { _meta: { dyno: MARK } } },
        '.ds-s-1': { mappings: marked('s') },
        '.ds-s-2': { mappings: marked('s') },
      },
    },
    'GET /_index_template': {
      status: 200,
      body: {
        index_templates: [
          template('s', marked('s')),
          template('t', marked('t')),
          template('dyno-runs', { _meta: { dyno: { version: 1 } } }),
        ],
      },
    },
  });
  expect((await findMarkedIndices(client)).map(({ index }) => index)).toEqual(['a', 's', 't']);
  expect(await findMarkedIndices(client, 'another')).toEqual([]);
});

it('rolls over by the given conditions', async () => {
  const { client, bodies } = cluster({ 'POST /s/_rollover': { status: 200, body: { rolled_over: true } } });
  expect(await rollOver(client, 's', { bytes: 1024 })).toBe(true);
  expect(bodies.get('POST /s/_rollover')).toEqual({ conditions: { max_primary_shard_size: '1024b' } });
});
