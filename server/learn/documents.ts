/** Reads the documents for a profile from a file or an index, one at a time. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { breaksTies, sortedPage } from '../../common/elasticsearch/point-in-time';
import { JsonNotHeld, parseExact, stringifyExact } from '../../common/json/exact';
import { DynoError, inputError, messageOf } from '../../common/problem';
import { LineReader, LineTooLong } from '../load/sources/lines';
import { checkDocumentFile, checkUtf8 } from '../load/sources/file-head';
import { packingOfFile, readUnpacked } from '../load/sources/unpack';
import { having } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { ask } from '../target-cluster/answer';
import { identifyCluster } from '../target-cluster/cluster';

export interface FoundDocument {
  /** The document as an exact value, see `common/json/exact.ts`. */
  document: Readonly<Record<string, unknown>>;
  /** The document as JSON on one line. */
  text: string;
  /**
   * Whether the document is the first of a group of consecutive documents. If false, the document directly follows the previously read one
   * in the file or index.
   */
  begins: boolean;
}

/**
 * Yields the documents of an `.ndjson` file, which may be compressed, in constant memory. Throws a DynoError (input) that names the invalid
 * line.
 */
export async function* documentsOfFile(file: string, most: number): AsyncGenerator<FoundDocument> {
  await checkDocumentFile(file, 'ndjson');
  const packing = packingOfFile(file);
  const lines = new LineReader(readUnpacked(file));
  let found = 0;
  try {
    while (found < most) {
      const next = lines.next();
      if (next === 'ended') return;
      if (next === 'none') {
        await new Promise<void>((resolve) => {
          lines.whenMore(resolve);
        });
      } else if (lines.start < lines.end) {
        checkUtf8(lines.bytes.subarray(lines.start, lines.end), lines.number, { file, packing });
        const text = lines.bytes.toString('utf8', lines.start, lines.end);
        yield { document: documentIn(text, `${file}:${lines.number}`), text, begins: found === 0 };
        found += 1;
      }
    }
  } catch (error) {
    if (error instanceof DynoError) throw error;
    if (error instanceof LineTooLong)
      throw inputError('source.corrupt-line', `${file}:${lines.number}`, error.message);
    throw inputError('source.unreadable', file, `cannot be read: ${messageOf(error)}`);
  } finally {
    lines.close();
  }
}

function documentIn(text: string, where: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseExact(text);
  } catch (error) {
    const why = error instanceof JsonNotHeld ? '' : 'is not JSON: ';
    throw inputError('source.corrupt-line', where, `${why}${messageOf(error)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw inputError('source.corrupt-line', where, 'is not a JSON object');
}

export interface IndexSample {
  index: string;
  /** Number of documents in the index (`total`), and number of documents to read (`documents`). */
  total: number;
  documents: number;
  /** Time field by which a sample is selected. Undefined if the index has no time field. */
  timeField: string | undefined;
}

const PAGE = 1000;
const KEEP_ALIVE = '5m';
/**
 * Number of groups of consecutive documents that are read from a large index. The groups are distributed evenly over the documents of the
 * index.
 */
const STRETCHES = 10;

interface Hit {
  _source?: Record<string, unknown>;
  sort?: unknown[];
}

/**
 * Yields the documents of an index. A small index is read completely, in the order in which its documents were written. From a large index,
 * ten groups of consecutive documents are read, each in the order of time.
 */
export async function* documentsOfIndex(
  client: ElasticsearchClient,
  sample: IndexSample,
): AsyncGenerator<FoundDocument> {
  const { index, total, documents, timeField } = sample;
  const all = total <= documents || timeField === undefined;
  const starts = all ? [undefined] : await startsOf(client, sample, timeField);
  const each = Math.ceil(documents / starts.length);
  const cluster = await identifyCluster(client);
  const { engine } = cluster;
  const id = await ask(client, api.openPointInTime(index, KEEP_ALIVE, engine), `read ${index}`);
  const sorted = (keys: unknown[]): unknown => (breaksTies(cluster) ? sortedPage(keys, engine) : keys);
  try {
    for (const from of starts) {
      let after: unknown[] | undefined;
      for (let found = 0; found < each;) {
        const size = Math.min(PAGE, each - found);
        const body = {
          size,
          pit: { id, keep_alive: KEEP_ALIVE },
          track_total_hits: false,
          ...(from === undefined
            ? { sort: sorted([{ _seq_no: 'asc' }]) }
            : {
                query: { range: { [timeField!]: { gte: from, format: 'epoch_millis' } } },
                sort: sorted([{ [timeField!]: 'asc' }]),
              }),
          ...(after === undefined ? {} : { search_after: after }),
        };
        const answer = having<{ hits: { hits: Hit[] } }>('hits.hits[]');
        const page = api.searchPointInTime(body, answer, { isExact: true, timeoutMs: 120_000 });
        const { hits } = await ask(client, page, `read documents of ${index}`);
        for (const { _source: document } of hits.hits) {
          if (document === undefined)
            throw inputError(
              'learn.source',
              index,
              'does not store the _source of its documents, so Dyno cannot learn from it',
              {
                allowed: 'an index with _source, or a file of documents',
              },
            );
          yield { document, text: stringifyExact(document), begins: found === 0 };
          found += 1;
        }
        after = hits.hits.at(-1)?.sort;
        if (hits.hits.length < size || after === undefined) break;
      }
    }
  } finally {
    await ask(client, api.closePointInTime(id, engine), `end the reading of ${index}`).catch(() => undefined);
  }
}

/**
 * Divides the documents of the index into at most ten groups of similar size, in the order of their times. Returns the time at which each
 * group begins, in ms since the epoch. Returns `[undefined]` if no document has a time.
 */
async function startsOf(
  client: ElasticsearchClient,
  { index }: IndexSample,
  field: string,
): Promise<(number | undefined)[]> {
  const percents = Array.from({ length: STRETCHES }, (_, at) => (100 / STRETCHES) * at);
  const body = { size: 0, aggs: { times: { percentiles: { field, percents } } } };
  const answer = having<{ aggregations?: { times?: { values?: Record<string, number | null> } } }>();
  const asked = api.search(index, body, answer, { timeoutMs: 300_000 });
  const { aggregations } = await ask(client, asked, `look at the times of ${index}`);
  const values = percents.flatMap((percent) => aggregations?.times?.values?.[percent.toFixed(1)] ?? []);
  const starts = [...new Set(values.map(Math.floor))];
  return starts.length === 0 ? [undefined] : starts;
}
