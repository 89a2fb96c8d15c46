/** A badge that says whether the page shows the current state of the run. If not, the badge shows when the last update arrived. */
import { EuiBadge } from '@elastic/eui';
import type { ReactNode } from 'react';
import { NEWS_LATE_MS } from '../../api/run-stream';
import { formatClock } from '../../charts/time/clock';
import { i18n } from '../../i18n';
import { useNow } from '../../ui/time';

interface LiveBadgeProps {
  /** Time at which the run was last received, in ms since the epoch. */
  updatedAt: number;
  /** Whether the last request to the server failed. */
  away: boolean;
}

export function LiveBadge({ updatedAt, away }: LiveBadgeProps): ReactNode {
  const now = useNow(true);
  if (!away && now - updatedAt <= NEWS_LATE_MS) {
    return (
      <EuiBadge color="primary" iconType="dot">
        {i18n.translate('dyno.timeline.live', { defaultMessage: 'live' })}
      </EuiBadge>
    );
  }
  return (
    <EuiBadge color="warning" iconType="warning" role="status">
      {i18n.translate('dyno.timeline.reconnecting', {
        defaultMessage: 'reconnecting: no data since {clock}',
        values: { clock: formatClock(updatedAt) },
      })}
    </EuiBadge>
  );
}
