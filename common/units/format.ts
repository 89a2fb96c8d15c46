/** Formats numbers for people: thousands separators, three significant digits, a unit with every number. */

const THOUSANDS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const PRECISE = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

/**
 * Formats a number with thousands separators, such as `12,345`. Numbers below 100 have three significant digits. Returns `–` if there is no
 * value.
 */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  return Math.abs(value) >= 100 ? THOUSANDS.format(value) : PRECISE.format(value);
}

/** Smallest share that is shown as a number. Smaller shares above 0 are usually rounding errors. */
const LEAST_SHARE = 1e-5;

/** Formats a share in [0, 1] as `1.25%`; `under 0.001%` for smaller shares above 0. */
export function formatPercent(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return '–';
  if (share > 0 && share < LEAST_SHARE) return `under ${PRECISE.format(LEAST_SHARE * 100)}%`;
  return `${PRECISE.format(share * 100)}%`;
}

/** Formats milliseconds as `850 ms`, `12 s`, for latencies. */
export function formatMs(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return '–';
  return ms >= 10_000 ? `${PRECISE.format(ms / 1000)} s` : `${formatNumber(ms)} ms`;
}

/** Formats milliseconds as `45s`, `4m 05s`, `2h 10m`, `1d 3h`, for times that people wait. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, '0')}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, '0')}m`;
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** Formats bytes as `1.5 GB` (powers of 1024, like Elasticsearch). */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined || !Number.isFinite(bytes)) return '–';
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${PRECISE.format(value)} ${units[unit]}`;
}

/** Returns the day of a time in ISO 8601 UTC: `2026-11-03`. */
export const formatDay = (iso: string): string => iso.slice(0, 10);

/** Returns a time in ISO 8601 UTC to the minute: `2026-11-03 02:00 UTC`. */
export const formatMinute = (iso: string): string => `${formatDay(iso)} ${iso.slice(11, 16)} UTC`;

/** Capitalises the first letter. */
export const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a number with its noun, such as `1 trial` or `3 trials`. `many`: the plural of the noun, if it is irregular. */
export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${formatNumber(n)} ${n === 1 ? one : many}`;

/**
 * Returns the unit in which {@link formatBytes} would show this size, as a number of bytes. Axes use it to place their ticks at round
 * numbers.
 */
export const bytesUnit = (bytes: number): number =>
  1024 ** Math.min(4, Math.max(0, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024))));
