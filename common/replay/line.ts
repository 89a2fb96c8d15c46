/** One line of a log of searches, in each of the formats that are read. Pure: the lines come from elsewhere. */
import { isObject, type Json } from './constructs';

export const LOG_FORMATS = ['query-log', 'slow-log', 'ndjson'] as const;
/**
 * `query-log`: `TIMESTAMP.MS|SEARCH_TYPE|JSON_QUERY`, the time in seconds since the epoch with a fraction.
 * `slow-log`: Elasticsearch's search slow log in JSON, of 8.x and 9.x (ECS) or 7.x.
 * `ndjson`: `{"@timestamp": ..., "type": ..., "search_type": ..., "body": {...}}`; without `body` the line is the body.
 */
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface RecordedLine {
  kind: 'search';
  /** By what the log divides its searches; '' where it does not. */
  type: string;
  /** When the search began, ms since the epoch with fractions; null where the log does not tell. */
  time: number | null;
  searchType: string;
  body: Json;
  /** The body as it stands in the log. */
  text: string;
}

export type ReadLine =
  | RecordedLine
  /** A slow log tells of a search once for each shard and phase: of this one, another line speaks. */
  | { kind: 'repeated' }
  | { kind: 'malformed'; reason: string };

const malformed = (reason: string): ReadLine => ({ kind: 'malformed', reason });

/** Seconds since the epoch with a fraction, milliseconds, or ISO 8601; ms since the epoch, null for anything else. */
export function readTime(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return null;
  if (/^\d{9,10}(\.\d{1,9})?$/.test(text)) return Number(text) * 1000;
  if (/^\d{12,13}(\.\d{1,9})?$/.test(text)) return Number(text);
  const time = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text.replace(',', '.')) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** Deeper than any search that Elasticsearch takes: it allows 30 levels of `bool`, of two each. */
const MOST_NESTED = 200;

/** Whether JSON goes deeper than that; only what is long can. */
function isTooDeep(text: string): boolean {
  if (text.length <= 2 * MOST_NESTED) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isText = false;
    } else if (code === QUOTE) isText = true;
    else if (code === BRACE || code === BRACKET) {
      depth += 1;
      if (depth > MOST_NESTED) return true;
    } else if (code === BRACE + 2 || code === BRACKET + 2) depth -= 1;
  }
  return false;
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
/** Each is closed by the character after the next one. */
const BRACE = '{'.charCodeAt(0);
const BRACKET = '['.charCodeAt(0);

function readObject(text: string): Json | string {
  if (isTooDeep(text)) return `is nested more than ${MOST_NESTED} levels deep`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  return isObject(value) ? value : 'is not a JSON object';
}

function readQueryLog(line: string): ReadLine {
  const first = line.indexOf('|');
  const second = first < 0 ? -1 : line.indexOf('|', first + 1);
  if (second < 0) return malformed('is not TIMESTAMP.MS|SEARCH_TYPE|JSON_QUERY');
  const time = readTime(line.slice(0, first).trim());
  if (time === null) return malformed('does not begin with a time in seconds since the epoch');
  const type = line.slice(first + 1, second).trim();
  const text = line.slice(second + 1);
  const body = readObject(text);
  if (typeof body === 'string') return malformed(`its query ${body}`);
  return { kind: 'search', type, time, searchType: type, body, text };
}

/** `source` is JSON in a text, escaped once more by some versions. */
function readSource(source: unknown): { body: Json; text: string } | string {
  if (typeof source !== 'string' || source === '') return 'holds no source';
  const body = readObject(source);
  if (typeof body !== 'string') return { body, text: source };
  let text: unknown;
  try {
    text = JSON.parse(`"${source}"`);
  } catch {
    return `its source ${body}`;
  }
  const again = readObject(String(text));
  return typeof again === 'string' ? `its source ${again}` : { body: again, text: String(text) };
}

const number = (value: unknown): number | null => {
  const read = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : null;
};

/** '' for what is no text or number: an object may have a `toString` of its own. */
const word = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** Fields of the ECS form are flat, `elasticsearch.slowlog.source`; those of 7.x have no prefix. */
function readSlowLog(line: string, all: boolean): ReadLine {
  const entry = readObject(line);
  if (typeof entry === 'string') return malformed(entry);
  const field = (name: string): unknown => entry[`elasticsearch.slowlog.${name}`] ?? entry[name];
  if (field('source') === undefined)
    return malformed('is not a search of a slow log: it has no elasticsearch.slowlog.source');
  const logger = `${word(entry['log.logger'] ?? entry['component'])} ${word(entry['event.dataset'] ?? entry['type'])}`;
  if (/index(ing)?_indexing_slowlog|indexing\.slowlog/.test(logger))
    return malformed('is of the indexing slow log');
  if (!all) {
    if (/slowlog\.fetch/.test(logger)) return { kind: 'repeated' };
    const shard = /\[(\d+)\]\s*$/.exec(word(field('message')))?.[1];
    if (shard !== undefined && shard !== '0' && (number(field('total_shards')) ?? 1) > 1)
      return { kind: 'repeated' };
  }
  const source = readSource(field('source'));
  if (typeof source === 'string') return malformed(source);
  const ended = readTime(entry['@timestamp'] ?? entry['timestamp']);
  // The line is written when the search is over.
  const nanos = number(entry['event.duration']);
  const tookMs = nanos !== null ? nanos / 1e6 : (number(field('took_millis')) ?? 0);
  const searchType = word(field('search_type')).toLowerCase();
  return {
    kind: 'search',
    type: searchType,
    time: ended === null ? null : ended - tookMs,
    searchType,
    ...source,
  };
}

function readNdjson(line: string): ReadLine {
  const entry = readObject(line);
  if (typeof entry === 'string') return malformed(entry);
  const given = entry['@timestamp'] ?? entry['timestamp'];
  const time = given === undefined ? null : readTime(given);
  if (given !== undefined && time === null)
    return malformed('its time is neither ISO 8601 nor a number of seconds or ms');
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const wrapped = entry['body'] !== undefined;
  const body = wrapped ? entry['body'] : entry;
  if (!isObject(body)) return malformed('its body is not a JSON object');
  if (!wrapped && given !== undefined) return malformed('has a time but no body');
  return {
    kind: 'search',
    type: wrapped ? text(entry['type']) : '',
    time,
    searchType: wrapped ? text(entry['search_type']).toLowerCase() : '',
    body,
    text: wrapped ? JSON.stringify(body) : line,
  };
}

/** `all`: slow logs give a line of each shard and phase. */
export function readLine(format: LogFormat, line: string, all = false): ReadLine {
  switch (format) {
    case 'query-log':
      return readQueryLog(line);
    case 'slow-log':
      return readSlowLog(line, all);
    case 'ndjson':
      return readNdjson(line);
  }
}
