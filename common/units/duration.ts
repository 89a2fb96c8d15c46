/**
 * Parses durations in Elasticsearch's units: `500ms`, `30s`, `5m`, `2h`, `1d`.
 *
 * Dyno uses no package for this: packages such as `ms` also accept weeks, years and `5 minutes`, which Elasticsearch does not accept.
 */

const MS_PER_UNIT: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Form that {@link parseDuration} accepts, for error messages. */
export const DURATION_FORM = 'a number with a unit ms, s, m, h or d, such as 500ms, 30s, 5m';

/** Returns the number of milliseconds; undefined if `text` is not a duration. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  return match ? Number(match[1]) * MS_PER_UNIT[match[2]!]! : undefined;
}

/** Returns the milliseconds of a duration that was already validated. Throws for any other text. */
export function durationMs(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new Error(`not a duration: ${text}`);
  return ms;
}
