/** The latencies of a task second by second, sorted into a grid: read once, kept while they are looked at. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { decodeHistogram } from '../../common/measurement/histogram';
import { steppedCounts, type SteppedCounts } from '../../common/measurement/latency-grid';
import type { SampleDocument } from '../../common/measurement/trial';
import { CourseCache } from './course-cache';
import { search } from './search';
import { SAMPLES } from './stored';

/** Samples of one search: decoding them takes a fifth of a millisecond each, and others must have their turn. */
const PAGE = 500;
/** Steps that are kept altogether, six bytes each: 24 MB. */
const MOST_STEPS = 4_000_000;

/** Start of the second, ms since the epoch. */
export type LatencySecond = SteppedCounts & { at: number };

interface Read {
  seconds: LatencySecond[];
  /** Where the next search begins. */
  after: unknown[] | undefined;
  /** Nothing more can come. */
  complete: boolean;
}

type Sample = Pick<SampleDocument, '@timestamp' | 'latency'>;

/**
 * Resolves to what reads the seconds of a task in a trial, in the order of time. While the trial goes on only what has
 * come since is read; once it is `settled` it is read anew, for results that waited on a disk come late.
 */
export function latencySeconds(
  client: ElasticsearchClient,
): (trial: string, task: string, settled: boolean) => Promise<readonly LatencySecond[]> {
  const cache = new CourseCache<Read>(MOST_STEPS);

  return async (trial, task, settled) => {
    const key = JSON.stringify([trial, task]);
    const known = cache.get(key);
    if (known?.complete) return known.seconds;
    const read: Read =
      known === undefined || settled
        ? { seconds: [], after: undefined, complete: settled }
        : { ...known, seconds: [...known.seconds] };
    let last: number;
    do {
      const { hits } = await search<Sample>(client, SAMPLES, {
        size: PAGE,
        query: { bool: { filter: [{ term: { 'trial.id': trial } }, { term: { task } }] } },
        sort: ['@timestamp', 'phase'].map((field) => ({ [field]: 'asc' })),
        _source: ['@timestamp', 'latency.histogram'],
        ...(read.after === undefined ? {} : { search_after: read.after }),
      });
      for (const { _source, sort } of hits) {
        const at = Date.parse(_source['@timestamp']);
        read.seconds.push({ at, ...steppedCounts(decodeHistogram(_source.latency.histogram)) });
        read.after = sort;
      }
      last = hits.length;
    } while (last === PAGE);
    cache.set(
      key,
      read,
      read.seconds.reduce((sum, { steps }) => sum + steps.length, 1),
    );
    return read.seconds;
  };
}
