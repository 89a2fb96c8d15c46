/** Masks recorded requests: the path, the query string, the body, and the facts about the response. */
import {
  exactNumber,
  exactText,
  heldString,
  JsonNotHeld,
  parseExact,
  plainKey,
  stringifyExact,
} from '../../json/exact';
import { trafficKind, type TrafficKind } from '../kind';
import { parameterFields, type Language } from './code';
import type { AnswerFacts, RecordedAnswer, TrafficHeader, TrafficRecord } from '../record';
import { GONE, isNumber, isObject, NotUnderstood, type Masking } from './masking';
import {
  contextId,
  fieldName,
  id,
  index,
  isIdentifier,
  keep,
  keeps,
  label,
  listOf,
  locale,
  object,
  preference,
  text,
  timeZone,
  type RequestFacts,
  type Rule,
  type Rules,
} from './rules';
import {
  anyQuery,
  fieldList,
  runtimeMappings,
  script,
  searchBody,
  sourceFilter,
  templateParameters,
} from './search';
import { isOwnAnalyzer, isOwnPreference, isStructural, maskedFilterPath } from './structural';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const documentBody: Rule = (masking, found) => masking.document(found);

// Bodies that are one JSON value

const documentOf: Rules = {
  ...{
    _index: index,
    _id: id,
    index,
    id,
    routing: id,
    _routing: id,
    _source: sourceFilter,
    stored_fields: fieldName,
  },
  ...keeps('version version_type _version _version_type'),
};
const mget = object({ docs: listOf(object(documentOf)), ids: listOf(id) });
const update = object({
  ...{ doc: documentBody, upsert: documentBody, script, _source: sourceFilter },
  ...keeps('doc_as_upsert scripted_upsert detect_noop'),
});
const scroll: Rule = (masking, found, at) =>
  object({ scroll_id: contextId, scroll: keep })(masking, found, at);
const closePointInTime = object({ id: contextId, pit_id: contextId });
const termsEnum = object({
  ...{ field: fieldName, index_filter: anyQuery },
  ...keeps('size timeout case_insensitive'),
  string: (masking, found) => masking.prefix('', found),
  search_after: text,
});
const termvectors = object({
  ...{ doc: documentBody, fields: fieldName, routing: id, ids: listOf(id) },
  ...keeps('offsets payloads positions term_statistics field_statistics version version_type'),
  filter: object(
    keeps(
      'max_num_terms min_term_freq max_term_freq min_doc_freq max_doc_freq min_word_length max_word_length',
    ),
  ),
  docs: listOf(object(documentOf)),
});
const fieldCaps = object({ fields: fieldName, index_filter: anyQuery, runtime_mappings: runtimeMappings });
const template = object({
  source: (masking, found, at) => {
    if (!isObject(found)) throw new NotUnderstood('the source of a template is a text');
    return searchBody(masking, found, at);
  },
  ...{ params: templateParameters, id: label, ...keeps('explain profile') },
});

type QueryLanguage = Exclude<Language, 'script'>;

const query =
  (language: QueryLanguage): Rule =>
  (masking, found, { request }) => {
    if (typeof found !== 'string') throw new NotUnderstood('its query is not a text');
    return heldString(masking.queryLanguage(plainKey(found), language, request?.isAccepted === true));
  };
/** Rule for the parameters of a query in a query language. */
const languageParameters =
  (language: QueryLanguage, text: string): Rule =>
  (masking, found, { where }) => {
    const fields = parameterFields(text, language);
    const mask = (one: unknown, field: string): unknown => {
      if (field === '' && isNumber(one)) return exactNumber(masking.codeNumber('', exactText(one)));
      const masked = masking.value(field, one);
      return masked === GONE ? null : masked;
    };
    if (!Array.isArray(found)) return masking.removed(where);
    return found.map((one: unknown, at) => {
      if (!isObject(one)) return mask(one, fields.get(String(at + 1)) ?? '');
      if (typeof one['type'] === 'string' && 'value' in one)
        return object({ type: keep, value: (_, inner) => mask(inner, fields.get(String(at + 1)) ?? '') })(
          masking,
          one,
          { field: '', where },
        );
      return object({}, (_, name, inner) =>
        isIdentifier(name) ? [name, mask(inner, fields.get(name) ?? '')] : masking.removed(where),
      )(masking, one, { field: '', where });
    });
  };
const LANGUAGE_OPTIONS: Rules = {
  ...{ filter: anyQuery, runtime_mappings: runtimeMappings, cursor: contextId, locale, time_zone: timeZone },
  ...keeps(
    'columnar fetch_size request_timeout page_timeout field_multi_value_leniency index_using_frozen ' +
      'wait_for_completion_timeout keep_on_completion keep_alive mode profile accept_pragma_risks include_ccs_metadata allow_partial_results ' +
      'include_execution_metadata',
  ),
};
const languageBody =
  (language: QueryLanguage, more: Rules = {}): Rule =>
  (masking, found, at) => {
    const text = isObject(found) && typeof found['query'] === 'string' ? plainKey(found['query']) : '';
    return object({
      ...{ query: query(language), params: languageParameters(language, text), ...LANGUAGE_OPTIONS, ...more },
    })(masking, found, at);
  };
const esql = languageBody('esql');
const sql: Rule = (masking, found, at) => {
  const path = at.request?.path ?? '';
  // A word without quotes may be a text to search for in PPL.
  if (path.includes('/_ppl')) throw new NotUnderstood('queries in PPL are not masked');
  return languageBody(path.startsWith('/_plugins/') ? 'opensearch-sql' : 'sql')(masking, found, at);
};
const eql = languageBody('eql', {
  fields: fieldList,
  ...{ event_category_field: fieldName, tiebreaker_field: fieldName, timestamp_field: fieldName },
  ...keeps(
    'size fetch_size result_position max_samples_per_key allow_partial_search_results allow_partial_sequence_results case_sensitive',
  ),
});
const queryOnly = object({ query: anyQuery });
const openPit = object({ index_filter: anyQuery });

/** Rules for bodies that are one JSON value. The key is the name of the kind of request. */
const BODIES: Rules = {
  search: searchBody,
  count: searchBody,
  validate: queryOnly,
  explain: queryOnly,
  'update-by-query': searchBody,
  'delete-by-query': searchBody,
  'knn-search': object({
    knn: (masking, found, at) => searchBodyPart('knn', masking, found, at),
    filter: listOf(anyQuery),
    _source: sourceFilter,
    fields: fieldList,
    docvalue_fields: fieldList,
    stored_fields: fieldName,
  }),
  'vector-tile': searchBody,
  'search-template': template,
  mget,
  index: documentBody,
  update,
  scroll,
  'close-scroll': scroll,
  'open-point-in-time': openPit,
  'close-point-in-time': closePointInTime,
  'terms-enum': termsEnum,
  termvectors,
  'field-caps': fieldCaps,
  esql,
  sql,
  eql,
};

/**
 * Rule for kinds of requests that have no body. If a client sends a body nevertheless, its contents are unknown, and all of them are
 * removed.
 */
const NO_BODY = object({});

function searchBodyPart(key: string, ...[masking, found, at]: Parameters<Rule>): unknown {
  const masked = searchBody(masking, { [key]: found }, at);
  return isObject(masked) ? masked[key] : GONE;
}

// Bodies that consist of lines

/** Rule for the name of a pipeline. It is removed, because the pipeline belongs to the set-up of the recorded cluster. */
const pipeline: Rule = (masking, found, { where }) => (found === '_none' ? found : masking.removed(where));

const bulkMeta = object({
  ...{
    _index: index,
    _id: id,
    routing: id,
    _routing: id,
    parent: id,
    _parent: id,
    pipeline,
    _source: sourceFilter,
  },
  ...{ dynamic_templates: (masking: Masking) => masking.removed('bulk.dynamic_templates') },
  ...keeps(
    'version _version version_type _version_type if_seq_no if_primary_term op_type require_alias require_data_stream retry_on_conflict ' +
      '_retry_on_conflict list_executed_pipelines',
  ),
});
const bulkAction = object(
  Object.fromEntries(['index', 'create', 'update', 'delete'].map((action) => [action, bulkMeta])),
);
const searchHeader = object({
  ...{ index, indices: index, routing: id, preference },
  ...keeps(
    'search_type ignore_unavailable allow_no_indices expand_wildcards request_cache ccs_minimize_roundtrips max_concurrent_shard_requests ' +
      'allow_partial_search_results ignore_throttled max_concurrent_searches',
  ),
});

/** Splits a body into its lines. The last line may lack a line end. */
const linesOf = (body: string): string[] => body.split('\n').map((line) => line.replace(/\r$/, ''));

function maskedBulk(masking: Masking, body: string): string {
  const lines = linesOf(body);
  const masked: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    if (line.trim() === '') {
      masked.push('');
      continue;
    }
    const action = parsed(line);
    masked.push(written(line, bulkAction(masking, action, { field: '', where: 'bulk' })));
    const [name] = isObject(action) ? Object.keys(action) : [];
    if (name === 'delete' || at + 1 >= lines.length) continue;
    at += 1;
    const rule = name === 'update' ? update : documentBody;
    masked.push(written(lines[at]!, rule(masking, parsed(lines[at]!), { field: '', where: 'update' })));
  }
  return masked.join('\n');
}

function maskedSearches(masking: Masking, body: string, rule: Rule): string {
  let isHeader = true;
  return linesOf(body)
    .map((line, at, all) => {
      if (line === '' && at === all.length - 1) return '';
      const isEmpty = line.trim() === '';
      const which = isHeader ? searchHeader : rule;
      isHeader = !isHeader;
      return isEmpty ? '' : written(line, which(masking, parsed(line), { field: '', where: 'msearch' }));
    })
    .join('\n');
}

function parsed(line: string): unknown {
  try {
    return parseExact(line, () => undefined);
  } catch (error) {
    if (error instanceof SyntaxError) throw new NotUnderstood('its body is not valid JSON');
    if (error instanceof JsonNotHeld) throw new NotUnderstood('its body is nested too deeply');
    throw error;
  }
}

/**
 * Returns a masked value as JSON. If the original was longer and contained white space, spaces at the end make the JSON as long as the
 * original.
 */
function written(before: string, masked: unknown): string {
  if (masked === GONE) throw new NotUnderstood('its body is not an object');
  const json = stringifyExact(masked);
  const missing = byteLength(before.trimEnd()) - byteLength(json);
  return missing > 0 && /[\s]/.test(before) ? json + ' '.repeat(missing) : json;
}

const byteLength = (written: string): number => encoder.encode(written).length;

// Query strings

type Parameter = (masking: Masking, found: string, all: ReadonlyMap<string, string>) => string | typeof GONE;
/** Returns a rule for a query parameter. Its value is copied if `isAllowed` accepts it, and removed otherwise. */
const keptIf =
  (name: string, isAllowed: (text: string) => boolean): Parameter =>
  (masking, found) =>
    isAllowed(found) ? found : masking.removed(`parameter ${name}`);
const names: Parameter = (masking, found) =>
  found
    .split(',')
    .map((name) => masking.fieldName(name))
    .join(',');
const ids: Parameter = (masking, found) =>
  found
    .split(',')
    .map((one) => masking.id(one))
    .join(',');

const PARAMETERS: Readonly<Record<string, Parameter>> = {
  q: (masking, found, all) => masking.queryString(all.get('df') ?? '', found),
  df: names,
  sort: (masking, found) =>
    found
      .split(',')
      .map((one) => {
        const [, name = one, direction = ''] = /^(.*?)(:(?:asc|desc))?$/.exec(one) ?? [];
        return masking.fieldName(name) + direction;
      })
      .join(','),
  _source: (masking, found, all) => (/^(?:true|false)$/.test(found) ? found : names(masking, found, all)),
  _source_includes: names,
  _source_include: names,
  _source_excludes: names,
  _source_exclude: names,
  stored_fields: names,
  docvalue_fields: names,
  fields: names,
  grid_field: names,
  routing: ids,
  parent: ids,
  preference: (masking, found) => {
    if (!found.startsWith('_')) return masking.text(found);
    return isOwnPreference(found) ? found : masking.removed('parameter preference');
  },
  pipeline: keptIf('pipeline', (text) => text === '_none'),
  analyzer: keptIf('analyzer', isOwnAnalyzer),
  filter_path: (masking, found) =>
    maskedFilterPath(found, (name) => masking.fieldName(name)) ?? masking.removed('parameter filter_path'),
  scroll_id: (masking, found) => masking.contextId(found),
  suggest_field: names,
  suggest_text: (masking, found) => masking.text(found),
  stats: (masking, found) => masking.label(found),
  index: (masking, found) =>
    found
      .split(',')
      .map((name) => masking.index(name))
      .join(','),
  query: (masking, found) => masking.text(found),
  ...Object.fromEntries(
    (
      'size from scroll search_type timeout refresh version version_type if_seq_no if_primary_term op_type wait_for_active_shards ' +
      'pretty human error_trace format typed_keys rest_total_hits_as_int track_total_hits track_scores ignore_unavailable allow_no_indices ' +
      'expand_wildcards request_cache batched_reduce_size max_concurrent_shard_requests pre_filter_shard_size ccs_minimize_roundtrips ' +
      'analyze_wildcard default_operator lenient explain terminate_after realtime keep_alive slices scroll_size conflicts wait_for_completion ' +
      'requests_per_second max_docs include_unmapped require_alias require_data_stream list_executed_pipelines retry_on_conflict local ' +
      'master_timeout ignore_throttled allow_partial_search_results max_concurrent_searches seq_no_primary_term min_score ' +
      'source_content_type suggest_mode suggest_size force_synthetic_source include_named_queries_score drop_null_columns profile ' +
      'rewrite all_shards filters types include_empty_fields with_labels exact_bounds extent grid_agg grid_precision grid_type ' +
      'include_source_on_error allow_partial_results scroll_timeout master_timeout max_chunk_size'
    )
      .split(' ')
      .map((name) => [name, keptIf(name, isStructural)]),
  ),
};

/** Names of the known query parameters, for tests. */
export const PARAMETER_NAMES: readonly string[] = Object.keys(PARAMETERS);

const entriesOf = (query: string): [name: string, value: string | undefined][] =>
  query.split('&').map((entry) => {
    const at = entry.indexOf('=');
    return at < 0 ? [entry, undefined] : [entry.slice(0, at), entry.slice(at + 1)];
  });

const parametersOf = (query: string): Map<string, string> =>
  new Map(entriesOf(query).map(([name, found]) => [decoded(name), decoded(found ?? '')]));

function maskedQuery(masking: Masking, kind: TrafficKind, query: string, request: RequestFacts): string {
  if (query === '') return '';
  const all = parametersOf(query);
  return entriesOf(query)
    .flatMap(([written, found]) => {
      const name = decoded(written);
      if (name === 'source') {
        const body = maskedBody(masking, kind, decoded(found ?? ''), request);
        return [`source=${encodeURIComponent(body)}`];
      }
      const rule = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
      if (rule === undefined) {
        masking.removed(`parameter ${name}`);
        return [];
      }
      if (found === undefined || found === '') return [written];
      const before = decoded(found);
      const masked = rule(masking, before, all);
      if (masked === GONE) return [];
      // An unchanged value keeps its encoding.
      return [`${written}=${masked === before ? found : encoded(masked)}`];
    })
    .join('&');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new NotUnderstood('its URL is not encoded correctly');
  }
}

/** Encodes a value for a query string. Like most clients, does not encode characters that are usual in query strings. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':');

// Paths

function maskedPath(masking: Masking, kind: TrafficKind, path: string): string {
  const segments = path.split('/');
  const filled = segments.flatMap((segment, at) => (segment === '' ? [] : [at]));
  const set = (at: number | undefined, mask: (text: string) => string): void => {
    if (at === undefined) return;
    const before = decodedSegment(segments[at]!);
    const masked = mask(before);
    if (masked !== before)
      segments[at] = encodeURIComponent(masked)
        .replaceAll('%2C', ',')
        .replaceAll('%3A', ':')
        .replaceAll('%2A', '*');
  };
  if (kind.indices.length > 0)
    set(filled[0], (names) =>
      names
        .split(',')
        .map((name) => masking.index(name))
        .join(','),
    );
  if (kind.id !== undefined) set(filled.at(-1), (found) => masking.id(found));
  if ((kind.name === 'scroll' || kind.name === 'close-scroll') && filled.length === 3)
    set(filled.at(-1), (found) => masking.contextId(found));
  if (kind.name === 'search' && filled.length > 2 && segments[filled[1]!] !== '_doc')
    throw new NotUnderstood('its path contains a type of documents');
  // `{index}/_mvt/{field}/{zoom}/{x}/{y}`
  if (kind.name === 'vector-tile') throw new NotUnderstood('its path contains a place');
  return segments.join('/');
}

function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new NotUnderstood('its URL is not encoded correctly');
  }
}

// Requests

const LINES: Readonly<Record<string, (masking: Masking, body: string) => string>> = {
  bulk: maskedBulk,
  msearch: (masking, body) => maskedSearches(masking, body, searchBody),
  'msearch-template': (masking, body) => maskedSearches(masking, body, template),
};

/** Names of the kinds of requests with a body, for tests. */
export const KINDS_WITH_BODY: readonly string[] = [...Object.keys(BODIES), ...Object.keys(LINES)];

function maskedBody(masking: Masking, kind: TrafficKind, body: string, request: RequestFacts): string {
  if (body.trim() === '') return body;
  const lines = Object.hasOwn(LINES, kind.name) ? LINES[kind.name] : undefined;
  if (lines !== undefined) return lines(masking, body);
  const rule = Object.hasOwn(BODIES, kind.name) ? BODIES[kind.name] : undefined;
  return written(body, (rule ?? NO_BODY)(masking, parsed(body), { field: '', where: kind.name, request }));
}

const JSON_TYPE =
  /^\s*(?:application|text)\/(?:vnd\.elasticsearch\+)?(?:json|x-ndjson)\s*(?:;\s*(?:charset\s*=\s*"?utf-?8"?|compatible-with\s*=\s*\d{1,2})\s*)*;?\s*$/i;
const ENCODING = /^(?:(?:gzip|deflate|br|zstd|identity|x-gzip)(?:,\s*)?)+$/i;

function bodyOf({ body, contentType }: TrafficRecord): string {
  // Clients such as curl declare JSON as a form if the user sets no content type. Elasticsearch refuses such requests.
  if (contentType !== '' && !JSON_TYPE.test(contentType)) throw new NotUnderstood('its body is not JSON');
  try {
    return decoder.decode(body!);
  } catch {
    throw new NotUnderstood('its body is not UTF-8');
  }
}

/** Masks a request. Throws {@link NotUnderstood} if the request has to be dropped. */
export function maskedRecord(masking: Masking, record: TrafficRecord): TrafficRecord {
  const kind = trafficKind(record.method, record.path);
  if (kind.effect === 'other') throw new NotUnderstood(kind.why ?? kind.name);
  const status = record.answer?.status ?? 0;
  const request = {
    path: record.path,
    isAccepted: status >= 200 && status < 300,
    sort: parametersOf(record.query).get('sort'),
  };
  const body =
    record.body === null ? null : encoder.encode(maskedBody(masking, kind, bodyOf(record), request));
  return {
    connection: record.connection,
    order: record.order,
    at: record.at,
    method: record.method,
    path: maskedPath(masking, kind, record.path),
    query: maskedQuery(masking, kind, record.query, request),
    contentType: JSON_TYPE.test(record.contentType) ? record.contentType : '',
    ...(record.encoding !== undefined && ENCODING.test(record.encoding) ? { encoding: record.encoding } : {}),
    body,
    ...(record.client === undefined ? {} : { client: masking.client(record.client) }),
    answer: record.answer === null ? null : maskedAnswer(masking, record.answer),
  };
}

function maskedAnswer(
  masking: Masking,
  { status, durationUs, bytes, facts }: RecordedAnswer,
): RecordedAnswer {
  return {
    ...{ status, durationUs, bytes },
    ...(facts === undefined ? {} : { facts: facts === null ? null : maskedFacts(masking, facts) }),
  };
}

const RESULTS = new Set('created updated deleted noop not_found'.split(' '));
/** Matches the types of errors, such as `index_not_found_exception`. */
const ERROR = /^(?:[a-z_]{0,70}(?:exception|error)|http-\d{3})$/i;

function maskedFacts(masking: Masking, facts: AnswerFacts): AnswerFacts {
  const { total, isLowerBound, hits, items, failedItems, found, timedOut, failedShards } = facts;
  const { result, error, scrollId, pitId, generatedIds, versions } = facts;
  const masked: AnswerFacts = {
    ...{ total, isLowerBound, hits, items, failedItems, found, timedOut, failedShards },
    result: result !== undefined && RESULTS.has(result) ? result : undefined,
    error: error === undefined || ERROR.test(error) ? error : undefined,
    scrollId: scrollId === undefined ? undefined : masking.contextId(scrollId),
    pitId: pitId === undefined ? undefined : masking.contextId(pitId),
    generatedIds: generatedIds?.map((one) => masking.id(one)),
    versions: versions?.map(({ index: name, id: one, seqNo, primaryTerm }) => ({
      ...{ index: masking.index(name), id: masking.id(one), seqNo, primaryTerm },
    })),
  };
  return Object.fromEntries(Object.entries(masked).filter(([, value]) => value !== undefined)) as AnswerFacts;
}

/**
 * Returns the header of the masked file. The start of the recording is shifted like all dates. Therefore the time between a date in a
 * request and the request itself stays the same.
 */
export const maskedStart = (
  masking: Masking,
  { startedAt, share }: TrafficHeader,
): Pick<TrafficHeader, 'startedAt' | 'share'> => ({
  startedAt: startedAt + masking.shiftMs,
  share,
});
