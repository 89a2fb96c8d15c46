/** `query-log`: `TIMESTAMP.MS|SEARCH_TYPE|JSON_QUERY`, with the time in seconds since the epoch and a fraction. */
import { defineLogFormat, malformed, readObject, readTime, type ReadLine } from './format';

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

export const queryLog = defineLogFormat({
  name: 'query-log',
  recent: false,
  owns: (line) => /^[\dT:.,Z+ -]{9,40}\|[^|]{0,200}\|\s*\{/.test(line),
  read: readQueryLog,
});
