/**
 * Corrects the response times of tasks with a fixed number of clients for coordinated omission. A client that waits for a response sends
 * nothing, so a stall delays only one request of each client. The correction adds times for the requests that clients would have sent
 * during the stall.
 *
 * The method is HdrHistogram's `copyCorrectedForCoordinatedOmission` (Tene 2013, "How NOT to Measure Latency"). It assumes a fixed interval
 * between the requests of a client. For a response time that is longer than this interval, it adds further times, each one interval shorter
 * than the one before.
 */
import { correctedForOmission, summariseHistogram, type Histogram, type LatencySummary } from './histogram';

/**
 * Maximum number of times that the correction may add. If it had to add more, the result would depend more on the method than on the
 * target.
 */
const MOST_STEPS = 20_000_000;

export interface CorrectedTimes {
  /** Assumed interval between two requests of a client, in ms: the median response time plus the think time. */
  intervalMs: number;
  times: LatencySummary;
}

/** Corrects the response times of all trials. Returns null if there are no response times, or if the correction would add too many. */
export function correctedTimes(raw: Histogram, thinkTimeMs: number): CorrectedTimes | null {
  if (raw.totalCount === 0) return null;
  const intervalUs = Math.max(1, Math.round(raw.getValueAtPercentile(50) + thinkTimeMs * 1000));
  // The correction takes a few steps per distinct value of the histogram, and there are at most a few thousand distinct values.
  if ((raw.maxValue / intervalUs) * Math.min(raw.totalCount, 4096) > MOST_STEPS) return null;
  return {
    intervalMs: intervalUs / 1000,
    times: summariseHistogram(correctedForOmission(raw, intervalUs)),
  };
}
