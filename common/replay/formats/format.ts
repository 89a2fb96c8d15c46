/**
 * Defines what a format of search logs is. Each format has a file in this folder and an entry in registry.ts. The code of a format only
 * parses texts. Other modules read the log files.
 */
import { parsePlain } from '../../json/exact';
import { isObject, type Json } from '../constructs';
import { parseTime } from '../../units/time';

/** The part of a search that an entry of a slow log describes: the search on one shard. */
export interface SearchPart {
  /** Name of the index. Absent if the entry does not contain it, or does not contain the number of its shard. */
  index?: string;
  /** Number of shards that the whole search reads. */
  shards: number;
  /** Duration on the shard, in ms. */
  tookMs: number;
}

/** Returns a part of a search. `index`: name of the index; undefined or '' if the entry does not contain its index or its shard. */
export const partOf = (index: string | undefined, shards: number, tookMs: number): SearchPart => ({
  ...(index === undefined || index === '' ? {} : { index }),
  ...{ shards, tookMs },
});

export interface RecordedLine {
  kind: 'search';
  /**
   * Type by which searches are grouped: the value of `type` in NDJSON, or of `search_type` in a slow log. '' if the log contains no types.
   */
  type: string;
  /** Start of the search, in ms since the epoch with fractions; null if the log does not contain it. */
  time: number | null;
  searchType: string;
  /** Name of the index of the searched shard. Absent if the log does not contain it. */
  index?: string;
  /** Present if a slow log may contain further entries about the same search, of the other indices that it searched. */
  part?: SearchPart;
  body: Json;
  /** The body exactly as in the log. */
  text: string;
}

export type ReadLine =
  | RecordedLine
  /**
   * A line about a search that another line of the log represents, because Dyno sends each search only once. A slow log has a line for each
   * shard and phase of a search. `shard`, `part`: number of the shard, and its search; present only for the query phase.
   */
  | { kind: 'repeated'; shard?: number; part?: SearchPart }
  /** A line of another log that a container writes to the same output. `log`: name of the other log. */
  | { kind: 'other'; log: string }
  | { kind: 'malformed'; reason: string };

export const malformed = (reason: string): ReadLine => ({ kind: 'malformed', reason });

/**
 * Reads seconds since the epoch with a fraction, ms, µs, ns, or ISO 8601 (in UTC if it has no zone). Returns ms since the epoch; null for
 * anything else.
 */
export function readTime(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return null;
  if (/^\d{9,10}(\.\d{1,9})?$/.test(text)) return Number(text) * 1000;
  if (/^\d{12,13}(\.\d{1,9})?$/.test(text)) return Number(text);
  if (/^\d{15,16}$/.test(text)) return Number(text) / 1e3;
  if (/^\d{18,19}$/.test(text)) return Number(text) / 1e6;
  const time = parseTime(text);
  return Number.isNaN(time) ? null : time;
}

/** Maximum nesting of a body, in levels of JSON. Elasticsearch accepts less: 30 levels of `bool`, each of which has two levels of JSON. */
const MOST_NESTED = 200;

/** Returns whether JSON is nested deeper than {@link MOST_NESTED}. A short text is not examined, because it cannot have so many levels. */
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
/** Character code of `{`. For both `{` and `[`, the code of the closing bracket is the code of the opening one plus 2. */
const BRACE = '{'.charCodeAt(0);
const BRACKET = '['.charCodeAt(0);

/** Returns the JSON object in `text`, or the reason why `text` does not contain a JSON object. */
export function readObject(text: string): Json | string {
  if (isTooDeep(text)) return `is nested more than ${MOST_NESTED} levels deep`;
  let value: unknown;
  try {
    value = parsePlain(text);
  } catch (error) {
    return `is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  return isObject(value) ? value : 'is not a JSON object';
}

export interface LogFormatDescription<Name extends string = string> {
  /** Name of the format in definitions. */
  readonly name: Name;
  /** Whether the format is only written by Elasticsearch 7.0 and later. In this case, `fields` in a body cannot mean stored fields. */
  readonly recent: boolean;
  /** Returns whether a line is strong evidence for this format. `line`: the line without white space at its ends. */
  owns(line: string): boolean;
  /** Returns whether a line is the first line of an entry. Other lines continue the entry before them. Absent if each line is an entry. */
  begins?(line: string): boolean;
  /**
   * Reads an entry. `all`: for slow logs, whether the line of every shard and phase counts as a separate search. Otherwise, only one of the
   * lines about a search counts.
   */
  read(entry: string, all: boolean): ReadLine;
}

export const defineLogFormat = <const Name extends string>(
  description: LogFormatDescription<Name>,
): LogFormatDescription<Name> => description;

/** Returns the JSON object of a line; undefined for anything else. */
export function objectIn(line: string): Json | undefined {
  if (!line.startsWith('{')) return undefined;
  const read = readObject(line);
  return typeof read === 'string' ? undefined : read;
}

/**
 * Returns the error that Elasticsearch 7.x logs instead of a query that it cannot serialise, such as `{ "error" :
 * "JsonGenerationException..." }`. Returns undefined if `body` is the body of a search.
 */
export function errorInsteadOfQuery(body: Json): string | undefined {
  const keys = Object.keys(body);
  const { error } = body;
  return keys.length === 1 && typeof error === 'string'
    ? `holds an error instead of the query: ${error}`
    : undefined;
}
