/** What a task told second by second in one trial: read once, kept while it is looked at. */
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { SampleDocument } from '../../../common/measurement/trial';
import { TimelineCache } from './cache';
import { searchPages } from '../search';
import { SAMPLES } from '../stored';
import { parseTime } from '../../../common/units/time';

/** Samples of one search: others must have their turn. */
const PAGE = 500;

interface Read<Second> {
  seconds: Second[];
  /** Where the next search begins. */
  after: unknown[] | undefined;
  /** Nothing more can come. */
  complete: boolean;
}

interface SecondsOptions<Second> {
  /** Of the sample's document, beside its time. */
  fields: readonly string[];
  /** `at`: start of the second, ms since the epoch. */
  secondOf: (sample: SampleDocument, at: number) => Second;
  /** What a second weighs; at most `mostKept` are kept altogether. */
  weightOf: (second: Second) => number;
  mostKept: number;
}

/** In the order of time. */
export type SecondsReader<Second> = (
  trial: string,
  task: string,
  settled: boolean,
) => Promise<readonly Second[]>;

/**
 * While a trial goes on only what has come since is read; once it is `settled` it is read again, for results that waited
 * on a disk come late.
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
