/** Whether what the page shows of a run is as it is now, and else since when nothing has come. */
import { EuiBadge } from '@elastic/eui';
import type { ReactNode } from 'react';
import { NEWS_LATE_MS } from '../../api/run-stream';
import { formatClock } from '../../charts/time/clock';
import { i18n } from '../../i18n';
import { useNow } from '../../ui/time';

interface LiveBadgeProps {
  /** When the run was told of last, ms since the epoch. */
  toldAt: number;
  /** The host does not answer: that was seen, not guessed from its silence. */
  away: boolean;
}

export function LiveBadge({ toldAt, away }: LiveBadgeProps): ReactNode {
  const now = useNow(true);
  if (!away && now - toldAt <= NEWS_LATE_MS) {
    return (
      <EuiBadge color="primary" iconType="dot">
        {i18n.translate('dyno.timeline.live', { defaultMessage: 'live' })}
      </EuiBadge>
    );
  }
  return (
    <EuiBadge color="warning" iconType="warning" role="status">
      {i18n.translate('dyno.timeline.reconnecting', {
        defaultMessage: 'reconnecting: nothing came since {clock}',
        values: { clock: formatClock(toldAt) },
      })}
    </EuiBadge>
  );
}
