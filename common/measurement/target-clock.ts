/** How far the clock of the target is from that of the machine that carries the run. */
import { formatDuration } from '../units/format';

/** One reading of it. */
export interface ClockReading {
  /** The target's clock minus the run's, ms: the median of its nodes. */
  offsetMs: number;
  /** How well it is known, ms: half of the request's round trip, and half of the clock's resolution. */
  errorMs: number;
  /** Largest difference between the clocks of two nodes, ms. */
  apartMs: number;
}

/** Of a trial; null where the target could not be asked. */
export interface TargetClock {
  before: ClockReading | null;
  after: ClockReading | null;
}

/** A larger difference is reported, ms. */
export const CLOCK_APART_MS = 1000;

/** What is added to the run's clock so that it shows the target's time, ms; 0 for a difference that may be the reading's error. */
export const clockOffset = (reading: ClockReading | null): number =>
  reading !== null && Math.abs(reading.offsetMs) > reading.errorMs ? reading.offsetMs : 0;

/** `the target’s clock is 10m behind`; '' where nothing about it needs a word. */
export function sayReading({ offsetMs, errorMs, apartMs }: ClockReading): string {
  // A reading that took a second may itself be off by half of it.
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

/** The same of a trial, with what changed while it ran. */
export function sayClock({ before, after }: TargetClock): string {
  const moved =
    before === null || after === null
      ? 0
      : Math.abs(after.offsetMs - before.offsetMs) - before.errorMs - after.errorMs;
  const said = [before, after].flatMap((reading) => (reading === null ? [] : sayReading(reading)));
  return [
    said.find(Boolean) ?? '',
    moved > CLOCK_APART_MS
      ? `the difference changed by ${formatDuration(Math.abs(after!.offsetMs - before!.offsetMs))} during the trial`
      : '',
  ]
    .filter(Boolean)
    .join('; ');
}
