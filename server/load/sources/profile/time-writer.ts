/** Times as bytes in each of the forms of profiles, without strings where the form is a plain one. */
import { TIME_FORMS } from '../../../../common/generators/profile/times';
import { BEYOND, copyWords, type Target } from './bytes';

/** No form is longer, bytes. */
export const LONGEST_TIME = 40;

const DAY_MS = 86_400_000;
const ZERO = 48;

/** What stands between day and time, between seconds and milliseconds (0 for none), and behind. */
const PLAIN: Readonly<Record<string, { between: number; fraction: number; end: Uint8Array }>> = {
  iso: { between: 84, fraction: 46, end: Buffer.from('Z') },
  'iso-seconds': { between: 84, fraction: 0, end: Buffer.from('Z') },
  'iso-micros': { between: 84, fraction: 46, end: Buffer.from('000Z') },
  'iso-nanos': { between: 84, fraction: 46, end: Buffer.from('000000Z') },
  'iso-offset': { between: 84, fraction: 0, end: Buffer.from('+00:00') },
  'iso-offset-millis': { between: 84, fraction: 46, end: Buffer.from('+00:00') },
  'iso-local': { between: 84, fraction: 0, end: Buffer.from('') },
  sql: { between: 32, fraction: 0, end: Buffer.from('') },
  'sql-millis': { between: 32, fraction: 46, end: Buffer.from('') },
  'log-millis': { between: 32, fraction: 44, end: Buffer.from('') },
};

const PLAINS = TIME_FORMS.map(({ name }) => PLAIN[name]);

function two(out: Uint8Array, at: number, value: number): void {
  const tens = Math.floor(value / 10);
  out[at] = ZERO + tens;
  out[at + 1] = ZERO + value - tens * 10;
}

/** `form`: a place in TIME_FORMS; `ms`: since the epoch, from the year 1970 on. Returns where it ended. */
export function writeTime(form: number, ms: number, out: Target, from: number): number {
  const last = LAST[form]!;
  if (last.ms !== ms) {
    last.length = makeTime(form, ms, last.bytes);
    last.ms = ms;
  }
  copyWords(last.view, 0, out.view, from, last.length);
  return from + last.length;
}

/** What was written last: a field and the texts that hold it have the same time. */
const LAST = TIME_FORMS.map(() => {
  const bytes = new Uint8Array(LONGEST_TIME + BEYOND);
  return { ms: -1, bytes, view: new DataView(bytes.buffer), length: 0 };
});

function makeTime(form: number, ms: number, out: Uint8Array): number {
  const plain = PLAINS[form];
  if (plain === undefined) {
    const text = TIME_FORMS[form]!.text(ms);
    for (let i = 0; i < text.length; i += 1) out[i] = text.charCodeAt(i);
    return text.length;
  }
  const day = Math.floor(ms / DAY_MS);
  // The days of the civil calendar (Hinnant, chrono-Compatible Low-Level Date Algorithms).
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * ofYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const rest = ms - day * DAY_MS;
  const seconds = Math.floor(rest / 1000);
  let at = 0;
  two(out, at, Math.floor(year / 100));
  two(out, at + 2, year % 100);
  out[at + 4] = 45;
  two(out, at + 5, month);
  out[at + 7] = 45;
  two(out, at + 8, ofYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1);
  out[at + 10] = plain.between;
  two(out, at + 11, Math.floor(seconds / 3600));
  out[at + 13] = 58;
  two(out, at + 14, Math.floor(seconds / 60) % 60);
  out[at + 16] = 58;
  two(out, at + 17, seconds % 60);
  at += 19;
  if (plain.fraction !== 0) {
    const millis = Math.floor(rest - seconds * 1000);
    out[at] = plain.fraction;
    out[at + 1] = ZERO + Math.floor(millis / 100);
    two(out, at + 2, millis % 100);
    at += 4;
  }
  for (let i = 0; i < plain.end.length; i += 1) out[at + i] = plain.end[i]!;
  return at + plain.end.length;
}
