/** The latencies of a task second by second, sorted into a grid. */
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { decodeHistogram } from '../../../common/measurement/histogram';
import { steppedCounts, type SteppedCounts } from '../../../common/measurement/latency-grid';
import { secondsOf, type SecondsReader } from './seconds';

/** Steps that are kept altogether, six bytes each: 24 MB. */
const MOST_STEPS = 4_000_000;

/** Start of the second, ms since the epoch. */
export type LatencySecond = SteppedCounts & { at: number };

/** Resolves to what reads the seconds of a task in a trial. Decoding a sample takes a fifth of a millisecond. */
export const latencySeconds = (client: ElasticsearchClient): SecondsReader<LatencySecond> =>
  secondsOf(client, {
    fields: ['latency.histogram'],
    secondOf: ({ latency }, at) => ({ at, ...steppedCounts(decodeHistogram(latency.histogram)) }),
    weightOf: ({ steps }) => steps.length,
    mostKept: MOST_STEPS,
  });
