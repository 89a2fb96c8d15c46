/** Stretches of time as addresses carry them, which anybody may have written. */

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** Both ends in ISO 8601, or both '' where they are no stretch of time. */
export function stretchOf(from: string, to: string): { from: string; to: string } {
  const valid = [from, to].every((text) => ISO.test(text) && !Number.isNaN(Date.parse(text)));
  return valid && Date.parse(from) < Date.parse(to) ? { from, to } : { from: '', to: '' };
}

/** At least this long, ms: a sample is a second. */
const LEAST_MS = 5000;

/** Around the same middle, long enough to show something; whole milliseconds. */
export function widened(from: number, to: number): [from: number, to: number] {
  const missing = Math.max(0, LEAST_MS - (to - from)) / 2;
  return [Math.floor(from - missing), Math.ceil(to + missing)];
}
