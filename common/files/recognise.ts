/**
 * Recognises the type of a file from its first lines. Returns a type only if the evidence is strong. If a file could have several types, it
 * is `unsure`, and Dyno asks the user.
 */
import { isObject, type Json } from '../replay/constructs';
import { BEGINNING, criWrapping, dockerLine, mayBeDocker } from '../replay/formats/containers';
import { objectIn } from '../replay/formats/format';
import { looksLikeBody, OF_A_LINE } from '../replay/formats/ndjson';
import { formatOfLine, logFormat, type LogFormat } from '../replay/formats/registry';
import { isServerEntry } from '../replay/formats/slow-log';
import { endOfValue, membersOf, skipBlanks } from '../json/source';
import { isAuditLine } from '../traffic/audit-line';

/** The beginning of a file. */
export interface FileHead {
  /** The first lines that are not blank, trimmed. */
  lines: readonly string[];
  /** True if the last line was not read completely. */
  isCut?: boolean;
}

export type FileKind =
  | 'empty'
  /** A JSON object on each line. */
  | 'documents'
  /** The body of `_bulk`: action lines, each followed by a document except for deletions. */
  | 'bulk'
  /** The body of `_msearch`: headers and searches alternate. */
  | 'msearch'
  /** One hit of a search on each line, as elasticdump exports them. */
  | 'hits'
  /** A response of Elasticsearch, on one line or over several lines. */
  | 'answer'
  /** A single JSON array. */
  | 'json-array'
  /** JSON objects that extend over several lines. */
  | 'pretty-json'
  /** Searches, in one of the formats of logs that Dyno can replay. */
  | 'search-log'
  /** Recorded requests. */
  | 'traffic'
  /** The log of Elasticsearch's server, if it contains no entries of the slow log. */
  | 'elasticsearch-log'
  /** The access log of a web server, proxy or load balancer. */
  | 'access-log'
  /** A script with curl commands. */
  | 'commands'
  /** Values that are separated by commas, semicolons or tabs. */
  | 'table'
  /** XML or HTML. */
  | 'markup'
  /** Text of any other type. */
  | 'text'
  | 'unsure';

/**
 * Something before or between the JSON objects or slow log entries of a file that prevents Dyno from reading the file. A command can remove
 * it.
 */
export type Obstacle =
  /** Requests in the format of Dev Tools, `POST _bulk`, before each body. */
  | 'requests'
  /** The head of an HTTP response, as `curl -i` prints it. */
  | 'http-head'
  /** A comma after each object. */
  | 'commas'
  /** The record separator of JSON text sequences before each object. */
  | 'separators'
  /** Several objects on a line. */
  | 'several'
  /** Other text before each JSON object. */
  | 'before-json'
  /** Other text before each line of a slow log in text format. */
  | 'before-text';

export type UnreadSearches =
  /** Queries in ES|QL or SQL. */
  | { as: 'language' }
  /** Searches whose body is JSON in a string. */
  | { as: 'text' }
  /** Searches that Dyno cannot replay, because their lines contain further keys next to the body. */
  | { as: 'wrapped'; keys: readonly string[] };

/** Formats of recorded requests. `dyno`: lines in Dyno's own form. */
export type TrafficKindOfFile = 'dyno' | 'har' | 'gor' | 'audit-log';

export interface Recognised {
  kind: FileKind;
  /** Format of the recorded requests. Present for `traffic`. */
  traffic?: TrafficKindOfFile;
  /** Format of the log. Present for a `search-log`, and for `hits` with documents from a slow log. */
  format?: LogFormat;
  /** Possible kinds of an `unsure` file. */
  could?: readonly FileKind[];
  /** True if the response of an `answer` contains hits. */
  hasHits?: boolean;
  /** True if most `hits` lack `_source`. */
  lacksSource?: boolean;
  /** Form of the searches in the file, if Dyno cannot replay them in this form. */
  searches?: UnreadSearches;
  /** Present for a file of the kind `text` if a command can remove the obstacle to reading it. */
  obstacle?: Obstacle;
  /** True if the searches of `msearch` are templates with parameters. */
  hasTemplates?: boolean;
}

const is = (kind: FileKind, more: Omit<Recognised, 'kind'> = {}): Recognised => ({ kind, ...more });

/** Maximum length of the text before the entry of a slow log in a line, in characters. */
const LONGEST_PREFIX = 500;

/** Number of lines at the beginning that determine the type of the file. Lines of Elasticsearch's server log are skipped. */
const DECIDING = 20;

export function recognise(head: FileHead): Recognised {
  if (head.lines.length === 0) return is('empty');
  const traffic = trafficIn(head.lines);
  if (traffic !== undefined) return is('traffic', { traffic });
  const obstacle = obstacleIn(head);
  if (obstacle !== undefined) return is('text', { obstacle });
  if (isScript(head.lines)) return is('commands');
  const found = ofJson(head) ?? ofLines(decidingLines(withoutContainers(head.lines)));
  // Kubernetes writes a prefix before each line. The reader of logs removes this prefix, but the reader of documents does not, so the
  // prefix before documents is an obstacle.
  const isWrapped = criWrapping(head.lines[0]!.slice(0, BEGINNING)) !== null;
  return found.kind === 'documents' && isWrapped ? is('text', { obstacle: 'before-json' }) : found;
}

/** Matches the beginning of a GoReplay file: the first line of a payload, and the first line of its HTTP message. */
const GOR = /^\uFEFF?[123] [\da-f-]{8,100} \d{13,19}(?: -?\d{1,19})?\s*\n(?:[A-Z]{3,10} \S+|HTTP\/\d)/;
/** Matches the first line of Dyno's own form: its header, or a record if another tool has removed the header. */
const OF_DYNO = /^\{\s*(?:"dyno-traffic"\s*:|"connection"\s*:\s*\d+\s*,\s*"order"\s*:\s*\d+\s*,\s*"at"\s*:)/;
const HAR = /^\{\s*"log"\s*:\s*\{/;
/** Matches keys of HTTP archives (HAR). */
const OF_HAR = /"(?:creator|entries|browser|pages)"\s*:\s*[[{]/;

/** Returns whether a text begins like a file of GoReplay. Unlike other text files, such a file may contain binary bodies. */
export const isGor = (beginning: string): boolean => GOR.test(beginning);

/** Returns the format of the recorded requests in a file; undefined if the lines are not recorded requests. */
function trafficIn(lines: readonly string[]): TrafficKindOfFile | undefined {
  const first = lines[0]!;
  if (OF_DYNO.test(first)) return 'dyno';
  if (isGor(lines.slice(0, 2).join('\n'))) return 'gor';
  const beginning = lines.slice(0, 100).join('\n').slice(0, 10_000);
  if (HAR.test(beginning) && OF_HAR.test(beginning)) return 'har';
  const deciding = withoutContainers(lines.slice(0, 10 * DECIDING)).slice(0, DECIDING);
  return 2 * deciding.filter(isAuditLine).length > deciding.length ? 'audit-log' : undefined;
}

const isComment = (line: string): boolean => /^(?:#|\/\/)/.test(line);

/** Returns whether the first line that is not a comment is a curl command. */
const isScript = (lines: readonly string[]): boolean =>
  /^(?:\$ ?)?(?:time )?curl\s/.test(lines.find((line) => !isComment(line)) ?? '');

function obstacleIn({ lines }: FileHead): Obstacle | undefined {
  const first = lines.find((line) => !isComment(line)) ?? lines[0]!;
  if (/^(?:GET|POST|PUT|DELETE|HEAD|PATCH) \S+$/.test(first)) return 'requests';
  if (/^HTTP\/\d(?:\.\d)? \d{3}\b/.test(first)) return 'http-head';
  if (first.startsWith('\u001E')) return 'separators';
  if (first.startsWith('{')) {
    const end = endOfValue(first, 0);
    const after = end < 0 ? '' : first.slice(skipBlanks(first, end));
    const isObjectBefore = after !== '' && objectIn(first.slice(0, end)) !== undefined;
    if (isObjectBefore && after === ',') return 'commas';
    return isObjectBefore && after.startsWith('{') ? 'several' : undefined;
  }
  const obstacles = lines.slice(0, DECIDING).map(beforeSlowLog);
  return (['before-json', 'before-text'] as const).find(
    (one) => 2 * obstacles.filter((each) => each === one).length > obstacles.length,
  );
}

/** Returns the obstacle before an entry of a slow log: other text on the same line. Undefined for a line without such an obstacle. */
function beforeSlowLog(line: string): 'before-json' | 'before-text' | undefined {
  const beginning = line.slice(0, LONGEST_PREFIX);
  if (formatOfLine(line) !== undefined || criWrapping(beginning.slice(0, BEGINNING)) !== null)
    return undefined;
  const json = beginning.search(/\{\s*"/);
  if (json > 0 && logFormat('slow-log').owns(line.slice(json))) return 'before-json';
  const text = beginning.search(/\[\d{4}-\d{2}-\d{2}[T ]/);
  return text > 0 && logFormat('slow-log-text').owns(line.slice(text)) ? 'before-text' : undefined;
}

/**
 * Returns the first lines that are not from Elasticsearch's server log. Containers write the server log and the slow log to the same
 * output. If all lines are from the server log, returns the first of them.
 */
function decidingLines(lines: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const line of lines) {
    if (found.length === DECIDING) break;
    if (formatOfLine(line) !== undefined || !isServerLine(line)) found.push(line);
  }
  return found.length === 0 ? lines.slice(0, DECIDING) : found;
}

// JSON that is not one object on each line

/** Keys of responses of Elasticsearch and OpenSearch to searches, bulks and multi gets. */
const ANSWER_KEYS: ReadonlySet<string> = new Set([
  ...['took', 'ingest_took', 'timed_out', 'terminated_early', 'num_reduce_phases', 'phase_took'],
  ...['errors', 'items', 'responses', 'docs', '_shards', '_clusters', '_scroll_id', 'pit_id'],
  ...['hits', 'aggregations', 'facets', 'suggest', 'profile', 'ext', 'processor_results'],
  ...['error', 'status', 'root_cause', 'is_partial', 'is_running', 'response', 'id'],
  ...['start_time_in_millis', 'expiration_time_in_millis', 'completion_time_in_millis'],
]);

const isNumber = (value: unknown): boolean => typeof value === 'number';
const isSwitch = (value: unknown): boolean => typeof value === 'boolean';
/** Returns whether a value is an error. Elasticsearch before 2.0 returns errors as strings. */
const isError = (value: unknown): boolean =>
  isObject(value) ||
  (typeof value === 'string' && /Exception\b|^(?:Incorrect HTTP method|no handler found) /.test(value));

/** Combinations of keys that occur only in responses, each key with a test of its value. */
const ANSWER: readonly Readonly<Record<string, (value: unknown) => boolean>>[] = [
  { took: isNumber, timed_out: isSwitch },
  { took: isNumber, hits: isObject },
  { took: isNumber, errors: isSwitch },
  { took: isNumber, responses: Array.isArray },
  { took: isNumber, _shards: isObject },
  { _scroll_id: (value) => typeof value === 'string', hits: isObject },
  { error: isError, status: isNumber },
  { is_partial: isSwitch, is_running: isSwitch, response: isObject },
];

const hitsOf = (entry: Json): unknown[] | undefined => {
  const hits = isObject(entry['hits']) ? entry['hits']['hits'] : undefined;
  return Array.isArray(hits) ? hits : undefined;
};

/** Whether an object contains hits of a search. The hits may contain only their sources, as with `filter_path=hits.hits._source`. */
const hasHits = (entry: Json): boolean =>
  hitsOf(entry)?.every((hit) => isHit(hit) || (isObject(hit) && isObject(hit['_source']))) ?? false;

/**
 * Returns whether an object is a response of Elasticsearch. A document may have some of the same keys, but it also has other keys, or
 * values of other types.
 */
const isAnswer = (entry: Json): boolean =>
  Object.keys(entry).every((key) => ANSWER_KEYS.has(key)) &&
  (hasHits(entry) ||
    ANSWER.some((tests) => Object.entries(tests).every(([key, test]) => test(entry[key]))) ||
    (Array.isArray(entry['docs']) && entry['docs'].length > 0 && entry['docs'].every((doc) => isHit(doc))));

/**
 * Returns whether an incomplete object is a response of Elasticsearch. The object may continue on further lines, or may have been cut off.
 * Only its complete members are therefore examined.
 */
function answerIn(text: string): boolean {
  const members = membersOf(text);
  if (!members.every(({ key }) => ANSWER_KEYS.has(key))) return false;
  const begun = /^\{\s*"hits"\s*:\s*\{\s*"(?:hits|total|max_score)"/.test(text);
  const entry = Object.fromEntries(
    members.map(({ key, valueStart, end }) => [key, parsed(text.slice(valueStart, end))]),
  );
  if (begun && entry['hits'] === undefined) return true;
  // The hits are the longest member of an answer, so they are often the member that is cut off.
  return isAnswer(/"hits"\s*:\s*\{/.test(text) ? { hits: {}, ...entry } : entry);
}

function ofJson({ lines, isCut = false }: FileHead): Recognised | null {
  const first = lines[0]!;
  const isFirstCut = isCut && lines.length === 1;
  if (first.startsWith('[') && !logFormat('slow-log-text').begins!(first)) {
    const whole = parsed(first);
    if (Array.isArray(whole)) return lines.length === 1 ? is('json-array') : null;
    return isFirstCut || /^\[\s*(?:$|[[{"\d])/.test(first) ? is('json-array') : null;
  }
  if (!first.startsWith('{') || parsed(first) !== undefined) return null;
  // If the first object is complete but has a syntax error, the file has lines with one object each, and this line is broken.
  const continues = isFirstCut || (/[{[,]$/.test(first) && lines.length > 1);
  if (!continues) return null;
  const text = lines.join('\n');
  if (answerIn(text)) return is('answer', { hasHits: /"hits"\s*:\s*\[/.test(text) });
  return isFirstCut ? null : is('pretty-json');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Lines

/**
 * Keys of an action line of `_bulk` that do not begin with an underscore, in all versions. Documents may have such keys too, so these keys
 * are only weak evidence.
 */
const ACTION_KEYS: ReadonlySet<string> = new Set([
  ...['routing', 'parent', 'pipeline', 'version', 'version_type', 'if_seq_no', 'if_primary_term', 'op_type'],
  ...['require_alias', 'require_data_stream', 'retry_on_conflict', 'dynamic_templates'],
  ...['list_executed_pipelines', 'timestamp', 'ttl', 'lang'],
]);
/** Keys that need an underscore at the beginning, but are often written without it. */
const MISSPELT_KEYS: ReadonlySet<string> = new Set(['index', 'id', 'type']);
const ACTIONS: ReadonlySet<string> = new Set(['index', 'create', 'update', 'delete']);
const IDENTITY = /^_(?:index|id|type|routing|parent|version|version_type|timestamp|ttl|retry_on_conflict)$/;

interface Action {
  name: string;
  /**
   * Evidence that the line is an action of `_bulk`.
   * - `identity`: the object of the action has a key such as `_id`.
   * - `keys`: it has other keys that actions may have.
   * - `bare`: it has no keys.
   * - `misspelt`: it has a key such as `id` instead of `_id`.
   */
  evidence: 'identity' | 'keys' | 'bare' | 'misspelt';
}

/** Returns the action in a line; undefined if the line is not an action. */
function actionOf(entry: Json | undefined): Action | undefined {
  const [name, ...more] = Object.keys(entry ?? {});
  if (name === undefined || more.length > 0 || !ACTIONS.has(name)) return undefined;
  const about = entry![name];
  if (!isObject(about)) return undefined;
  const keys = Object.keys(about);
  if (keys.length === 0) return { name, evidence: 'bare' };
  if (keys.some((key) => IDENTITY.test(key))) return { name, evidence: 'identity' };
  if (keys.every((key) => ACTION_KEYS.has(key))) return { name, evidence: 'keys' };
  return keys.every((key) => ACTION_KEYS.has(key) || MISSPELT_KEYS.has(key))
    ? { name, evidence: 'misspelt' }
    : undefined;
}

/** Number of lines for which one wrong line is tolerated in the body of `_bulk` or `_msearch`. */
const LINES_OF_A_FAULT = 10;

/**
 * Returns whether lines are the body of `_bulk`: each action is followed by a line, except for deletions.
 *
 * If actions have keys such as `_id`, the lines are certainly actions, and a few lines that do not fit are tolerated. Returns `maybe` if
 * actions only have keys that Elasticsearch does not know.
 */
function isBulk(entries: readonly (Json | undefined)[]): boolean | 'maybe' {
  const seen = { identity: 0, keys: 0, bare: 0, misspelt: 0 };
  let wrong = 0;
  for (let at = 0; at < entries.length; at += 1) {
    const action = actionOf(entries[at]);
    if (action === undefined) {
      wrong += 1;
      continue;
    }
    const { name, evidence } = action;
    const follows = name !== 'delete' && at + 1 < entries.length;
    // An action without keys is not evidence if the next line could also be an action.
    if (evidence !== 'bare' || (follows && actionOf(entries[at + 1]) === undefined)) seen[evidence] += 1;
    if (follows) at += 1;
  }
  if (wrong > 0) return seen.identity > wrong && wrong <= 1 + entries.length / LINES_OF_A_FAULT;
  if (seen.identity + seen.keys + seen.bare > 0) return true;
  return seen.misspelt > 0 ? 'maybe' : false;
}

const HEADER_KEYS: ReadonlySet<string> = new Set([
  ...[
    'index',
    'indices',
    'type',
    'types',
    'search_type',
    'preference',
    'routing',
    'request_cache',
    'version',
  ],
  ...['ignore_unavailable', 'allow_no_indices', 'expand_wildcards', 'allow_partial_search_results'],
  ...['ccs_minimize_roundtrips', 'max_concurrent_shard_requests', 'project_routing'],
]);

const isHeader = (entry: Json | undefined): boolean =>
  entry !== undefined &&
  Object.entries(entry).every(([key, value]) => HEADER_KEYS.has(key) && !isObject(value));

const TEMPLATE_KEYS: ReadonlySet<string> = new Set([
  ...['id', 'source', 'params', 'explain', 'profile', 'inline', 'template', 'file', 'lang'],
]);

/** Whether an object is a search of `_msearch/template`: a template by name or by source, often with parameters. */
const isTemplate = (entry: Json | undefined): boolean =>
  entry !== undefined &&
  Object.keys(entry).every((key) => TEMPLATE_KEYS.has(key)) &&
  (isObject(entry['params']) || entry['source'] !== undefined || entry['inline'] !== undefined) &&
  ['id', 'source', 'inline', 'template', 'file'].some((key) => entry[key] !== undefined);

/** Returns whether a body has a key that only searches have. Other keys of the body do not matter. */
const hasSearch = (body: Json): boolean =>
  Object.entries(body).some(([key, value]) => looksLikeBody({ [key]: value }) === 'yes');

/**
 * Returns whether headers and searches alternate in the lines. Returns `maybe` if there is only one header, and if this header is empty: it
 * could also be a search.
 */
function isMsearch(entries: readonly (Json | undefined)[]): boolean | 'maybe' {
  if (entries.length < 2) return false;
  const bodies = entries.filter((_, at) => at % 2 === 1);
  const headers = entries.filter((_, at) => at % 2 === 0);
  if (!headers.every(isHeader) || bodies.includes(undefined)) return false;
  const searches = bodies.filter((body) => isTemplate(body) || hasSearch(body!)).length;
  const unlike = bodies.filter(
    (body) => !isTemplate(body) && !hasSearch(body!) && looksLikeBody(body!) === 'no',
  );
  if (searches === 0 || unlike.length > searches / LINES_OF_A_FAULT) return false;
  return entries.length > 3 || Object.keys(headers[0]!).length > 0 ? true : 'maybe';
}

const isHit = (entry: unknown): boolean =>
  isObject(entry) &&
  typeof entry['_index'] === 'string' &&
  (typeof entry['_id'] === 'string' || isObject(entry['_source']));

const ACCESS = /^\S.{0,1000}?\[\d{1,2}\/[A-Z][a-z]{2}\/\d{4}:\d{2}:\d{2}:\d{2} [+-]\d{4}\] "/;
/** Matches the first line of a request in quotes, which access logs contain in all formats. */
const REQUEST_LINE = /"(?:GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS) \S{1,2000} HTTP\/\d(?:\.\d)?"/;
const MARKUP = /^(?:<\?xml\b|<!doctype\b|<!--|<\/?[a-z][\w:.-]*[\s/>])/i;
/** Matches a line of Elasticsearch's server log in text format. */
const SERVER_TEXT =
  /^\[\d{4}-\d{2}-\d{2}[T ][\d:,.]+(?:Z|[+-]\d{2}:?\d{2})?\]\s?\[\s*\w+\s*\]\s?\[\s*[\w.]+\s*\]/;

function isServerLine(line: string): boolean {
  const entry = objectIn(line);
  return entry === undefined ? SERVER_TEXT.test(line) : isServerEntry(entry);
}

type LineKind =
  | LogFormat
  | 'hit'
  | 'answer'
  | 'object'
  | 'maybe-search'
  | 'server'
  | 'access'
  | 'markup'
  | 'text';

function kindOfLine(line: string, entry: Json | undefined): LineKind {
  const format = formatOfLine(line);
  if (format !== undefined) return format;
  if (entry !== undefined) {
    if (isHit(entry)) return 'hit';
    if (isAnswer(entry)) return 'answer';
    if (isServerEntry(entry)) return 'server';
    return looksLikeBody(entry) === 'maybe' ? 'maybe-search' : 'object';
  }
  if (SERVER_TEXT.test(line)) return 'server';
  if (ACCESS.test(line) || REQUEST_LINE.test(line)) return 'access';
  return MARKUP.test(line) ? 'markup' : 'text';
}

/** For each type of line, the type of a file in which most lines are of this type. */
const OF_LINES: Readonly<Record<Exclude<LineKind, LogFormat>, FileKind>> = {
  hit: 'hits',
  answer: 'answer',
  object: 'documents',
  'maybe-search': 'unsure',
  server: 'elasticsearch-log',
  access: 'access-log',
  markup: 'markup',
  text: 'text',
};

const fileKind = (kind: LineKind): FileKind =>
  kind in OF_LINES ? OF_LINES[kind as keyof typeof OF_LINES] : 'search-log';

const LANGUAGE = /^\s*(?:FROM|ROW|SHOW|TS|SELECT|WITH|DESCRIBE)\s+\S/i;

const isOfLanguage = (entry: Json): boolean =>
  (typeof entry['query'] === 'string' && LANGUAGE.test(entry['query'])) ||
  entry['elasticsearch.querylog.query'] !== undefined ||
  entry['event.dataset'] === 'elasticsearch.esql_querylog';

const isSearchInText = ({ body }: Json): boolean =>
  typeof body === 'string' && looksLikeBody(objectIn(body.trim()) ?? { body }) === 'yes';

const isWrappedSearch = ({ body }: Json): boolean => isObject(body) && looksLikeBody(body) === 'yes';

/** Returns the form of the searches in most lines, if Dyno cannot replay this form; otherwise undefined. */
function unreadSearches(entries: readonly (Json | undefined)[]): UnreadSearches | undefined {
  const objects = entries.filter((entry) => entry !== undefined);
  const most = (is: (entry: Json) => boolean): boolean => 2 * objects.filter(is).length > entries.length;
  if (most(isOfLanguage)) return { as: 'language' };
  if (most(isSearchInText)) return { as: 'text' };
  if (!most(isWrappedSearch)) return undefined;
  const keys = new Set(objects.flatMap((entry) => Object.keys(entry)).filter((key) => !OF_A_LINE.has(key)));
  return { as: 'wrapped', keys: [...keys] };
}

function ofLines(lines: readonly string[]): Recognised {
  const found = ofEntries(lines);
  if (!['documents', 'elasticsearch-log', 'unsure'].includes(found.kind)) return found;
  const searches = unreadSearches(lines.map(objectIn));
  return searches === undefined ? found : { ...found, searches };
}

function ofEntries(given: readonly string[]): Recognised {
  const entries = given.map(objectIn);
  const bulk = isBulk(entries);
  if (bulk === true) return is('bulk');
  if (bulk === 'maybe') return is('unsure', { could: ['bulk', 'documents'] });
  const msearch = isMsearch(entries);
  if (msearch === true) return is('msearch', entries.some(isTemplate) ? { hasTemplates: true } : {});
  if (msearch === 'maybe') return is('unsure', { could: ['msearch', 'search-log'] });
  const kinds = given.map((line, at) => kindOfLine(line, entries[at]));
  const exported = entries.filter((entry) => isHit(entry)).length;
  const counts = countsOf(withoutContinuing(given, kinds));
  const lines = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const [most, count] = [...counts].sort(([, a], [, b]) => b - a)[0]!;
  const isMost = 2 * count > lines;
  if (2 * exported > given.length)
    return is('hits', {
      ...(most === 'slow-log' && isMost ? { format: 'slow-log' } : {}),
      ...(entries.some((entry) => isHit(entry) && isObject(entry!['_source'])) ? {} : { lacksSource: true }),
    });
  if (most === 'maybe-search' || !isMost) return unsure(counts);
  const kind = fileKind(most);
  if (kind === 'search-log') return is(kind, { format: most as LogFormat });
  if (kind === 'answer')
    return is(kind, { hasHits: entries.some((entry) => entry !== undefined && hasHits(entry)) });
  return kind === 'text' && isTable(given) ? is('table') : is(kind);
}

function countsOf(kinds: readonly LineKind[]): Map<LineKind, number> {
  const counts = new Map<LineKind, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/**
 * Returns the types of the lines, without the lines that continue an entry of a slow log in text format. These would otherwise count as
 * text.
 */
function withoutContinuing(lines: readonly string[], kinds: readonly LineKind[]): LineKind[] {
  const { begins } = logFormat('slow-log-text');
  return kinds.includes('slow-log-text')
    ? kinds.filter((_, at) => at === 0 || begins!(lines[at]!))
    : [...kinds];
}

function unsure(counts: ReadonlyMap<LineKind, number>): Recognised {
  const could = [...counts.keys()].flatMap((kind): FileKind[] =>
    kind === 'maybe-search' ? ['documents', 'search-log'] : [fileKind(kind)],
  );
  return is('unsure', { could: [...new Set(could)] });
}

/** Returns whether all rows have the same number of separators, at least one. */
function isTable(lines: readonly string[]): boolean {
  if (lines.length < 2) return false;
  return [',', ';', '\t'].some((separator) => {
    const [first, ...others] = lines.map((line) => separatorsIn(line, separator));
    return first! > 0 && others.every((count) => count === first);
  });
}

/** Returns the number of separators outside quotes. */
const separatorsIn = (line: string, separator: string): number =>
  line.replaceAll(/"(?:[^"]|"")*"/g, '').split(separator).length - 1;

/** Returns the lines without the prefix or the JSON object in which container runtimes wrap each line. */
function withoutContainers(lines: readonly string[]): string[] {
  const found: string[] = [];
  const parts = new Map<string, string>();
  for (const line of lines) {
    const beginning = line.slice(0, BEGINNING);
    const cri = criWrapping(beginning);
    const docker = cri === null && mayBeDocker(beginning) ? dockerLine(line) : null;
    const wrapping = cri ?? docker;
    const text = cri !== null ? line.slice(cri.length) : (docker?.text ?? line);
    if (wrapping === null) found.push(line);
    else if (wrapping.isPart) parts.set(wrapping.stream, (parts.get(wrapping.stream) ?? '') + text);
    else {
      const whole = ((parts.get(wrapping.stream) ?? '') + text).trim();
      parts.delete(wrapping.stream);
      if (whole !== '') found.push(whole);
    }
  }
  return found.length === 0 ? [...parts.values()] : found;
}
