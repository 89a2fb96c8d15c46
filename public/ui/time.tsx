/** Times and durations for people: local times with UTC on hover, and how long ago something happened. */
import { EuiToolTip } from '@elastic/eui';
import { type ReactNode, useEffect, useState } from 'react';
import { parseTime } from '../../common/units/time';

const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export const formatLocal = (iso: string): string => LOCAL.format(new Date(parseTime(iso)));

const utcOf = (iso: string): string =>
  `${new Date(parseTime(iso)).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Converts a time in ISO 8601 into the value of `<input type="datetime-local">`. */
export function toLocalField(iso: string): string {
  const at = new Date(parseTime(iso));
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/**
 * Converts a value of `<input type="datetime-local">` to a time in ISO 8601, the reverse of {@link toLocalField}. The value is in the
 * user's time zone. Returns undefined if the value is empty.
 */
export function fromLocalField(text: string): string | undefined {
  const [year, month, day, hour, minute] = text.split(/[-T:]/).map(Number);
  const at = new Date(year!, month! - 1, day, hour, minute);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** Shows a local time, with UTC on hover. `iso` is a time in ISO 8601. */
export function Time({ iso }: { iso: string }): ReactNode {
  return (
    <EuiToolTip content={utcOf(iso)}>
      <time dateTime={iso} tabIndex={0}>
        {formatLocal(iso)}
      </time>
    </EuiToolTip>
  );
}

/** Returns the current time in ms since the epoch. While `running` is true, the component renders again every second. */
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

/** Formats a time in the same form as {@link ShortTime}, for use in a sentence. `iso` is a time in ISO 8601. */
export const formatShort = (iso: string): string => SHORT.format(new Date(parseTime(iso)));

/**
 * Shows a time in a short form for tables and other narrow places: local time to the minute, with UTC on hover. `iso` is a time in ISO
 * 8601.
 */
export function ShortTime({ iso }: { iso: string }): ReactNode {
  return (
    <EuiToolTip content={utcOf(iso)}>
      <time dateTime={iso} tabIndex={0} css={{ whiteSpace: 'nowrap' }}>
        {formatShort(iso)}
      </time>
    </EuiToolTip>
  );
}
