/** `slow-log`: Elasticsearch's search slow log in JSON, of 8.x and 9.x (ECS) or 7.x. */
import type { Json } from '../constructs';
import { defineLogFormat, malformed, mostOf, objectIn, readObject, readTime, type ReadLine } from './format';
import { isTextOfSlowLog, readMessage } from './slow-log-text';

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
const fieldOf = (entry: Json, name: string): unknown => entry[`elasticsearch.slowlog.${name}`] ?? entry[name];

/** Who wrote an entry, and into which log. */
const loggerOf = (entry: Json): string =>
  `${word(entry['log.logger'] ?? entry['component'])} ${word(entry['event.dataset'] ?? entry['type'])}`;

function readSlowLog(line: string, all: boolean): ReadLine {
  const entry = readObject(line);
  if (typeof entry === 'string') return malformed(entry);
  const field = (name: string): unknown => fieldOf(entry, name);
  const written = entry['@timestamp'] ?? entry['timestamp'];
  // The first of 7.x wrote the text of 6.x into the message.
  const message = word(field('message'));
  if (field('source') === undefined && isTextOfSlowLog(message))
    return readMessage(message, {
      ended: readTime(written),
      isFetch: /slowlog\.fetch/.test(loggerOf(entry)),
      all,
    });
  if (field('source') === undefined)
    return malformed('is not a search of a slow log: it has no elasticsearch.slowlog.source');
  const logger = loggerOf(entry);
  if (/index(ing)?_indexing_slowlog|indexing\.slowlog/.test(logger))
    return malformed('is of the indexing slow log');
  if (!all) {
    if (/slowlog\.fetch/.test(logger)) return { kind: 'repeated' };
    const shard = /\[(\d+)\]\s*$/.exec(message)?.[1];
    if (shard !== undefined && shard !== '0' && (number(field('total_shards')) ?? 1) > 1)
      return { kind: 'repeated' };
  }
  const source = readSource(field('source'));
  if (typeof source === 'string') return malformed(source);
  const ended = readTime(written);
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

export const slowLog = defineLogFormat({
  name: 'slow-log',
  recent: true,
  detects: (lines) =>
    mostOf(lines, (line) => {
      const entry = objectIn(line);
      return (
        entry !== undefined &&
        (entry['elasticsearch.slowlog.source'] !== undefined || /slowlog/.test(loggerOf(entry)))
      );
    }),
  read: readSlowLog,
});
