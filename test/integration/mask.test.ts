/**
 * Masks recorded traffic of a simulated shop, and sends the original and the masked requests to a real Elasticsearch. The answers to both
 * must be equal in what Dyno compares, such as hit counts.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { createRandom } from '../../common/random';
import { compareAnswers } from '../../common/traffic/compare';
import { factsOf } from '../../common/traffic/facts';
import { trafficKind } from '../../common/traffic/kind';
import type { TrafficRecord } from '../../common/traffic/record';
import { pathShape } from '../../common/traffic/shape';
import { readTraffic } from '../../server/traffic-file/read-traffic';
import { TrafficWriter } from '../../server/traffic-file/writer';
import { maskFile } from '../../server/traffic/mask/mask-file';
import { madeValues, valuesIn } from '../../server/traffic/mask/testing/made-values';
import { ask, sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
const folder = mkdtempSync(path.join(tmpdir(), 'dyno-mask-'));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 2, 5);
const MAPPINGS = {
  properties: {
    title: { type: 'text', fields: { keyword: { type: 'keyword' } } },
    city: { type: 'keyword' },
    price: { type: 'double' },
    stock: { type: 'integer' },
    rating: { type: 'byte' },
    day: { type: 'date' },
    seen: { type: 'date' },
    address: { type: 'ip' },
    place: { type: 'geo_point' },
    sku: { type: 'keyword' },
    active: { type: 'boolean' },
    vector: { type: 'dense_vector', dims: 16, index: true, similarity: 'cosine' },
    reviews: {
      type: 'nested',
      properties: { author: { type: 'keyword' }, text: { type: 'text' }, stars: { type: 'short' } },
    },
  },
};
const WORDS =
  'red blue green leather running winter summer classic shoes boots sandals jacket coat shirt trousers wool cotton silk waterproof light heavy comfortable elegant cheap durable Müller straße'.split(
    ' ',
  );
const CITIES = ['Berlin', 'New York', 'São Paulo', 'Köln', 'Paris', 'Los Angeles', 'Москва', '東京'];
const AUTHORS = ['anna.berg@example.com', 'ben', 'Chloé', 'dmitri_7', 'Eve Adams'];

interface Product {
  id: string;
  title: string;
  city: string;
  price: number;
  stock: number;
  day: string;
  seen: number;
  address: string;
  place: { lat: number; lon: number };
  sku: string;
  vector: number[];
  rating: number;
  active: boolean;
  reviews: { author: string; text: string; stars: number }[];
}

const random = createRandom(3);
const pick = <T>(all: readonly T[]): T => all[random.below(all.length)]!;
const some = (count: number): string => Array.from({ length: count }, () => pick(WORDS)).join(' ');

const makeProduct = (_: unknown, number: number): Product => ({
  id: number % 3 === 0 ? String(10_000 + number) : `${pick(WORDS)}-${number}_Ab`,
  title: some(2 + random.below(4)),
  city: pick(CITIES),
  price: random.below(30_000) / 100,
  stock: random.below(1200),
  rating: random.below(100),
  day: new Date(START - random.below(90) * DAY_MS).toISOString().slice(0, 10),
  seen: START - random.below(90 * 24) * 3_600_000,
  address: `10.${random.below(3)}.${random.below(4)}.${random.below(256)}`,
  place: { lat: 52 + random.below(1000) / 1000, lon: 13 + random.below(1000) / 1000 },
  sku: `${pick(['SH', 'BO', 'JA'])}-${1000 + random.below(3000)}`,
  vector: Array.from({ length: 16 }, () => random.below(2000) / 1000 - 1),
  active: random.below(2) === 0,
  reviews: Array.from({ length: random.below(3) }, () => ({
    author: pick(AUTHORS),
    text: some(5),
    stars: 1 + random.below(5),
  })),
});

type Query = Record<string, unknown>;

/** Returns queries of all usual types for the values of a product. */
const queriesFor = (one: Product): Query[] => {
  const [word, other] = [pick(one.title.split(' ')), pick(WORDS)];
  const text = word.toUpperCase();
  return [
    { match_all: {} },
    { match: { title: text } },
    { match: { title: { query: `${word} ${other}`, operator: 'and' } } },
    { match_phrase: { title: one.title } },
    { match_phrase_prefix: { title: `${one.title.split(' ')[0]!} ${one.title.split(' ')[1]!.slice(0, 2)}` } },
    { match_bool_prefix: { title: `${other} ${word.slice(0, 3)}` } },
    { multi_match: { query: `${word} ${one.city}`, fields: ['title^2', 'city'] } },
    { term: { city: one.city } },
    { term: { 'title.keyword': { value: one.title } } },
    { terms: { sku: [one.sku, 'XX-1'] } },
    { term: { active: one.active } },
    { term: { stock: one.stock } },
    { term: { price: String(one.price) } },
    { range: { price: { gte: one.price, lt: one.price + 50 } } },
    { range: { stock: { gt: 100, lte: 500 } } },
    { range: { rating: { gte: 10, lt: one.rating } } },
    { range: { day: { gte: one.day, lte: '2026-03-01' } } },
    { range: { day: { gte: '2026-01', lt: '2026-02' } } },
    { range: { seen: { gte: one.seen, lt: one.seen + 5 * DAY_MS } } },
    { range: { seen: { gte: `${one.day}||-3d/d`, lte: new Date(one.seen).toISOString() } } },
    { term: { address: '10.1.0.0/16' } },
    { term: { address: one.address } },
    { prefix: { sku: one.sku.slice(0, 4) } },
    { prefix: { 'title.keyword': { value: one.title.slice(0, 4) } } },
    { wildcard: { sku: { value: `${one.sku.slice(0, 5)}*` } } },
    { wildcard: { city: '*' } },
    { exists: { field: 'reviews.author' } },
    { ids: { values: [one.id, 'missing'] } },
    { fuzzy: { title: { value: word } } },
    { regexp: { sku: `${one.sku.slice(0, 2)}-.*` } },
    {
      query_string: {
        query: `title:(${word} OR ${other}) AND price:>${one.price} AND NOT city:"${one.city}"`,
      },
    },
    { query_string: { query: `${word.slice(0, 3)}* AND stock:[10 TO 900]`, fields: ['title'] } },
    { simple_query_string: { query: `+${word} -${other}`, fields: ['title'] } },
    {
      bool: {
        must: [{ match: { title: word } }],
        should: [{ term: { city: one.city } }],
        must_not: { term: { active: true } },
        filter: { range: { stock: { lt: 800 } } },
      },
    },
    {
      nested: {
        path: 'reviews',
        query: {
          bool: {
            filter: [
              { term: { 'reviews.author': pick(AUTHORS) } },
              { range: { 'reviews.stars': { gte: 3 } } },
            ],
          },
        },
      },
    },
    {
      function_score: {
        query: { match: { title: word } },
        field_value_factor: { field: 'stock', missing: 1 },
      },
    },
    { constant_score: { filter: { term: { city: one.city } } } },
    { dis_max: { queries: [{ term: { city: one.city } }, { match: { title: other } }] } },
    {
      geo_bounding_box: {
        place: { top_left: { lat: 52.8, lon: 13.1 }, bottom_right: { lat: 52.2, lon: 13.9 } },
      },
    },
    { geo_distance: { distance: '60km', place: { lat: 52.5, lon: 13.5 } } },
    { script: { script: { source: "doc['city'].value == params.city", params: { city: one.city } } } },
    {
      span_near: {
        clauses: [
          { span_term: { title: word.toLowerCase() } },
          { span_term: { title: other.toLowerCase() } },
        ],
        slop: 5,
      },
    },
    {
      intervals: {
        title: {
          all_of: {
            intervals: [{ match: { query: word } }, { prefix: { prefix: other.slice(0, 2).toLowerCase() } }],
          },
        },
      },
    },
    { more_like_this: { fields: ['title'], like: [one.title], min_term_freq: 1, min_doc_freq: 1 } },
    { terms_set: { city: { terms: [one.city], minimum_should_match_script: { source: '1' } } } },
    { distance_feature: { field: 'day', origin: one.day, pivot: '7d' } },
    { knn: { field: 'vector', query_vector: one.vector, k: 5, num_candidates: 400 } },
  ];
};

/** Returns requests of the simulated shop: documents, searches, reads and writes by id. */
function makeTraffic(): Pick<TrafficRecord, 'method' | 'path' | 'query' | 'body'>[] {
  const products = Array.from({ length: 300 }, makeProduct);
  const sent: Pick<TrafficRecord, 'method' | 'path' | 'query' | 'body'>[] = [];
  const send = (method: string, path: string, query = '', body?: string | object): void => {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    sent.push({ method, path, query, body: text === undefined ? null : Buffer.from(text) });
  };
  const lines = (all: readonly object[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('');
  for (let from = 0; from < products.length; from += 100)
    send(
      'POST',
      '/shop/_bulk',
      'refresh=true',
      lines(
        products.slice(from, from + 100).flatMap(({ id, ...product }) => [{ index: { _id: id } }, product]),
      ),
    );
  for (let round = 0; round < 4; round += 1) {
    const one = pick(products);
    for (const query of queriesFor(one))
      send('POST', '/shop/_search', '', { query, size: 100, track_total_hits: true });
    send('GET', '/shop/_search', `q=city:%22${encodeURIComponent(one.city)}%22&size=3&sort=price:asc`);
    send('POST', '/shop/_count', '', { query: { term: { city: one.city } } });
    send('GET', `/shop/_doc/${encodeURIComponent(one.id)}`);
    send('GET', '/shop/_doc/missing');
    send('POST', '/shop/_mget', '', { ids: [one.id, 'missing', pick(products).id] });
    send(
      'POST',
      '/_msearch',
      '',
      lines([
        { index: 'shop' },
        { query: { match: { title: pick(WORDS) } } },
        { index: 'sh*' },
        { query: { term: { city: one.city } }, size: 0 },
      ]),
    );
    send('POST', '/shop/_search', '', {
      size: 0,
      query: { match: { title: pick(WORDS) } },
      aggs: {
        cities: {
          terms: { field: 'city', include: [one.city] },
          aggs: { mean: { avg: { field: 'price' } } },
        },
        days: {
          date_histogram: {
            field: 'day',
            calendar_interval: 'day',
            extended_bounds: { min: '2026-01-01', max: '2026-02-01' },
          },
        },
      },
    });
    send('POST', '/shop/_search', '', {
      size: 10,
      sort: [{ price: 'desc' }, { sku: 'asc' }],
      search_after: [one.price, one.sku],
      query: { match_all: {} },
    });
    send('POST', '/shop/_search', '', {
      size: 5,
      query: { match: { title: one.title } },
      highlight: { fields: { title: {} }, pre_tags: ['<b>'] },
      _source: ['title', 'pri*'],
      post_filter: { range: { price: { gte: 50 } } },
    });
    send('POST', '/shop/_search', '', {
      runtime_mappings: { double: { type: 'long', script: { source: "emit(doc['stock'].value * 2)" } } },
      query: { exists: { field: 'double' } },
    });
    send('POST', `/shop/_update/${encodeURIComponent(one.id)}`, 'refresh=true', {
      doc: { stock: 5, title: `${one.title} ${pick(WORDS)}` },
    });
    send('POST', `/shop/_update/${encodeURIComponent(one.id)}`, 'refresh=true', {
      script: { source: 'ctx._source.stock += params.stock', params: { stock: 3 } },
    });
    send('PUT', `/shop/_create/${encodeURIComponent(one.id)}`, '', { title: 'exists' });
    send('PUT', `/shop/_doc/new-${round}`, 'refresh=true', { title: some(3), price: 12, tags: ['a', 'b'] });
    send('POST', '/shop/_update_by_query', 'refresh=true', {
      query: { term: { sku: one.sku } },
      script: { source: "ctx._source.city = 'Rome'" },
    });
    send('POST', '/shop/_search', '', { query: { term: { city: 'Rome' } } });
    send('DELETE', `/shop/_doc/${encodeURIComponent(pick(products).id)}`, 'refresh=true');
    send('POST', '/shop/_delete_by_query', 'refresh=true', {
      query: { bool: { filter: [{ term: { city: one.city } }, { range: { price: { lt: 5 } } }] } },
    });
    send('POST', '/shop/_terms_enum', '', { field: 'city', string: one.city.slice(0, 2) });
  }
  return sent;
}

/** Sends a request, and returns the status and the body of the answer. */
async function send(
  record: Pick<TrafficRecord, 'method' | 'path' | 'query' | 'body'>,
): Promise<{ status: number; body: Buffer }> {
  const { statusCode, body } = await request(
    `${url()}${record.path}${record.query === '' ? '' : `?${record.query}`}`,
    {
      method: record.method as 'GET',
      reset: true,
      ...(record.body === null ? {} : { headers: { 'content-type': 'application/json' }, body: record.body }),
    },
  );
  return { status: statusCode, body: Buffer.from(await body.arrayBuffer()) };
}

test('masked requests of all usual types are answered like the original ones', async () => {
  await ask('PUT', `${url()}/shop`, {
    settings: { number_of_shards: 1, number_of_replicas: 0 },
    mappings: MAPPINGS,
  });
  const file = path.join(folder, 'shop.traffic.gz');
  const writer = await TrafficWriter.open(file, { startedAt: START, origin: 'record', share: 1 });
  for (const [order, record] of makeTraffic().entries()) {
    const { status, body } = await send(record);
    const kind = trafficKind(record.method, record.path);
    const facts = factsOf(kind, status, body, record.body ?? undefined);
    await writer.write({
      ...record,
      connection: 1,
      order,
      at: order,
      contentType: 'application/json',
      answer: { status, durationUs: 1, bytes: body.length, facts },
    });
  }
  await writer.close();
  await ask('DELETE', `${url()}/shop`);

  const to = path.join(folder, 'masked.traffic.gz');
  const account = await maskFile(file, to, {
    fields: 'keep',
    indices: 'map',
    keep: [],
    drop: [],
    key: Buffer.from('a key for the shop'),
  });
  expect(account.droppedRequests).toEqual([]);
  expect(account.removedParts).toEqual([]);
  const masked: TrafficRecord[] = [];
  for await (const record of (await readTraffic(to)).records) masked.push(record);
  const index = masked[0]!.path.split('/')[1]!;
  expect(index).not.toBe('shop');
  await ask('PUT', `${url()}/${index}`, {
    settings: { number_of_shards: 1, number_of_replicas: 0 },
    mappings: MAPPINGS,
  });
  const different: string[] = [];
  let found = 0;
  for (const record of masked) {
    const { status, body } = await send(record);
    const kind = trafficKind(record.method, record.path);
    const facts = factsOf(kind, status, body, record.body ?? undefined);
    const comparison = compareAnswers(record.answer, { status, facts });
    found += (record.answer?.facts?.total ?? 0) > 0 ? 1 : 0;
    if (comparison.outcome !== 'alike')
      different.push(
        `${record.method} ${pathShape(record.path, kind)} ${JSON.stringify(comparison)} ${record.body === null ? '' : Buffer.from(record.body).toString().slice(0, 300)} ${status >= 400 ? body.toString().slice(0, 300) : ''}`,
      );
  }
  process.stdout.write(
    `${masked.length} requests, ${different.length} answered differently\n${different.join('\n')}\n`,
  );
  // If most searches found nothing, the test would prove nothing.
  expect(found).toBeGreaterThan(masked.length / 2);
  expect(different.length / masked.length).toBeLessThanOrEqual(0.05);
}, 240_000);

test('none of 50,000 values is in the masked file', async () => {
  const made = madeValues(50_000);
  const [file, to] = [path.join(folder, 'values.traffic.gz'), path.join(folder, 'values-masked.traffic.gz')];
  const writer = await TrafficWriter.open(file, { startedAt: START, origin: 'record', share: 1 });
  for (const record of made.records) await writer.write(record);
  await writer.close();
  await maskFile(file, to, {
    ...{ fields: 'keep', indices: 'keep', keep: [], drop: [] },
    key: Buffer.from('a key for values'),
  });
  const [before, after] = [file, to].map((name) => gunzipSync(readFileSync(name)).toString());
  expect(valuesIn(before!, made).length).toBeGreaterThanOrEqual(50_000);
  expect(valuesIn(after!, made)).toEqual([]);
  expect(statSync(to).size / statSync(file).size).toBeCloseTo(1, 1);
}, 240_000);
