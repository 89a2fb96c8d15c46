/**
 * Rewrites recorded requests for a replay. Replaces the names of indices in paths, action lines of bulk requests, headers of searches, and
 * queries. Also replaces the APIs of points in time, which differ between the engines. All other text stays as it was recorded.
 */
import type { Engine } from '../elasticsearch/engine';
import { jsonOfText, parsePlain } from '../json/exact';
import { elementsOf, membersOf, skipBlanks, withChanges, type Change, type Member } from '../json/source';
import { isLeftOut, type IndexMap, type IndexUse, type LeftOut } from './index-map';
import type { TrafficKind } from './kind';
import { queryWithNames, type QueryLanguage } from './query-text';

/**
 * A recorded version of a document in a request (`if_seq_no` and `if_primary_term`). The replay inserts the current version instead, which
 * it takes from the responses of the target.
 */
export interface VersionSlot {
  /** Recorded name of the index; '' if unknown. */
  index: string;
  id: string;
  /** Recorded numbers, as they were written. */
  seqNo: string;
  primaryTerm: string;
  part: 'seqNo' | 'primaryTerm';
}

export type Piece = string | VersionSlot;

export interface RecordedText {
  method: string;
  path: string;
  query: string;
  contentType: string;
  /** Body as text. Null without a body, or if the body is not valid UTF-8. */
  body: string | null;
  /** Whether the request has a body. */
  hasBody: boolean;
}

export interface Rewritten {
  path: string;
  query: Piece[];
  /** The new body; `unchanged` if the recorded bytes are sent as they are. */
  body: Piece[] | 'unchanged';
  /** Whether parts of the request were left out. Its response can then not be like the recorded one. */
  isPartial: boolean;
}

export interface RewriteSetting {
  indices: IndexMap;
  engine: Engine;
  /** Whether the request may use ingest pipelines that the recording names. Pipelines can write to any index. */
  mayUsePipelines: boolean;
  /** Function that is called with the id of each document in a request. It returns the id that is sent instead. */
  idOf: (id: string, isCreate: boolean) => string;
}

export const BINARY = 'its body is in another format than JSON';
export const MALFORMED = 'its body is malformed';
export const PIPELINE = 'its ingest pipeline could write to other indices, and `allow-writes` is not set';
export const CURSOR = 'its cursor belongs to the recorded cluster';
export const ALL_CONTEXTS = 'it would close scrolls or points in time of other clients';
export const IN_QUERY = 'its query string names an index or contains the body';
export const BACKGROUND = 'it would continue in the background, or store its result in the cluster';
export const QUERY_LANGUAGE = 'Dyno cannot find all indices in its query';
const SEVERAL_POINTS = 'it closes several points in time, and the target closes one per request';

/** Kinds of requests whose body contains names of indices. For these kinds, Dyno must read the body. */
const NAMED_IN_BODY: ReadonlySet<string> = new Set([
  'bulk',
  'msearch',
  'msearch-template',
  'mget',
  'esql',
  'sql',
  'close-scroll',
  'close-point-in-time',
]);

/** Kinds of requests with a query in the body. A query may compare names of indices, or look up documents in other indices. */
const WITH_QUERY: ReadonlySet<string> = new Set([
  'open-point-in-time',
  ...['search', 'count', 'explain', 'validate', 'knn-search', 'eql', 'vector-tile', 'terms-enum'],
  ...['field-caps', 'update-by-query', 'delete-by-query', 'mget', 'termvectors', 'search-template'],
]);

/** Kinds of requests that search all indices if the path contains no index. */
const SEARCHES_ALL: ReadonlySet<string> = new Set([
  ...['search', 'count', 'search-template', 'field-caps', 'validate', 'refresh'],
]);

/** Kinds of requests that go to a single index. */
const ONE_INDEX: ReadonlySet<string> = new Set([
  ...['get', 'get-source', 'explain', 'termvectors', 'index', 'update', 'delete', 'bulk', 'mget'],
]);

/** Returns how a request uses the index in its path. */
const useOf = ({ name, effect }: TrafficKind): IndexUse => {
  const isOne = ONE_INDEX.has(name);
  if (effect === 'write') return isOne ? 'write-one' : 'write';
  return isOne ? 'read-one' : 'read';
};

/** Matches content types of bodies that cannot be read as JSON. */
const OTHER_FORMAT = /cbor|smile|yaml/i;

/** Rewrites a request. Returns the new request, or the reason why it cannot be sent. */
export function rewriteRequest(
  kind: TrafficKind,
  request: RecordedText,
  setting: RewriteSetting,
): Rewritten | LeftOut {
  const { hasBody, body, contentType } = request;
  if (hasBody && OTHER_FORMAT.test(contentType)) return { why: BINARY };
  const isRead = NAMED_IN_BODY.has(kind.name) || WITH_QUERY.has(kind.name);
  // A NUL character occurs in UTF-16 and UTF-32. Elasticsearch detects and reads these encodings, but Dyno does not.
  if (hasBody && isRead && (body === null || body.includes('\0'))) return { why: BINARY };
  if (/[^ -~]/.test(contentType) || /[^!-~]|#/.test(request.query)) return { why: MALFORMED };
  const query = queryOf(kind, request.query, setting);
  if (isLeftOut(query)) return query;
  if (IN_BACKGROUND.has(kind.name) && BACKGROUND_KEYS.some((key) => hasKey(body ?? '', key)))
    return { why: BACKGROUND };
  if (kind.name.includes('point-in-time')) return pointInTime(kind, request, query, setting);
  const path = pathOf(kind, request, setting);
  if (isLeftOut(path)) return path;
  const rest = bodyOf(kind, request, setting);
  return isLeftOut(rest) ? rest : { path, query, ...rest };
}

/** Replaces the index and the id of the document in a path. */
function pathOf(
  kind: TrafficKind,
  { path, query, body }: RecordedText,
  setting: RewriteSetting,
): string | LeftOut {
  const { indices, idOf } = setting;
  if (kind.indices.length === 0) {
    // A search in a point in time must not contain an index.
    if (!SEARCHES_ALL.has(kind.name) || (body !== null && hasPit(body))) return path;
    const all = indices.allNames(useOf(kind));
    return isLeftOut(all) ? all : `/${encodeURIComponent(all.join())}${path}`;
  }
  const names = indices.resolve(kind.indices, useOf(kind));
  if (isLeftOut(names)) return names;
  const segments = path.split('/').filter((segment) => segment !== '');
  segments[0] = encodeURIComponent(names.join());
  if (kind.id !== undefined) {
    const id = idOf(kind.id, segments[1] === '_create' || OP_CREATE.test(query));
    if (id !== kind.id) segments[segments.length - 1] = encodeURIComponent(id);
  }
  return `/${segments.join('/')}`;
}

/** Matches the query string of a write that fails if the document exists. */
const OP_CREATE = /(?:^|[&;])op_type=create(?:[&;]|$)/;

const hasKey = (body: string, key: string): boolean => membersOf(body).some((member) => member.key === key);

/**
 * Returns whether a search contains a point in time as an object. If `pit` has a value of another type, Elasticsearch ignores it and would
 * search all indices.
 */
const hasPit = (body: string): boolean =>
  membersOf(body).some(
    ({ key, valueStart }) => key === 'pit' && membersOf(body, valueStart).some((own) => own.key === 'id'),
  );

/** Kinds of requests that can continue in the background or store their results. */
const IN_BACKGROUND: ReadonlySet<string> = new Set(['sql', 'eql', 'esql']);
/** Keys in the body or the query string that make a request continue in the background or store its results. */
const BACKGROUND_KEYS = ['wait_for_completion_timeout', 'keep_on_completion', 'keep_alive'];

/** Decodes a part of a query string. Returns the part unchanged if it is malformed. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Query parameters that Elasticsearch reads instead of parts of the path or the body. */
const REPLACES_PATH: ReadonlySet<string> = new Set([
  ...['index', 'indices', 'type', 'id', 'source', 'source_content_type'],
]);

/** Query parameters with which a write fails if its index is not an alias or a data stream. The new indices of a replay are neither. */
const REQUIRES: ReadonlySet<string> = new Set(['require_alias', 'require_data_stream']);

function queryOf(kind: TrafficKind, query: string, { mayUsePipelines }: RewriteSetting): Piece[] | LeftOut {
  if (query === '') return [];
  // Elasticsearch also accepts semicolons between parameters.
  const parts = [...query.matchAll(/([&;]?)([^&;]*)/g)]
    .filter(([whole]) => whole !== '')
    .map(([, separator = '', text = '']) => {
      const equals = text.indexOf('=');
      const name = decoded(equals < 0 ? text : text.slice(0, equals)).trim();
      return { separator, text, name, value: equals < 0 ? '' : decoded(text.slice(equals + 1)) };
    });
  const valuesOf = (name: string): string[] =>
    parts.filter((part) => part.name === name).map(({ value }) => value);
  // If a parameter occurs several times, it depends on the version which of its values counts.
  const valueOf = (name: string): string | undefined => valuesOf(name).at(-1);
  if (parts.some(({ name }) => REPLACES_PATH.has(name))) return { why: IN_QUERY };
  if (kind.effect === 'write' && !mayUsePipelines && valuesOf('pipeline').some((value) => value !== '_none'))
    return { why: PIPELINE };
  if (kind.name.endsWith('-by-query') && valuesOf('wait_for_completion').some((value) => value !== 'true'))
    return { why: BACKGROUND };
  if (IN_BACKGROUND.has(kind.name) && parts.some(({ name }) => BACKGROUND_KEYS.includes(name)))
    return { why: BACKGROUND };
  if (valuesOf('scroll_id').some((value) => value.split(',').includes('_all'))) return { why: ALL_CONTEXTS };
  const seqNo = valueOf('if_seq_no');
  const primaryTerm = valueOf('if_primary_term');
  const slot = (part: VersionSlot['part']): VersionSlot => ({
    index: kind.indices[0] ?? '',
    id: kind.id ?? '',
    seqNo: seqNo ?? '',
    primaryTerm: primaryTerm ?? '',
    part,
  });
  const hasVersion = seqNo !== undefined && primaryTerm !== undefined && kind.id !== undefined;
  const pieces: Piece[] = [];
  for (const { separator, text, name } of parts) {
    if (REQUIRES.has(name)) continue;
    if (pieces.length > 0) pieces.push(separator);
    if (hasVersion && name === 'if_seq_no') pieces.push('if_seq_no=', slot('seqNo'));
    else if (hasVersion && name === 'if_primary_term') pieces.push('if_primary_term=', slot('primaryTerm'));
    else pieces.push(text);
  }
  return pieces;
}

type Body = Pick<Rewritten, 'body' | 'isPartial'>;

const UNCHANGED: Body = { body: 'unchanged', isPartial: false };
const changed = (body: Piece[], isPartial = false): Body => ({ body, isPartial });

function bodyOf(kind: TrafficKind, request: RecordedText, setting: RewriteSetting): Body | LeftOut {
  const { body } = request;
  const { name } = kind;
  if (name === 'close-scroll' && closesAll(request)) return { why: ALL_CONTEXTS };
  if (body === null) return UNCHANGED;
  if (name === 'bulk') return bulkBody(body, kind, setting);
  if (name === 'msearch' || name === 'msearch-template') return msearchBody(body, kind, setting);
  if (name === 'esql') return queryText(body, 'esql', setting);
  if (name === 'sql') return queryText(body, request.path.includes('_ppl') ? 'ppl' : 'sql', setting);
  if (TEMPLATES.has(name) && NAMES_INDEX.test(templateOf(body))) return { why: QUERY_LANGUAGE };
  if (!WITH_QUERY.has(name)) return UNCHANGED;
  const text = withNames(body, setting, name === 'mget');
  return isLeftOut(text) ? text : text === body ? UNCHANGED : changed([text]);
}

/** Returns whether a request closes all scrolls, including those of other clients. */
function closesAll({ path, body }: RecordedText): boolean {
  const inPath = decoded(path.split('/').findLast((segment) => segment !== '') ?? '');
  const inBody = membersOf(body ?? '').flatMap((member) => namesOf(valueAt(body!, member)));
  return [...inPath.split(','), ...inBody].includes('_all');
}

/** Kinds of requests with a search template in the body, written as a text. */
const TEMPLATES: ReadonlySet<string> = new Set(['search-template', 'msearch-template']);
const NAMES_INDEX = /index|indices/;

/** Returns the text of a search template. Returns '' if the template is an object, which is read like a query. */
const templateOf = (body: string): string =>
  ['source', 'inline'].map((key) => textMember(body, key)?.value ?? '').join('');

/** Yields the lines of a body in NDJSON, without their line breaks. */
function* linesOf(body: string): Generator<string> {
  for (let from = 0; from < body.length;) {
    const end = body.indexOf('\n', from);
    const until = end < 0 ? body.length : end;
    yield body.slice(from, body.charCodeAt(until - 1) === 13 ? until - 1 : until);
    from = until + 1;
  }
}

const valueAt = (text: string, { valueStart, end }: Member): unknown => {
  try {
    return parsePlain(text.slice(valueStart, end));
  } catch {
    return undefined;
  }
};

/** Returns a value as text, as Elasticsearch reads a name or an id. Undefined if the value is neither a text nor a number. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;

/** Rewrites the action lines of a bulk request. Actions on indices for which there is no new index are left out. */
function bulkBody(body: string, kind: TrafficKind, setting: RewriteSetting): Body | LeftOut {
  const pieces: Piece[] = [];
  let text = '';
  let isPartial = false;
  let reason: LeftOut | null = null;
  const lines = linesOf(body);
  for (let next = lines.next(); !next.done; next = lines.next()) {
    const line = next.value;
    if (line.trim() === '') continue;
    const [action] = membersOf(line);
    if (action === undefined || line.charAt(action.valueStart) !== '{') return { why: MALFORMED };
    const found = actionLine(line, action, kind, setting);
    const source = action.key === 'delete' ? undefined : lines.next();
    if (source?.done) return { why: MALFORMED };
    if (isLeftOut(found)) {
      isPartial = true;
      reason ??= found;
      continue;
    }
    for (const piece of found) {
      if (typeof piece === 'string') text += piece;
      else {
        pieces.push(text, piece);
        text = '';
      }
    }
    text += source === undefined ? '\n' : `\n${source.value}\n`;
  }
  if (text === '' && pieces.length === 0) return reason ?? UNCHANGED;
  return changed([...pieces, text], isPartial);
}

/** Writes an action line with the new name of the index. The new line contains only keys that Dyno has understood. */
function actionLine(
  line: string,
  action: Member,
  kind: TrafficKind,
  { indices, mayUsePipelines, idOf }: RewriteSetting,
): Piece[] | LeftOut {
  const members = membersOf(line, action.valueStart);
  const valueOf = (key: string): unknown => {
    const member = members.findLast((own) => own.key === key);
    return member === undefined ? undefined : valueAt(line, member);
  };
  const written = textOf(valueOf('_index'));
  const recorded = written ?? kind.indices[0];
  if (recorded === undefined) return { why: MALFORMED };
  const names = indices.resolve([recorded], 'write-one');
  if (isLeftOut(names)) return names;
  const id = textOf(valueOf('_id'));
  const seqNo = textOf(valueOf('if_seq_no'));
  const primaryTerm = textOf(valueOf('if_primary_term'));
  const hasVersion = id !== undefined && seqNo !== undefined && primaryTerm !== undefined;
  const version = { index: recorded, id: id ?? '', seqNo: seqNo ?? '', primaryTerm: primaryTerm ?? '' };
  const pieces: Piece[] = [`{${jsonOfText(action.key)}:{"_index":${jsonOfText(names[0]!)}`];
  const add = (...more: Piece[]): void => void pieces.push(...more);
  for (const member of members) {
    const { key, valueStart, end } = member;
    const value = line.slice(valueStart, end);
    if (key === '_index' || REQUIRES.has(key)) continue;
    if (key === 'pipeline' && !mayUsePipelines && value !== '"_none"') return { why: PIPELINE };
    if (hasVersion && key === 'if_seq_no') add(',"if_seq_no":', { ...version, part: 'seqNo' });
    else if (hasVersion && key === 'if_primary_term')
      add(',"if_primary_term":', { ...version, part: 'primaryTerm' });
    else if (key === '_id' && id !== undefined) {
      const ownId = idOf(id, action.key === 'create');
      add(`,"_id":${ownId === id ? value : jsonOfText(ownId)}`);
    } else add(`,${jsonOfText(key)}:${value}`);
  }
  pieces.push('}}');
  return pieces;
}

/** Returns the names in a value, which is a text with commas or a list of such texts. */
const namesOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one) => (typeof one === 'string' ? one.split(',') : []));

/** Rewrites the headers of an `_msearch`. Searches of indices for which there is no new index are left out. */
function msearchBody(body: string, kind: TrafficKind, setting: RewriteSetting): Body | LeftOut {
  let text = '';
  let isPartial = false;
  let reason: LeftOut | null = null;
  const lines = linesOf(body);
  for (let next = lines.next(); !next.done; next = lines.next()) {
    const header = next.value.trim() === '' ? '{}' : next.value;
    const search = lines.next();
    if (search.done) break;
    if (header.charAt(skipBlanks(header, 0)) !== '{') return { why: MALFORMED };
    const own = searchHeader(header, search.value, kind, setting);
    const isHidden = TEMPLATES.has(kind.name) && NAMES_INDEX.test(templateOf(search.value));
    const query = isHidden
      ? { why: QUERY_LANGUAGE }
      : isLeftOut(own)
        ? own
        : withNames(search.value, setting, false);
    if (isLeftOut(own) || isLeftOut(query)) {
      isPartial = true;
      reason ??= isLeftOut(own) ? own : (query as LeftOut);
    } else text += `${own}\n${query}\n`;
  }
  if (text === '') return reason ?? { why: MALFORMED };
  return changed([text], isPartial);
}

function searchHeader(
  header: string,
  search: string,
  kind: TrafficKind,
  { indices }: RewriteSetting,
): string | LeftOut {
  const members = membersOf(header);
  const isName = ({ key }: Member): boolean => key === 'index' || key === 'indices';
  const named = members.filter(isName).flatMap((member) => namesOf(valueAt(header, member)));
  const others = members
    .filter((member) => !isName(member))
    .map(({ start, end }) => header.slice(start, end));
  // If a header contains no name, the index in the path applies. A search in a point in time goes to no index at all.
  if (named.length === 0 && (kind.indices.length > 0 || hasPit(search))) return `{${others.join()}}`;
  const names = named.length === 0 ? indices.allNames('read') : indices.resolve(named, 'read');
  if (isLeftOut(names)) return names;
  return `{${[`"index":[${names.map(jsonOfText).join()}]`, ...others].join()}}`;
}

/**
 * Replaces names of indices in a query, or in the documents of an `_mget`. `isStrict`: whether the request is left out if there is no new
 * index for a name. Otherwise, such a name stays.
 */
function withNames(body: string, setting: RewriteSetting, isStrict: boolean): string | LeftOut {
  // These keys may also be written with escapes.
  if (!/"(?:_index|index|target_index|indices_boost|_id|ids)"|\\u/.test(body)) return body;
  // Elasticsearch also accepts comments, and names could be hidden in them.
  if (!isJson(body)) return { why: MALFORMED };
  const changes: Change[] = [];
  const why = collect(body, skipBlanks(body, 0), setting, isStrict, changes);
  return why ?? withChanges(body, changes);
}

function isJson(text: string): boolean {
  try {
    parsePlain(text);
    return true;
  } catch {
    return false;
  }
}

/** Adds the changes in the value that begins at `from` to `changes`. Returns null, or the reason why the request is left out. */
function collect(
  body: string,
  from: number,
  setting: RewriteSetting,
  isStrict: boolean,
  changes: Change[],
): LeftOut | null {
  const first = body.charAt(from);
  if (first === '[') {
    for (const at of elementsOf(body, from)) {
      const why = collect(body, at, setting, isStrict, changes);
      if (why !== null) return why;
    }
    return null;
  }
  if (first !== '{') return null;
  const members = membersOf(body, from);
  // If a query looks up terms, a shape or a document to percolate, the object has an index and an id.
  const isLookup = members.some(({ key }) => key === 'id' || key === 'path');
  // The object is a document to which a query is similar, or which it pins.
  const isDocument = members.some(({ key }) => key === '_id' || key === 'doc');
  for (const { key, start, valueStart, end } of members) {
    const isRead = (key === 'index' && isLookup) || key === 'target_index';
    if (key === '_index' || (isRead && body.charAt(valueStart) !== '{')) {
      // A query that only compares an unknown name finds nothing. Elsewhere, Elasticsearch would read the documents of that index.
      const isNeeded = isStrict || isRead || isDocument;
      const why = renameStrings(body, valueStart, end, setting, isNeeded, changes);
      if (why !== null) return why;
    } else if (key === 'indices_boost') boosts(body, valueStart, setting, changes);
    else if (isStrict && (key === '_id' || key === 'ids'))
      renameIds(body, valueStart, end, setting.idOf, changes);
    else if (start < valueStart) {
      const why = collect(body, valueStart, setting, isStrict, changes);
      if (why !== null) return why;
    }
  }
  return null;
}

const STRING = /"(?:[^"\\]|\\.)*"/g;
/** Yields the positions of the strings that are values. A string before a colon is a key, and is skipped. */
function* stringsIn(body: string, from: number, until: number): Generator<[start: number, end: number]> {
  STRING.lastIndex = from;
  for (let found = STRING.exec(body); found !== null && found.index < until; found = STRING.exec(body)) {
    const { index } = found;
    const end = index + found[0].length;
    if (body.charAt(skipBlanks(body, end)) !== ':') yield [index, end];
    STRING.lastIndex = end;
  }
}

/**
 * Replaces all names of indices in the value of a key. A name may have several new indices. A list then gets the names of all of them, a
 * single text only the first name.
 */
function renameStrings(
  body: string,
  from: number,
  until: number,
  { indices }: RewriteSetting,
  isStrict: boolean,
  changes: Change[],
): LeftOut | null {
  const isList = body.charAt(from) === '[';
  for (const [start, end] of [...stringsIn(body, from, until)]) {
    const name = parsePlain(body.slice(start, end)) as string;
    const names = indices.resolve([name], isStrict ? 'read-one' : 'read');
    if (isLeftOut(names)) {
      if (isStrict) return names;
      // In a trial, a query for an unknown index finds nothing, so the name can stay.
      continue;
    }
    const text = isList ? names.map(jsonOfText).join() : jsonOfText(names[0]!);
    changes.push({ from: start, until: end, text });
  }
  return null;
}

function renameIds(
  body: string,
  from: number,
  until: number,
  idOf: (id: string, isCreate: boolean) => string,
  changes: Change[],
): void {
  for (const [start, end] of [...stringsIn(body, from, until)]) {
    const id = parsePlain(body.slice(start, end)) as string;
    const own = idOf(id, false);
    if (own !== id) changes.push({ from: start, until: end, text: jsonOfText(own) });
  }
}

/** Replaces the keys of `indices_boost`, which is an object or a list of objects. */
function boosts(body: string, from: number, { indices }: RewriteSetting, changes: Change[]): void {
  const objects = body.charAt(from) === '[' ? elementsOf(body, from) : [from];
  for (const at of objects)
    for (const { key, start, valueStart, end } of membersOf(body, at)) {
      const names = indices.resolve([key], 'read');
      if (isLeftOut(names)) continue;
      const value = body.slice(valueStart, end);
      changes.push({
        from: start,
        until: end,
        text: `${jsonOfText(names[0]!)}:${value}`,
      });
    }
}

/** Returns a member at the top level of a body and its value, if this value is a text. Returns undefined otherwise. */
function textMember(body: string, key: string): { member: Member; value: string } | undefined {
  const member = membersOf(body).findLast((own) => own.key === key);
  const value = member === undefined ? undefined : valueAt(body, member);
  return member === undefined || typeof value !== 'string' ? undefined : { member, value };
}

const withText = (body: string, { valueStart, end }: Member, text: string): string =>
  body.slice(0, valueStart) + jsonOfText(text) + body.slice(end);

/** Rewrites the text of a query in ES|QL, SQL or PPL. Also rewrites the JSON query next to it, which may limit the documents. */
function queryText(body: string, language: QueryLanguage, setting: RewriteSetting): Body | LeftOut {
  if (!isJson(body)) return { why: MALFORMED };
  if (hasKey(body, 'cursor')) return { why: CURSOR };
  // A query with such a key reads another cluster.
  if (hasKey(body, 'catalog') || hasKey(body, 'project_routing')) return { why: QUERY_LANGUAGE };
  const found = textMember(body, 'query');
  if (found === undefined) return { why: MALFORMED };
  const query = queryWithNames(language, found.value, (names) => setting.indices.resolve(names, 'read'));
  if (query === null) return { why: QUERY_LANGUAGE };
  if (isLeftOut(query)) return query;
  const own = query === found.value ? body : withText(body, found.member, query);
  const text = withNames(own, setting, false);
  return isLeftOut(text) ? text : text === body ? UNCHANGED : changed([text]);
}

/** Query parameters for opening a point in time that both engines know. */
const SHARED_PARAMETERS: ReadonlySet<string> = new Set([
  ...['keep_alive', 'preference', 'routing', 'expand_wildcards'],
]);

/** Returns the last segments of the path of the API that opens or closes a point in time. */
export const pointInTimeApi = (engine: Engine): string =>
  engine === 'opensearch' ? '_search/point_in_time' : '_pit';

/** Rewrites a request that opens or closes a point in time to the API of the target's engine. */
function pointInTime(
  kind: TrafficKind,
  { path, body }: RecordedText,
  query: Piece[],
  setting: RewriteSetting,
): Rewritten | LeftOut {
  const { indices, engine } = setting;
  const isOwn = path.includes('/point_in_time') === (engine === 'opensearch');
  const api = pointInTimeApi(engine);
  if (kind.name === 'open-point-in-time') {
    const names = indices.resolve(kind.indices, 'read');
    if (isLeftOut(names)) return names;
    const shared = query.join('').split(/[&;]/);
    const filter = body === null ? body : withNames(body, setting, false);
    if (filter !== null && isLeftOut(filter)) return filter;
    return {
      path: `/${encodeURIComponent(names.join())}/${api}`,
      query: isOwn ? query : [shared.filter((one) => SHARED_PARAMETERS.has(one.split('=', 1)[0]!)).join('&')],
      body: filter === body ? 'unchanged' : [filter!],
      isPartial: false,
    };
  }
  const ids = membersOf(body ?? '')
    .filter(({ key }) => key === 'id' || key === 'pit_id')
    .flatMap((member) => namesOf(valueAt(body!, member)));
  if (ids.includes('_all')) return { why: ALL_CONTEXTS };
  if (ids.length === 0) return { why: MALFORMED };
  if (isOwn) return { path, query, body: 'unchanged', isPartial: false };
  if (engine !== 'opensearch' && ids.length > 1) return { why: SEVERAL_POINTS };
  const own = engine === 'opensearch' ? { pit_id: ids } : { id: ids[0]! };
  const [key, value] = Object.entries(own)[0]!;
  const text = `{${jsonOfText(key)}:${Array.isArray(value) ? `[${value.map(jsonOfText).join()}]` : jsonOfText(value)}}`;
  return { path: `/${api}`, query, body: [text], isPartial: false };
}
