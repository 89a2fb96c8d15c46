/** What a format of logs of searches is: each has a file of its own beside this one, and a line in registry.ts. Pure: the lines come from elsewhere. */
import { parsePlain } from '../../json/exact';
import { isObject, type Json } from '../constructs';
import { parseTime } from '../../units/time';

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
  /** A slow log tells of a search once for each shard and phase: of this one, another line speaks. `shard`: of a line of the query phase. */
  | { kind: 'repeated'; shard?: number }
  /** Of another log, named here, that a container writes to the same output. */
  | { kind: 'other'; log: string }
  | { kind: 'malformed'; reason: string };

export const malformed = (reason: string): ReadLine => ({ kind: 'malformed', reason });

/** Seconds since the epoch with a fraction, ms, µs, ns, or ISO 8601 (UTC without a zone); ms since the epoch, null for anything else. */
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

/** The JSON object that `text` is, or why it is none. */
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
  /** As definitions name it. */
  readonly name: Name;
  /** It is written by 7.0 or later alone: then `fields` of a body cannot mean stored fields. */
  readonly recent: boolean;
  /** Whether a line, blanks around it removed, is strong evidence for this format. */
  owns(line: string): boolean;
  /**
   * Whether a line begins an entry. A line that does not belongs to the entry before it. Absent where each line is an entry.
   */
  begins?(line: string): boolean;
  /** `all`: a line of each shard and phase is a search of its own. */
  read(entry: string, all: boolean): ReadLine;
}

export const defineLogFormat = <const Name extends string>(
  description: LogFormatDescription<Name>,
): LogFormatDescription<Name> => description;

/** The JSON object that a line is; undefined for anything else. */
export function objectIn(line: string): Json | undefined {
  if (!line.startsWith('{')) return undefined;
  const read = readObject(line);
  return typeof read === 'string' ? undefined : read;
}

/**
 * Returns the error that Elasticsearch 7.x writes instead of a query that it cannot print, `{ "error" : "JsonGenerationException..." }`;
 * undefined for a body of a search.
 */
export function errorInsteadOfQuery(body: Json): string | undefined {
  const keys = Object.keys(body);
  const { error } = body;
  return keys.length === 1 && typeof error === 'string'
    ? `holds an error instead of the query: ${error}`
    : undefined;
}
