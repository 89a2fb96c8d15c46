/**
 * The sections of Dyno that are fuzzed. Each `FuzzPart` creates an input from random numbers and passes it to the code that reads such
 * inputs.
 */
import { mkdtemp, mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { parse } from 'yaml';
import { API, type RouteName } from '../../common/api';
import { fillPath, type RouteShape } from '../../common/api/route';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { recognise } from '../../common/files/recognise';
import { DynoError } from '../../common/problem';
import { CONSTRUCT_NAMES, REWRITE_NAMES } from '../../common/replay/constructs';
import { judgeLine } from '../../common/replay/judge';
import { LOG_FORMATS } from '../../common/replay/formats/registry';
import { dynobeatExample, type NamedCluster } from '../../server/host/targets/dynobeat-example';
import { inspect } from '../../server/host/targets/facts';
import { checkHosts } from '../../server/host/targets/hosts';
import { OwnIndices } from '../../server/load/operations/own-indices';
import { readItems } from '../../server/load/operations/bulk-answer';
import { Batch } from '../../server/load/sources/batch';
import { checkSource } from '../../server/load/sources/check';
import { Journal } from '../../server/results/journal';
import { readDisks } from '../../server/target-cluster/disks';
import { hostileDefinition } from './definitions';
import { oneOf, wholeBetween, type Random } from './random';
import { readHostile } from './reading';
import { damaged, valueFor } from './schema-values';

export type Outcome = 'accepted' | 'refused';

export interface FuzzPart {
  /**
   * Tests one input. Resolves to whether the input was accepted or refused. Rejects if it was neither accepted nor refused with a proper
   * error.
   */
  try(random: Random): Promise<Outcome>;
  close?(): Promise<void>;
}

/** A document with its action line, as in a bulk. */
const LINE = Buffer.from('{"index":{}}\n{}\n');

const outcomeOf = async (work: () => unknown): Promise<Outcome> => {
  try {
    await work();
    return 'accepted';
  } catch (error) {
    if (error instanceof DynoError && error.message !== '') return 'refused';
    throw error;
  }
};

const WHOLE = [
  'version: 1\nname: whole\ntasks: [{ name: ingest, ingest: { source: { generator: systembase } } }]\n',
  'version: 1\nname: two\ntags: [a, b]\ntasks: [{ name: find, search: { set: azure-queries } }]\nfactors: { index.settings.number_of_shards: [1, 2] }\n',
  'version: 1\nname: due\nschedule: every 1h\ntasks: [{ name: ingest, ingest: { source: { generator: apache-logs } } }]\n',
];

const textFor = (random: Random): string =>
  random.below(3) === 0 ? hostileDefinition(random).text : oneOf(random, WHOLE);

/** Sends requests to every route, with known and unknown ids. The requests change the stored data. */
export function httpPart(server: FastifyInstance): FuzzPart {
  const names = Object.keys(API) as RouteName[];
  const known: Record<'id' | 'version', string[]> = { id: ['local', 'whole', 'two'], version: ['1'] };
  return {
    async try(random) {
      const shape: RouteShape = API[oneOf(random, names)];
      const given = (part: 'params' | 'query' | 'body'): Record<string, unknown> | undefined =>
        shape[part] && (valueFor(shape[part], random) as Record<string, unknown>);
      const params = given('params');
      const body = given('body');
      if (isRecord(params) && random.below(4) > 0) params['id'] = oneOf(random, known.id);
      if (isRecord(body) && 'text' in body) body['text'] = textFor(random);
      if (isRecord(body) && 'version' in body) body['version'] = oneOf(random, known.version);
      const query = Object.entries(given('query') ?? {}).flatMap(([name, value]) =>
        [value]
          .flat()
          .map((one) => [name, wellFormed(typeof one === 'string' ? one : (JSON.stringify(one) ?? ''))]),
      );
      const url = `${fillPath(shape.path, safe(params))}?${new URLSearchParams(query as [string, string][]).toString()}`;
      const answer = await server.inject({
        method: shape.method,
        url: url.slice(0, 15_000),
        headers: {
          'x-dyno-request': '1',
          host: 'localhost',
          ...(shape.body ? { 'content-type': 'application/json' } : {}),
        },
        ...(shape.body
          ? { payload: random.below(30) === 0 ? brokenText(random) : (JSON.stringify(body) ?? '') }
          : {}),
      });
      const isJson = String(answer.headers['content-type']).startsWith('application/json');
      const answered = isJson
        ? (JSON.parse(answer.body) as { id?: unknown; version?: unknown; message?: unknown })
        : {};
      for (const key of ['id', 'version'] as const) {
        const value = answered[key];
        if (typeof value === 'string') known[key] = [...known[key].slice(-20), value];
      }
      if (answer.statusCode >= 500)
        throw new Error(
          `${shape.method} ${url.slice(0, 300)} answered ${answer.statusCode}: ${answer.body.slice(0, 500)}`,
        );
      if (answer.statusCode < 400) return 'accepted';
      if (typeof answered.message !== 'string' || answered.message === '')
        throw new Error(`${answer.statusCode} without a message: ${answer.body.slice(0, 500)}`);
      return 'refused';
    },
    close: () => server.close(),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const wellFormed = (text: string): string => text.replaceAll(/[\ud800-\udfff]/g, '?');

const safe = (params: unknown): Record<string, unknown> =>
  isRecord(params)
    ? Object.fromEntries(
        Object.entries(params).map(([key, value]) => [
          key,
          wellFormed(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 1000),
        ]),
      )
    : {};

const brokenText = (random: Random): string =>
  oneOf(random, [
    '',
    '{',
    '[',
    'null',
    '1',
    '"a"',
    '{"a":1,}',
    '{"__proto__":{}}',
    '['.repeat(100_000),
    `{"text":"${'x'.repeat(1_500_000)}"}`,
  ]);

export const definitionsPart = (): FuzzPart => ({
  try: (random) => Promise.resolve(readHostile(hostileDefinition(random).text).outcome),
});

const DOCUMENT = { '@timestamp': '2026-01-01T00:00:00Z', message: 'a', n: 1, list: [1, { a: 'b' }] };

const hostileLine = (random: Random): string =>
  oneOf<() => string>(random, [
    () => JSON.stringify(damaged(DOCUMENT, random)) ?? '',
    () => '{'.repeat(wholeBetween(random, 1, 50_000)),
    () => `{"a":"${'é'.repeat(wholeBetween(random, 1, 100_000))}"}`,
    () => '\u0000'.repeat(wholeBetween(random, 1, 100)),
    () => String.fromCharCode(...Array.from({ length: 50 }, () => random.below(65_536))),
    () => '',
  ])();

/**
 * Tests reading of document files with random defects. The files are truncated, empty or have one line, or their compression does not match
 * the file name.
 */
export function corporaPart(folder: string): FuzzPart {
  return {
    async try(random) {
      const lines = Array.from({ length: wholeBetween(random, 0, 50) }, () =>
        random.below(3) === 0 ? hostileLine(random) : JSON.stringify(DOCUMENT),
      );
      const plain = Buffer.from(lines.join(oneOf(random, ['\n', '\n', '\r\n', '\n\n'])));
      const packed = oneOf(random, [plain, plain, gzipSync(plain)]);
      const cut = random.below(4) === 0 ? packed.subarray(0, random.below(packed.length + 1)) : packed;
      const file = path.join(
        folder,
        `corpus${oneOf(random, ['.ndjson', '.ndjson', '.ndjson.gz', '.ndjson.zst'])}`,
      );
      await writeFile(file, cut);
      return outcomeOf(() => checkSource(file, oneOf(random, ['ndjson', 'lines'] as const)));
    },
  };
}

const SEARCH = {
  query: {
    filtered: {
      query: { match_all: {} },
      filter: { and: [{ term: { store_id: 5 } }, { missing: { field: 'a' } }] },
    },
  },
  facets: { a: { terms: { field: 'b', size: 10 } } },
  aggs: {
    a: { date_histogram: { field: 't', interval: '1d' }, aggs: { b: { terms: { field: 'c', size: 0 } } } },
  },
  fields: ['a'],
  size: 10,
};

/** Returns a deeply nested search as text, because `JSON.stringify` cannot write such deep values. */
function deepSearch(random: Random): string {
  const levels = wholeBetween(random, 1, oneOf(random, [50, 3000, 100_000]));
  const [open, close] = oneOf(random, [
    ['{"not":', '}'],
    ['{"bool":{"must":[', ']}}'],
    ['{"and":[', ']}'],
    ['{"filtered":{"query":', '}}'],
    ['{"nested":{"path":"a","query":', '}}'],
  ] as const);
  const deep = (inner: string): string => open.repeat(levels) + inner + close.repeat(levels);
  return oneOf(random, [
    `{"query":${deep('{"match_all":{}}')}}`,
    `{"aggs":{"a":${'{"terms":{"field":"b"},"aggs":{"a":'.repeat(levels)}{"terms":{"field":"b"}}${'}}'.repeat(levels)}}}`,
    `{"facets":{"a":{"filter":${deep('{"term":{"a":1}}')}}}}`,
  ]);
}

export const logsPart = (): FuzzPart => ({
  try(random) {
    const body = random.below(2) === 0 ? SEARCH : damaged(SEARCH, random);
    const format = oneOf(random, LOG_FORMATS);
    const query = random.below(10) === 0 ? deepSearch(random) : (JSON.stringify(body) ?? '');
    const line = oneOf(random, [
      `${oneOf(random, ['1500000000.123', '-1', 'x', '9'.repeat(50)])}|product|${query}`,
      JSON.stringify(
        damaged({ '@timestamp': '2026-01-01T00:00:00,000Z', type: 'a', search_type: 'b', body }, random),
      ) ?? '',
      JSON.stringify(
        damaged(
          {
            type: 'index_search_slowlog',
            timestamp: '2026-01-01T00:00:00,000Z',
            source: query,
            'elasticsearch.slowlog.source': query,
            'elasticsearch.slowlog.search_type': 'QUERY_THEN_FETCH',
            message: '[a][0]',
          },
          random,
        ),
      ) ?? '',
      `[2026-01-01T00:00:00,000][WARN ][${oneOf(random, ['i.s.s.query', 'index.search.slowlog.fetch', '', '['])}] [n] [a][0] took[1ms], took_millis[1], search_type[QUERY_THEN_FETCH], total_shards[1], source[${query}${oneOf(random, [']', '], extra_source[{}],', '', '}]'])}`,
      hostileLine(random),
    ]);
    recognise({ lines: [line, query], isCut: random.below(2) === 0 });
    const judged = judgeLine(line, {
      format,
      types: null,
      everyShard: random.below(2) === 0,
      timed: random.below(2) === 0,
      rewrite: new Set(random.below(2) === 0 ? REWRITE_NAMES : []),
      accept: new Set(random.below(2) === 0 ? CONSTRUCT_NAMES : []),
      route: random.below(2) === 0 ? null : { field: 'store_id', modulo: 3, by: 'remainder' },
    } as Parameters<typeof judgeLine>[1]);
    return Promise.resolve(judged.kind === 'search' ? 'accepted' : 'refused');
  },
});

/** Responses of Elasticsearch, each with a text in the request's path. The first entry whose text the path contains applies. */
const ANSWERS: readonly (readonly [string, unknown])[] = [
  [
    '_has_privileges',
    { username: 'u', has_all_requested: true, cluster: { monitor: true }, index: { a: { write: true } } },
  ],
  ['_cluster/health', { status: 'green', number_of_nodes: 1 }],
  [
    '_cluster/settings',
    {
      persistent: {},
      transient: {},
      defaults: { 'cluster.routing.allocation.disk.watermark.flood_stage': '95%' },
    },
  ],
  [
    '/stats',
    {
      nodes: {
        n: {
          name: 'a',
          roles: ['data'],
          fs: { total: { total_in_bytes: 100, available_in_bytes: 50 } },
          os: { mem: { total_in_bytes: 1 } },
        },
      },
    },
  ],
  [
    '_nodes',
    {
      nodes: {
        n: {
          name: 'a',
          version: '9.5.3',
          roles: ['data'],
          http: { publish_address: '127.0.0.1:9200' },
          os: { available_processors: 2, name: 'Linux' },
          jvm: { version: '21', mem: { heap_max_in_bytes: 1 } },
        },
      },
    },
  ],
  [
    '',
    {
      name: 'a',
      cluster_name: 'c',
      cluster_uuid: 'u',
      version: { number: '9.5.3', build_flavor: 'default' },
    },
  ],
];

const damagedCluster = (random: Random): ElasticsearchClient => ({
  request: ({ path: asked }) => {
    const [, whole] = ANSWERS.find(([part]) => asked.includes(part))!;
    const status = oneOf(random, [200, 200, 200, 200, 200, 201, 204, 301, 400, 401, 403, 404, 429, 500, 503]);
    const failure = { error: { type: 'x', reason: 'y', caused_by: { reason: 'z' } }, status };
    const body = random.below(3) === 0 ? damaged(status < 300 ? whole : failure, random) : whole;
    return Promise.resolve({ status, body: body as never });
  },
});

/** Tests reading of a cluster's responses: to bulks, and to the requests that list the nodes of the cluster. */
export const answersPart = (): FuzzPart => ({
  async try(random) {
    if (random.below(3) === 0) {
      const documents = wholeBetween(random, 1, 3);
      const items = Array.from({ length: documents }, () => ({
        index: {
          _index: oneOf(random, ['i', 'other']),
          result: oneOf(random, ['created', 'noop', 'x']),
          status: oneOf(random, [201, 429, 400]),
          error: { type: 'a', reason: 'b' },
        },
      }));
      const body = JSON.stringify(damaged({ took: 1, errors: true, items }, random)) ?? '';
      const batch = new Batch();
      for (let i = 0; i < documents; i += 1) {
        batch.reserve(LINE.length);
        batch.begin();
        batch.append(LINE);
      }
      const own = new OwnIndices({ names: ['i'], series: [] });
      const fates = readItems(Buffer.from(body), batch, { upserts: false, scripted: false }, own);
      if (fates === null) return 'refused';
      const { accepted, conflicted, missing, dropped, redirected, failed, unknown, refused } = fates;
      const settled =
        accepted + conflicted + missing + dropped + redirected + failed + unknown + refused.length;
      if (settled !== documents) throw new Error(`${settled} of ${documents} documents are accounted for`);
      return 'accepted';
    }
    const client = damagedCluster(random);
    return outcomeOf(async () => {
      const { reachable, problem } = await inspect({ ...client, close: () => Promise.resolve() });
      if (!reachable && problem === '') throw new Error('no reason why the cluster cannot be reached');
      await readDisks(client);
    });
  },
});

const STORED = { kind: 'samples', index: 'dyno-samples-2026.01', id: 'a', version: 3, source: { a: 1 } };

/**
 * Tests reading of results that a dead process left on disk. Each document must be taken over or reported as lost. It must still be
 * possible to store new results afterwards.
 */
export function spoolPart(folder: string): FuzzPart {
  return {
    async try(random) {
      const shared = await mkdtemp(path.join(folder, 'spool-'));
      const left = path.join(shared, 'another-host~1~0123456789ab');
      await mkdir(left);
      for (let number = wholeBetween(random, 1, 4); number > 0; number -= 1) {
        const lines = Array.from({ length: wholeBetween(random, 0, 5) }, () =>
          oneOf(random, [
            JSON.stringify(STORED),
            JSON.stringify(damaged(STORED, random)) ?? '',
            hostileLine(random),
          ]),
        );
        const name = `${oneOf(random, ['00000001', 'x', '99999999'])}.${oneOf(random, ['documents', 'samples', 'other'])}.ndjson`;
        await writeFile(path.join(left, name), lines.join('\n'));
      }
      // Sets an old modification time, so that their process counts as dead.
      await utimes(left, 0, 0);
      let lost = 0;
      const journal = new Journal({
        folder: shared,
        boundBytes: 100_000,
        onLost: (count) => (lost += count),
        onRefused: (error) => {
          throw error;
        },
      });
      const adopted = await journal.adoptLeftovers();
      for (let taken = await journal.take(); taken !== undefined; taken = await journal.take())
        await journal.settle(taken, []);
      await journal.close();
      await rm(shared, { recursive: true, force: true });
      return lost > 0 || adopted === 0 ? 'refused' : 'accepted';
    },
  };
}

/**
 * Texts from which awkward names and paths are built. They contain special characters of YAML, or of variables such as `${HOME}` in the
 * settings of Beats.
 */
const AWKWARD = [
  'a',
  '$',
  '${',
  '${HOME}',
  '$$',
  '$}',
  '}',
  '"',
  "'",
  '\\',
  '\n',
  ': ',
  ' #',
  '%',
  '[',
  '&',
  '\u0000',
  'é😀',
];

const awkward = (random: Random): string =>
  Array.from({ length: random.below(8) }, () => oneOf(random, AWKWARD)).join('');

/** Reads a text as Beats read their settings (go-ucfg, variables.go): `$` escapes `$` and `}`. */
function readByBeats(text: string): string {
  const variable = /^(?:[^$]|\$[^{])*\$\{/.test(text);
  if (variable) throw new Error(`${JSON.stringify(text)} contains a variable`);
  return text.replaceAll(/\$([$}])/g, '$1');
}

/** Creates random targets. Checks that the example settings of Dyno's collector for these targets contain the same values. */
export const collectorPart = (): FuzzPart => ({
  try: (random) =>
    outcomeOf(() => {
      const username = awkward(random);
      const hosts = checkHosts([`http://es1:9200/${awkward(random)}`], undefined);
      const cluster: NamedCluster = {
        hosts,
        credentials: { kind: 'basic', username },
        ca: null,
        verifyCertificates: true,
      };
      const settings = parse(dynobeatExample(cluster, cluster)) as {
        'dynobeat.modules': { username: string; hosts: string[] }[];
      };
      const [node] = settings['dynobeat.modules'];
      expectSame(username, readByBeats(node!.username));
      expectSame(hosts[0]!, readByBeats(node!.hosts[0]!));
    }),
});

function expectSame(given: string, read: string): void {
  if (read !== given) throw new Error(`${JSON.stringify(given)} is read as ${JSON.stringify(read)}`);
}
