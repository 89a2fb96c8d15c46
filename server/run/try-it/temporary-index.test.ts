import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readForTrying } from '../../../common/experiment/read';
import { thisProcess } from '../../process-life';
import { Connection } from '../../target-cluster/connection';
import { withTemporaryIndex, type Temporary } from './temporary-index';

/** Simulates a cluster. It contains the mappings of its indices by name, and records its requests. */
let indices: Map<string, { mappings: { _meta?: { dyno?: Record<string, unknown> } } }>;
let bulk: string[];
let itemStatus: number;
let hasGrok: boolean;

const json = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' });
  response.end(JSON.stringify(body));
};

function answer(method: string, url: string, text: string, response: ServerResponse): void {
  const { pathname } = new URL(url, 'http://target');
  const name = decodeURIComponent(pathname.split('/')[1]!);
  if (method === 'PUT' && indices.has(name)) return json(response, {}, 400);
  if (method === 'PUT') {
    indices.set(name, JSON.parse(text) as never);
    return json(response, { acknowledged: true });
  }
  if (method === 'DELETE') return json(response, { acknowledged: indices.delete(name) });
  if (pathname === '/_mapping') return json(response, Object.fromEntries(indices));
  if (pathname.endsWith('/_mapping')) {
    const found = indices.get(name);
    return found ? json(response, { [name]: found }) : json(response, {}, 404);
  }
  if (pathname.startsWith('/_cluster/health'))
    return json(response, {
      status: 'green',
      number_of_data_nodes: 1,
      active_primary_shards: 1,
      relocating_shards: 0,
      initializing_shards: 0,
      unassigned_shards: 0,
    });
  if (pathname.endsWith('/_bulk')) {
    const lines = text.split('\n').filter((line) => line !== '');
    bulk.push(...lines);
    const error = { type: 'document_parsing_exception', reason: 'no' };
    const item = { index: { status: itemStatus, ...(itemStatus < 300 ? {} : { error }) } };
    return json(response, {
      errors: itemStatus >= 300,
      items: lines.filter((_, at) => at % 2 === 0).map(() => item),
    });
  }
  if (pathname.endsWith('/_simulate')) {
    const { docs } = JSON.parse(text) as { docs: { _source: { message: string } }[] };
    const why = 'No processor type exists with name [grok]';
    if (!hasGrok) return json(response, { error: { type: 'parse_exception', reason: why } }, 400);
    return json(response, {
      docs: docs.map(({ _source }) => ({ doc: { _source: { ..._source, words: _source.message.length } } })),
    });
  }
  if (pathname.endsWith('/_refresh')) return json(response, {});
  json(response, {}, 404);
}

const target = createServer((request: IncomingMessage, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () =>
    answer(request.method!, request.url!, Buffer.concat(chunks).toString('utf8'), response),
  );
});
let connection: Connection;
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    target.listen(0, '127.0.0.1', resolve);
  });
  connection = new Connection({ hosts: [`http://127.0.0.1:${(target.address() as AddressInfo).port}`] });
});
afterAll(async () => {
  await connection.close();
  target.closeAllConnections();
  target.close();
});
beforeEach(() => {
  indices = new Map();
  bulk = [];
  itemStatus = 201;
  hasGrok = true;
});

const WRITTEN = {
  version: 1,
  name: 'tried',
  expect: ['not finished'],
  index: { settings: { number_of_shards: 2 } },
  tasks: [
    { name: 'ingest', ingest: { source: { generator: 'systembase' }, ids: { by: 'sequential' } } },
    { name: 'look', search: { requests: [{ name: 'all', body: {} }] } },
  ],
  factors: { 'index.settings.refresh_interval': ['30s', '1s'] },
  baseline: { 'index.settings.refresh_interval': '1s' },
};

const place = (signal = new AbortController().signal) => ({ connection, folder: '/', signal });
const use = <T>(written: object, work: (index: Temporary) => Promise<T>, signal?: AbortSignal): Promise<T> =>
  withTemporaryIndex(readForTrying({ ...WRITTEN, ...written }), place(signal), work);

test('an index of the baseline cell contains documents of the definition, and is removed afterwards', async () => {
  const seen = await use({}, (index) => Promise.resolve({ ...index, there: [...indices.entries()] }));
  expect(seen).toMatchObject({ documents: 300, notes: [] });
  const [[name, body]] = seen.there as [[string, { settings: object; mappings: object }]];
  expect(name).toBe(seen.name);
  expect(name).toMatch(/^dyno-trial-.*-try$/);
  expect(body.settings).toMatchObject({ number_of_shards: 2, refresh_interval: '1s' });
  expect(body.mappings).toMatchObject({ properties: expect.any(Object), _meta: { dyno: { trial: 'try' } } });
  expect(bulk).toHaveLength(600);
  expect(JSON.parse(bulk[0]!)).toMatchObject({ index: { _id: expect.any(String) } });
  expect([...indices]).toEqual([]);
});

test('the index is removed if its use fails or is aborted', async () => {
  await expect(use({}, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect([...indices]).toEqual([]);
  const abort = new AbortController();
  abort.abort(new Error('left'));
  await expect(use({}, () => Promise.resolve(1), abort.signal)).rejects.toThrow('left');
  expect([...indices]).toEqual([]);
});

test('an index that a dead process left is removed by the next one, and nothing else is', async () => {
  const marked = (mark: object) => ({
    mappings: { _meta: { dyno: { run: 'r', created: new Date().toISOString(), ...mark } } },
  });
  const own = thisProcess();
  indices.set('left', marked({ trial: 'try', carrier: { ...own, pid: 2 ** 22 + 1, instance: 'gone' } }));
  indices.set('in-use', marked({ trial: 'try', carrier: own }));
  indices.set('trial', marked({ trial: 't01' }));
  indices.set('theirs', { mappings: {} });
  await use({}, () => Promise.resolve());
  expect([...indices.keys()]).toEqual(['in-use', 'trial', 'theirs']);
});

test('some or all documents that do not fit the index are reported', async () => {
  itemStatus = 400;
  await expect(use({}, () => Promise.resolve())).rejects.toMatchObject({
    code: 'try.documents',
    message: expect.stringContaining('document_parsing_exception') as string,
  });
  expect([...indices]).toEqual([]);
});

test('lines are parsed as the definition says, or stay unparsed if the target cannot parse', async () => {
  const tasks = [
    {
      name: 'ingest',
      ingest: { source: { generator: 'apache-access-lines' }, parse: { pattern: '%{COMBINEDAPACHELOG}' } },
    },
  ];
  const lines = { tasks, index: { mapping: {} } };
  expect(await use(lines, (index) => Promise.resolve(index))).toMatchObject({ documents: 300, notes: [] });
  expect(JSON.parse(bulk[1]!)).toMatchObject({ words: expect.any(Number) });
  hasGrok = false;
  bulk = [];
  const { notes } = await use(lines, (index) => Promise.resolve(index));
  expect(notes.join()).toContain('no grok processor');
  expect(JSON.parse(bulk[1]!)).not.toHaveProperty('words');
});

test('without a source the index is empty, and a note says so', async () => {
  const index = { mapping: { properties: { a: { type: 'keyword' } } } };
  const { documents, notes } = await use({ index, tasks: [WRITTEN.tasks[1]] }, (one) => Promise.resolve(one));
  expect(documents).toBe(0);
  expect(notes.join()).toMatch(/no source of documents/);
});

test('an unfinished definition can be tried, but its index and documents must be valid', () => {
  expect(() => readForTrying({ ...WRITTEN, schedule: 'nonsense', thresholds: ['x'] })).not.toThrow();
  expect(() => readForTrying({ ...WRITTEN, index: { settigns: {} } })).toThrow(/did you mean settings/);
});
