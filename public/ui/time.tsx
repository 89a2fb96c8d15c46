/** Times for people: local, with UTC on hover; lengths of time; how long ago. */
import { EuiToolTip } from '@elastic/eui';
import { type ReactNode, useEffect, useState } from 'react';
import { parseTime } from '../../common/units/time';

const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export const formatLocal = (iso: string): string => LOCAL.format(new Date(parseTime(iso)));

const utcOf = (iso: string): string =>
  `${new Date(parseTime(iso)).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** A time in ISO 8601 as `<input type="datetime-local">` shows it. */
export function toLocalField(iso: string): string {
  const at = new Date(parseTime(iso));
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The reverse of {@link toLocalField}: the field means the user's own zone. Undefined while it is empty. */
export function fromLocalField(text: string): string | undefined {
  const [year, month, day, hour, minute] = text.split(/[-T:]/).map(Number);
  const at = new Date(year!, month! - 1, day, hour, minute);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** `iso`: ISO 8601. */
export function Time({ iso }: { iso: string }): ReactNode {
  return (
    <EuiToolTip content={utcOf(iso)}>
      <time dateTime={iso} tabIndex={0}>
        {formatLocal(iso)}
      </time>
    </EuiToolTip>
  );
}

/** The time now, ms since the epoch, renewed every second while `running`. */
export function useNow(running: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}

const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time within a sentence, as {@link ShortTime} shows it. `iso`: ISO 8601. */
export const formatShort = (iso: string): string => SHORT.format(new Date(parseTime(iso)));

/** A time where room is scarce, such as in tables: local, to the minute; UTC on hover. `iso`: ISO 8601. */
export function ShortTime({ iso }: { iso: string }): ReactNode {
  return (
    <EuiToolTip content={utcOf(iso)}>
      <time dateTime={iso} tabIndex={0} css={{ whiteSpace: 'nowrap' }}>
        {formatShort(iso)}
      </time>
    </EuiToolTip>
  );
}
