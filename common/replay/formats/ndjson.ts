/** `ndjson`: `{"@timestamp": ..., "type": ..., "search_type": ..., "body": {...}}`; without `body` the line is the body. */
import { isObject } from '../constructs';
import { defineLogFormat, malformed, mostOf, objectIn, readObject, readTime, type ReadLine } from './format';

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

/** What bodies of searches begin with; an object without any of them may be a document of any kind. */
const OF_A_SEARCH = [
  'query',
  'aggs',
  'aggregations',
  'size',
  'from',
  'sort',
  'knn',
  'retriever',
  'filter',
  'facets',
  '_source',
  'fields',
  'suggest',
  'track_total_hits',
];

export const ndjson = defineLogFormat({
  name: 'ndjson',
  recent: false,
  detects: (lines) =>
    mostOf(lines, (line) => {
      const entry = objectIn(line.trim());
      if (entry === undefined) return false;
      if (entry['body'] !== undefined) return isObject(entry['body']);
      return Object.keys(entry).length === 0 || OF_A_SEARCH.some((key) => entry[key] !== undefined);
    }),
  read: readNdjson,
});
