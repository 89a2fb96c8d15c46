/** Writes times into documents, as bytes. */

import type { TimeFormat } from '../../../common/generators/template';

/** Length of each format, in bytes. */
export const TIME_LENGTH: Record<TimeFormat, number> = { iso: 24, clf: 26 };

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Converts `now` (ms since the epoch) to text in UTC. */
export function timeText(format: TimeFormat, now: number): string {
  const iso = new Date(now).toISOString();
  if (format === 'iso') return iso;
  return `${iso.slice(8, 10)}/${MONTHS[Number(iso.slice(5, 7)) - 1]!}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}

export function encodeTime(format: TimeFormat, now: number, out: Uint8Array, at: number): void {
  const text = timeText(format, now);
  for (let i = 0; i < text.length; i += 1) out[at + i] = text.charCodeAt(i);
}
