/**
 * Inserts canaries (recognisable values) at every position of every kind of request, and searches the masked requests for them. The lists
 * of types and keys come from the grammar, so the test fails for a new type without an example.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { MaskOptions } from './masking';
import { KINDS_WITH_BODY, PARAMETER_NAMES } from './request';
import { AGGREGATION_KEYS, AGGREGATION_TYPES, QUERY_TYPES, RETRIEVER_TYPES, SEARCH_KEYS } from './search';
import { maskAll, store, SUCCESS, type Sent } from './testing/mask-all';

/** Beginning of every canary that is a text. */
const WORD = 'wexford';
const NUMBER = 4_711_234;
const DAY = '2019-07-23';
const CANARY = new RegExp(`${WORD}|${NUMBER}|${DAY}`, 'i');

/**
 * Matches a placeholder in an example for a value that a user chose. For each position in an example, a test inserts a canary there, which
 * masking must remove. At a placeholder, the canary may be a text, a number or a date. At other positions it is always a text, because
 * numbers there are settings of the request. `<value:5>` becomes 5 while another position is tested. A key with `<name>` is a name that a
 * user chose.
 */
const VALUE = /^<value(?::(.*))?>$/;

/** Keys whose values are code. The names in code stay. Another test inserts canaries into code. */
const CODE = new Set(
  'source inline script init_script map_script combine_script reduce_script minimum_should_match_script'.split(
    ' ',
  ),
);
/** Name of a relation in the examples. It stays. */
const RELATION = '<relation>';

/** Keys whose values are names of fields and indices. These stay, unless names are masked too. */
const NAMES = new Set(
  (
    'field fields path default_field use_field includes excludes include exclude _source stored_fields docvalue_fields matched_fields metric ' +
    'minimum_should_match_field index indices _index df sort grid_field suggest_field _source_includes _source_excludes _source_include ' +
    '_source_exclude event_category_field tiebreaker_field timestamp_field input_field target_field fetch_fields quote_field_suffix target_index ' +
    'identifier geo_point geo_line point'
  ).split(' '),
);

/** Names of fields and indices in the examples. */
const OWN_NAMES = /\b(?:title|price|day|place|user|made|ml|v|shop)\b/g;

type Path = readonly (string | number)[];
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Place {
  path: Path;
  isKey: boolean;
  isValue: boolean;
  /** Whether the position contains the name of a field or an index. */
  isName: boolean;
}

interface WithCanary extends Sent {
  /** Whether the canary is at the position of a name. */
  isName?: boolean;
}

/** Returns the positions in an example that can contain a text. */
function placesOf(example: unknown, at: Path = [], isName = false): Place[] {
  if (Array.isArray(example)) return example.flatMap((one, index) => placesOf(one, [...at, index], isName));
  if (isObject(example))
    return Object.entries(example).flatMap(([key, one]) => [
      ...(key.includes('<name>') ? [{ path: [...at, key], isKey: true, isValue: false, isName: false }] : []),
      ...(CODE.has(key) && !isObject(one) ? [] : placesOf(one, [...at, key], NAMES.has(key))),
    ]);
  if (example === RELATION) return [];
  return [{ path: at, isKey: false, isValue: typeof example === 'string' && VALUE.test(example), isName }];
}

/** Returns an example with a canary at one position, or without canaries. */
function filled(example: unknown, place?: Place, canary?: unknown, at: Path = []): unknown {
  const isHere = place !== undefined && place.path.join('\n') === at.join('\n');
  if (isHere && !place.isKey) return canary;
  if (Array.isArray(example)) return example.map((one, index) => filled(one, place, canary, [...at, index]));
  if (isObject(example))
    return Object.fromEntries(
      Object.entries(example).map(([key, one]) => {
        const inner = [...at, key];
        const isName = place?.isKey === true && place.path.join('\n') === inner.join('\n');
        return [key.replace('<name>', isName ? String(canary) : 'n'), filled(one, place, canary, inner)];
      }),
    );
  const value = typeof example === 'string' ? VALUE.exec(example) : null;
  if (value === null) return example === RELATION ? 'answer' : example;
  return value[1] === undefined ? 'red' : (JSON.parse(value[1]) as unknown);
}

let count = 0;
/**
 * Returns a new text for each call, so that every canary is unique. Masking could otherwise learn a canary as a name at one position, and
 * therefore keep it at another.
 */
const word = (): string => {
  count += 1;
  return `${WORD}${[...count.toString(26)].map((digit) => String.fromCodePoint(97 + Number.parseInt(digit, 26))).join('')}`;
};
const textCanaries = (): unknown[] => [word(), `${word()} ${NUMBER} ${DAY}`];
/** Canaries for names. Digits in names of indices stay. */
const nameCanaries = (): unknown[] => [word(), `${word()}-${word()}.${word()}*`];
const valueCanaries = (): unknown[] => [
  ...textCanaries(),
  NUMBER,
  NUMBER + 0.5,
  String(NUMBER),
  DAY,
  `${DAY}T11:12:13.141Z`,
  `${DAY}||/d`,
  `${DAY} ${word()}||/d`,
  `now-${NUMBER}s`,
  `${word()}:${word()}`,
  `http://${word()}/${word()}`,
  `${word().toUpperCase()}*`,
  [word(), NUMBER],
  { a: word(), b: NUMBER },
];

/** Returns everything that can be read in a masked request: its text, also decoded in several ways. */
function readable(text: string): string {
  const forms = [text];
  try {
    forms.push(decodeURIComponent(text.replaceAll('+', ' ')));
  } catch {
    // The percent sign belongs to the body, and does not begin an escape.
  }
  forms.push(
    text.replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
  );
  for (const [token] of text.matchAll(/[\w+/-]{8,}={0,2}/g))
    forms.push(Buffer.from(token, 'base64').toString());
  return forms.join('\n');
}

const KNOWN = store({ title: 'red', price: 5, day: '2026-03-05', place: { lat: 1.5, lon: 2.5 }, n: 1 });

const WITH_NAMES: Partial<MaskOptions> = { fields: 'map', indices: 'map' };

/** Makes all names of fields and indices canaries. */
const withNames = (sent: Sent): Sent =>
  JSON.parse(JSON.stringify(sent).replaceAll(OWN_NAMES, (name) => `${WORD}${name}`)) as Sent;

/** Masks requests, with and without names. Returns those that still contain a canary. */
const leaks = (requests: readonly WithCanary[]): string[] => [
  ...leaksWith([KNOWN, ...requests.filter(({ isName }) => isName !== true)], {}),
  ...leaksWith([KNOWN, ...requests].map(withNames), WITH_NAMES).map((leak) => `with names: ${leak}`),
];

function leaksWith(requests: readonly Sent[], options: Partial<MaskOptions>): string[] {
  const { masked } = maskAll(requests, options);
  return masked.slice(1).flatMap((one, at) => {
    if (typeof one === 'string') return [];
    const { record, text } = one;
    const { path: url, query, contentType, encoding, client, answer } = record;
    const all = readable(
      [url, query, text, JSON.stringify({ contentType, encoding, client, answer })].join('\n'),
    );
    const found = new RegExp(`.{0,80}(?:${CANARY.source}).{0,40}`, 'i').exec(all);
    return found === null ? [] : [`${found[0]} of ${JSON.stringify(requests[at + 1]).slice(0, 400)}`];
  });
}

/** Returns a request for each position of an example, with a canary at this position. `toRequest`: creates the request from the example. */
const withCanaries = (example: unknown, toRequest: (filled: unknown) => Sent): WithCanary[] =>
  placesOf(example).flatMap((place) =>
    (place.isName ? nameCanaries() : place.isValue ? valueCanaries() : textCanaries()).map((canary) => ({
      ...toRequest(filled(example, place, canary)),
      isName: place.isName,
    })),
  );

/** All words in the grammar. Each of them could be a key. */
const KEYS = [
  ...new Set(
    ['search.ts', 'request.ts', 'rules.ts'].flatMap(
      (file) =>
        readFileSync(path.join(__dirname, file), 'utf8')
          .replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '')
          .match(/\b_?[a-z][a-z_]+\b/g) ?? [],
    ),
  ),
].filter((key) => !CODE.has(key) && key.search(OWN_NAMES) < 0);

/** Returns requests in which one object of an example has all keys of the grammar, with canaries as values. */
function withKeys(example: unknown, toRequest: (filled: unknown) => Sent): WithCanary[] {
  const objects = (inner: unknown, at: Path): Path[] => [
    ...(isObject(inner) ? [at] : []),
    ...(typeof inner === 'object' && inner !== null
      ? Object.entries(inner).flatMap(([key, one]) =>
          objects(one, [...at, Array.isArray(inner) ? Number(key) : key]),
        )
      : []),
  ];
  const withAll = (at: Path, isName: boolean): WithCanary => {
    const copy = filled(example) as Record<string, unknown>;
    const target = at.reduce<unknown>(
      (one, key) => (one as Record<string, unknown>)[String(key).replace('<name>', 'n')],
      copy,
    ) as Record<string, unknown>;
    const canary = word();
    for (const key of KEYS)
      if (NAMES.has(key) === isName && !Object.hasOwn(target, key) && !QUERY_TYPES.includes(key))
        target[key] = canary;
    return { ...toRequest(copy), isName };
  };
  return objects(example, []).flatMap((at) => [withAll(at, false), withAll(at, true)]);
}

const everywhere = (example: unknown, toRequest: (filled: unknown) => Sent): WithCanary[] => [
  ...withCanaries(example, toRequest),
  ...withKeys(example, toRequest),
];

/**
 * Masks an example without canaries. Returns the reason why the example is dropped as a whole, or a list of its removed parts (empty if
 * none). A test of an example with removed parts would prove nothing.
 */
const notMasked = (sent: Sent, options: Partial<MaskOptions> = {}): unknown => {
  const { masked, account } = maskAll([store({ title: 'red', price: 5, n: 1 }), sent], options);
  return typeof masked[1] === 'string' ? masked[1] : account.removedParts.map(({ what }) => what);
};

const N = { boost: 1.5, _name: '<value>' };
const term = { term: { title: '<value>' } };
const script = {
  source: "doc['price'].value + params.n + 'x'.length()",
  params: { n: '<value>', m: { t: '<value>' } },
};
const point = { lat: '<value:1.5>', lon: '<value:2.5>' };
const innerHits = { name: '<value>', size: 1, sort: ['price'] };
const textOptions = { operator: 'and', fuzziness: 'AUTO', minimum_should_match: '75%' };
const vector = Array.from({ length: 16 }, (_, at) => at / 7);
const knn = { field: 'v', query_vector: vector, k: 3, num_candidates: 9, filter: term };
const span = { span_term: { title: { value: '<value>', ...N } } };

const QUERIES: Record<string, unknown> = {
  match_all: N,
  match_none: N,
  bool: { ...N, must: [term], filter: term, should: [term], must_not: term, minimum_should_match: '75%' },
  boosting: { ...N, positive: term, negative: term, negative_boost: 0.5 },
  constant_score: { ...N, filter: term },
  dis_max: { ...N, queries: [term], tie_breaker: 0.5 },
  hybrid: { ...N, queries: [term] },
  nested: { ...N, path: 'user', query: term, score_mode: 'avg', inner_hits: innerHits },
  has_child: { ...N, type: RELATION, query: term, score_mode: 'none', inner_hits: innerHits },
  has_parent: { ...N, parent_type: RELATION, query: term, score: true, inner_hits: innerHits },
  parent_id: { ...N, type: RELATION, id: '<value>' },
  match: { title: { ...N, ...textOptions, query: '<value>' } },
  match_phrase: { title: { ...N, query: '<value>', slop: 1 } },
  match_phrase_prefix: { title: { ...N, query: '<value>', max_expansions: 5 } },
  match_bool_prefix: { title: { ...N, ...textOptions, query: '<value>' } },
  multi_match: { ...N, ...textOptions, query: '<value>', fields: ['title^2'], type: 'best_fields' },
  combined_fields: { ...N, query: '<value>', fields: ['title'], operator: 'or' },
  query_string: { ...N, query: '<value>', fields: ['title'], default_operator: 'and', time_zone: '+01:00' },
  simple_query_string: { ...N, query: '<value>', fields: ['title'], flags: 'OR|AND' },
  term: { title: { ...N, value: '<value>' }, price: '<value:5>' },
  terms: { ...N, title: ['<value>', '<value>'] },
  terms_set: { title: { ...N, terms: ['<value>'], minimum_should_match_script: script } },
  range: {
    price: { gte: '<value:1>', lt: '<value:9>', ...N },
    day: {
      from: '<value:"2026-01-01">',
      to: '<value:"now">',
      format: 'yyyy-MM-dd',
      time_zone: 'Europe/Berlin',
    },
  },
  exists: { ...N, field: 'title' },
  prefix: { title: { ...N, value: '<value>' } },
  wildcard: { title: { ...N, value: '<value:"re*d">', rewrite: 'constant_score' } },
  regexp: { title: { ...N, value: '<value:"re.*d[0-9]">', flags: 'ALL' } },
  fuzzy: { title: { ...N, value: '<value>', fuzziness: 'AUTO' } },
  ids: { ...N, values: ['<value>'] },
  intervals: {
    title: {
      all_of: {
        ordered: true,
        intervals: [
          {
            match: { query: '<value>', max_gaps: 1, filter: { containing: { match: { query: '<value>' } } } },
          },
          {
            any_of: {
              intervals: [{ prefix: { prefix: '<value>' } }, { wildcard: { pattern: '<value:"r*d">' } }],
            },
          },
          { fuzzy: { term: '<value>', fuzziness: 'AUTO' } },
          { regexp: { pattern: '<value>' } },
          { range: { gte: '<value>', lt: '<value>' } },
        ],
        filter: { script },
      },
    },
  },
  span_term: span.span_term,
  span_near: { ...N, clauses: [span, span], slop: 2, in_order: true },
  span_or: { ...N, clauses: [span] },
  span_not: { ...N, include: { span_term: { title: '<value>' } }, exclude: span },
  span_first: { ...N, match: span, end: 3 },
  span_multi: { ...N, match: { prefix: { title: '<value>' } } },
  span_containing: { ...N, little: span, big: span },
  span_within: { ...N, little: span, big: span },
  span_field_masking: { ...N, query: span, field: 'title' },
  field_masking_span: { ...N, query: span, field: 'title' },
  span_gap: { title: 3 },
  function_score: {
    ...N,
    query: term,
    score_mode: 'sum',
    functions: [
      { filter: term, weight: 2 },
      { gauss: { price: { origin: '<value:5>', scale: 10, decay: 0.5 }, multi_value_mode: 'avg' } },
      { linear: { day: { origin: '<value:"2026-01-01">', scale: '10d', offset: '5d' } } },
      { script_score: { script } },
      { random_score: { seed: '<value>', field: '_seq_no' } },
      { field_value_factor: { field: 'price', modifier: 'sqrt', factor: 2 } },
    ],
  },
  script_score: { ...N, query: term, script, min_score: 1 },
  script: { ...N, script },
  more_like_this: {
    ...N,
    fields: ['title'],
    like: ['<value>', { _index: 'shop', _id: '<value>' }, { doc: { title: '<value>', price: '<value:5>' } }],
    unlike: '<value>',
    stop_words: ['<value>'],
    min_term_freq: 1,
  },
  distance_feature: { ...N, field: 'day', origin: '<value:"2026-01-01">', pivot: '7d' },
  rank_feature: { ...N, field: 'rank', saturation: { pivot: 3 } },
  percolate: { ...N, field: 'query', document: { title: '<value>', price: '<value:5>' }, name: '<value>' },
  pinned: { ...N, ids: ['<value>'], organic: term },
  semantic: { ...N, field: 'title', query: '<value>' },
  sparse_vector: { ...N, field: 'ml', query_vector: { '<name>': 0.5 }, query: '<value>' },
  text_expansion: { ml: { ...N, model_text: '<value>' } },
  weighted_tokens: { ml: { ...N, tokens: { '<name>': 0.5 } } },
  knn: { ...N, ...knn },
  geo_distance: { ...N, distance: '5km', place: point },
  geo_bounding_box: { ...N, place: { top_left: { lat: 2, lon: 1 }, bottom_right: point } },
  geo_polygon: { ...N, place: { points: [point, { lat: 3, lon: 1 }, '3,4'] } },
  geo_shape: { ...N, place: { shape: { type: 'Point', coordinates: [1.5, 2.5] }, relation: 'within' } },
};

/** Values for the keys of aggregations. Keys are not listed if their values are numbers or fixed words of the query language. */
const AGGREGATION: Record<string, unknown> = {
  field: 'price',
  fields: ['title', { field: 'price', include: ['<value>'] }],
  script,
  missing: '<value:5>',
  include: ['<value:5>'],
  exclude: '<value>',
  order: { '<name>': 'asc', _key: 'desc' },
  format: 'yyyy-MM-dd',
  buckets_path: { x: '<value>', y: ["a['<value>']>b"] },
  hard_bounds: { min: '<value:1>', max: '<value:5>' },
  extended_bounds: { min: '<value:1>', max: '<value:5>' },
  values: ['<value:1>'],
  path: 'user',
  type: 'paired',
  origin: point,
  bounds: { top_left: point, bottom_right: point },
  filter: term,
  background_filter: term,
  ranges: [{ from: '<value:1>', to: '<value:5>', key: '<value>' }],
  metrics: [{ field: 'price' }],
  terms: [{ field: 'price', missing: '<value:5>' }],
  value: { field: 'price', missing: '<value:5>', script },
  weight: { field: 'price', missing: '<value:5>' },
  sort: [{ price: { order: 'asc', missing: '<value:5>' } }],
  script_heuristic: { script },
  init_script: script,
  map_script: script,
  combine_script: script,
  reduce_script: script,
  params: { n: '<value>', list: ['<value>'], o: { '<name>': '<value>' } },
  time_zone: 'Europe/Berlin',
};
const SPECIAL: Record<string, unknown> = {
  bucket_sort: { sort: [{ '<name>': { order: 'asc' } }, '<value>'], size: 5 },
  composite: {
    size: 5,
    sources: [
      { '<name>': { terms: { field: 'title', order: 'asc' } } },
      { c: { histogram: { field: 'price', interval: 5 } } },
    ],
    after: { '<name>': '<value>', c: '<value:5>', '<name>d': '<value>' },
  },
  filters: { filters: { '<name>': term }, other_bucket_key: '<value>' },
  adjacency_matrix: { filters: { '<name>': term }, separator: '&' },
  filter: term,
  top_hits: { size: 1, sort: [{ price: 'asc' }], _source: ['title'], highlight: { fields: { title: {} } } },
  missing: { field: 'price', missing: '<value:5>' },
  geo_distance: { field: 'place', origin: point, unit: 'km', ranges: [{ to: 5, key: '<value>' }] },
  children: { type: RELATION },
  parent: { type: RELATION },
};

const SEARCH: Record<string, unknown> = {
  query: term,
  post_filter: term,
  aggs: { '<name>': { terms: { field: 'title' }, aggs: { '<name>': { max: { field: 'price' } } } } },
  aggregations: { '<name>': { terms: { field: 'title' } } },
  sort: [
    { price: { order: 'asc', missing: '<value:5>', nested: { path: 'user', filter: term } } },
    { title: 'desc' },
  ],
  search_after: ['<value:5>', '<value>'],
  _source: { includes: ['title'] },
  highlight: {
    pre_tags: ['<value>'],
    fields: { title: { highlight_query: term, post_tags: ['<value>'] } },
    type: 'plain',
  },
  suggest: {
    text: '<value>',
    '<name>': {
      prefix: '<value>',
      completion: { field: 'title', contexts: { place: ['<value>', { context: '<value>' }] } },
    },
    b: { text: '<value>', term: { field: 'title', suggest_mode: 'always' } },
    c: {
      text: '<value>',
      phrase: { field: 'title', highlight: { pre_tag: '<value>', post_tag: '<value>' } },
    },
    d: { regex: '<value>', completion: { field: 'title' } },
  },
  rescore: { window_size: 5, query: { rescore_query: term, score_mode: 'max' } },
  knn: [
    knn,
    {
      field: 'v',
      query_vector_builder: { text_embedding: { model_text: '<value>' } },
      k: 3,
      inner_hits: innerHits,
    },
  ],
  retriever: { standard: { query: term } },
  fields: ['title', { field: 'day', format: 'yyyy' }],
  stored_fields: ['title'],
  docvalue_fields: ['title'],
  runtime_mappings: { made: { type: 'keyword', script } },
  collapse: { field: 'title', inner_hits: innerHits },
  script_fields: { made: { script } },
  indices_boost: [{ shop: 2 }],
  slice: { id: 1, max: 2 },
  pit: { id: '<value>', keep_alive: '1m' },
  rank: { rrf: { rank_constant: 5 } },
  stats: ['<value>'],
  scroll_id: '<value>',
  script,
  timeout: '1s',
  track_total_hits: true,
};

const RETRIEVERS: Record<string, unknown> = {
  standard: { query: term, filter: term, sort: ['price'], collapse: { field: 'title' } },
  knn: { ...knn, _name: '<value>' },
  rrf: { retrievers: [{ standard: { query: term } }], filter: term, query: '<value>', fields: ['title'] },
  linear: {
    retrievers: [{ retriever: { standard: { query: term } }, weight: 2, normalizer: 'minmax' }],
    query: '<value>',
  },
  text_similarity_reranker: {
    retriever: { standard: { query: term } },
    field: 'title',
    inference_text: '<value>',
  },
  rescorer: {
    retriever: { standard: { query: term } },
    rescore: { window_size: 5, query: { rescore_query: term } },
  },
  pinned: {
    retriever: { standard: { query: term } },
    ids: ['<value>'],
    docs: [{ _index: 'shop', _id: '<value>' }],
  },
};

const document = {
  title: '<value>',
  price: '<value:5>',
  list: ['<value>', { a: '<value>' }],
  place: point,
  v: vector,
};
const at =
  (url: string, method = 'POST') =>
  (body: unknown): Sent => ({ path: url, method, body, answer: SUCCESS });
const lines =
  (url: string) =>
  (all: unknown): Sent => ({ path: url, lines: all as unknown[] });
const docs = {
  docs: [{ _index: 'shop', _id: '<value>', routing: '<value>', _source: ['title'] }],
  ids: ['<value>'],
};

const BODIES: Record<string, [example: unknown, toRequest: (filled: unknown) => Sent]> = {
  search: [{ query: term, size: 5 }, at('/shop/_search')],
  count: [{ query: term }, at('/shop/_count')],
  validate: [{ query: term }, at('/shop/_validate/query')],
  explain: [{ query: term }, at('/shop/_explain/1')],
  'update-by-query': [{ query: term, script, conflicts: 'proceed' }, at('/shop/_update_by_query')],
  'delete-by-query': [{ query: term, max_docs: 5 }, at('/shop/_delete_by_query')],
  'knn-search': [{ knn, filter: term, fields: ['title'] }, at('/shop/_knn_search')],
  'vector-tile': [{ query: term }, at('/shop/_mvt/place/1/2/3')],
  'search-template': [
    { source: { query: term }, params: { t: '<value>', o: { '<name>': '<value>' }, size: 5 } },
    at('/_search/template'),
  ],
  mget: [docs, at('/_mget')],
  index: [document, at('/shop/_doc/1', 'PUT')],
  update: [{ doc: document, upsert: document, script, doc_as_upsert: true }, at('/shop/_update/1')],
  scroll: [{ scroll_id: '<value>', scroll: '1m' }, at('/_search/scroll')],
  'close-scroll': [{ scroll_id: ['<value>'] }, at('/_search/scroll', 'DELETE')],
  'open-point-in-time': [{ index_filter: term }, at('/shop/_pit')],
  'close-point-in-time': [{ id: '<value>', pit_id: ['<value>'] }, at('/_pit', 'DELETE')],
  'terms-enum': [
    { field: 'title', string: '<value>', search_after: '<value>', index_filter: term },
    at('/shop/_terms_enum'),
  ],
  termvectors: [{ doc: document, fields: ['title'], routing: '<value>', ...docs }, at('/shop/_termvectors')],
  'field-caps': [
    { fields: ['title'], index_filter: term, runtime_mappings: { made: { type: 'keyword', script } } },
    at('/_field_caps'),
  ],
  esql: [
    {
      query: 'FROM shop | WHERE title == ?',
      params: ['<value>', { n: '<value>' }],
      filter: term,
      locale: 'de-DE',
    },
    at('/_query'),
  ],
  sql: [
    {
      query: 'SELECT title FROM shop WHERE title = ?',
      params: ['<value>', { type: 'keyword', value: '<value>' }],
      filter: term,
      cursor: '<value>',
    },
    at('/_sql'),
  ],
  eql: [{ query: 'any where price > 5', filter: term, fields: ['title'], size: 5 }, at('/shop/_eql/search')],
  bulk: [
    [
      { index: { _index: 'shop', _id: '<value>', routing: '<value>' } },
      document,
      { update: { _index: 'shop', _id: '<value>', retry_on_conflict: 3 } },
      { doc: document, script },
      { delete: { _index: 'shop', _id: '<value>' } },
    ],
    lines('/_bulk'),
  ],
  msearch: [
    [{ index: 'shop', routing: '<value>', preference: '<value>' }, { query: term }],
    lines('/_msearch'),
  ],
  'msearch-template': [
    [{ index: 'shop' }, { id: 'find', params: { t: '<value>' } }],
    lines('/_msearch/template'),
  ],
};

const inSearch = (body: unknown): Sent => ({ path: '/shop/_search', body });
const byType = (key: string, examples: Record<string, unknown>): [string, unknown][] =>
  Object.entries(examples).map(([type, example]) => [type, { [key]: { [type]: example } }]);

test('all types and keys of the grammar have an example', () => {
  expect(Object.keys(QUERIES).toSorted()).toEqual([...QUERY_TYPES].toSorted());
  expect(Object.keys(BODIES).toSorted()).toEqual([...KINDS_WITH_BODY].toSorted());
  expect(Object.keys(RETRIEVERS).toSorted()).toEqual([...RETRIEVER_TYPES].toSorted());
  expect(Object.keys(SPECIAL).filter((type) => !AGGREGATION_TYPES.includes(type))).toEqual([]);
});

test.each(byType('query', QUERIES))('no canary remains in the query %s', (_, example) => {
  expect(notMasked(inSearch(filled(example)))).toEqual([]);
  expect(notMasked(withNames(inSearch(filled(example))), WITH_NAMES)).toEqual([]);
  expect(leaks(everywhere(example, inSearch))).toEqual([]);
});

test.each(byType('retriever', RETRIEVERS))('no canary remains in the retriever %s', (_, example) => {
  expect(notMasked(inSearch(filled(example)))).toEqual([]);
  expect(notMasked(withNames(inSearch(filled(example))), WITH_NAMES)).toEqual([]);
  expect(leaks(everywhere(example, inSearch))).toEqual([]);
});

test.each(
  SEARCH_KEYS.map((key): [string, unknown] => [
    key,
    { [key]: SEARCH[key] ?? 'x', ...(key === 'search_after' ? { sort: ['price', 'title'] } : {}) },
  ]),
)('no canary remains in the key %s of a search', (_, example) => {
  expect(leaks(everywhere(example, inSearch))).toEqual([]);
});

test.each(AGGREGATION_TYPES)('no canary remains in the aggregation %s', (type) => {
  const usual = { field: 'price', missing: '<value:5>', script, include: ['<value>'], format: 'yyyy' };
  const example = { aggs: { '<name>': { [type]: SPECIAL[type] ?? usual, meta: { a: '<value>' } } } };
  expect(leaks(withCanaries(example, inSearch))).toEqual([]);
});

test.each(AGGREGATION_KEYS)('no canary remains in the key %s of an aggregation', (key) => {
  expect(
    leaks(
      withCanaries({ aggs: { a: { terms: { field: 'price', [key]: AGGREGATION[key] ?? 'x' } } } }, inSearch),
    ),
  ).toEqual([]);
});

test('no canary remains in any other key of an aggregation', () => {
  const examples = [
    { aggs: { a: { terms: AGGREGATION } } },
    ...Object.entries(SPECIAL).map(([type, one]) => ({ aggs: { a: { [type]: one } } })),
  ];
  for (const example of examples) expect(leaks(withKeys(example, inSearch))).toEqual([]);
});

test.each(Object.entries(BODIES))('no canary remains in the body of %s', (kind, [example, toRequest]) => {
  const expected = kind === 'vector-tile' ? 'its path contains a place' : [];
  expect(notMasked(toRequest(filled(example)))).toEqual(expected);
  expect(leaks(everywhere(example, toRequest))).toEqual([]);
});

test('no canary remains in a body where no kind of request has one', () => {
  expect(leaks(everywhere({ a: '<value>', query: '<value>' }, at('/shop/_refresh')))).toEqual([]);
});

test.each(PARAMETER_NAMES)('no canary remains in the parameter %s', (name) => {
  const isName = NAMES.has(name);
  const values = [
    ...(isName ? nameCanaries() : valueCanaries()).filter((one) => typeof one === 'string'),
    `_${word()}`,
    `title:${word()}`,
    `${word()},${word()}`,
  ];
  // Most query parameters accept numbers, so only texts are tried.
  const texts = values.filter((one) => name === 'q' || !/^\d+$/.test(String(one)));
  expect(
    leaks(
      texts.flatMap((value) => [
        {
          path: '/shop/_search',
          query: `${name}=${encodeURIComponent(String(value))}`,
          isName,
        },
        {
          isName,
          path: '/shop/_doc/1',
          method: 'PUT',
          query: `a=b&${name}=${String(value).replaceAll(' ', '+')}`,
          body: {},
        },
      ]),
    ),
  ).toEqual([]);
});

test('no canary remains in unknown parameters, ids, paths, headers and answers', () => {
  const facts = { scrollId: word(), pitId: word(), error: word(), result: word(), generatedIds: [word()] };
  expect(
    leaks([
      { path: '/shop/_search', query: `${word()}=${word()}&x=${word()}&${word()}` },
      {
        path: '/shop/_search',
        query: `source=${encodeURIComponent(`{"query":{"term":{"title":"${word()}"}}}`)}`,
      },
      { path: `/shop/_doc/${word()}%20${NUMBER}`, method: 'GET' },
      { path: `/shop/_doc/${NUMBER}`, method: 'DELETE' },
      { path: `/shop/_update/${DAY}`, body: {} },
      { path: `/_search/scroll/${word()}`, method: 'GET' },
      { path: `/shop/${word()}/_search`, body: {} },
      { path: `/shop/_termvectors/${word()}`, body: {} },
      { path: '/shop/_search', body: {}, contentType: `application/json; charset=${word()}` },
      { path: '/shop/_search', body: {}, encoding: word() },
      {
        path: '/shop/_search',
        body: {},
        answer: {
          ...SUCCESS,
          facts: { ...facts, versions: [{ index: 'shop', id: word(), seqNo: 1, primaryTerm: 1 }] },
        },
      },
      { path: '/shop/_search', body: `{"query":{"term":{"title":"\\u0077exford"}},"\\u0077exford":1}` },
    ]),
  ).toEqual([]);
});

const LANGUAGE_QUERIES: [string, (query: string) => Sent, string][] = [
  [
    'ES|QL',
    (query) => ({ path: '/_query', body: { query }, answer: SUCCESS }),
    'FROM shop | WHERE title == "red" AND price > 5 | LIMIT 3',
  ],
  [
    'SQL',
    (query) => ({ path: '/_sql', body: { query }, answer: SUCCESS }),
    "SELECT title FROM shop WHERE title = 'red' AND price > 5 LIMIT 3",
  ],
  [
    'OpenSearch SQL',
    (query) => ({ path: '/_plugins/_sql', body: { query }, answer: SUCCESS }),
    'SELECT title FROM shop WHERE title = "red" AND price > 5',
  ],
  [
    'EQL',
    (query) => ({ path: '/shop/_eql/search', body: { query }, answer: SUCCESS }),
    'any where title == "red" and price > 5 | head 3',
  ],
  [
    'scripts',
    (query) => ({ path: '/shop/_update/1', body: { script: { source: query } } }),
    "if (doc['title'].value == 'red' && doc['price'].value > 5) { return 3 }",
  ],
];

test.each(LANGUAGE_QUERIES)('no text, number or comment remains in %s', (_, toRequest, query) => {
  const sent = [
    query.replace('red', word()),
    query.replace('red', `${word()} ${NUMBER} ${DAY}`),
    query.replace('red', `\\"${word()}`),
    query.replace('red', `it''s ${word()}`),
    query.replace('5', String(NUMBER)),
    query.replace('3', String(NUMBER)),
    query.replace(/["']red["']/, `${word()} ${word()}`).replace('price', '§'),
    query.replace(/["']red["']/, `"${word()}`),
    query.replace(/["']red["']/, `'${word()}`),
    `/* ${word()} ${query}`,
  ].map(toRequest);
  // A comment in one language is an error in another one.
  const comments = [`/* ${word()} */`, `// ${word()}`, `-- ${word()} x`, `# ${word()}`].map((comment) => ({
    ...toRequest(`${query} ${comment}`),
    answer: null,
  }));
  expect(notMasked(toRequest(query))).toEqual([]);
  expect(leaks([...sent, ...comments])).toEqual([]);
});

test.each([
  "ctx._source.title = params.t; ctx._source['price'] += 1",
  "ctx._source.remove('day'); ctx['_source']['title'] = 'x'",
  'ctx._source.user.title = ctx._source.user.price',
  'def s = ctx._source; s.title = s.price',
  "doc['user.title'].size() == 0 ? 0 : doc['price.day'].value",
  "doc.containsKey('price') ? 1 : 2",
  "field('price').get(0) + $('title', 1)",
  "emit(params._source['title'])",
  'return params._source.title',
  "for (def e : ctx._source.entrySet()) { if (e.getKey() == 'title') { return } }",
  "def names = ['title', 'price']; for (name in names) { ctx._source.remove(name) }",
  'doc.title.value + doc["price"].value',
  "if (ctx._index == 'shop') { ctx.op = 'none' }",
  "cosineSimilarity(params.q, 'v') + dotProduct(params.q, doc['v'])",
])('no name remains in the script %s', (source) => {
  expect(
    leaks([
      { path: '/shop/_update/1', body: { script: { source, params: { q: [1] } } }, isName: true },
      { path: '/shop/_update/1', body: { script: source }, isName: true },
      { path: '/shop/_search', body: { query: { script: { script: { source } } } }, isName: true },
      { path: '/shop/_search', body: { script_fields: { made: { script: { source } } } }, isName: true },
    ]),
  ).toEqual([]);
});

test('no name remains in paths, bulk requests and answers', () => {
  const facts = { versions: [{ index: 'shop', id: '1', seqNo: 1, primaryTerm: 1 }] };
  expect(
    leaks(
      [
        { path: '/shop,shop-*,-shop,<shop-{now/d}>/_search', body: {} },
        { path: '/remote-shop:shop/_search', body: {} },
        { path: '/%3Cshop-%7Bnow%2Fd%7D%3E/_search', body: {} },
        { path: '/shop/_termvectors/1', query: 'fields=title,price.*' },
        { path: '/shop/_mapping/field/title' },
        {
          path: '/shop/_doc/1',
          method: 'PUT',
          body: { 'user.title': 'x', user: { 'price.day': { v: 1 } } },
          answer: { ...SUCCESS, facts },
        },
        { path: '/shop/_search', query: 'q=title:red AND _exists_:price AND user.\\*:x&df=day' },
        { path: '/shop/_search', query: 'filter_path=hits.hits._source.title,-**.price' },
        { path: '/shop/_bulk', lines: [{ index: { dynamic_templates: { title: 'made' } } }, { title: 1 }] },
        {
          path: '/shop/_search',
          body: { query: { query_string: { query: 'title:(red OR price) user.\\*:x', fields: ['user.*'] } } },
        },
        {
          path: '/shop/_search',
          body: { query: { exists: { field: 'user.title' } }, fields: ['pri*', '*.day'] },
        },
      ].map((sent) => ({ ...sent, isName: true })),
    ),
  ).toEqual([]);
});
