/**
 * `slow-log-text`: Elasticsearch's search slow log as text, as written by 1.x to 7.x:
 * `[2018-03-13T00:01:09,810][TRACE][index.search.slowlog.query] [node] [index][0] took[98.7ms], took_millis[98], ...,
 * search_type[QUERY_THEN_FETCH], total_shards[5], source[{"query":{...}}], extra_source[{}],`
 *
 * The fields in between depend on the version: later versions have `total_hits[]` and `id[]` instead of `types[]` and `extra_source[]`.
 * Times without a zone are in UTC. A source may be pretty-printed over several lines. OpenSearch writes the same format. Its logger
 * `c.s.r.slowlog` writes lines about whole searches.
 */
import type { Json } from '../constructs';
import { endOfValue, mergedText, skipBlanks } from '../../json/source';
import { defineLogFormat, errorInsteadOfQuery, malformed, partOf, readObject, type ReadLine } from './format';
import { parseTime } from '../../units/time';

/** Matches time, level and logger: `[index.search.slowlog.query]`, or shortened to `[i.s.s.query              ]`. */
const HEAD =
  /^\s*\[(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:[,.](\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?\]\s?\[\s*\w+\s*\]\s?\[\s*([\w.]+)\s*\]/;
const SEARCHING =
  /^(?:(?:index\.search|i\.s)\.s(?:lowlog)?\.(query|fetch)|c(?:luster)?\.s(?:earch)?\.r(?:equest)?\.slowlog)$/;
const OF_REQUESTS =
  /\bc(?:luster)?\.s(?:earch)?\.r(?:equest)?\.slowlog\b|"(?:log\.logger|event\.dataset)"\s*:\s*"elasticsearch\.querylog"|"elasticsearch\.querylog\.\w+"\s*:|"querylog"\s*:\s*\{/;
const INDEXING = /^(?:index\.indexing|i\.i)\.s(?:lowlog)?\./;

/**
 * Maximum length of the part of a line before `source`, in characters. In this part, only the groups of statistics (`stats`) can be long,
 * because users choose their names.
 */
const LONGEST_HEAD = 20_000;
const TOOK = /\btook_millis\[(\d{1,15})\]/;
const SEARCH_TYPE = /\bsearch_type\[(\w{0,50})\]/;
const TOTAL_SHARDS = /\btotal_shards\[(\d{1,9})\]/;
/** Matches `[index][0] took[`, from which the number of the shard is read. Some lines of 2.x and 5.x have no shard. */
const SHARD = /\]\s?\[(\d{1,9})\]\s*took\[/;
const INDEX = /\[([^\][]{1,255})\](?:\s?\[\d{1,9}\]\s*)?took\[/;
/**
 * Matches the field `source` directly after the search type. The groups of statistics come before the search type. Their text may look like
 * this field, so it must not match.
 */
const SOURCE_AT_ITS_PLACE =
  /\bsearch_type\[\w{0,50}\](?:,\s*(?:total_shards\[\d{1,9}\]|shards\[[^\]]{0,200}\]))?,\s*source\[/;
const SOURCE = /\bsource\[/;
const EXTRA = /^\]\s*,\s*extra_source\[/;

/**
 * Whether a line, as text or JSON, is about a whole search instead of a shard. OpenSearch's slow log of requests and the query log of
 * Elasticsearch contain such lines.
 */
export const isOfRequests = (line: string): boolean => OF_REQUESTS.test(line.slice(0, 500));

export const isTextOfSlowLog = (message: string): boolean =>
  message.includes('took_millis[') && message.includes('source[');

/**
 * Returns the body between brackets, and the position of the closing bracket. If the body cannot be read, returns the reason. `from`:
 * position after the opening bracket.
 */
function readBracketed(text: string, from: number): { body: Json; text: string; end: number } | string {
  const start = skipBlanks(text, from);
  if (text.charAt(start) === ']') return { body: {}, text: '', end: start };
  if (text.charAt(start) !== '{') return 'is not a JSON object';
  const end = endOfValue(text, start);
  if (end < 0) return 'does not end: the line is cut, as Elasticsearch does after 10,000 characters';
  const close = skipBlanks(text, end);
  if (text.charAt(close) !== ']') return 'is followed by something else';
  const own = text.slice(start, end);
  const body = readObject(own);
  if (typeof body === 'string') return body;
  return errorInsteadOfQuery(body) ?? { body, text: own, end: close };
}

interface Written {
  /** End of the search, in ms since the epoch; null if unknown. */
  ended: number | null;
  isFetch: boolean;
  all: boolean;
}

/** Reads the part of a line that follows the logger. In the JSON format, this part is the message. */
export function readMessage(message: string, { ended, isFetch, all }: Written): ReadLine {
  const begin = message.slice(0, LONGEST_HEAD);
  const found = SOURCE_AT_ITS_PLACE.exec(begin) ?? SOURCE.exec(begin);
  if (found === null) return malformed('has no source[ of a search');
  const sourceAt = found.index + found[0].length;
  const head = begin.slice(0, sourceAt);
  const index = INDEX.exec(head)?.[1];
  const shards = Number(TOTAL_SHARDS.exec(head)?.[1] ?? 1);
  const tookMs = Number(TOOK.exec(head)?.[1] ?? 0);
  const shard = SHARD.exec(head)?.[1];
  if (!all) {
    if (isFetch) return { kind: 'repeated' };
    if (shard !== undefined && shard !== '0' && shards > 1)
      return { kind: 'repeated', shard: Number(shard), part: partOf(index, shards, tookMs) };
  }
  const own = readBracketed(message, sourceAt);
  if (typeof own === 'string') return malformed(`its source ${own}`);
  const rest = EXTRA.exec(message.slice(own.end, own.end + 50))?.[0];
  const extra = rest === undefined ? undefined : readBracketed(message, own.end + rest.length);
  if (typeof extra === 'string') return malformed(`its extra_source ${extra}`);
  // If both sources have the same key, Elasticsearch used the value in the extra source.
  const body = { ...own.body, ...extra?.body };
  const searchType = (SEARCH_TYPE.exec(head)?.[1] ?? '').toLowerCase();
  return {
    kind: 'search',
    ...(index === undefined ? {} : { index }),
    ...(all || shards === 1 ? {} : { part: partOf(shard === undefined ? undefined : index, shards, tookMs) }),
    type: searchType,
    time: ended === null ? null : ended - tookMs,
    searchType,
    body,
    text: extra === undefined || extra.text === '' ? own.text || '{}' : mergedText(own.text, extra.text),
  };
}

export function readText(line: string, all: boolean): ReadLine {
  const head = HEAD.exec(line.slice(0, 500));
  if (head === null) return malformed('does not begin with [TIME][LEVEL][LOGGER]');
  const [whole, date, time, fraction = '0', zone = 'Z', logger = ''] = head;
  const searching = SEARCHING.exec(logger);
  if (searching === null)
    return malformed(
      INDEXING.test(logger)
        ? 'is of the indexing slow log'
        : `is of the logger ${logger}, which is not a search slow log`,
    );
  const ended = parseTime(`${date}T${time}.${fraction.slice(0, 3)}${zone}`);
  if (Number.isNaN(ended)) return malformed('has an invalid time');
  return readMessage(line.slice(whole.length), { ended, isFetch: searching[1] === 'fetch', all });
}

export const slowLogText = defineLogFormat({
  name: 'slow-log-text',
  recent: false,
  owns(line) {
    const logger = HEAD.exec(line.slice(0, 500))?.[5] ?? '';
    return SEARCHING.test(logger) || INDEXING.test(logger);
  },
  begins: (line) => /^\s*\[\d{4}-\d{2}-\d{2}[T ]/.test(line),
  read: readText,
});
