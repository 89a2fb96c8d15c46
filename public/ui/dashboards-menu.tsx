/** Links from a run to its dashboards in Kibana. Shows nothing outside Kibana. */
import { EuiButtonEmpty, EuiContextMenuItem, EuiContextMenuPanel, EuiPopover } from '@elastic/eui';
import { useState, type MouseEvent, type ReactElement, type ReactNode } from 'react';
import { focusOf } from '../../common/analysis/focus';
import type { Dashboard } from '../../common/api/dashboards';
import { isOfTask } from '../../common/measurement/metric';
import { useApi } from '../api/queries';
import { useApp } from '../app/context';
import type { AppHost, DashboardView } from '../app/host';
import { i18n } from '../i18n';
import { isPlainClick, useLinkProps } from './link';

/**
 * Returns the view of a run in a dashboard: the time range of the run, and the task of the first claim. If that claim is about the indices
 * or the cluster, the view includes all tasks.
 */
export function viewOfRun(
  run: { id: string; started: string; ended: string | null },
  definition: Parameters<typeof focusOf>[0],
): DashboardView {
  const { task, metric } = focusOf(definition);
  return {
    field: 'run.id',
    value: run.id,
    ...(definition.tasks.length > 1 && isOfTask(metric) ? { task } : {}),
    from: run.started,
    to: run.ended ?? 'now',
  };
}

interface MenuProps {
  view: DashboardView;
  size?: 's' | 'm';
}

export function DashboardsMenu(props: MenuProps): ReactNode {
  const { dashboards } = useApp().host;
  return dashboards ? <Menu {...props} dashboards={dashboards} /> : null;
}

function Menu({
  view,
  size = 'm',
  dashboards,
}: MenuProps & { dashboards: NonNullable<AppHost['dashboards']> }): ReactNode {
  const linkProps = useLinkProps();
  const [isOpen, setOpen] = useState(false);
  const query = useApi('listDashboards', {}, { enabled: isOpen });
  const close = (): void => setOpen(false);
  const label = i18n.translate('dyno.dashboards', { defaultMessage: 'Dashboards' });

  const itemOf = ({ id, title, state }: Dashboard): ReactElement => (
    <EuiContextMenuItem
      key={id}
      icon="dashboardApp"
      disabled={state === 'missing'}
      href={dashboards.hrefOf(id, view)}
      onClick={(event: MouseEvent) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        dashboards.open(id, view);
      }}
    >
      {title}
    </EuiContextMenuItem>
  );
  const found = query.data?.dashboards ?? [];
  const outdated = found.some(({ state }) => state === 'missing' || state === 'older');
  return (
    <EuiPopover
      isOpen={isOpen}
      closePopover={close}
      panelPaddingSize="none"
      aria-label={label}
      button={
        <EuiButtonEmpty
          size={size}
          iconType="dashboardApp"
          isLoading={isOpen && query.isPending}
          onClick={() => setOpen(!isOpen)}
        >
          {label}
        </EuiButtonEmpty>
      }
    >
      <EuiContextMenuPanel
        items={[
          ...found.map(itemOf),
          <EuiContextMenuItem key="all" icon={outdated ? 'download' : 'gear'} {...linkProps('/dashboards')}>
            {outdated
              ? i18n.translate('dyno.dashboards.installThem', {
                  defaultMessage: 'Install or update dashboards',
                })
              : i18n.translate('dyno.dashboards.all', { defaultMessage: 'About these dashboards' })}
          </EuiContextMenuItem>,
        ]}
      />
    </EuiPopover>
  );
}
