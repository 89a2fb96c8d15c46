/** How a dashboard stands, as a word, a colour and an icon. */
import { EuiBadge } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { Dashboard } from '../../../common/api/dashboards';
import { i18n } from '../../i18n';

type State = Dashboard['state'];

const LOOK: Readonly<Record<State, { color: string; icon: string }>> = {
  missing: { color: 'hollow', icon: 'minusCircle' },
  current: { color: 'success', icon: 'check' },
  older: { color: 'primary', icon: 'refresh' },
  changed: { color: 'warning', icon: 'pencil' },
};

const stateName = (state: State): string =>
  ({
    missing: i18n.translate('dyno.dashboards.state.missing', { defaultMessage: 'not installed' }),
    current: i18n.translate('dyno.dashboards.state.current', { defaultMessage: 'up to date' }),
    older: i18n.translate('dyno.dashboards.state.older', { defaultMessage: 'can be updated' }),
    changed: i18n.translate('dyno.dashboards.state.changed', { defaultMessage: 'edited' }),
  })[state];

export function DashboardState({ state }: { state: State }): ReactNode {
  const { color, icon } = LOOK[state];
  return (
    <EuiBadge color={color} iconType={icon}>
      {stateName(state)}
    </EuiBadge>
  );
}
