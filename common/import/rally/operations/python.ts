/**
 * Operations whose parameters or requests are made by a track's own Python, which is never carried out. What Rally's public tracks
 * have is known where it makes the same requests by what Dyno has, and is recognised by its code: a source of the same name that does something else is left out.
 */
import { nearest } from '../../../near';
import { parseExact, stringifyExact } from '../../../json/exact';
import { drawn, type Wire } from '../wire';
import type { Operation, Task, Track } from '../track';
import {
  inPath,
  isTrue,
  mandatory,
  numeric,
  object,
  optional,
  query,
  sends,
  Unfit,
  type Conversion,
  type Convert,
  type Given,
  type Python,
} from './operation';

type Fields = Readonly<Record<string, unknown>>;

interface Known {
  /** The name of the parameter source, or of the type where a runner is meant. */
  name: string;
  /** All of them stand in the code. */
  code: readonly RegExp[];
  convert: Convert;
}

const indexOf = ({ params, track }: Given): string =>
  optional(params, 'index') ?? (track.indices.length === 1 ? track.indices[0]!.name : '_all');

/** As Rally's runner of searches sends what a source gives it. */
const searchOf = (given: Given, body: Fields, index: string | null = indexOf(given)): Wire => ({
  method: 'GET',
  path: `${index === null ? '' : `/${inPath(index)}`}/_search`,
  params: given.params['cache'] === undefined ? {} : query({ request_cache: given.params['cache'] }),
  body,
});

/** As one word of a shell: a track may come from anywhere. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const VECTORS = 'queries.ndjson';
const number = (params: Fields, ...keys: string[]): number | undefined =>
  keys.map((key) => numeric(params, key)).find((value) => value !== undefined);
const some = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

interface Knn {
  field: string;
  /** Unless the operation says: absent where nothing is sent then. */
  k?: number;
  candidates?: number;
  /** The key of the operation for oversampling; -1 is none. */
  oversample?: string;
  /** `knn` stands in `query`. */
  inQuery?: true;
  /** The hits asked for are `k`. */
  sized?: true;
  filter?: true;
  /** Where the operation asks for an exact search. */
  script?: string;
  /** How `queries.ndjson` is made in the folder of the track. */
  how: string;
  /** Every search draws any of them, where the source shuffles. */
  order?: 'drawn';
}

/** A search for the nearest vectors of those that a file holds. */
const knn =
  ({ field, k, candidates, oversample, inQuery, sized, filter, script, how, order }: Knn): Convert =>
  (given) => {
    const { params } = given;
    const size = number(params, 'k') ?? k;
    const vector = drawn('query_vector');
    const extra = oversample === undefined ? undefined : number(params, oversample);
    const nearest = some({
      field,
      query_vector: vector,
      k: size,
      num_candidates: number(params, 'num-candidates', 'num_candidates') ?? candidates,
      filter: filter ? params['filter'] : undefined,
      rescore_vector: extra !== undefined && extra >= 0 ? { oversample: extra } : undefined,
    });
    const exact =
      isTrue(params['exact']) && script !== undefined
        ? {
            query: {
              script_score: {
                query: (filter ? params['filter'] : undefined) ?? { match_all: {} },
                script: { source: script, params: { query: vector } },
              },
            },
          }
        : undefined;
    const body = {
      ...(exact ?? (inQuery ? { query: { knn: nearest } } : { knn: nearest })),
      ...(sized ? { size: number(params, 'k') ?? 10 } : {}),
    };
    return {
      ...sends(
        params,
        searchOf(
          { ...given, params: { cache: 'cache' in params ? params['cache'] : false } },
          body,
          indexOf(given),
        ),
      ),
      parameters: { query_vector: { file: { path: VECTORS, column: 'vector', order: order ?? 'in-turn' } } },
      files: [{ file: VECTORS, how }],
    };
  };

const LINES = `sed 's/.*/{"vector": &}/' > ${VECTORS}`;
const PACKED = `in the folder of the track: bunzip2 -c queries.json.bz2 | ${LINES}`;
const PLAIN = `in the folder of the track: cat queries.json | ${LINES}`;

const RECALL = 'queries-recall.ndjson';
/** Texts with their vectors, both of the same line. */
const textAndVector = {
  parameters: {
    query_vector: { file: { path: RECALL, column: 'emb', order: 'in-turn' } },
    query_text: { file: { path: RECALL, column: 'text', order: 'in-turn' } },
  },
  files: [
    { file: RECALL, how: `in the folder of the track: bunzip2 -c queries-recall.json.bz2 > ${RECALL}` },
  ],
};

const hybrid: Convert = (given) => {
  const { params } = given;
  const size = number(params, 'size') ?? 10;
  const k = number(params, 'k') ?? 10;
  const extra = number(params, 'oversample-rescore') ?? -1;
  const text = drawn('query_text');
  return {
    ...sends(
      params,
      searchOf(
        { ...given, params: {} },
        {
          _source: params['source'] ?? true,
          retriever: {
            rrf: {
              retrievers: [
                {
                  standard: {
                    query: { bool: { should: [{ match: { title: text } }, { match: { text } }] } },
                  },
                },
                {
                  knn: some({
                    field: 'emb',
                    query_vector: drawn('query_vector'),
                    k,
                    num_candidates: number(params, 'num-candidates') ?? Math.floor(k * 1.5),
                    rescore_vector: extra >= 0 ? { oversample: extra } : undefined,
                    filter: params['filter'],
                  }),
                },
              ],
              rank_window_size: size,
            },
          },
          size,
        },
        indexOf(given),
      ),
    ),
    ...textAndVector,
  };
};

/** The same search as ES|QL. */
const esqlHybrid: Convert = (given) => {
  const { params } = given;
  const size = number(params, 'size') ?? 10;
  const candidates = number(params, 'num-candidates');
  const extra = number(params, 'oversample-rescore') ?? -1;
  const options = [
    ...(candidates === undefined ? [] : [`"min_candidates":${candidates}`]),
    `"k":${number(params, 'k') ?? 10}`,
    ...(extra >= 0 ? [`"rescore_oversample":${extra}`] : []),
  ];
  const filter = optional(params, 'filter');
  const best = `| SORT _score DESC | LIMIT ${size} | DROP emb`;
  const asked = [
    `FROM ${indexOf(given)} METADATA _index, _id, _score`,
    ` | FORK (WHERE MATCH(title, ?query_text) OR MATCH(text, ?query_text) ${best} )`,
    ` (WHERE KNN(emb, ?query_vector, {${options.join(', ')}})${filter === undefined ? '' : ` and (${filter})`} ${best})`,
    ' | FUSE | SORT _score DESC',
    !isTrue(params['keep-all'] ?? true) ? ' | KEEP _index, _id, _score' : '',
    ` | LIMIT ${size}`,
  ].join('');
  const isProfile = given.operation.type === 'esql-profile';
  return {
    ...sends(params, {
      method: 'POST',
      path: '/_query',
      body: {
        params: [{ query_vector: drawn('query_vector') }, { query_text: drawn('query_text') }],
        query: asked,
        ...(isProfile ? { profile: true } : {}),
      },
    }),
    ...textAndVector,
  };
};

const QUERY = drawn('query');

/** Vectors of a normal distribution, of length 1, as the source makes them. */
const randomVectors: Convert = (given) => {
  const dims = number(given.params, 'dims');
  if (given.params['random-query'] !== true || dims === undefined)
    throw new Unfit('draws from a file that is not known here');
  const file = `random-${dims}.ndjson`;
  const make = `python3 -c "import json, numpy as n; [print(json.dumps({'vector': (v / n.linalg.norm(v)).tolist()})) for v in n.random.normal(size=(10000, ${dims}))]" > ${file}`;
  const visit = given.params['visit-percentage'];
  const made = knn({
    field: 'emb',
    k: 10,
    ...(visit === undefined || visit === null ? { candidates: 50 } : {}),
    oversample: 'oversample-rescore',
    filter: true,
    how: make,
  })(given) as Extract<Conversion, { sends: unknown }>;
  const [wire] = made.sends;
  const { num_candidates: candidates, ...rest } = (wire!.body as { knn: Fields }).knn;
  const asked =
    visit === undefined || visit === null ? { num_candidates: candidates } : { visit_percentage: visit };
  return {
    ...made,
    sends: [{ ...wire!, body: { knn: { ...rest, ...asked } } }],
    parameters: { query_vector: { file: { path: file, column: 'vector', order: 'in-turn' } } },
    files: [{ file, how: make }],
    notes: [
      `its vectors are 10,000 random ones of a file, where ${given.track.benchmark.name} draws a new one each time`,
    ],
  };
};

/** Terms that stay, and a number that keeps caches from answering. */
const geonamesTerms =
  (most: number, body: (terms: Fields) => Fields): Convert =>
  (given) => {
    const terms = given.python.files
      .read('terms.txt')
      .split('\n')
      .map((line) => line.trim())
      .slice(0, -1);
    // As a text the number stands between quotes, as the source sends it.
    const text = stringifyExact(body({ terms: { 'name.raw': [...terms, drawn('number')] } }));
    return {
      ...sends(given.params, { ...searchOf(given, {}, null), body: text }),
      parameters: { number: { range: { from: 1, to: most } } },
    };
  };
const GEONAMES = /query_terms\.append\(str\(random\.randint\(1, 1000\)\)\)/;

/** Queries of `queries.json`, a list of objects. */
const dbpedia: Convert = (given) => {
  const { params } = given;
  const own = { ...given, params: { cache: params['cache'] ?? false } };
  const file = 'queries.ndjson';
  const fields = [
    `${optional(params, 'title_field') ?? 'title'}^${number(params, 'title_boost') ?? 5}`,
    `${optional(params, 'text_field') ?? 'text'}^${number(params, 'text_boost') ?? 1}`,
  ];
  const match = {
    minimum_should_match: '1<-1 3<49%',
    type: 'best_fields',
    fuzziness: 'AUTO',
    prefix_length: 2,
    query: QUERY,
    fields,
  };
  return {
    ...sends(
      params,
      searchOf(
        own,
        {
          query: { multi_match: match },
          track_total_hits: params['track_total_hits'] ?? false,
          size: number(params, 'size') ?? 10,
        },
        indexOf(given),
      ),
    ),
    parameters: { query: { file: { path: file, column: 'text', order: 'in-turn' } } },
    files: [
      {
        file,
        how: `in the folder of the track: jq -c '.[]' ${quoted(optional(params, 'query_source') ?? 'queries.json')} > ${file}`,
      },
    ],
  };
};

/** Searches that the source makes of texts and of expanded terms: what differs between them is their query, or their retriever. */
const passages: Convert = (given) => {
  const { params } = given;
  const strategy = optional(params, 'query_strategy') ?? 'bm25';
  if (!['bm25', 'text_expansion', 'hybrid', 'rrf', 'linear'].includes(strategy))
    throw new Unfit(`has the strategy ${strategy}`);
  const key = strategy === 'rrf' || strategy === 'linear' ? 'retriever' : 'query';
  const isRescored = strategy === 'text_expansion' && isTrue(params['prune']) && isTrue(params['rescore']);
  const keys = isRescored ? ['query', 'rescore'] : [key];
  const file = `${given.operation.name.replaceAll(/[^\w-]+/g, '-')}.ndjson`;
  const written = Object.entries(params).filter(
    ([name]) => !['name', 'operation-type', 'param-source'].includes(name),
  );
  const make = `in the folder of the track: PARAMS=${quoted(stringifyExact(Object.fromEntries(written)))} python3 -c "import json, os, types; from track import QueryParamsSource as S; s = S(types.SimpleNamespace(indices=[]), json.loads(os.environ['PARAMS'])); [print(json.dumps(s.params()['body'])) for _ in s._queries]" > ${file}`;
  const own = { ...given, params: { cache: params['cache'] ?? false } };
  return {
    ...sends(
      params,
      searchOf(
        own,
        {
          ...Object.fromEntries(keys.map((one) => [one, drawn(one)])),
          track_total_hits: params['track_total_hits'] ?? false,
          size: number(params, 'size') ?? 10,
        },
        indexOf(given),
      ),
    ),
    parameters: Object.fromEntries(
      keys.map((one) => [one, { file: { path: file, column: one, order: 'in-turn' } }]),
    ),
    files: [{ file, how: make }],
  };
};

/** Texts that the source draws beforehand, with their probabilities. */
const sampled = ({
  params,
}: Given): Pick<Extract<Conversion, { sends: unknown }>, 'parameters' | 'files'> => {
  const seed = number(params, 'seed');
  const count = number(params, 'batch_size') ?? 100_000;
  const file = `queries-${seed ?? 'any'}-${count}.txt`;
  return {
    parameters: { query: { file: { path: file, order: 'in-turn' } } },
    files: [
      {
        file,
        how: `in the folder of the track, where esrally is installed: python3 -c "from track import query_samples; print('\\n'.join(query_samples(${count}, ${seed ?? 'None'})))" > ${file}`,
      },
    ],
  };
};

/** The same text in both fields. */
const inBoth = (kind: string): Fields => ({
  bool: { should: [{ [kind]: { title: QUERY } }, { [kind]: { content: QUERY } }] },
});

const querySearch: Convert = (given) => {
  const { params } = given;
  const field = params['search-fields'];
  const type = mandatory(params, 'query-type');
  const queries: Readonly<Record<string, Fields>> = {
    'query-string': { query_string: { query: QUERY, default_field: field } },
    kql: { kql: { query: QUERY, default_field: field } },
    match: inBoth('match'),
    multi_match: inBoth('match'),
    match_phrase: inBoth('match_phrase'),
  };
  if (queries[type] === undefined) throw new Unfit(`has the query-type ${type}, which is not known`);
  const own = { ...given, params: { cache: params['cache'] ?? false } };
  return {
    ...sends(params, searchOf(own, { query: queries[type], size: params['size'] }, indexOf(given))),
    ...sampled(given),
  };
};

const esqlSearch: Convert = (given) => {
  const { params } = given;
  const field = String(params['search-fields']);
  const type = mandatory(params, 'query-type');
  const conditions: Readonly<Record<string, string>> = {
    'query-string': `QSTR("${QUERY}", {"default_field": "${field}" })`,
    match: `MATCH(title, "${QUERY}") OR MATCH(content, "${QUERY}")`,
    kql: `KQL("${field}:${QUERY}")`,
    match_phrase: `MATCH_PHRASE(title, "${QUERY}") OR MATCH_PHRASE(content, "${QUERY}")`,
  };
  if (conditions[type] === undefined) throw new Unfit(`has the query-type ${type}, which is not known`);
  const text = `FROM ${indexOf(given)} METADATA _id, _score, _source | WHERE ${conditions[type]} | KEEP _id, _score, _source | SORT _score DESC | LIMIT ${number(params, 'size') ?? 20}`;
  const profile = given.operation.type === 'esql-profile' ? { profile: true } : {};
  return {
    ...sends(params, { method: 'POST', path: '/_query', body: { query: text, ...profile } }),
    ...sampled(given),
  };
};

const application = (given: Given): string => {
  const indices = given.params['indices'] ?? given.track.indices.map(({ name }) => name);
  const [first] = indices as string[];
  return `/_application/search_application/${inPath(optional(given.params, 'search-application') ?? `${first}-search-application`)}`;
};

const retriever: Convert = (given) => {
  const { params } = given;
  const size = number(params, 'size') ?? 20;
  const standard = {
    standard: { query: { query_string: { query: QUERY, default_field: params['search-fields'] } } },
  };
  const whole = params['rerank']
    ? {
        [optional(params, 'reranker') ?? 'random_reranker']: {
          retriever: standard,
          field: params['search-fields'],
          rank_window_size: size,
        },
      }
    : standard;
  return {
    ...sends(params, {
      method: 'POST',
      path: `/${inPath(indexOf(given))}/_search`,
      body: { retriever: whole, size },
    }),
    ...sampled(given),
  };
};

const rulesSearch: Convert = (given) => {
  const { params } = given;
  const own = sampled(given);
  return {
    ...sends(params, {
      method: 'POST',
      path: '/_search',
      body: {
        query: {
          rule: {
            match_criteria: { rule_key: drawn('rule_key') },
            ruleset_ids: [params['ruleset_id']],
            organic: { query_string: { query: QUERY, default_field: params['search-fields'] } },
          },
        },
        size: params['size'],
      },
    }),
    ...own,
    parameters: { ...own.parameters, rule_key: { values: ['match', 'no-match'] } },
  };
};

const SAMPLES = /def query_samples\(k: int, random_seed/;

/** Of `queries.csv`, whose columns have no names. */
const NESTED = {
  parameters: {
    tag: { file: { path: 'queries-named.csv', column: 'tag' } },
    date: { file: { path: 'queries-named.csv', column: 'date' } },
  },
  files: [
    {
      file: 'queries-named.csv',
      how: "in the folder of the track: sed '1i tag,date' queries.csv > queries-named.csv",
    },
  ],
};
const TAG = { match: { tag: drawn('tag') } };
const answersBefore = (params: Fields, inner: boolean): Fields => ({
  nested: {
    path: 'answers',
    query: { range: { 'answers.date': { lte: drawn('date') } } },
    ...(inner ? { inner_hits: { size: params['inner_hits_size'] } } : {}),
  },
});
const nested =
  (body: (params: Fields) => Fields, ...names: ('tag' | 'date')[]): Convert =>
  (given) => ({
    ...sends(given.params, searchOf(given, body(given.params), null)),
    parameters: Object.fromEntries(names.map((name) => [name, NESTED.parameters[name]])),
    files: NESTED.files,
  });

function jsonOf(text: string, file: string): unknown {
  try {
    return parseExact(text);
  } catch {
    throw new Unfit(`reads ${file}, which is no JSON`);
  }
}

/** JSON files below a folder of the track, which a runner puts one after the other. */
function assets(
  { python: { files }, params }: Given,
  folder: string,
  patterns: readonly string[],
): [string, Fields][] {
  if (params['asset-paths'] !== undefined)
    throw new Unfit('reads packages from folders that are not of the track');
  return patterns
    .flatMap((pattern) => files.glob(`${folder}/${pattern}`))
    .map((file): [string, Fields] => [
      file.slice(file.lastIndexOf('/') + 1, -'.json'.length),
      object(jsonOf(files.read(file), file), file),
    ]);
}

/** Python finds names that begin with a dot, too. */
const JSON_BELOW = ['*.json', '.*.json', '*/*.json', '*/.*.json', '*/*/*.json', '*/*/.*.json'];

const createPipelines: Convert = (given) =>
  sends(
    given.params,
    ...assets(given, optional(given.params, 'pipelines') ?? 'pipelines', JSON_BELOW).map(
      ([name, body]): Wire => ({ method: 'PUT', path: `/_ingest/pipeline/${inPath(name)}`, body }),
    ),
  );

const createPolicies: Convert = (given) =>
  sends(
    given.params,
    ...assets(given, optional(given.params, 'policies') ?? 'ilm', ['*.json']).map(
      ([name, { policy }]): Wire => ({
        method: 'PUT',
        path: `/_ilm/policy/${inPath(name)}`,
        body: { policy },
      }),
    ),
  );

/** Templates of the track without what an operation removes from their settings. */
const withoutSettings =
  (plainly: Convert, path: string): Convert =>
  (given) => {
    const removed = [
      ...(isTrue(given.params['remove-pipelines']) ? ['default_pipeline', 'final_pipeline'] : []),
      ...(isTrue(given.params['remove-routing-shards']) ? ['number_of_routing_shards'] : []),
    ];
    const made = plainly(given);
    if (!('sends' in made)) return made;
    const cut = (wire: Wire): Wire => {
      const body = wire.body as { template?: { settings?: { index?: Fields } } } | undefined;
      const index = body?.template?.settings?.index;
      if (index === undefined || !wire.path.startsWith(path)) return wire;
      const kept = Object.fromEntries(Object.entries(index).filter(([key]) => !removed.includes(key)));
      return {
        ...wire,
        body: {
          ...body,
          template: { ...body!.template, settings: { ...body!.template!.settings, index: kept } },
        },
      };
    };
    return { ...made, sends: made.sends.map(cut) };
  };

const model = (params: Fields, end = ''): string =>
  `/_ml/trained_models/${inPath(mandatory(params, 'model_id'))}${end}`;

const KNN = /class KnnParamSource/;
const KNOWN: readonly Known[] = [
  {
    name: 'knn-param-source',
    code: [KNN, /"field": "titleVector"/, /bz2\.open\(os\.path\.join\(cwd, QUERIES_FILENAME\)/],
    convert: knn({
      field: 'titleVector',
      k: 10,
      oversample: 'oversample',
      sized: true,
      filter: true,
      script: "dotProduct(params.query, 'titleVector') + 1.0",
      how: PACKED,
    }),
  },
  {
    name: 'knn-param-source',
    code: [
      KNN,
      /result\["body"\] = \{"query": knn_query\}/,
      /self\._queries\.append\(json\.loads\(vector_query\)\)/,
      /"oversample", -1/,
    ],
    convert: knn({
      field: 'emb',
      k: 10,
      candidates: 50,
      oversample: 'oversample',
      inQuery: true,
      filter: true,
      how: PACKED,
    }),
  },
  {
    name: 'knn-param-source',
    code: [
      KNN,
      /def build_knn_query\(/,
      /"field": "emb", "query_vector": query_vector\}/,
      /"oversample-rescore", -1/,
    ],
    convert: knn({ field: 'emb', oversample: 'oversample-rescore', how: PACKED, order: 'drawn' }),
  },
  {
    name: 'knn-param-source',
    code: [KNN, /self\._vector_field = "vector"/, /"num-candidates", 100\)/],
    convert: knn({
      field: 'vector',
      k: 10,
      candidates: 100,
      script: "cosineSimilarity(params.query, 'vector') + 1.0",
      how: PLAIN,
    }),
  },
  {
    name: 'knn-param-source',
    code: [
      KNN,
      /with open\(os\.path\.join\(cwd, QUERIES_FILENAME\)/,
      /"field": "emb"/,
      /"num-candidates", 50\)/,
    ],
    convert: knn({ field: 'emb', k: 10, candidates: 50, filter: true, how: PLAIN }),
  },
  {
    name: 'knn-param-source',
    code: [KNN, /def _random_normalized_vector/, /"visit_percentage": visit_percentage/],
    convert: randomVectors,
  },
  {
    name: 'knn-param-source',
    code: [
      KNN,
      /self\._queries\.append\(query_parser\(vector_query\)\)/,
      /result\["body"\] = \{"query": knn_query\}/,
    ],
    convert: knn({
      field: 'emb',
      k: 10,
      candidates: 50,
      inQuery: true,
      filter: true,
      how: `in the folder of the track: python3 -c "import bz2, json; from track import query_parser; [print(json.dumps({'vector': query_parser(line)})) for line in bz2.open('queries.json.bz2')]" > ${VECTORS}`,
    }),
  },
  {
    name: 'query-search',
    code: [SAMPLES, /class QueryParamSource\(QueryIteratorParamSource\)/],
    convert: querySearch,
  },
  { name: 'esql-search', code: [SAMPLES, /class EsqlSearchParamSource\(/], convert: esqlSearch },
  { name: 'retriever-search', code: [SAMPLES, /class RetrieverParamSource\(/], convert: retriever },
  {
    name: 'query-rules-search-param-source',
    code: [SAMPLES, /class QueryRulesSearchParamSource\(/],
    convert: rulesSearch,
  },
  {
    name: 'create-search-application-param-source',
    code: [SAMPLES, /class CreateSearchApplicationParamSource\(/],
    convert: (given) =>
      sends(given.params, {
        method: 'PUT',
        path: application(given),
        body: { indices: given.params['indices'] ?? given.track.indices.map(({ name }) => name) },
      }),
  },
  {
    name: 'search-application-search-param-source',
    code: [SAMPLES, /class SearchApplicationSearchParamSource\(/],
    convert: (given) => ({
      ...sends(given.params, {
        method: 'POST',
        path: `${application(given)}/_search`,
        body: { params: { query_string: QUERY } },
      }),
      ...sampled(given),
    }),
  },
  {
    name: 'pure-terms-query-source',
    code: [GEONAMES, /random\.randint\(1, 100\)/, /class PureTermsQueryParamSource/],
    convert: geonamesTerms(100, (terms) => ({ query: terms })),
  },
  {
    name: 'filtered-terms-query-source',
    code: [GEONAMES, /class FilteredTermsQueryParamSource/],
    convert: geonamesTerms(1000, (terms) => ({
      query: { bool: { must: [{ match: { 'feature_class.raw': 'T' } }], filter: [terms] } },
    })),
  },
  {
    name: 'prohibited-terms-query-source',
    code: [GEONAMES, /class ProhibitedTermsQueryParamSource/],
    convert: geonamesTerms(1000, (terms) => ({
      query: { bool: { must: [{ match: { 'feature_class.raw': 'A' } }], must_not: [terms] } },
    })),
  },
  {
    name: 'query_param_source',
    code: [
      /class QueryParamsSource/,
      /"minimum_should_match": "1<-1 3<49%"/,
      /generate_query\(query_obj\["text"\]/,
    ],
    convert: dbpedia,
  },
  {
    name: 'query_param_source',
    code: [/class QueryParamsSource/, /def generate_weighted_terms_query/, /query\["size"\] = self\._size/],
    convert: passages,
  },
  {
    name: 'reindex',
    code: [/register_runner\("reindex", reindex_async/, /es\.reindex\(body=params\.get\("body"\)/],
    convert: ({ params }) =>
      sends(params, { method: 'POST', path: '/_reindex', body: object(params['body'], 'body') }),
  },
  {
    name: 'cluster_info',
    code: [/async def cluster_info\(es, params\):\s+await es\.info\(\)/],
    convert: ({ params }) => sends(params, { method: 'GET', path: '/' }),
  },
  {
    name: 'datastream-source',
    code: [/from shared\.runners import datastream/],
    convert: ({ params, operation }) => {
      if (operation.type !== 'set-shards-datastream')
        throw new Unfit('looks what there is and decides by it');
      const replicas = params['number-of-replicas'];
      return sends(params, {
        method: 'PUT',
        path: `/${inPath(mandatory(params, 'data-stream'))}/_settings`,
        body: { number_of_replicas: replicas },
      });
    },
  },
  {
    name: 'validate-package-assets',
    code: [/from shared\.runners\.validate_package_assets import/],
    convert: ({ params, track: { benchmark } }) => ({
      ...sends(params, { method: 'GET', path: '/_index_template' }),
      notes: [
        `its answer is not looked at: ${benchmark.name} fails where the template of a package is not in it`,
      ],
    }),
  },
  {
    name: 'hybrid-bm25-knn-param-source',
    code: [
      /class HybridParamSource/,
      /"standard": \{"query": \{"bool": \{"should"/,
      /QUERIES_RECALL_FILENAME/,
    ],
    convert: hybrid,
  },
  {
    name: 'esql-hybrid-bm25-knn-param-source',
    code: [/class EsqlHybridParamSource/, /\| FUSE \| SORT _score DESC/, /QUERIES_RECALL_FILENAME/],
    convert: esqlHybrid,
  },
  {
    name: 'term-query-source',
    code: [/class TermQueryParamSource/, /random\.choice\(self\.tags\)/],
    convert: nested(() => ({ query: TAG }), 'tag'),
  },
  {
    name: 'sorted-term-query-source',
    code: [/class SortedTermQueryParamSource/, /random\.choice\(self\.tags\)/],
    convert: nested(
      () => ({
        query: TAG,
        sort: [{ 'answers.date': { mode: 'max', order: 'desc', nested: { path: 'answers' } } }],
      }),
      'tag',
    ),
  },
  {
    name: 'nested-query-source',
    code: [/class NestedQueryParamSource\(/, /random\.choice\(self\.dates\)/],
    convert: nested(
      (params) => ({ query: { bool: { must: [TAG, answersBefore(params, false)] } } }),
      'tag',
      'date',
    ),
  },
  {
    name: 'nested-query-source-with-inner-hits',
    code: [/class NestedQueryParamSourceWithInnerHits\(/, /random\.choice\(self\.dates\)/],
    convert: nested(
      (params) => ({ query: { bool: { must: [TAG, answersBefore(params, true)] } }, size: params['size'] }),
      'tag',
      'date',
    ),
  },
  {
    name: 'eql',
    code: [/register_runner\("eql", eql,/, /es\.eql\.search\(/],
    convert: ({ params }) => {
      const cluster = optional(params, 'cluster');
      const index = `${cluster === undefined ? '' : `${cluster}:`}${mandatory(params, 'index')}`;
      return sends(params, {
        method: 'POST',
        path: `/${inPath(index)}/_eql/search`,
        body: object(params['body'], 'body'),
      });
    },
  },
  {
    name: 'stop-trained-model-deployment',
    code: [/es\.ml\.stop_trained_model_deployment\(model_id=model_id, force=True\)/],
    convert: ({ params }) =>
      sends(params, { method: 'POST', path: model(params, '/deployment/_stop'), params: { force: true } }),
  },
  {
    name: 'start-trained-model-deployment',
    code: [/es\.ml\.start_trained_model_deployment\(/, /wait_for="fully_allocated"/, /cache_size="0b"/],
    convert: ({ params }) =>
      sends(params, {
        method: 'POST',
        path: model(params, '/deployment/_start'),
        params: query({
          wait_for: 'fully_allocated',
          number_of_allocations: params['number_of_allocations'],
          threads_per_allocation: params['threads_per_allocation'],
          queue_capacity: params['queue_capacity'],
          cache_size: '0b',
        }),
      }),
  },
  {
    name: 'delete-elser',
    code: [/method="DELETE", path=f"\/_ml\/trained_models\/\{model_id\}", params=\{"force": "true"\}/],
    convert: ({ params }) =>
      sends(params, { method: 'DELETE', path: model(params), params: { force: true } }),
  },
  {
    name: 'add-track-path',
    code: [/import .*create_pipeline|create_ilm/],
    convert: ({ operation, ...given }) => {
      const made = { 'create-pipeline': createPipelines, 'create-ilm': createPolicies }[operation.type];
      if (made === undefined)
        throw new Unfit(`is carried out by ${operation.type}, which is written in Python`);
      return made({ operation, ...given });
    },
  },
];

const RUNTIME_FIELDS = /class RuntimeFieldResolver\(loader\.TrackProcessor\)/;

/** Names of fields in an operation, by what its task's name says of them. */
function replaced(field: string, value: unknown): unknown {
  if (value === 'path' || value === 'status') return `${field}${value}`;
  if (Array.isArray(value)) return value.map((one) => replaced(field, one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [replaced(field, key) as string, replaced(field, inner)]),
  );
}

/** What a track processor of Rally's public tracks makes of an operation when its track has been loaded. */
export function processed(task: Task, { code }: Python, { tracked }: Track): Operation {
  const [, source, way] = /^.+-from-(.+)-using-(.+)/.exec(task.name) ?? [];
  if (way === undefined || !RUNTIME_FIELDS.test(code)) return task.operation;
  const { operation } = task;
  const field = `${way.replaceAll('-', '_')}.from_${source}.`;
  const params = tracked.changed(operation.params, (own) => replaced(field, own) as Fields);
  return { ...operation, params };
}

/** What comes nearest to a source, by what its name and its type say of it. */
const NEAREST: readonly { name: RegExp; nearest: string }[] = [
  { name: /recall|relevance|ndcg/, nearest: 'a search with expect, which counts wrong answers' },
  { name: /knn|vector/, nearest: 'a search whose query_vector is drawn from a file' },
  { name: /quer|search|terms/, nearest: 'requests with parameters drawn from a file' },
  { name: /workflow/, nearest: 'a transaction of its searches, with dates drawn' },
  {
    name: /bulk|processed|initial-indices|events/,
    nearest: 'ingest from a generator, or from a file that the Python code has written',
  },
  {
    name: /datastream|data-stream|template|pipeline|ilm|privileges|cluster|snapshot|model|elser|package/,
    nearest: 'http requests',
  },
];

function left({ operation }: Given, name: string, why: string): Conversion {
  const near = NEAREST.find((one) => one.name.test(name) || one.name.test(operation.type))?.nearest;
  return { left: why, ...(near === undefined ? {} : { nearest: near }) };
}

const known = ({ python: { code } }: Given, name: string): Convert | undefined =>
  KNOWN.find((one) => one.name === name && one.code.every((part) => part.test(code)))?.convert;

const TEMPLATES: Readonly<Record<string, string>> = {
  'component-template-source': '/_component_template/',
  'composable-template-source': '/_index_template/',
};
const SHARED_TEMPLATES = /from shared\.parameter_sources\.templates import/;

/** An operation whose parameters come from the track's Python; `typed` is how its type is converted without it. */
export function pythonSource(
  given: Given,
  source: string,
  typed: (type: string) => Convert | undefined,
): Conversion {
  const own = known(given, source);
  if (own !== undefined) return own(given);
  const path = TEMPLATES[source];
  const plainly = typed(given.operation.type);
  if (path !== undefined && plainly !== undefined && SHARED_TEMPLATES.test(given.python.code)) {
    return withoutSettings(plainly, path)(given);
  }
  return left(given, source, `takes its parameters from ${source}, which is written in Python`);
}

/** An operation that is not of a known type: the track's Python carries it out, or its name is misspelt. `types`: the known ones. */
export function pythonRunner(given: Given, types: readonly string[]): Conversion {
  const { operation, python, track } = given;
  const { type } = operation;
  const own = known(given, type);
  if (own !== undefined) return own(given);
  const candidates = operation.place === undefined ? [...track.operations, ...types] : types;
  const meant = nearest(type, candidates);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  if (python.code !== '')
    return left(given, type, `is carried out by ${type}, which is written in Python${hint}`);
  const what =
    operation.place === undefined
      ? `is neither the name of an operation of the ${track.benchmark.track} nor a type that is known here`
      : `has the type ${type}, which is not known here`;
  return left(given, type, `${what}${hint}`);
}
