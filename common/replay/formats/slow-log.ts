/**
 * `slow-log`: the search slow log in JSON of Elasticsearch 8.x and 9.x (ECS), of 7.x, and of OpenSearch, and the query log of Elasticsearch
 * 9.4 and later, which has one entry for each search. Logs shipped by Filebeat are also read: with nested objects, as a hit of an export
 * (`_source`), or with the original line in `message` or `event.original`. Source of the query log:
 * elastic.co/docs/deploy-manage/monitor/logging-configuration/query-logs
 */
import { parsePlain } from '../../json/exact';
import { asArray, isObject, type Json } from '../constructs';
import {
  defineLogFormat,
  errorInsteadOfQuery,
  malformed,
  objectIn,
  partOf,
  readObject,
  readTime,
  type ReadLine,
} from './format';
import { isTextOfSlowLog, readMessage, readText, slowLogText } from './slow-log-text';

/** Reads the field `source`, a text that contains JSON. Some versions escape this JSON twice. */
function readSource(source: unknown): { body: Json; text: string } | string {
  if (typeof source !== 'string' || source === '') return 'holds no source';
  const body = readObject(source);
  if (typeof body !== 'string') return errorInSource(body) ?? { body, text: source };
  let text: unknown;
  try {
    text = parsePlain(`"${source}"`);
  } catch {
    return `its source ${body}`;
  }
  const again = readObject(String(text));
  if (typeof again === 'string') return `its source ${again}`;
  return errorInSource(again) ?? { body: again, text: String(text) };
}

function errorInSource(body: Json): string | undefined {
  const error = errorInsteadOfQuery(body);
  return error === undefined ? undefined : `its source ${error}`;
}

const number = (value: unknown): number | null => {
  const read = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : null;
};

/** Returns a text or number as a text; '' for all other values. */
const word = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** Returns the value of a field. In the entry, its name may be flat (`a.b.c`), or nested at any of its dots. */
function fieldOf(entry: Json, name: string): unknown {
  if (Object.hasOwn(entry, name)) return entry[name];
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const inner = Object.hasOwn(entry, name.slice(0, dot)) ? entry[name.slice(0, dot)] : undefined;
    const value = isObject(inner) ? fieldOf(inner, name.slice(dot + 1)) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Returns a field of the slow log, such as `elasticsearch.slowlog.took_millis`; in 7.x, names have no prefix. */
const slowField = (entry: Json, name: string): unknown =>
  fieldOf(entry, `elasticsearch.slowlog.${name}`) ?? (Object.hasOwn(entry, name) ? entry[name] : undefined);

/** Returns the query of an entry. It is in the field `source`, which Filebeat renames to `source_query` for searches. */
const sourceOf = (entry: Json): unknown => slowField(entry, 'source_query') ?? slowField(entry, 'source');

/** Returns the logger, type or dataset of an entry, which identifies its log. */
const loggerOf = (entry: Json): string =>
  [
    'log.logger',
    'elasticsearch.slowlog.logger',
    'elasticsearch.component',
    'component',
    'event.dataset',
    'type',
  ]
    .map((name) => word(fieldOf(entry, name)))
    .join(' ');

/** Matches datasets, types and loggers of the slow logs of Elasticsearch and OpenSearch. Other databases have slow logs, too. */
const DATASET = /^(?:elastic|open)search\.\w*slowlog$/;
const TYPE = /^\w{0,40}(?:search|index|indexing)\w{0,40}_slowlog$/;
const LOGGER =
  /^(?:[\w.]{1,60}\.)?(?:index|i|cluster|c)\.(?:search|s|indexing|i)\.[\w.]{0,60}slowlog(?:\.|$)/;

const isOfSlowLog = (entry: Json): boolean =>
  DATASET.test(word(fieldOf(entry, 'event.dataset'))) ||
  TYPE.test(word(entry['type'])) ||
  ['log.logger', 'elasticsearch.slowlog.logger', 'elasticsearch.component', 'component'].some((name) =>
    LOGGER.test(word(fieldOf(entry, name)).trim()),
  );

const OF_FETCH = /(?:slowlog|i\.s\.s)\.fetch/;
const OF_INDEXING = /index(?:ing)?_indexing_slowlog|indexing\.slowlog|i\.i\.s\./;

/** Returns the language of the query in an entry of the query log, such as `dsl` or `esql`; '' for other entries. */
const languageOf = (entry: Json): string => word(fieldOf(entry, 'elasticsearch.querylog.type'));

/** Reads an entry of the query log. */
function readQuery(entry: Json, language: string): ReadLine {
  if (language !== 'dsl') return { kind: 'other', log: `queries in ${language}` };
  const source = readSource(fieldOf(entry, 'elasticsearch.querylog.query'));
  if (typeof source === 'string') return malformed(source);
  const indices = fieldOf(entry, 'elasticsearch.querylog.indices');
  const index = asArray(indices).map(word).join(',');
  const ended = readTime(entry['@timestamp']);
  return {
    kind: 'search',
    ...(index === '' ? {} : { index }),
    ...{ type: '', searchType: '' },
    time: ended === null ? null : ended - (number(fieldOf(entry, 'event.duration')) ?? 0) / 1e6,
    ...source,
  };
}

/** Whether an entry belongs to the server log, which containers write to the same output. */
export function isServerEntry(entry: Json): boolean {
  const dataset = fieldOf(entry, 'event.dataset');
  if (typeof dataset === 'string') return dataset.startsWith('elasticsearch.') && !/slowlog/.test(dataset);
  const { type } = entry;
  if (typeof type !== 'string' || /slowlog/.test(type)) return false;
  return ['component', 'cluster.name', 'node.name', 'level'].every((key) => typeof entry[key] === 'string');
}

/** Returns the document of an exported hit; the entry itself if it is not a hit. */
const withoutHit = (entry: Json): Json =>
  isObject(entry['_source']) && typeof entry['_index'] === 'string' ? entry['_source'] : entry;

/** Returns the unparsed line that Filebeat, Fluent Bit or Fluentd shipped. */
const shippedLine = (entry: Json): string | undefined =>
  ['event.original', 'message', 'log']
    .map((name) => word(fieldOf(entry, name)).trim())
    .find((line) => slowLogText.owns(line) || ownsEntry(objectIn(line)));

/**
 * Matches the groups of statistics and types in a line of Elasticsearch 7.x, which does not escape their quotes: `"stats": "["web",
 * "night"]"`. The text between the brackets is not part of the search and is dropped.
 */
const UNESCAPED = /("(?:types|stats)": )"\[.{0,2000}?\]"(?=, "(?:stats|search_type)": ")/g;

/** Returns the object of a line, or the reason why it cannot be read. */
function readEntry(line: string): Json | string {
  const entry = readObject(line);
  if (typeof entry !== 'string') return withoutHit(entry);
  const mended = line.replace(UNESCAPED, '$1"[]"');
  const again = mended === line ? entry : readObject(mended);
  return typeof again === 'string' ? entry : withoutHit(again);
}

function readSlowLog(line: string, all: boolean): ReadLine {
  const entry = readEntry(line);
  if (typeof entry === 'string') return malformed(entry);
  const language = languageOf(entry);
  if (language !== '') return readQuery(entry, language);
  const field = (name: string): unknown => slowField(entry, name);
  const written = entry['@timestamp'] ?? entry['timestamp'];
  const given = sourceOf(entry);
  // The first versions of 7.x write the text format of 6.x into the message.
  const message = word(field('message'));
  const logger = loggerOf(entry);
  if (given === undefined) {
    const shipped = shippedLine(entry);
    if (shipped !== undefined)
      return shipped.startsWith('{') ? readSlowLog(shipped, all) : readText(shipped, all);
    if (isTextOfSlowLog(message))
      return readMessage(message, { ended: readTime(written), isFetch: OF_FETCH.test(logger), all });
    if (isServerEntry(entry))
      return { kind: 'other', log: word(fieldOf(entry, 'event.dataset') ?? entry['type']) };
    return malformed('is not a search of a slow log: it has no elasticsearch.slowlog.source');
  }
  // Filebeat sometimes drops the logger. In this case, the entry is recognised by its search type, because only searches have a search
  // type.
  const isOfFilebeat = fieldOf(entry, 'event.dataset') === 'elasticsearch.slowlog';
  if (OF_INDEXING.test(logger) || (isOfFilebeat && field('search_type') === undefined))
    return malformed('is of the indexing slow log');
  const index =
    /^\s*\[([^\]]+)\]\[\d+\]\s*$/.exec(message)?.[1] ?? word(fieldOf(entry, 'elasticsearch.index.name'));
  const shards = number(field('total_shards')) ?? 1;
  const nanos = number(fieldOf(entry, 'event.duration'));
  const tookMs = nanos !== null ? nanos / 1e6 : (number(field('took_millis')) ?? 0);
  const shard = /\[(\d+)\]\s*$/.exec(message)?.[1] ?? word(fieldOf(entry, 'elasticsearch.shard.id'));
  if (!all) {
    if (OF_FETCH.test(logger)) return { kind: 'repeated' };
    if (shard !== '' && shard !== '0' && shards > 1)
      return { kind: 'repeated', shard: Number(shard), part: partOf(index, shards, tookMs) };
  }
  const source = readSource(given);
  if (typeof source === 'string') return malformed(source);
  const ended = readTime(written);
  const searchType = word(field('search_type')).toLowerCase();
  return {
    kind: 'search',
    ...(index === '' ? {} : { index }),
    ...(all || shards === 1 ? {} : { part: partOf(shard === '' ? undefined : index, shards, tookMs) }),
    type: searchType,
    // Elasticsearch writes the line at the end of the search, so its duration is subtracted.
    time: ended === null ? null : ended - tookMs,
    searchType,
    ...source,
  };
}

/** Whether an object is an entry of a slow log. The key `source` alone is not enough, because documents may have a field with this name. */
function ownsEntry(entry: Json | undefined): boolean {
  if (entry === undefined) return false;
  return (
    isOfSlowLog(entry) ||
    languageOf(entry) === 'dsl' ||
    isObject(fieldOf(entry, 'elasticsearch.slowlog')) ||
    ['source', 'source_query'].some((name) => fieldOf(entry, `elasticsearch.slowlog.${name}`) !== undefined)
  );
}

export const slowLog = defineLogFormat({
  name: 'slow-log',
  recent: true,
  owns(line) {
    if (!line.startsWith('{')) return false;
    const entry = readEntry(line);
    if (typeof entry === 'string') return false;
    return ownsEntry(entry) || shippedLine(entry) !== undefined;
  },
  read: readSlowLog,
});
