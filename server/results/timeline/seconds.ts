/** Reads the samples of a task in one trial, second by second. Caches them while pages show them. */
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { SampleDocument } from '../../../common/measurement/trial';
import { TimelineCache } from './cache';
import { searchPages } from '../search';
import { SAMPLES } from '../stored';
import { parseTime } from '../../../common/units/time';

/** Number of samples per search. It is small, so that other requests get a turn. */
const PAGE = 500;

interface Read<Second> {
  seconds: Second[];
  /** Sort values after which the next search begins. */
  after: unknown[] | undefined;
  /** Whether no more samples can arrive. */
  complete: boolean;
}

interface SecondsOptions<Second> {
  /** Names of the fields that are read from each sample. `@timestamp` is always read. */
  fields: readonly string[];
  /** Converts a sample. `at`: start of the second, in ms since the epoch. */
  secondOf: (sample: SampleDocument, at: number) => Second;
  /** Returns the size of a second's data in the cache, in any unit. */
  weightOf: (second: Second) => number;
  /** Maximum sum of the sizes in the cache, in the unit of `weightOf`. */
  mostKept: number;
}

/**
 * Reads the data of one task for each second of a trial, in the order of time. `settled`: whether no further samples of the trial are
 * expected.
 */
export type SecondsReader<Second> = (
  trial: string,
  task: string,
  settled: boolean,
) => Promise<readonly Second[]>;

/**
 * Creates a reader. While a trial is running, each call reads only new samples. When no more samples are expected (`settled`), the next
 * call reads all samples once more, because samples that waited on disk may have arrived late.
 */
export function secondsOf<Second>(
  client: ElasticsearchClient,
  { fields, secondOf, weightOf, mostKept }: SecondsOptions<Second>,
): SecondsReader<Second> {
  const cache = new TimelineCache<Read<Second>>(mostKept);

  return async (trial, task, settled) => {
    const key = JSON.stringify([trial, task]);
    const known = cache.get(key);
    if (known?.complete) return known.seconds;
    const read: Read<Second> =
      known === undefined || settled
        ? { seconds: [], after: undefined, complete: settled }
        : { ...known, seconds: [...known.seconds] };
    const body = {
      size: PAGE,
      query: { bool: { filter: [{ term: { 'trial.id': trial } }, { term: { task } }] } },
      sort: ['@timestamp', 'phase'].map((field) => ({ [field]: 'asc' })),
      _source: ['@timestamp', ...fields],
    };
    for await (const hits of searchPages<SampleDocument>(client, SAMPLES, body, read.after)) {
      for (const { _source, sort } of hits) {
        read.seconds.push(secondOf(_source, parseTime(_source['@timestamp'])));
        read.after = sort;
      }
    }
    cache.set(
      key,
      read,
      read.seconds.reduce((sum, second) => sum + weightOf(second), 1),
    );
    return read.seconds;
  };
}
