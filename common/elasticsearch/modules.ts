/**
 * Table of the modules that features of Elasticsearch need. If a module is missing, Elasticsearch reports its features only as unknown
 * names. This happens often, because the reduced distribution that Dyno downloads has few modules.
 *
 * Source: the build files of Elasticsearch 9 (`modules/`, `x-pack/plugin/`, `plugins/`), and the modules that `GET /_nodes/plugins` of the
 * default distribution reports.
 */

/** Features of each module of the default distribution, worded as an item of a list. Modules that measurements hardly need are left out. */
const MODULES: Readonly<Record<string, string>> = {
  'analysis-common': 'analyzers of languages such as english, and most tokenizers and token filters',
  'mapper-extras':
    'the field types scaled_float, match_only_text, rank_feature, rank_features, search_as_you_type and token_count',
  'lang-painless': 'scripts in Painless',
  'lang-expression': 'scripts in expressions',
  'lang-mustache': 'search templates',
  'ingest-common': 'ingest processors such as set, rename, date and grok',
  'data-streams': 'data streams',
  'x-pack-esql': 'ES|QL',
  'x-pack-kql': 'the query kql',
  'x-pack-sql': 'SQL',
  'x-pack-eql': 'EQL',
  'x-pack-async-search': 'asynchronous searches',
  'x-pack-ilm': 'index lifecycle management',
  aggregations: 'aggregations such as auto_date_histogram, adjacency_matrix and derivative',
  'x-pack-analytics': 'aggregations such as top_metrics, boxplot and rate',
  percolator: 'the field type and the query percolator',
  'parent-join': 'the field type join, and the queries has_child and has_parent',
  reindex: '_reindex, _update_by_query and _delete_by_query',
  'rank-eval': '_rank_eval',
  'constant-keyword': 'the field type constant_keyword',
  wildcard: 'the field type wildcard',
  'unsigned-long': 'the field type unsigned_long',
  'mapper-version': 'the field type version',
  'x-pack-aggregate-metric': 'the field type aggregate_metric_double',
  'counted-keyword': 'the field type counted_keyword',
  spatial: 'the field types geo_shape, point and shape',
  'x-pack-inference': 'the field type semantic_text',
};

/** Modules that every version of the default distribution has. A target that lacks one of them has a reduced distribution. */
const ALWAYS = ['analysis-common', 'mapper-extras', 'lang-painless', 'ingest-common'];

const FIELD_TYPES: Readonly<Record<string, string>> = {
  scaled_float: 'mapper-extras',
  match_only_text: 'mapper-extras',
  rank_feature: 'mapper-extras',
  rank_features: 'mapper-extras',
  search_as_you_type: 'mapper-extras',
  token_count: 'mapper-extras',
  percolator: 'percolator',
  join: 'parent-join',
  constant_keyword: 'constant-keyword',
  wildcard: 'wildcard',
  unsigned_long: 'unsigned-long',
  version: 'mapper-version',
  aggregate_metric_double: 'x-pack-aggregate-metric',
  counted_keyword: 'counted-keyword',
  geo_shape: 'spatial',
  point: 'spatial',
  shape: 'spatial',
  semantic_text: 'x-pack-inference',
  murmur3: 'mapper-murmur3',
  annotated_text: 'mapper-annotated-text',
  icu_collation_keyword: 'analysis-icu',
};

/** Plugins that no distribution contains. They must be installed on the nodes. */
const PLUGINS = new Set([
  'mapper-murmur3',
  'mapper-annotated-text',
  'analysis-icu',
  'analysis-kuromoji',
  'analysis-nori',
  'analysis-phonetic',
  'analysis-smartcn',
  'analysis-stempel',
  'analysis-ukrainian',
]);

/**
 * The module or plugin of an analyzer, tokenizer or filter, by a part of its name. {@link COMMON_ANALYSIS} contains the names of the module
 * `analysis-common`.
 */
const ANALYSIS: readonly [name: RegExp, part: string][] = [
  [/^icu_/, 'analysis-icu'],
  [/^(kuromoji|ja_)/, 'analysis-kuromoji'],
  [/^nori/, 'analysis-nori'],
  [/phonetic|metaphone/, 'analysis-phonetic'],
  [/^smartcn/, 'analysis-smartcn'],
  [/^polish/, 'analysis-stempel'],
  [/^ukrainian/, 'analysis-ukrainian'],
];
/**
 * Pattern of the names of analyzers, tokenizers and filters in the module `analysis-common`. {@link ANALYSIS} has the names of other
 * modules. A refused name that matches neither is misspelt or was chosen by a user.
 */
const COMMON_ANALYSIS =
  /^(arabic|armenian|basque|bengali|brazilian|bulgarian|catalan|chinese|cjk|czech|danish|dutch|english|estonian|finnish|fingerprint|french|galician|german|greek|hindi|hungarian|indonesian|irish|italian|latvian|lithuanian|norwegian|pattern|persian|portuguese|romanian|russian|serbian|snowball|sorani|spanish|swedish|thai|turkish|.*ngram|char_group|classic|keyword|letter|lowercase|uppercase|path_hierarchy|pattern_.*|simple_pattern.*|uax_url_email|whitespace|html_strip|mapping|asciifolding|.*_stem|.*stemmer|apostrophe|common_grams|condition|decimal_digit|delimited_payload|dictionary_decompounder|hyphenation_decompounder|elision|flatten_graph|keep|keep_types|keyword_marker|keyword_repeat|kstem|length|limit|min_hash|multiplexer|.*_normalization|porter_stem|predicate_token_filter|remove_duplicates|reverse|stemmer_override|synonym|synonym_graph|trim|truncate|unique|word_delimiter|word_delimiter_graph)$/;

const QUERIES: Readonly<Record<string, string>> = {
  percolate: 'percolator',
  has_child: 'parent-join',
  has_parent: 'parent-join',
  parent_id: 'parent-join',
  rank_feature: 'mapper-extras',
  shape: 'spatial',
  semantic: 'x-pack-inference',
  kql: 'x-pack-kql',
};

const AGGREGATIONS: Readonly<Record<string, string>> = {
  adjacency_matrix: 'aggregations',
  auto_date_histogram: 'aggregations',
  bucket_selector: 'aggregations',
  bucket_sort: 'aggregations',
  derivative: 'aggregations',
  matrix_stats: 'aggregations',
  moving_fn: 'aggregations',
  serial_diff: 'aggregations',
  time_series: 'aggregations',
  boxplot: 'x-pack-analytics',
  cumulative_cardinality: 'x-pack-analytics',
  moving_percentiles: 'x-pack-analytics',
  rate: 'x-pack-analytics',
  string_stats: 'x-pack-analytics',
  t_test: 'x-pack-analytics',
  top_metrics: 'x-pack-analytics',
  children: 'parent-join',
  parent: 'parent-join',
};

const LANGUAGES: Readonly<Record<string, string>> = {
  painless: 'lang-painless',
  expression: 'lang-expression',
  mustache: 'lang-mustache',
};

/** Modules by the API that needs them. `path`: pattern of the API's part of a path. */
const APIS: readonly [path: RegExp, module: string][] = [
  [/\/_query(\/|$)/, 'x-pack-esql'],
  [/\/_sql(\/|$)/, 'x-pack-sql'],
  [/\/_eql(\/|$)/, 'x-pack-eql'],
  [/\/_async_search(\/|$)/, 'x-pack-async-search'],
  [/\/_(m?search\/template|render)(\/|$)/, 'lang-mustache'],
  [/\/_(reindex|update_by_query|delete_by_query)(\/|$)/, 'reindex'],
  [/\/_data_stream(\/|$)/, 'data-streams'],
  [/\/_ilm(\/|$)/, 'x-pack-ilm'],
  [/\/_rank_eval(\/|$)/, 'rank-eval'],
];

const analysisOf = (name: string): string | undefined =>
  ANALYSIS.find(([form]) => form.test(name))?.[1] ??
  (COMMON_ANALYSIS.test(name) ? 'analysis-common' : undefined);

/** A name that Elasticsearch refused, with the module or plugin that provides it. */
interface Missing {
  what: string;
  part: string;
}

interface Form {
  /** Pattern of Elasticsearch's message. Its last group is the unknown name. */
  says: RegExp;
  what: (name: string) => string;
  part: (name: string) => string | undefined;
}

const named = (kind: string) => (name: string) => `the ${kind} ${name}`;
const among = (parts: Readonly<Record<string, string>>) => (name: string) =>
  Object.hasOwn(parts, name) ? parts[name] : undefined;

/** Elasticsearch's messages about unknown names. Some differ between versions 7 to 9. */
const FORMS: readonly Form[] = [
  {
    says: /No handler for type \[([^\]]+)\]|mapper type \[([^\]]+)\] declared on/i,
    what: named('field type'),
    part: among(FIELD_TYPES),
  },
  {
    says: /(?:Unknown|failed to find)(?: global)? (?:analyzer|tokenizer|(?:token |token_?|char_?)?filter|normalizer)(?: type)?(?: for| under)?(?: name)? \[([^\]]+)\]|analyzer \[([^\]]+)\] (?:has not been configured|not found)/i,
    what: (name) => `${name} of text analysis`,
    part: analysisOf,
  },
  {
    says: /No processor type exists with name \[([^\]]+)\]/i,
    what: named('ingest processor'),
    part: (name) =>
      name === 'geoip' ? 'ingest-geoip' : name === 'user_agent' ? 'ingest-user-agent' : 'ingest-common',
  },
  { says: /script_lang not supported \[([^\]]+)\]/i, what: named('script language'), part: among(LANGUAGES) },
  {
    says: /unknown aggregation type \[([^\]]+)\]/i,
    what: named('aggregation'),
    part: among(AGGREGATIONS),
  },
  { says: /unknown query \[([^\]]+)\]/i, what: named('query'), part: among(QUERIES) },
  {
    // For an unknown path with one segment, Elasticsearch assumes that it is the name of an index, and therefore reports a wrong method.
    says: /(?:no handler found|Incorrect HTTP method) for uri \[([^\]?]+)[^\]]*\]/i,
    what: (path) => `the API ${path}`,
    part: (path) => APIS.find(([form]) => form.test(path))?.[1],
  },
  {
    says: /unknown setting \[index\.(lifecycle\.[^\]]+)\]/i,
    what: (name) => `the index setting ${name}`,
    part: () => 'x-pack-ilm',
  },
];

function missingIn(reason: string): Missing | undefined {
  for (const { says, what, part } of FORMS) {
    const name = says.exec(reason)?.slice(1).find(Boolean);
    const found = name === undefined ? undefined : part(name);
    if (name !== undefined && found !== undefined) return { what: what(name), part: found };
  }
  return undefined;
}

/** Advice to users whose cluster lacks a module, for errors and pages. */
export const WAY_OUT =
  'If Dyno started this Elasticsearch, it is a reduced distribution: start Dyno with --distribution full, which downloads the whole one, or set environment.distribution: full. Or measure on a cluster with the default distribution: add it on the page Targets, or give --elasticsearch URL';

/** Modules that Dyno adds to the reduced distribution, with the versions of Elasticsearch for which it adds them. */
export const ADDED_IN: Readonly<Record<string, string>> = {
  'x-pack-esql': '8.19.21',
  'x-pack-kql': '8.19.21',
};

/**
 * Returns advice to users whose cluster lacks this module. If a reduced distribution with the module exists, the advice mentions it first.
 */
export const wayOut = (module: string): string =>
  Object.hasOwn(ADDED_IN, module)
    ? `In a definition, environment.version: ${ADDED_IN[module]!} starts a reduced distribution that has this module. ${WAY_OUT}`
    : WAY_OUT;

/** Returns a sentence about the missing module or plugin, for display after Elasticsearch's reason. '' if the error has another cause. */
export function explainMissing(reason: string): string {
  const missing = missingIn(reason);
  if (missing === undefined) return '';
  const { what, part } = missing;
  return PLUGINS.has(part)
    ? `The target lacks the plugin ${part}, which provides ${what}: install it there, or measure on another cluster`
    : `The target lacks the module ${part}, which provides ${what}. ${wayOut(part)}`;
}

/** Returns Elasticsearch's reason, followed by the result of {@link explainMissing}. */
export function withMissing(reason: string): string {
  const missing = explainMissing(reason);
  return missing === '' ? reason : `${reason.replace(/\.$/, '')}. ${missing}`;
}

export interface MissingModule {
  module: string;
  /** Features that the module provides. */
  brings: string;
}

/** Returns the modules that a distribution with the modules `present` lacks. Empty if the distribution is a default distribution. */
export function missingModules(present: ReadonlySet<string>): MissingModule[] {
  if (ALWAYS.every((module) => present.has(module))) return [];
  return Object.entries(MODULES)
    .filter(([module]) => !present.has(module))
    .map(([module, brings]) => ({ module, brings }));
}

/** Modules that kinds of requests need, by the key of the kind in a definition. */
const OF_REQUESTS: Readonly<Record<string, string>> = {
  esql: 'x-pack-esql',
  sql: 'x-pack-sql',
  eql: 'x-pack-eql',
  'async-search': 'x-pack-async-search',
};

/**
 * Queries of optional modules for which the name of the key alone shows that it is a query. Names such as `shape` are left out, because
 * they are also types of fields.
 */
const JOINS = ['percolate', 'has_child', 'has_parent', 'parent_id'];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the module that a key of a task or of a search body needs; undefined if it needs no module. `value`: value of the key. `around`:
 * the object that contains the key.
 */
function moduleFor(key: string, value: unknown, around: unknown): string | undefined {
  if (key === 'path' && typeof value === 'string') return APIS.find(([form]) => form.test(value))?.[1];
  if (!isObject(value)) return undefined;
  // A key is the kind of a request only if the key `name` is next to it. Otherwise it may be a parameter with the same name.
  if (Object.hasOwn(OF_REQUESTS, key) && isObject(around) && 'name' in around) return OF_REQUESTS[key];
  if (JOINS.includes(key) || (key === 'kql' && typeof value['query'] === 'string')) return QUERIES[key];
  if (key === 'scripted_metric') return LANGUAGES['painless'];
  if (key === 'script' && 'source' in value) return LANGUAGES[String(value['lang'] ?? 'painless')];
  return undefined;
}

/** A module that something needs and the target lacks. */
export interface UnmetNeed {
  module: string;
  message: string;
}

/**
 * Returns the modules that `tasks` (tasks, or the body of a search) need, but that `present` (the modules of the target) does not contain.
 * Empty if the target has a default distribution. The modules of a default distribution differ by version, and a module that the target
 * does not list may still work.
 */
export function unmetNeeds(tasks: unknown, present: ReadonlySet<string>): UnmetNeed[] {
  if (missingModules(present).length === 0) return [];
  const found = new Map<string, string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const module = moduleFor(key, inner, value);
      if (module !== undefined && !present.has(module) && !found.has(module)) found.set(module, key);
      visit(inner);
    }
  };
  visit(tasks);
  return [...found].map(([module, key]) => ({
    module,
    message: `the target lacks the module ${module}, which provides ${MODULES[module] ?? key} (used by \`${key}\`)`,
  }));
}
