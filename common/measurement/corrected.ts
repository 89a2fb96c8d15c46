/**
 * Response times of clients that wait for their answers, corrected for what the waiting hides: a client that waits sends
 * nothing, so a stall delays one request of each where it would have delayed many. Computed afterwards, as HdrHistogram's
 * `copyCorrectedForCoordinatedOmission` does (Tene 2013, "How NOT to Measure Latency"): a time that is longer than the
 * expected interval stands for further requests, each an interval shorter than the one before.
 */
import { correctedForOmission, summariseHistogram, type Histogram, type LatencySummary } from './histogram';

/** More requests than this are not put in for the missing ones: the figure would say more of the method than of the target. */
const MOST_STEPS = 20_000_000;

export interface CorrectedTimes {
  /** One request of a client is expected in each such stretch, ms: the median response time and the think time. */
  intervalMs: number;
  times: LatencySummary;
}

/** `raw`: of all trials; null where there are no answers, or their times lie too far apart to be corrected. */
export function correctedTimes(raw: Histogram, thinkTimeMs: number): CorrectedTimes | null {
  if (raw.totalCount === 0) return null;
  const intervalUs = Math.max(1, Math.round(raw.getValueAtPercentile(50) + thinkTimeMs * 1000));
  // Each of the histogram's values is stepped through once, however many requests it holds; it has a few thousand.
  if ((raw.maxValue / intervalUs) * Math.min(raw.totalCount, 4096) > MOST_STEPS) return null;
  return {
    intervalMs: intervalUs / 1000,
    times: summariseHistogram(correctedForOmission(raw, intervalUs)),
  };
}
