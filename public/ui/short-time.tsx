/** A time where room is scarce, such as in tables: local, to the minute; UTC on hover. */
import { EuiToolTip } from '@elastic/eui';
import type { ReactNode } from 'react';

const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** `iso`: ISO 8601. */
export function ShortTime({ iso }: { iso: string }): ReactNode {
  const utc = `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return (
    <EuiToolTip content={utc}>
      <time dateTime={iso} tabIndex={0} css={{ whiteSpace: 'nowrap' }}>
        {SHORT.format(new Date(iso))}
      </time>
    </EuiToolTip>
  );
}
