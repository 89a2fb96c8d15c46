/**
 * Grammar of searches: queries, aggregations, sorting, suggestions and everything else in the body of a search. A key that the grammar does
 * not contain is removed and counted. If a query has an unknown type, the whole request is dropped, because without the query it would find
 * other documents.
 */
import { exactText, heldString, plainKey } from '../../json/exact';
import { GONE, isNumber, isObject, NotUnderstood, type Masking } from './masking';
import {
  analyzer,
  byField,
  byLabel,
  contextId,
  fieldName,
  format,
  id,
  index,
  isIdentifier,
  keep,
  keeps,
  label,
  later,
  listOf,
  locale,
  object,
  objectOr,
  place,
  preference,
  prefix,
  punctuation,
  regexp,
  relation,
  text,
  timeZone,
  value,
  vector,
  wildcard,
  withField,
  type At,
  type Rule,
  type Rules,
} from './rules';

// Scripts

/**
 * Rule for the parameters of scripts and templates. A number is masked like the numbers in the field that has the same name as the
 * parameter.
 */
export const parameters: Rule = (masking, found, at) => maskedParameters(masking, found, at, () => false);

/** Rule for the parameters of templates. Numbers that select a page of the result stay. */
export const templateParameters: Rule = (masking, found, at) =>
  maskedParameters(masking, found, at, (name, token) => PAGING.test(name) && PAGE_NUMBER.test(token));

const PAGING =
  /^(?:size|from|offset|limit|start|rows|page|page_?(?:size|number)|per_?page|k|num_?candidates)$/i;
/** Matches numbers that select a page of the result. Elasticsearch refuses larger numbers, unless an index allows them. */
const PAGE_NUMBER = /^(?:\d{1,4}|10000)$/;

function maskedParameters(
  masking: Masking,
  found: unknown,
  { where }: At,
  isKept: (name: string, token: string) => boolean,
): unknown {
  const inner = (one: unknown, name: string): unknown => {
    if (isNumber(one)) return isKept(name, exactText(one)) ? one : masking.number(name, one);
    if (typeof one === 'string') return masking.value(name, one);
    if (Array.isArray(one)) return one.map((each) => inner(each, name)).filter((each) => each !== GONE);
    if (!isObject(one)) return one;
    return object({}, (_, key, each) => [masking.parameterKey(key), inner(each, plainKey(key))])(
      masking,
      one,
      {
        field: '',
        where,
      },
    );
  };
  // The code of the script contains the names of its parameters, so these stay. But keys inside a parameter may be values.
  return object({}, (_, name, each) =>
    isIdentifier(name) ? [name, inner(each, name)] : masking.removed(where),
  )(masking, found, { field: '', where });
}

const scriptSource =
  (names: readonly string[]): Rule =>
  (masking, found, { where }) =>
    typeof found === 'string'
      ? heldString(masking.script(plainKey(found), new Set(names)))
      : masking.removed(where);

export const script: Rule = (masking, found, at) => {
  const params = isObject(found) ? found['params'] : undefined;
  const source = scriptSource(isObject(params) ? Object.keys(params).filter(isIdentifier) : []);
  return objectOr(
    // `id` and `stored` contain the name of a stored script.
    object({ source, inline: source, params: parameters, id: label, stored: label, lang: keep }),
    source,
  )(masking, found, at);
};

// Queries

const query = later(() => anyQuery);
const queries = listOf(query);
const NAMED: Rules = { boost: keep, _name: label };
const TEXT_OPTIONS: Rules = {
  analyzer,
  ...keeps(
    'operator fuzziness prefix_length max_expansions slop minimum_should_match zero_terms_query lenient ' +
      'auto_generate_synonyms_phrase_query fuzzy_transpositions fuzzy_rewrite cutoff_frequency rewrite case_insensitive type tie_breaker',
  ),
};
const fuzzyNoted =
  (rule: Rule): Rule =>
  (masking, found, at) => {
    if (isObject(found) && found['fuzziness'] !== undefined)
      masking.note('fuzzy search: misspelt words find nothing');
    return rule(masking, found, at);
  };

const matching = (rule: Rule): Rule =>
  byField(fuzzyNoted(objectOr(object({ ...NAMED, ...TEXT_OPTIONS, query: rule }), rule)), NAMED);
const termLevel = (rule: Rule, ...keys: string[]): Rule =>
  byField(
    objectOr(
      object({ ...NAMED, ...TEXT_OPTIONS, ...Object.fromEntries(keys.map((key) => [key, rule])) }),
      rule,
    ),
    NAMED,
  );

const queryString: Rule = (masking, found, { field, where }) =>
  typeof found === 'string'
    ? heldString(masking.queryString(field, plainKey(found)))
    : masking.removed(where);
const simpleQueryString: Rule = (masking, found, { where }) =>
  typeof found === 'string' ? heldString(masking.simpleQueryString(plainKey(found))) : masking.removed(where);

const QUERY_STRING_OPTIONS: Rules = {
  ...{ analyzer, quote_analyzer: analyzer, quote_field_suffix: fieldName, time_zone: timeZone },
  ...keeps(
    'default_operator allow_leading_wildcard enable_position_increments fuzzy_max_expansions fuzzy_prefix_length fuzzy_transpositions ' +
      'phrase_slop analyze_wildcard lenient max_determinized_states minimum_should_match rewrite tie_breaker type flags ' +
      'auto_generate_synonyms_phrase_query escape fuzziness fuzzy_rewrite',
  ),
};

/** Rule for the text of a query over several fields. In queries of two types, the last word of the text may be incomplete. */
const multiMatchText: Rule = (masking, found, at) => {
  const { query: words, type }: { query?: unknown; type?: unknown } = isObject(found) ? found : {};
  const isPrefix = type === 'phrase_prefix' || type === 'bool_prefix';
  return (isPrefix ? prefix : value)(masking, words, at);
};
const multiMatch: Rule = (masking, found, at) =>
  fuzzyNoted(
    object({
      ...{ ...NAMED, ...TEXT_OPTIONS, fields: fieldName },
      query: (inner, _, where) => multiMatchText(inner, found, where),
    }),
  )(masking, found, at);

/** Returns a rule for a query over several fields. If the query contains only one field, its values are masked like those of this field. */
function ofOneField(rule: Rule): Rule {
  return (masking, found, at) => {
    const { fields, default_field: only }: { fields?: unknown; default_field?: unknown } = isObject(found)
      ? found
      : {};
    const names = [only ?? fields ?? []].flat();
    const field =
      names.length === 1 && typeof names[0] === 'string' ? plainKey(names[0]).replace(/\^.*$/, '') : '';
    return rule(masking, found, { ...at, field: field.includes('*') ? '' : field });
  };
}

const RANGE: Rules = {
  ...Object.fromEntries('gte gt lte lt from to'.split(' ').map((key) => [key, value])),
  ...{ ...NAMED, format, time_zone: timeZone },
  ...keeps('include_lower include_upper relation'),
};

const lookup = object({ index, id, path: fieldName, routing: id });

const GEO: Rules = {
  ...NAMED,
  ...keeps(
    'distance distance_type validation_method ignore_malformed ignore_unmapped optimize_bbox unit type',
  ),
};
const rectangle: Rule = (masking, found, { field, where }) => {
  const masked = masking.rectangle(masking.knowledge.fieldOf(field), found);
  return masked === GONE ? masking.removed(where) : masked;
};
const indexedShape = object({ index, id, path: fieldName, routing: id });

const intervals: Rule = later(() =>
  object({
    match: object({
      ...{ query: value, filter: intervalsFilter, use_field: fieldName, analyzer },
      ...keeps('max_gaps ordered'),
    }),
    any_of: object({ intervals: listOf(intervals), filter: intervalsFilter }),
    all_of: object({
      intervals: listOf(intervals),
      filter: intervalsFilter,
      ...keeps('max_gaps ordered mode'),
    }),
    prefix: object({ prefix, use_field: fieldName, analyzer }),
    wildcard: object({ pattern: wildcard, use_field: fieldName, analyzer }),
    regexp: object({ pattern: regexp, use_field: fieldName, analyzer }),
    fuzzy: object({
      term: value,
      ...{ use_field: fieldName, analyzer },
      ...keeps('prefix_length transpositions fuzziness'),
    }),
    range: object({ ...RANGE, use_field: fieldName, analyzer }),
    ...NAMED,
  }),
);
const intervalsFilter: Rule = later(() =>
  object({
    ...Object.fromEntries(
      'after before contained_by containing not_contained_by not_containing not_overlapping overlapping'
        .split(' ')
        .map((key) => [key, intervals]),
    ),
    script,
  }),
);

const decay = byField(object({ origin: value, ...keeps('scale offset decay') }), { multi_value_mode: keep });
const SCORING: Rules = {
  ...{ filter: query, weight: keep, gauss: decay, exp: decay, linear: decay },
  script_score: object({ script, ...NAMED }),
  // Programs use, for example, the id of a user as seed.
  random_score: object({ seed: id, field: fieldName }),
  field_value_factor: object({ field: fieldName, ...keeps('factor modifier missing') }),
};

const likeDocument = object({
  ...{
    _index: index,
    _id: id,
    routing: id,
    _routing: id,
    fields: fieldName,
    doc: documentRule,
    per_field_analyzer: byField(analyzer),
  },
  ...keeps('version version_type'),
});
function documentRule(masking: Masking, found: unknown): unknown {
  return masking.document(found);
}

const KNN: Rules = {
  ...{
    ...NAMED,
    field: fieldName,
    query_vector: vector,
    vector,
    filter: queries,
    inner_hits: later(() => innerHits),
  },
  query_vector_builder: object({ text_embedding: object({ model_id: label, model_text: text }) }),
  ...keeps(
    'k num_candidates similarity rescore_vector visit_percentage min_score max_distance method_parameters expand_nested_docs',
  ),
  rescore_vector: object(keeps('oversample')),
  method_parameters: object(keeps('ef_search nprobes')),
};
const knn = listOf(withField('field', object(KNN)));

const tokens: Rule = (masking, found, { where }) => {
  if (!isObject(found)) return masking.removed(where);
  return Object.fromEntries(
    Object.entries(found).map(([token, weight]) => [
      heldString(masking.text(plainKey(token))),
      isNumber(weight) ? weight : null,
    ]),
  );
};

const span = query;
const QUERIES: Rules = {
  match_all: object(NAMED),
  match_none: object(NAMED),
  bool: object({
    ...NAMED,
    ...Object.fromEntries('must filter should must_not'.split(' ').map((key) => [key, queries])),
    ...keeps('minimum_should_match adjust_pure_negative disable_coord'),
  }),
  boosting: object({ ...NAMED, positive: query, negative: query, negative_boost: keep }),
  constant_score: object({ ...NAMED, filter: query }),
  dis_max: object({ ...NAMED, queries, tie_breaker: keep }),
  hybrid: object({ ...NAMED, queries, pagination_depth: keep }),
  nested: object({
    ...{ ...NAMED, path: fieldName, query, inner_hits: later(() => innerHits) },
    ...keeps('score_mode ignore_unmapped'),
  }),
  has_child: object({
    ...{ ...NAMED, type: relation, query, inner_hits: later(() => innerHits) },
    ...keeps('score_mode min_children max_children ignore_unmapped'),
  }),
  has_parent: object({
    ...{ ...NAMED, parent_type: relation, query, inner_hits: later(() => innerHits) },
    ...keeps('score ignore_unmapped'),
  }),
  parent_id: object({ ...NAMED, type: relation, id, ignore_unmapped: keep }),
  match: matching(value),
  match_phrase: matching(value),
  match_phrase_prefix: matching(prefix),
  match_bool_prefix: matching(prefix),
  multi_match: ofOneField(multiMatch),
  combined_fields: ofOneField(multiMatch),
  query_string: ofOneField(
    object({
      ...NAMED,
      ...QUERY_STRING_OPTIONS,
      query: queryString,
      default_field: fieldName,
      fields: fieldName,
    }),
  ),
  simple_query_string: object({
    ...NAMED,
    ...QUERY_STRING_OPTIONS,
    query: simpleQueryString,
    fields: fieldName,
  }),
  term: termLevel(value, 'value', 'term'),
  terms: byField(objectOr(lookup, value), NAMED),
  terms_set: byField(
    object({
      ...{
        ...NAMED,
        terms: value,
        minimum_should_match_field: fieldName,
        minimum_should_match_script: script,
      },
      ...keeps('minimum_should_match'),
    }),
  ),
  range: byField(object(RANGE), NAMED),
  exists: object({ ...NAMED, field: fieldName }),
  prefix: termLevel(prefix, 'value', 'prefix'),
  wildcard: termLevel(wildcard, 'value', 'wildcard'),
  regexp: byField(
    objectOr(
      object({ ...NAMED, ...TEXT_OPTIONS, value: regexp, ...keeps('flags max_determinized_states') }),
      regexp,
    ),
    NAMED,
  ),
  fuzzy: (masking, found, at) => {
    masking.note('fuzzy search: misspelt words find nothing');
    return byField(
      objectOr(object({ ...NAMED, ...TEXT_OPTIONS, value, transpositions: keep }), value),
      NAMED,
    )(masking, found, at);
  },
  ids: object({ ...NAMED, values: listOf(id) }),
  intervals: byField(intervals, NAMED),
  span_term: termLevel(value, 'value', 'term'),
  span_near: object({ ...NAMED, clauses: listOf(span), ...keeps('slop in_order collect_payloads') }),
  span_or: object({ ...NAMED, clauses: listOf(span) }),
  span_not: object({ ...NAMED, include: span, exclude: span, ...keeps('dist pre post') }),
  span_first: object({ ...NAMED, match: span, end: keep }),
  span_multi: object({ ...NAMED, match: query }),
  span_containing: object({ ...NAMED, little: span, big: span }),
  span_within: object({ ...NAMED, little: span, big: span }),
  span_field_masking: object({ ...NAMED, query: span, field: fieldName }),
  field_masking_span: object({ ...NAMED, query: span, field: fieldName }),
  span_gap: byField(keep),
  function_score: object({
    ...{ ...NAMED, ...SCORING, query, functions: listOf(object(SCORING)) },
    ...keeps('score_mode boost_mode max_boost min_score'),
  }),
  script_score: object({ ...NAMED, query, script, min_score: keep }),
  script: object({ ...NAMED, script }),
  more_like_this: object({
    ...{
      ...NAMED,
      fields: fieldName,
      like: listOf(objectOr(likeDocument, text)),
      unlike: listOf(objectOr(likeDocument, text)),
    },
    ...{ stop_words: listOf(text), analyzer },
    ...keeps(
      'max_query_terms min_term_freq min_doc_freq max_doc_freq min_word_length max_word_length minimum_should_match boost_terms include fail_on_unsupported_field',
    ),
  }),
  distance_feature: withField('field', object({ ...NAMED, field: fieldName, origin: value, pivot: keep })),
  rank_feature: object({
    ...{ ...NAMED, field: fieldName, linear: object({}) },
    saturation: object(keeps('pivot')),
    log: object(keeps('scaling_factor')),
    sigmoid: object(keeps('pivot exponent')),
  }),
  percolate: object({
    ...{
      ...NAMED,
      field: fieldName,
      document: documentRule,
      documents: listOf(documentRule),
      index,
      id,
      routing: id,
      name: label,
    },
    ...{ preference, version: keep },
  }),
  pinned: object({
    ...{ ...NAMED, ids: listOf(id), docs: listOf(object({ _index: index, _id: id })), organic: query },
  }),
  semantic: object({ ...NAMED, field: fieldName, query: text }),
  sparse_vector: object({
    ...NAMED,
    field: fieldName,
    query: text,
    query_vector: tokens,
    ...{ inference_id: label, prune: keep },
  }),
  text_expansion: byField(object({ ...NAMED, model_id: label, model_text: text })),
  weighted_tokens: byField(object({ ...NAMED, tokens })),
  knn: (masking, found, at) => {
    const isElastic = isObject(found) && typeof found['field'] === 'string';
    return (isElastic ? knn : byField(object(KNN), NAMED))(masking, found, at);
  },
  geo_distance: byField(place, GEO),
  geo_bounding_box: byField(rectangle, GEO),
  geo_polygon: byField(object({ points: listPlaces }), GEO),
  geo_shape: byField(object({ shape: place, indexed_shape: indexedShape, ...keeps('relation') }), GEO),
};

/** Names of the types of queries, for tests. */
export const QUERY_TYPES: readonly string[] = Object.keys(QUERIES);

function listPlaces(masking: Masking, found: unknown, { field, where }: At): unknown {
  if (!Array.isArray(found)) return masking.removed(where);
  return found.flatMap((one) => {
    const masked = masking.place(masking.knowledge.fieldOf(field), one);
    return masked === GONE ? [] : [masked];
  });
}

export const anyQuery: Rule = (masking, found, at) => {
  if (!isObject(found)) throw new NotUnderstood('a query is not an object');
  const entries = Object.entries(found).map(([type, one]): [string, unknown] => {
    const rule = Object.hasOwn(QUERIES, type) ? QUERIES[type] : undefined;
    if (rule === undefined) throw new NotUnderstood(`Dyno does not know the query ${plainKey(type)}`);
    return [type, rule(masking, one, { field: '', where: `query.${type}` })];
  });
  if (entries.some(([, one]) => one === GONE))
    throw new NotUnderstood(`Dyno does not understand ${at.where}`);
  return Object.fromEntries(entries);
};

// Sorting and fields

const sortOptions = object({
  ...{
    nested: object({ path: fieldName, filter: query, max_children: keep, nested: later(() => sortNested) }),
    format,
  },
  ...keeps('order mode unmapped_type numeric_type ignore_unmapped reverse'),
  missing: (masking, found, at) =>
    found === '_last' || found === '_first' ? found : value(masking, found, at),
});
const sortNested: Rule = object({ path: fieldName, filter: query, max_children: keep });
const sortKey = byField(objectOr(sortOptions, keep), {
  _script: object({ script, ...keeps('type order mode') }),
  _geo_distance: byField(
    listPlacesOrOne,
    keeps('order unit mode distance_type ignore_unmapped validation_method'),
  ),
});
function listPlacesOrOne(masking: Masking, found: unknown, at: At): unknown {
  const isMany = Array.isArray(found) && found.some((one) => !isNumber(one));
  return isMany ? listPlaces(masking, found, at) : place(masking, found, at);
}
const sort = listOf(objectOr(sortKey, fieldName));

/** Returns the fields by which a search sorts, in their order. */
function sortFields(found: unknown): string[] {
  const all: unknown[] = Array.isArray(found) ? found : [found];
  return all.flatMap((one) => {
    if (typeof one === 'string') return [plainKey(one)];
    return isObject(one) ? Object.keys(one).map(plainKey) : [];
  });
}

/** Sort keys for positions of documents in shards. Their numbers are not values of users. */
const POSITIONS = new Set(['_doc', '_shard_doc']);

/**
 * Rule for `search_after`, which contains the sort values of the last hit. Each value is masked like a value of its sort field. If one of
 * the values does not come from a field, all of them are removed. Such values are scores, distances and results of scripts.
 */
const searchAfter =
  (body: unknown): Rule =>
  (masking, found, { where, request }) => {
    const { sort: own, pit }: { sort?: unknown; pit?: unknown } = isObject(body) ? body : {};
    const inUrl = request?.sort;
    if (!Array.isArray(found) || (own !== undefined && inUrl !== undefined)) return masking.removed(where);
    const fields =
      inUrl === undefined
        ? sortFields(own)
        : inUrl.split(',').map((one) => one.replace(/:(?:asc|desc)$/, ''));
    // With a point in time, Elasticsearch adds the position of the document as the last sort key.
    if (pit !== undefined && found.length === fields.length + 1) fields.push('_shard_doc');
    const masked = found.map((one: unknown, at) => {
      const field = fields[at] ?? '';
      if (POSITIONS.has(field)) return isNumber(one) ? one : GONE;
      return field === '' || (field.startsWith('_') && field !== '_id') ? GONE : masking.value(field, one);
    });
    return found.length !== fields.length || masked.includes(GONE) ? masking.removed(where) : masked;
  };

const fieldAndFormat = object({ field: fieldName, format, include_unmapped: keep });
export const fieldList = listOf(objectOr(fieldAndFormat, fieldName));
/** Rule for the filter that selects the fields of documents in the response (`_source`). */
export const sourceFilter = listOf((masking, found, at) =>
  typeof found === 'boolean'
    ? found
    : objectOr(
        object({
          ...{ includes: fieldName, include: fieldName, excludes: fieldName, exclude: fieldName },
          ...keeps('exclude_vectors'),
        }),
        fieldName,
      )(masking, found, at),
);

// Highlighting and suggestions

const HIGHLIGHT: Rules = {
  ...{ pre_tags: listOf(text), post_tags: listOf(text), highlight_query: query, matched_fields: fieldName },
  options: object({}),
  ...keeps(
    'type fragment_size number_of_fragments fragmenter fragment_offset order require_field_match boundary_scanner boundary_max_scan ' +
      'encoder force_source no_match_size phrase_limit tags_schema max_analyzed_offset max_fragment_length',
  ),
  ...{ boundary_chars: punctuation, boundary_scanner_locale: locale },
};
const highlight = object({
  ...HIGHLIGHT,
  fields: (masking, found, at) => listOf(byField(object(HIGHLIGHT)))(masking, found, at),
});

const SUGGEST_OPTIONS: Rules = {
  ...{ analyzer, pre_filter: analyzer, post_filter: analyzer, separator: punctuation },
  ...keeps(
    'size shard_size sort suggest_mode max_edits prefix_length min_word_length max_inspections min_doc_freq max_term_freq ' +
      'string_distance lowercase_terms gram_size real_word_error_likelihood confidence max_errors skip_duplicates',
  ),
};
/** Rule for the contexts of suggestions. Like the names of fields, the names of contexts belong to the mapping. */
const contexts = byField(
  listOf(
    objectOr(
      object({ context: valueOrPlace, value: valueOrPlace, ...keeps('boost prefix precision neighbours') }),
      valueOrPlace,
    ),
  ),
);
function valueOrPlace(masking: Masking, found: unknown, at: At): unknown {
  return value(masking, found, { ...at, field: '' });
}
const suggestion: Rule = (masking, found, at) =>
  object({
    ...{
      text,
      prefix: (inner: Masking, one: unknown) => inner.prefix('', one),
      regex: (inner: Masking, one: unknown) => inner.regexp('', one),
    },
    term: object({ field: fieldName, text, ...SUGGEST_OPTIONS }),
    phrase: object({
      ...{ field: fieldName, text, ...SUGGEST_OPTIONS, max_errors: keep },
      highlight: object({ pre_tag: text, post_tag: text }),
      direct_generator: listOf(object({ field: fieldName, ...SUGGEST_OPTIONS })),
      smoothing: object({
        laplace: object(keeps('alpha')),
        stupid_backoff: object(keeps('discount')),
        linear_interpolation: object(keeps('trigram_lambda bigram_lambda unigram_lambda')),
      }),
    }),
    completion: object({
      ...{ field: fieldName, ...SUGGEST_OPTIONS, contexts },
      fuzzy: objectOr(object(keeps('fuzziness transpositions min_length prefix_length unicode_aware')), keep),
      regex: object(keeps('flags max_determinized_states')),
    }),
  })(masking, found, at);
const suggest = object({ text }, (masking, key, one, at) => [
  heldString(masking.label(plainKey(key))),
  suggestion(masking, one, at),
]);

// Aggregations

/**
 * Rule for the value of `include` and `exclude` in an aggregation: a list of values, a regular expression, or a partition of the values.
 */
const included: Rule = (masking, found, at) => {
  if (Array.isArray(found)) return value(masking, found, at);
  return objectOr(object(keeps('partition num_partitions')), regexp)(masking, found, at);
};
/**
 * Segments of paths to aggregations that Elasticsearch itself defines: counts, keys and metrics. If an aggregation has such a name, the
 * name stays too.
 */
const OWN_PARTS = new Set(
  (
    '_count _key _term _bucket_count count value values avg min max sum sum_of_squares variance variance_population variance_sampling std_deviation ' +
    'std_deviation_population std_deviation_sampling std_upper std_lower std_upper_population std_lower_population std_upper_sampling ' +
    'std_lower_sampling upper lower min_length max_length avg_length entropy q1 q2 q3 normalized_value'
  ).split(' '),
);
/** Matches short numbers. Names of aggregations can be short numbers, as in Kibana, and percentiles are too. They reveal nothing. */
const SHORT_NUMBER = /^\d{1,3}$/;

/** Masks the name of an aggregation. `name` may also be a path that contains several names. */
const aggregationName = (masking: Masking, name: string): string =>
  name.replaceAll(/[^.>[\]]+/g, (part) =>
    OWN_PARTS.has(part) || SHORT_NUMBER.test(part) ? part : masking.label(part),
  );
/** Returns a rule for an object whose keys are names of aggregations. */
const byAggregation = (rule: Rule): Rule =>
  object({}, (masking, name, one, at) => [
    heldString(aggregationName(masking, plainKey(name))),
    rule(masking, one, at),
  ]);

/** Rule for a path to other aggregations, such as `sales>price.avg`, or with the key of a bucket: `sale_type['hat']>price`. */
const bucketsPath: Rule = (masking, found, at) => {
  if (typeof found === 'string')
    return heldString(
      plainKey(found).replaceAll(/\[(['"]?)([^[\]]*?)\1\]|[^[\]]+/g, (part, mark?: string, key?: string) =>
        key === undefined
          ? aggregationName(masking, part)
          : `[${mark}${/^\d{1,2}(?:\.\d)?$/.test(key) ? key : (masking.fieldInText(key) ?? masking.text(key))}${mark}]`,
      ),
    );
  const ofVariables = object({}, (_, name, one) =>
    isIdentifier(name) ? [name, bucketsPath(masking, one, at)] : masking.removed(at.where),
  );
  return listOf(
    objectOr(ofVariables, (_, one) =>
      typeof one === 'string' ? bucketsPath(masking, one, at) : masking.removed(at.where),
    ),
  )(masking, found, at);
};
/** Rule for an order of buckets by the names of other aggregations. */
const bucketOrder: Rule = object({}, (masking, key, one, at) => [
  String(bucketsPath(masking, key, at)),
  objectOr(object(keeps('order')), keep)(masking, one, at),
]);
const order = listOf(bucketOrder);
const bounds = object({ min: value, max: value });
const withLabel = (rules: Rules): Rule => object({ ...rules, key: label });

const AGGREGATION: Rules = {
  ...{
    field: fieldName,
    fields: listOf(
      objectOr(
        withField(
          'field',
          object({ field: fieldName, include: later(() => included), exclude: later(() => included) }),
        ),
        fieldName,
      ),
    ),
  },
  ...{
    script,
    missing: value,
    include: included,
    exclude: included,
    order,
    format,
    buckets_path: bucketsPath,
  },
  ...{
    hard_bounds: bounds,
    extended_bounds: bounds,
    values: value,
    path: fieldName,
    type: keep,
    origin: place,
    ...{ time_zone: timeZone, separator: punctuation, categorization_analyzer: analyzer },
  },
  ...{ bounds: rectangle, filter: query, background_filter: query, size: keep },
  ranges: listOf(withLabel({ from: value, to: value, mask: value })),
  metrics: listOf(object({ field: fieldName })),
  terms: listOf(withField('field', object({ field: fieldName, missing: value, script }))),
  value: withField('field', object({ field: fieldName, missing: value, script })),
  weight: withField('field', object({ field: fieldName, missing: value, script })),
  sort,
  ...Object.fromEntries(
    'mutual_information chi_square gnd jlh percentage'
      .split(' ')
      .map((key) => [key, object(keeps('include_negatives background_is_superset'))]),
  ),
  script_heuristic: object({ script }),
  hdr: object(keeps('number_of_significant_value_digits')),
  tdigest: object(keeps('compression execution_hint')),
  settings: object(keeps('alpha beta gamma period type pad')),
  missing_bucket: keep,
  geo_point: object({ field: fieldName }),
  geo_line: object({ field: fieldName }),
  point: object({ field: fieldName }),
  init_script: script,
  map_script: script,
  combine_script: script,
  reduce_script: script,
  params: parameters,
  ...keeps(
    'shard_size min_doc_count shard_min_doc_count show_term_doc_count_error collect_mode execution_hint value_type calendar_interval ' +
      'fixed_interval interval offset keyed percents precision_threshold compression from gap_policy window shift lag model predict ' +
      'minimize minimum_interval buckets initial_buffer max_docs_per_value probability unit distance_type precision mode multi_value_mode ' +
      'sigma show_distribution rate is_bucketed max_doc_count minimum_support minimum_set_size prefix_length append_prefix_length ' +
      'is_ipv6 similarity_threshold max_unique_tokens max_matched_tokens size_in_bytes include_sort sort_order missing_order ' +
      'n_samples min_bucket_size max_buckets significance',
  ),
};
const parametersOf = withField('field', object(AGGREGATION));

const composite: Rule = (masking, found, at) => {
  const sources = new Map<string, string>();
  if (isObject(found) && Array.isArray(found['sources']))
    for (const one of found['sources'] as unknown[])
      for (const [name, inner] of isObject(one) ? Object.entries(one) : [])
        for (const options of isObject(inner) ? Object.values(inner) : [])
          if (isObject(options) && typeof options['field'] === 'string')
            sources.set(name, plainKey(options['field']));
  return object({
    sources: listOf(
      byAggregation(
        object({}, (inner, type, options, where) =>
          KNOWN_AGGREGATIONS.has(type)
            ? [type, parametersOf(inner, options, where)]
            : inner.removed(where.where),
        ),
      ),
    ),
    after: object({}, (inner, name, one, where) => {
      const field = sources.get(name);
      return field === undefined
        ? inner.removed(where.where)
        : [heldString(aggregationName(inner, plainKey(name))), value(inner, one, { ...where, field })];
    }),
    size: keep,
  })(masking, found, at);
};

const filters = object({
  filters: (masking, found, at) => (Array.isArray(found) ? queries : byLabel(query))(masking, found, at),
  ...{ other_bucket_key: label, separator: punctuation },
  ...keeps('other_bucket keyed'),
});

const SPECIAL_AGGREGATIONS: Rules = {
  bucket_sort: object({
    sort: listOf(objectOr(bucketOrder, bucketsPath)),
    ...keeps('from size gap_policy'),
  }),
  // The ranges of this aggregation are distances.
  geo_distance: withField('field', object({ ...AGGREGATION, ranges: listOf(withLabel(keeps('from to'))) })),
  ...{
    composite,
    filters,
    adjacency_matrix: filters,
    filter: query,
    top_hits: later(() => searchBody),
    missing: object({ field: fieldName, missing: value }),
    ...{ children: object({ type: relation }), parent: object({ type: relation }) },
  },
};
const KNOWN_AGGREGATIONS = new Set(
  (
    'auto_date_histogram categorize_text date_histogram date_range diversified_sampler frequent_item_sets geo_distance geohash_grid ' +
    'geohex_grid geotile_grid global histogram ip_prefix ip_range multi_terms nested random_sampler range rare_terms reverse_nested ' +
    'sampler significant_terms significant_text terms time_series variable_width_histogram avg boxplot cardinality cartesian_bounds ' +
    'cartesian_centroid extended_stats geo_bounds geo_centroid geo_line matrix_stats max median_absolute_deviation min percentile_ranks ' +
    'percentiles rate scripted_metric stats string_stats sum t_test top_metrics value_count weighted_avg avg_bucket bucket_count_ks_test ' +
    'bucket_correlation bucket_script bucket_selector bucket_sort change_point cumulative_cardinality cumulative_sum derivative ' +
    'extended_stats_bucket max_bucket min_bucket moving_avg moving_fn moving_percentiles normalize percentiles_bucket serial_diff stats_bucket sum_bucket'
  ).split(' '),
);

/** Names of the types of aggregations and of their keys, for tests. */
export const AGGREGATION_TYPES: readonly string[] = [
  ...new Set([...KNOWN_AGGREGATIONS, ...Object.keys(SPECIAL_AGGREGATIONS)]),
];
export const AGGREGATION_KEYS: readonly string[] = Object.keys(AGGREGATION);

const aggregationBody: Rule = object(
  {
    aggs: later(() => aggregations),
    aggregations: later(() => aggregations),
    meta: (masking, _, at) => masking.removed(at.where),
  },
  (masking, type, options) => {
    const where = `aggregation.${type}`;
    const special = Object.hasOwn(SPECIAL_AGGREGATIONS, type) ? SPECIAL_AGGREGATIONS[type] : undefined;
    if (special !== undefined) return [type, special(masking, options, { field: '', where })];
    if (KNOWN_AGGREGATIONS.has(type)) return [type, parametersOf(masking, options, { field: '', where })];
    return masking.removed(`aggregation.${plainKey(type)}`);
  },
);

/** Rule for an object with aggregations, whose keys are their names. An aggregation of an unknown type is removed. */
const aggregations: Rule = object({}, (masking, name, one, at) => {
  const masked = aggregationBody(masking, one, at);
  const isEmpty =
    isObject(masked) && Object.keys(masked).every((key) => key === 'aggs' || key === 'aggregations');
  return isEmpty ? GONE : [heldString(aggregationName(masking, plainKey(name))), masked];
});

// The rest of a search

const innerHitsOf = (): Rules => ({ ...SEARCH, name: label });
const innerHits: Rule = later(() => listOf(object(innerHitsOf())));

const rescore = listOf(
  object({
    window_size: keep,
    query: object({ rescore_query: query, ...keeps('query_weight rescore_query_weight score_mode') }),
    script: object({ script }),
  }),
);

const retriever: Rule = later(() => object(RETRIEVERS));
const weighted: Rule = (masking, found, at) =>
  isObject(found) && found['retriever'] !== undefined
    ? object({ retriever, ...keeps('weight normalizer') })(masking, found, at)
    : retriever(masking, found, at);
const RETRIEVER_OPTIONS: Rules = { filter: queries, _name: label, min_score: keep };
const RETRIEVERS: Rules = {
  standard: object({
    ...RETRIEVER_OPTIONS,
    query,
    sort,
    collapse: later(() => collapse),
    terminate_after: keep,
  }),
  knn: withField('field', object({ ...KNN, ...RETRIEVER_OPTIONS })),
  rrf: object({
    ...RETRIEVER_OPTIONS,
    retrievers: listOf(weighted),
    query: text,
    fields: fieldName,
    ...keeps('rank_constant rank_window_size'),
  }),
  linear: object({
    ...RETRIEVER_OPTIONS,
    retrievers: listOf(weighted),
    query: text,
    fields: fieldName,
    ...keeps('rank_window_size normalizer'),
  }),
  text_similarity_reranker: object({
    ...{ ...RETRIEVER_OPTIONS, retriever, field: fieldName, inference_text: text },
    ...{ inference_id: label, rank_window_size: keep },
  }),
  rescorer: object({ ...RETRIEVER_OPTIONS, retriever, rescore }),
  pinned: object({
    ...RETRIEVER_OPTIONS,
    retriever,
    ids: listOf(id),
    docs: listOf(object({ _index: index, _id: id })),
    rank_window_size: keep,
  }),
};

const collapse: Rule = later(() =>
  object({ field: fieldName, inner_hits: innerHits, max_concurrent_group_searches: keep, collapse }),
);

/** Rule for runtime fields in a search. */
export const runtimeMappings: Rule = byField(
  object({
    ...{ script, format, locale, input_field: fieldName, target_field: fieldName, fetch_fields: fieldList },
    ...{ target_index: index, ...keeps('type on_script_error') },
  }),
);

const SEARCH: Rules = {
  ...{
    query,
    post_filter: query,
    aggs: aggregations,
    aggregations,
    sort,
    _source: sourceFilter,
    highlight,
    suggest,
    rescore,
    knn,
    retriever,
  },
  ...{
    fields: fieldList,
    stored_fields: fieldName,
    docvalue_fields: fieldList,
    runtime_mappings: runtimeMappings,
    collapse,
  },
  script_fields: byField(object({ script, ignore_failure: keep })),
  indices_boost: listOf(
    object({}, (masking, name, one, at) => [
      heldString(masking.index(plainKey(name))),
      keep(masking, one, at),
    ]),
  ),
  slice: object({ field: fieldName, ...keeps('id max') }),
  pit: object({ id: contextId, keep_alive: keep }),
  rank: object({ rrf: object(keeps('rank_constant rank_window_size window_size')) }),
  stats: listOf(label),
  scroll_id: contextId,
  ext: (masking, _, at) => masking.removed(at.where),
  ...keeps(
    'size from track_total_hits track_scores explain version seq_no_primary_term profile timeout terminate_after min_score batched_reduce_size ' +
      'include_named_queries_score allow_partial_search_results max_docs conflicts scroll',
  ),
  script,
};

/** Keys of the body of a search, and types of retrievers, for tests. */
export const SEARCH_KEYS: readonly string[] = [...Object.keys(SEARCH), 'search_after'];
export const RETRIEVER_TYPES: readonly string[] = Object.keys(RETRIEVERS);

/** Rule for the body of a search, count, update by query or delete by query. */
export const searchBody: Rule = (masking, found, at) =>
  object({ ...SEARCH, search_after: searchAfter(found) })(masking, found, at);
