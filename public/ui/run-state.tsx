/** The state of a run or a trial: the same word, colour and icon on all pages. */
import { EuiBadge, type EuiBadgeProps } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { TrialOutcome } from '../../common/measurement/trial';
import type { RunOutcome } from '../../common/experiment/run';
import { i18n } from '../i18n';

type Outcome = RunOutcome | TrialOutcome;

const LOOK: Readonly<Record<Outcome, { color: EuiBadgeProps['color']; icon: string }>> = {
  queued: { color: 'default', icon: 'clock' },
  running: { color: 'primary', icon: 'play' },
  waiting: { color: 'accent', icon: 'hourglass' },
  completed: { color: 'success', icon: 'check' },
  'completed-with-failures': { color: 'danger', icon: 'warning' },
  unverified: { color: 'warning', icon: 'warning' },
  failed: { color: 'danger', icon: 'error' },
  cancelled: { color: 'default', icon: 'minusCircle' },
  interrupted: { color: 'warning', icon: 'pause' },
};

export const stateName = (state: Outcome): string =>
  ({
    queued: i18n.translate('dyno.state.queued', { defaultMessage: 'waits' }),
    running: i18n.translate('dyno.state.running', { defaultMessage: 'running' }),
    waiting: i18n.translate('dyno.state.waiting', { defaultMessage: 'waiting for you' }),
    completed: i18n.translate('dyno.state.completed', { defaultMessage: 'completed' }),
    'completed-with-failures': i18n.translate('dyno.state.completedWithFailures', {
      defaultMessage: 'completed with failures',
    }),
    unverified: i18n.translate('dyno.state.unverified', { defaultMessage: 'unverified' }),
    failed: i18n.translate('dyno.state.failed', { defaultMessage: 'failed' }),
    cancelled: i18n.translate('dyno.state.cancelled', { defaultMessage: 'cancelled' }),
    interrupted: i18n.translate('dyno.state.interrupted', { defaultMessage: 'interrupted' }),
  })[state];

export function StateBadge({ state }: { state: Outcome }): ReactNode {
  const { color, icon } = LOOK[state];
  return (
    <EuiBadge color={color} iconType={icon}>
      {stateName(state)}
    </EuiBadge>
  );
}
