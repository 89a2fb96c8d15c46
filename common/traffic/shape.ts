/**
 * Shapes of recorded requests. Requests have the same shape if they differ only in values: ids, dates in names of indices, terms, numbers,
 * and the number of elements in lists. Names of fields, patterns of indices and names of query parameters are parts of the shape.
 */
import { parsePlain } from '../json/exact';
import { isObject, type Json } from '../replay/constructs';
import { decoded, trafficKind, type TrafficKind } from './kind';
import type { TrafficRecord } from './record';

export interface RequestShape {
  method: string;
  /** Path with placeholders, followed by the names of the query parameters, such as `/logs-{date}/_search?routing`. */
  path: string;
  /** Body with types instead of values, such as `{query: {term: {status: text}}}`. '' if the request has no body. */
  body: string;
}

/** Facts about one request. The survey of a recording counts them. */
export interface ReadRequest {
  kind: TrafficKind;
  shape: RequestShape;
  /** Indices in the path and in the body, as written. */
  indices: readonly string[];
  /** Number of documents that the request writes. 0 for other requests. */
  documents: number;
  /** Text of the body. '' without a body. */
  text: string;
}

/** Maximum length of the text of a body's shape, in characters. Longer texts are cut off. */
const LONGEST_BODY = 2000;
const LONGEST_PATH = 300;
/** Maximum length of a name, in characters. Names of indices have at most 255 bytes. */
const LONGEST_NAME = 300;
/**
 * Maximum number of elements that are read of a list. The same maximum applies to the keys of an object and the searches of an `_msearch`.
 */
const MOST_ELEMENTS = 500;
/** Maximum number of different elements of a list that a shape contains. */
const MOST_DIFFERENT = 20;
/** Maximum number of indices that are read from one body. */
const MOST_INDICES = 100;
const DEEPEST = 40;
const MORE = '…';

const cut = (text: string, most: number): string => (text.length > most ? text.slice(0, most) + MORE : text);

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** Matches a date: a year, optionally with a month, a day and an hour, or with a week. */
const DATE =
  /(?<!\d)(?:19|20)\d\d(?:[._-]?w(?:0[1-9]|[1-4]\d|5[0-3])|[._-]?(?:0[1-9]|1[0-2])(?:[._-]?(?:0[1-9]|[12]\d|3[01])(?:[._T-]?(?:[01]\d|2[0-3]))?)?)?(?!\d)/gi;
/** Matches hexadecimal ids: at least 16 hexadecimal digits, at least one of them a decimal digit. */
const HEX = /(?<![a-z0-9])(?=[a-f]*\d)[0-9a-f]{16,}(?![a-z0-9])/gi;
/** Matches tokens of base64url, which may be generated ids. */
const TOKEN = /[\w-]{20,}/g;
/**
 * Matches numbers between separators, and numbers with three or more digits after letters. Shorter numbers belong to a name, such as `v2`
 * or `es8`.
 */
const NUMBER = /(?<![a-z0-9{])\d+(?:\.\d+)*(?![a-z0-9}])|(?<=[a-z])\d{3,}(?![a-z0-9}])/gi;

/**
 * Returns whether a token is a generated id. Such an id contains capital letters, small letters and digits, and does not consist of words.
 */
const isGenerated = (token: string): boolean =>
  /[A-Z]/.test(token) && /[a-z]/.test(token) && /\d/.test(token) && token.split(/[-_]/).length <= 3;

/**
 * Replaces ids, dates and numbers in the name of an index, or in another segment of a path, by placeholders. Names that are too long are
 * cut off.
 */
export const nameShape = (name: string): string =>
  cut(name, LONGEST_NAME)
    .replace(UUID, '{id}')
    .replace(DATE, '{date}')
    .replace(HEX, '{id}')
    .replace(TOKEN, (token) => (isGenerated(token) ? '{id}' : token))
    .replace(NUMBER, '{number}');

/** Returns the distinct values in alphabetical order. If there are more than `most`, an ellipsis replaces the others. */
function distinct(values: Iterable<string>, most = MOST_DIFFERENT): string[] {
  const sorted = [...new Set(values)].sort();
  return sorted.length > most ? [...sorted.slice(0, most), MORE] : sorted;
}

/** Query parameters that have only a few possible values, and that change the costs of the request. Their values belong to the shape. */
const WITH_VALUES: ReadonlySet<string> = new Set(['refresh', 'search_type', 'op_type', 'request_cache']);
/** Query parameters that change only the format of the response. */
const COSMETIC: ReadonlySet<string> = new Set(['pretty', 'human', 'error_trace']);

function queryShape(query: string): string {
  if (query === '') return '';
  const parameters = query.split('&').flatMap((parameter) => {
    const [name = '', value] = parameter.split('=', 2);
    if (name === '' || COSMETIC.has(name)) return [];
    return [WITH_VALUES.has(name) && value !== undefined && /^\w{1,30}$/.test(value) ? parameter : name];
  });
  return parameters.length === 0 ? '' : `?${distinct(parameters).join('&')}`;
}

const indicesShape = (indices: readonly string[]): string =>
  distinct(indices.slice(0, MOST_ELEMENTS).map(nameShape), 5).join(',');

/** Segments of paths after which a generated id follows, such as `_tasks`. */
const BEFORE_IDS: ReadonlySet<string> = new Set(['scroll', '_async_search', '_tasks']);

/** Returns the path with placeholders instead of ids, dates and numbers, and without query parameters. */
export function pathShape(path: string, kind: TrafficKind): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const shapes = segments.map((segment, at) => {
    const text = decoded(segment);
    if (at === 0 && kind.indices.length > 0) return indicesShape(kind.indices);
    if (at === segments.length - 1 && at > 0) {
      if (text === kind.id || BEFORE_IDS.has(segments[at - 1]!)) return '{id}';
    }
    return text.startsWith('_') ? text : nameShape(text);
  });
  return `/${shapes.join('/')}`;
}

/** Keys whose values are names of fields. These names are parts of the shape. */
const OF_FIELDS: ReadonlySet<string> = new Set([
  ...['field', 'fields', '_source', 'includes', 'excludes', 'stored_fields', 'docvalue_fields'],
  ...['fielddata_fields', 'default_field', 'path', 'sort', 'time_field'],
]);
const FIELD_NAME = /^[\w.@*-]{1,100}(?:\^\d+(?:\.\d+)?)?$/;
/** Keys whose values are names of indices. */
const OF_INDICES: ReadonlySet<string> = new Set(['index', '_index', 'indices']);
const DATE_TEXT = /^(?:\d{4}-\d\d-\d\d(?:\D|$)|now(?:$|[-+/|]))/;

function textShape(text: string, key: string): string {
  if (OF_FIELDS.has(key) && FIELD_NAME.test(text)) return text.replace(/\^.*$/, '');
  if (OF_INDICES.has(key)) return nameShape(text);
  return DATE_TEXT.test(text) ? 'date' : 'text';
}

/**
 * Returns the key of an object as it appears in the shape. A key that is an id, a date or a number is replaced by a placeholder, because it
 * counts as a value. Such keys occur in `filters`, for example.
 */
const keyShape = (key: string): string => {
  const shape = nameShape(key);
  return /^\{\w+\}$/.test(shape) ? shape : cut(key, LONGEST_NAME);
};

/** Returns the shape of a JSON value. `key`: the key whose value this is. For a value in a list, it is the key whose value is the list. */
function valueShape(value: unknown, key = '', depth = 0): string {
  if (depth > DEEPEST) return MORE;
  if (typeof value === 'string') return textShape(value, key);
  if (Array.isArray(value)) {
    const elements = value.slice(0, MOST_ELEMENTS).map((element) => valueShape(element, key, depth + 1));
    return `[${distinct(elements).join(', ')}]`;
  }
  if (isObject(value)) {
    const members = Object.keys(value)
      .slice(0, MOST_ELEMENTS)
      .map((own) => `${keyShape(own)}: ${valueShape(value[own], own, depth + 1)}`);
    return `{${distinct(members, MOST_ELEMENTS).join(', ')}}`;
  }
  return value === null ? 'null' : typeof value;
}

function parsed(text: string): unknown {
  try {
    return parsePlain(text);
  } catch {
    return undefined;
  }
}

/** Returns the shape of a query in ES|QL, SQL or EQL: literals are replaced by types, and white space is collapsed. */
const languageShape = (query: string): string =>
  query
    .slice(0, 10 * LONGEST_BODY)
    .replace(/"""[\s\S]*?"""|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '?')
    .replace(/(?<![\w.{-])\d+(?:\.\d+)?/g, '?')
    .replace(/\?(?:\s*,\s*\?)+/g, '?')
    .replace(/\s+/g, ' ')
    .trim();

const FROM = /\b(?:FROM|TS)\s+((?:[^\s|,();]+\s*,\s*)*[^\s|,();]+)/i;

/** Facts about the body of a request. */
interface ReadBody {
  shape: string;
  indices: Iterable<string>;
  documents: number;
}

const body = (shape: string, indices: Iterable<string> = [], documents = 0): ReadBody => ({
  shape,
  indices,
  documents,
});

const namesOf = (value: unknown): string[] => {
  if (typeof value === 'string') return value.split(',').filter(Boolean);
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
};

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? undefined : end);
    if (line.trim() !== '') yield line;
    from = end < 0 ? text.length : end + 1;
  }
}

const ACTIONS: ReadonlySet<string> = new Set(['index', 'create', 'update', 'delete']);

/**
 * Reads the body of a `_bulk`. Its shape consists only of its actions and indices, because documents of the same index may have different
 * fields.
 */
function bulkBody(text: string): ReadBody {
  const actions = new Set<string>();
  const indices = new Set<string>();
  let documents = 0;
  let isSource = false;
  for (const line of linesOf(text)) {
    if (isSource) {
      isSource = false;
      continue;
    }
    const entry = parsed(line);
    const [name = ''] = isObject(entry) ? Object.keys(entry) : [];
    if (!ACTIONS.has(name)) {
      actions.add('unreadable action');
      continue;
    }
    documents += 1;
    isSource = name !== 'delete';
    const about = (entry as Json)[name];
    const index = isObject(about) && typeof about['_index'] === 'string' ? about['_index'] : '';
    if (index !== '' && indices.size < MOST_INDICES) indices.add(index);
    if (actions.size < MOST_ELEMENTS) actions.add(`${name} ${nameShape(index)}`.trim());
  }
  return body(distinct(actions).join(', '), indices, documents);
}

/** Reads the body of an `_msearch` or `_msearch/template`. Its shape consists of the different headers and searches in it. */
function multiSearchBody(text: string): ReadBody {
  const searches = new Set<string>();
  const indices = new Set<string>();
  let header: string | undefined;
  let count = 0;
  for (const line of linesOf(text)) {
    const value = parsed(line);
    const shape = value === undefined ? 'text' : valueShape(value);
    if (header === undefined) {
      header = shape;
      if (isObject(value)) for (const name of namesOf(value['index'])) indices.add(name);
      continue;
    }
    searches.add(`${header === '{}' ? '' : `${header} `}${shape}`);
    header = undefined;
    count += 1;
    if (count === MOST_ELEMENTS) break;
  }
  return body(distinct(searches).join(' '), indices);
}

function multiGetIndices(value: Json): string[] {
  const docs = Array.isArray(value['docs']) ? value['docs'].slice(0, MOST_ELEMENTS) : [];
  return docs.flatMap((doc) => (isObject(doc) ? namesOf(doc['_index']) : []));
}

/** Keys in the body of an `_update` that contain parts of a document. */
const OF_DOCUMENTS: ReadonlySet<string> = new Set(['doc', 'upsert']);

function updateShape(value: Json): string {
  const members = Object.keys(value).map(
    (key) => `${key}: ${OF_DOCUMENTS.has(key) ? 'document' : valueShape(value[key], key)}`,
  );
  return `{${distinct(members).join(', ')}}`;
}

function jsonBody(text: string, kind: TrafficKind): ReadBody {
  const value = parsed(text);
  if (value === undefined) return body('text');
  if (!isObject(value)) return body(valueShape(value));
  if (['esql', 'sql', 'eql'].includes(kind.name) && typeof value['query'] === 'string') {
    const { query, ...more } = value;
    const from =
      kind.name === 'eql' ? undefined : FROM.exec((query as string).slice(0, 10 * LONGEST_BODY))?.[1];
    const others = Object.keys(more).length === 0 ? '' : ` ${valueShape(more)}`;
    return body(
      languageShape(query as string) + others,
      (from ?? '')
        .replace(/["`\s]/g, '')
        .split(',')
        .filter(Boolean),
    );
  }
  return body(valueShape(value), kind.name === 'mget' ? multiGetIndices(value) : []);
}

function readBody(text: string, kind: TrafficKind): ReadBody {
  switch (kind.name) {
    case 'bulk':
      return bulkBody(text);
    case 'msearch':
    case 'msearch-template':
      return multiSearchBody(text);
    case 'index':
      return body('document', [], 1);
    case 'update': {
      const value = parsed(text);
      return body(isObject(value) ? updateShape(value) : 'text', [], 1);
    }
    default:
      return jsonBody(text, kind);
  }
}

const UTF8 = new TextDecoder();
/** Content types of binary forms of JSON, which Dyno does not read. */
const BINARY = /\b(?:cbor|smile|octet-stream|x-protobuf)\b/i;

/** Reads the facts about a request: its kind, its shape, and the indices in it. */
export function readRequest({
  method,
  path,
  query,
  contentType,
  body: bytes,
}: Pick<TrafficRecord, 'method' | 'path' | 'query' | 'contentType' | 'body'>): ReadRequest {
  const kind = trafficKind(method, path);
  const text = bytes === null ? '' : UTF8.decode(bytes);
  const isBinary = BINARY.test(contentType);
  const own =
    text.trim() === ''
      ? body('', [], kind.name === 'delete' ? 1 : 0)
      : isBinary
        ? body('binary')
        : readBody(text, kind);
  const shape = `${pathShape(path, kind)}${queryShape(query)}`;
  return {
    kind,
    shape: { method, path: cut(shape, LONGEST_PATH), body: cut(own.shape, LONGEST_BODY) },
    indices: [...new Set([...kind.indices, ...own.indices])],
    documents: own.documents,
    text,
  };
}
