/**
 * Makes a log of searches in the format `TIMESTAMP.MS|SEARCH_TYPE|JSON_QUERY`, with malformed lines and outdated queries as in real logs.
 */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { createRandom } from '../../common/random';

export interface MadeLog {
  lines: number;
  malformed: number;
  otherType: number;
  /** Number of searches in the syntax of an old version of Elasticsearch, all of which Dyno can rewrite. */
  old: number;
  /** Times of the searches that a replay will send, in ms after the first of these searches. */
  times: Float64Array;
}

const EPOCH_MS = 1_451_880_953_000;
const BROKEN = [
  'half a line',
  '1451880953.249|product|{"query":',
  '|product|{}',
  '1451880953.249 product {}',
];

const today = (id: number): string =>
  `{"query":{"bool":{"filter":[{"term":{"store_id":${id}}},{"term":{"is_visible":true}}],"must":{"match":{"name":"phone ${id}"}}}},"_source":["store_id"],"from":0,"size":6}`;
const old = (id: number): string =>
  `{"sort":[{"_score":{"order":"desc","ignore_unmapped":true}}],"query":{"filtered":{"filter":{"bool":{"must":[{"term":{"store_id":${id}}},{"term":{"_cache":false,"is_visible":true}}]}},"query":{"match":{"name":"phone ${id}"}}}},"_source":["store_id"],"size":6}`;

/**
 * Writes a log of searches with Poisson arrivals, `perSecond` per second on average. One line in a thousand is malformed, and some queries
 * have an old syntax.
 */
export async function makeLog(file: string, lines: number, perSecond: number): Promise<MadeLog> {
  const random = createRandom(7);
  const out = createWriteStream(file, { highWaterMark: 1024 * 1024 });
  const made: MadeLog = { lines, malformed: 0, otherType: 0, old: 0, times: new Float64Array(lines) };
  let sent = 0;
  let time = 0;
  let zero = -1;
  for (let line = 0; line < lines; line += 1) {
    time += (-Math.log(1 - random.unit()) * 1000) / perSecond;
    const id = Math.floor(random.unit() * 7000);
    let text: string;
    if (line % 1000 === 999) {
      made.malformed += 1;
      text = BROKEN[made.malformed % BROKEN.length]!;
    } else {
      const type = line % 50 === 49 ? 'suggest' : line % 3 === 0 ? 'category' : 'product';
      const isOld = type === 'category' && line % 10 === 0;
      // The log contains times in whole ms.
      const at = Math.round(time);
      if (type === 'suggest') made.otherType += 1;
      else {
        if (zero < 0) zero = at;
        if (isOld) made.old += 1;
        made.times[sent] = at - zero;
        sent += 1;
      }
      text = `${((EPOCH_MS + at) / 1000).toFixed(3)}|${type}|${isOld ? old(id) : today(id)}`;
    }
    if (!out.write(`${text}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
  made.times = made.times.subarray(0, sent);
  return made;
}
