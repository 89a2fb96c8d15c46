/**
 * Table of the modules that features of Elasticsearch need. If a module is missing, Elasticsearch reports its features only as unknown
 * names. This happens often, because the reduced distribution that Dyno downloads has few modules.
 *
 * Source: the build files of Elasticsearch 9 (`modules/`, `x-pack/plugin/`, `plugins/`), and the modules that `GET /_nodes/plugins` of the
 * default distribution reports.
 */
import type { Aspect, Use } from './capabilities';

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
  'rank-rrf': 'the retrievers rrf and linear',
  'search-business-rules': 'the query and the retriever pinned',
  'x-pack-ent-search': 'query rules',
  'x-pack-ml': 'aggregations such as categorize_text, change_point and frequent_item_sets',
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
  spatial: 'the field types geo_shape, point and shape, and aggregations such as geohex_grid',
  'x-pack-inference':
    'the field types semantic_text and semantic, and the retriever text_similarity_reranker',
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
  semantic: 'x-pack-inference',
  histogram: 'x-pack-analytics',
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
  geo_grid: 'spatial',
  shape: 'spatial',
  pinned: 'search-business-rules',
  rule: 'x-pack-ent-search',
  rule_query: 'x-pack-ent-search',
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
  time_series: 'aggregations',
  boxplot: 'x-pack-analytics',
  cumulative_cardinality: 'x-pack-analytics',
  moving_percentiles: 'x-pack-analytics',
  multi_terms: 'x-pack-analytics',
  normalize: 'x-pack-analytics',
  rate: 'x-pack-analytics',
  string_stats: 'x-pack-analytics',
  t_test: 'x-pack-analytics',
  top_metrics: 'x-pack-analytics',
  bucket_correlation: 'x-pack-ml',
  bucket_count_ks_test: 'x-pack-ml',
  categorize_text: 'x-pack-ml',
  change_point: 'x-pack-ml',
  frequent_item_sets: 'x-pack-ml',
  inference: 'x-pack-ml',
  cartesian_bounds: 'spatial',
  cartesian_centroid: 'spatial',
  geo_line: 'spatial',
  geohex_grid: 'spatial',
  children: 'parent-join',
  parent: 'parent-join',
};

/** Keys in the body of a search, as {@link Use} names them. */
const SEARCH_KEYS: Readonly<Record<string, string>> = {
  'retriever.rrf': 'rank-rrf',
  'retriever.linear': 'rank-rrf',
  'retriever.pinned': 'search-business-rules',
  'retriever.rule': 'x-pack-ent-search',
  'retriever.text_similarity_reranker': 'x-pack-inference',
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

const moduleOfApi = (path: string): string | undefined => APIS.find(([form]) => form.test(path))?.[1];

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
    part: moduleOfApi,
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

/** For each aspect of a use, a function that returns the module which the use needs; undefined if it needs no module. */
const OF_USES: Readonly<Partial<Record<Aspect, (name: string) => string | undefined>>> = {
  request: among(OF_REQUESTS),
  path: moduleOfApi,
  query: among(QUERIES),
  aggregation: among(AGGREGATIONS),
  search: among(SEARCH_KEYS),
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the module of the script language that a key needs; undefined if the key contains no script. */
function moduleOfScript(key: string, value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
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
 * Returns the modules that `uses` and the scripts in `tasks` need, but that `present` (the modules of the target) does not contain. `tasks`:
 * tasks, or the body of a search. Empty if the target has a default distribution. The modules of a default distribution differ by version,
 * and a module that the target does not list may still work.
 */
export function unmetNeeds(
  uses: readonly Pick<Use, 'aspect' | 'name'>[],
  tasks: unknown,
  present: ReadonlySet<string>,
): UnmetNeed[] {
  if (missingModules(present).length === 0) return [];
  const found = new Map<string, string>();
  const need = (module: string | undefined, by: string): void => {
    if (module !== undefined && !present.has(module) && !found.has(module)) found.set(module, by);
  };
  for (const { aspect, name } of uses) need(OF_USES[aspect]?.(name), name);
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      need(moduleOfScript(key, inner), key);
      visit(inner);
    }
  };
  visit(tasks);
  return [...found].map(([module, by]) => ({
    module,
    message: `the target lacks the module ${module}, which provides ${MODULES[module] ?? by} (used by \`${by}\`)`,
  }));
}
