/**
 * Corrects response times of closed executors for coordinated omission: a client that waits for an answer sends nothing, so a
 * stall delays one request of each client instead of many. The correction is that of HdrHistogram's
 * `copyCorrectedForCoordinatedOmission` (Tene 2013, "How NOT to Measure Latency"): a time longer than the expected interval
 * between requests adds the missing requests, each shorter than the one before by one interval.
 */
import { correctedForOmission, summariseHistogram, type Histogram, type LatencySummary } from './histogram';

/** Limit of added requests. Beyond it the result would depend more on the method than on the target. */
const MOST_STEPS = 20_000_000;

export interface CorrectedTimes {
  /** Expected interval between two requests of a client, in ms: the median response time plus the think time. */
  intervalMs: number;
  times: LatencySummary;
}

/** Corrects the response times of all trials; null if there are no answers, or the times differ too much to correct them. */
export function correctedTimes(raw: Histogram, thinkTimeMs: number): CorrectedTimes | null {
  if (raw.totalCount === 0) return null;
  const intervalUs = Math.max(1, Math.round(raw.getValueAtPercentile(50) + thinkTimeMs * 1000));
  // The correction visits each distinct value of the histogram once, and there are a few thousand at most.
  if ((raw.maxValue / intervalUs) * Math.min(raw.totalCount, 4096) > MOST_STEPS) return null;
  return {
    intervalMs: intervalUs / 1000,
    times: summariseHistogram(correctedForOmission(raw, intervalUs)),
  };
}
