import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import {
  checkMayChange,
  checkNotOurs,
  checkWritable,
  findExisting,
  namesLike,
  readExisting,
  type FoundIndex,
} from './existing';

type Answer = { status: number; body: unknown };

/** Simulates a target with these answers by method and path, and `{}` for all other requests. Records the requests. */
function target(answers: Record<string, Answer>) {
  const asked: string[] = [];
  const client = {
    request({ method, path }: ElasticsearchRequest) {
      asked.push(`${method} ${path}`);
      return Promise.resolve(answers[`${method} ${path}`] ?? { status: 200, body: {} });
    },
  } as ElasticsearchClient;
  return { asked, client };
}

const good = (body: unknown): Answer => ({ status: 200, body });
const index = (uuid: string, more: object = {}): object => ({ settings: { index: { uuid } }, ...more });

const NAMES = {
  indices: [{ name: 'products-2026' }, { name: 'product' }, { name: 'orders' }],
  aliases: [{ name: 'catalogue' }],
  data_streams: [],
};

test('a name without indices is refused, with similar names', async () => {
  const gone = { status: 404, body: { error: { type: 'index_not_found_exception' }, status: 404 } };
  const missing = target({ 'GET /products': gone, 'GET /_resolve/index/*': good(NAMES) });
  await expect(findExisting(missing.client, 'products')).rejects.toThrow(
    'index.existing: the target has no open index, alias or data stream of this name ' +
      '(found products; allowed: an existing one, such as products-2026, product)',
  );
  const nothing = target({ 'GET /x-*': good({}) });
  await expect(findExisting(nothing.client, 'x-*')).rejects.toMatchObject({
    code: 'target.existing-missing',
  });
});

test.each([
  ['prodcuts', ['product', 'products-2026']],
  ['logs', []],
  ['data', []],
  ['ORDERS', ['orders']],
  ['*ders*', ['orders']],
])('like %s are %j', (wanted, found) => {
  expect(namesLike(wanted, ['product', 'products-2026', 'orders', 'a'])).toEqual(found);
});

test('the indices behind a name are returned with marks, blocks and aliases', async () => {
  const { client } = target({
    'GET /both': good({
      b: index('u-b', { aliases: { both: { is_write_index: true } } }),
      a: {
        settings: { index: { uuid: 'u-a', blocks: { write: 'true', read_only: 'false' } } },
        mappings: { _meta: { dyno: { run: 'r-1' } } },
        data_stream: 's',
      },
    }),
  });
  const found = await findExisting(client, 'both');
  expect(found).toMatchObject([
    { name: 'a', uuid: 'u-a', dataStream: 's', blocks: ['write'], mark: { run: 'r-1' } },
    { name: 'b', uuid: 'u-b', dataStream: '', blocks: [], aliases: { both: true } },
  ]);
  expect(() => checkNotOurs('both', found)).toThrow(
    'a was created by Dyno for run r-1 and is removed with it',
  );
  expect(() => checkNotOurs('b', found.slice(1))).not.toThrow();
});

const found = (name: string, more: Partial<FoundIndex> = {}): FoundIndex => ({
  name,
  uuid: `u-${name}`,
  aliases: {},
  dataStream: '',
  blocks: [],
  mark: undefined,
  ...more,
});

test.each([
  ['an index', 'a', [found('a')]],
  [
    'a data stream',
    's',
    [found('.ds-s-1', { dataStream: 's', blocks: ['write'] }), found('.ds-s-2', { dataStream: 's' })],
  ],
  ['an alias of one index', 'x', [found('a', { aliases: { x: undefined } })]],
  [
    'an alias with a write index',
    'x',
    [found('a', { aliases: { x: false } }), found('b', { aliases: { x: true } })],
  ],
])('%s may be written to', (_, name, indices) => {
  expect(() => checkWritable(name, indices, ['create'])).not.toThrow();
});

test.each([
  [
    'an alias of several',
    'x',
    [found('a', { aliases: { x: undefined } }), found('b', { aliases: { x: undefined } })],
    'no write index',
  ],
  ['an alias that takes no writes', 'x', [found('a', { aliases: { x: false } })], 'no write index'],
  [
    'a blocked index',
    'a',
    [found('a', { blocks: ['read_only_allow_delete'] })],
    'index.blocks.read_only_allow_delete is set',
  ],
])('%s may not', (_, name, indices, why) => {
  expect(() => checkWritable(name, indices, ['create'])).toThrow(why);
});

test('a data stream accepts documents only with create', () => {
  const stream = [found('.ds-logs-1', { dataStream: 'logs' })];
  expect(() => checkWritable('logs', stream, ['create'])).not.toThrow();
  expect(() => checkWritable('logs', stream, ['create', 'index'])).toThrow('a task sends index');
});

test('Dyno’s own indices may not be changed, by any name', () => {
  expect(() => checkMayChange('dyno-runs-2026.11', [found('dyno-runs-2026.11')])).toThrow(
    'reserved for results',
  );
  expect(() => checkMayChange('x', [found('dyno-lease')])).toThrow('Dyno stores its lease there');
  expect(() => checkMayChange('x', [found('a')])).not.toThrow();
});

const FILLED = {
  'GET /a': good({ a: index('u-a') }),
  'GET /a/_count': good({ count: 7, _shards: { total: 1, failed: 0 } }),
  'GET /a/_stats/docs,segments,store': good({
    _all: { primaries: { docs: { deleted: 1 }, segments: { count: 2 }, store: { size_in_bytes: 300 } } },
  }),
};

test('data is read without changing it, and refreshed only after writes', async () => {
  const read = target(FILLED);
  expect(await readExisting(read.client, 'a', { refreshed: false })).toEqual({
    indices: ['a'],
    uuids: ['u-a'],
    documents: 7,
    deleted: 1,
    segments: 2,
    storeBytes: 300,
  });
  expect(read.asked.every((request) => request.startsWith('GET '))).toBe(true);
  const written = target(FILLED);
  await readExisting(written.client, 'a', { refreshed: true });
  expect(written.asked.filter((request) => !request.startsWith('GET '))).toEqual(['POST /a/_refresh']);
});

test('a closed index is refused, and unreported values are unknown', async () => {
  const closed = {
    status: 400,
    body: { error: { type: 'index_closed_exception', reason: 'closed' }, status: 400 },
  };
  const { client } = target({ ...FILLED, 'GET /a/_count': closed });
  await expect(readExisting(client, 'a', { refreshed: false })).rejects.toThrow(
    'index.existing: a is closed, or a part of it is: open it, or choose another index',
  );
  const silent = target({ ...FILLED, 'GET /a/_stats/docs,segments,store': { status: 410, body: {} } });
  expect(await readExisting(silent.client, 'a', { refreshed: false })).toMatchObject({
    documents: 7,
    segments: null,
    storeBytes: null,
  });
});
