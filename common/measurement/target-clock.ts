/** Difference between the target's clock and the clock of the machine whose process executes the run. */
import { formatDuration } from '../units/format';

/** One reading of the target's clock. */
export interface ClockReading {
  /** Target's clock minus the clock of the process that executes the run, in ms. If the nodes differ, it is the median. */
  offsetMs: number;
  /** Possible error of the difference in ms: half of the request's round trip plus half of the clock's resolution. */
  errorMs: number;
  /** Largest difference between the clocks of two nodes, in ms. */
  apartMs: number;
}

/** Readings of the target's clock before and after a trial. A reading is null if the target did not respond. */
export interface TargetClock {
  before: ClockReading | null;
  after: ClockReading | null;
}

/** Difference between two clocks up to which Dyno reports nothing, in ms. */
export const CLOCK_APART_MS = 1000;

/** Returns the ms to add to the local clock to get the target's time; 0 if the difference is within the error of the reading. */
export const clockOffset = (reading: ClockReading | null): number =>
  reading !== null && Math.abs(reading.offsetMs) > reading.errorMs ? reading.offsetMs : 0;

/** Describes large differences of clocks in a reading: `the target’s clock is 10m behind`; '' if all differences are small. */
export function sayReading({ offsetMs, errorMs, apartMs }: ClockReading): string {
  // An offset counts only if it exceeds the error of the reading. A request that took one second, for example, has an error of half a
  // second.
  const isOff = Math.abs(offsetMs) > CLOCK_APART_MS + errorMs;
  return [
    isOff
      ? `the target’s clock is ${formatDuration(Math.abs(offsetMs))} ${offsetMs > 0 ? 'ahead of' : 'behind'} that of the machine that carries the run`
      : '',
    apartMs > CLOCK_APART_MS + 2 * errorMs
      ? `the clocks of the target’s nodes differ by ${formatDuration(apartMs)}`
      : '',
  ]
    .filter(Boolean)
    .join(', and ');
}

/**
 * Describes large differences of clocks before and after a trial, and how much the target's clock moved during the trial. '' if the
 * differences are small.
 */
export function sayClock({ before, after }: TargetClock): string {
  const moved =
    before === null || after === null
      ? 0
      : Math.abs(after.offsetMs - before.offsetMs) - before.errorMs - after.errorMs;
  const texts = [before, after].flatMap((reading) => (reading === null ? [] : sayReading(reading)));
  return [
    texts.find(Boolean) ?? '',
    moved > CLOCK_APART_MS
      ? `the difference changed by ${formatDuration(Math.abs(after!.offsetMs - before!.offsetMs))} during the trial`
      : '',
  ]
    .filter(Boolean)
    .join('; ');
}
