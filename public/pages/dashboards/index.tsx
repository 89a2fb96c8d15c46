/** The page of Dyno's dashboards in Kibana: their state in this space, installing and updating them. */
import {
  EuiBadge,
  EuiBasicTable,
  type EuiBasicTableColumn,
  EuiButton,
  EuiButtonEmpty,
  EuiLink,
  EuiSkeletonText,
  EuiSpacer,
  EuiText,
} from '@elastic/eui';
import { type MouseEvent, type ReactNode, useState } from 'react';
import type { Dashboard, DashboardKind } from '../../../common/api/dashboards';
import { useApi, useApiChange } from '../../api/queries';
import { useApp, usePrivilege } from '../../app/context';
import type { AppHost } from '../../app/host';
import { i18n } from '../../i18n';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { AppLink, isPlainClick } from '../../ui/link';
import { Loadable } from '../../ui/loadable';
import { Page } from '../../ui/page';
import { Time } from '../../ui/time';
import { useToasts } from '../../ui/toasts';

interface ReplaceDialogProps {
  dashboard: Dashboard;
  isLoading: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks for confirmation before edits of a dashboard are lost. */
function ReplaceDialog({ dashboard, isLoading, onConfirm, onCancel }: ReplaceDialogProps): ReactNode {
  return (
    <ConfirmDialog
      title={i18n.translate('dyno.dashboards.replace.title', {
        defaultMessage: 'Restore “{title}”?',
        values: { title: dashboard.title },
      })}
      isLoading={isLoading}
      onCancel={onCancel}
      onConfirm={onConfirm}
      cancelButtonText={i18n.translate('dyno.dashboards.replace.cancel', { defaultMessage: 'Keep it' })}
      confirmButtonText={i18n.translate('dyno.dashboards.replace.confirm', {
        defaultMessage: 'Restore dashboard',
      })}
    >
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.dashboards.replace.body', {
            defaultMessage:
              'Someone edited this dashboard after it was installed. Restoring it discards these edits for everyone in this space. To keep them, clone the dashboard first: Dyno never changes a copy.',
          })}
        </p>
      </EuiText>
    </ConfirmDialog>
  );
}

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

/** Shows the state of a dashboard as a word, a colour and an icon. */
function DashboardState({ state }: { state: State }): ReactNode {
  const { color, icon } = LOOK[state];
  return (
    <EuiBadge color={color} iconType={icon}>
      {stateName(state)}
    </EuiBadge>
  );
}

function TitleCell({ dashboard, host }: { dashboard: Dashboard; host: AppHost }): ReactNode {
  const { id, title, description, state } = dashboard;
  return (
    <div css={{ paddingBlock: 6 }}>
      {state === 'missing' || !host.dashboards ? (
        title
      ) : (
        <EuiLink
          href={host.dashboards.hrefOf(id)}
          onClick={(event: MouseEvent) => {
            if (!isPlainClick(event)) return;
            event.preventDefault();
            host.dashboards?.open(id);
          }}
        >
          {title}
        </EuiLink>
      )}
      <EuiText size="xs" color="subdued">
        {description}
      </EuiText>
    </div>
  );
}

const columnsOf = (
  host: AppHost,
  onReplace: ((dashboard: Dashboard) => void) | undefined,
): EuiBasicTableColumn<Dashboard>[] => [
  {
    name: i18n.translate('dyno.dashboards.column.title', { defaultMessage: 'Dashboard' }),
    render: (dashboard: Dashboard) => <TitleCell dashboard={dashboard} host={host} />,
  },
  {
    name: i18n.translate('dyno.dashboards.column.state', { defaultMessage: 'State' }),
    width: '160px',
    render: ({ state }: Dashboard) => <DashboardState state={state} />,
  },
  {
    name: i18n.translate('dyno.dashboards.column.updated', { defaultMessage: 'Last saved' }),
    width: '220px',
    render: ({ updated }: Dashboard) => (updated === null ? '–' : <Time iso={updated} />),
  },
  {
    name: i18n.translate('dyno.dashboards.column.actions', { defaultMessage: 'Actions' }),
    width: '140px',
    render: (dashboard: Dashboard) =>
      onReplace && dashboard.state === 'changed' ? (
        <EuiButtonEmpty size="s" color="danger" onClick={() => onReplace(dashboard)}>
          {i18n.translate('dyno.dashboards.replace', { defaultMessage: 'Restore' })}
        </EuiButtonEmpty>
      ) : null,
  },
];

interface Installing {
  isPending: boolean;
  /**
   * Installs missing dashboards and updates older ones. `replace`: dashboards that are replaced even if somebody edited them. Calls
   * `onDone` at the end, even after a failure.
   */
  install(replace: DashboardKind[], onDone?: () => void): void;
}

function useInstalling(): Installing {
  const toasts = useToasts();
  const change = useApiChange('installDashboards', ['listDashboards']);
  return {
    isPending: change.isPending,
    install: (replace, onDone) =>
      change.mutate(
        { body: { replace } },
        {
          onSuccess: () =>
            toasts.done(
              i18n.translate('dyno.dashboards.installed', {
                defaultMessage: 'The dashboards are in this space',
              }),
            ),
          onError: (error) =>
            toasts.failed(
              i18n.translate('dyno.dashboards.notInstalled', {
                defaultMessage: 'The dashboards were not installed',
              }),
              error,
            ),
          onSettled: onDone,
        },
      ),
  };
}

/** Returns the label of the button that installs or updates the dashboards. Undefined if all dashboards are current. */
function installLabel(dashboards: readonly Dashboard[]): string | undefined {
  if (dashboards.some(({ state }) => state === 'missing')) {
    return i18n.translate('dyno.dashboards.install', { defaultMessage: 'Install' });
  }
  return dashboards.some(({ state }) => state === 'older')
    ? i18n.translate('dyno.dashboards.update', { defaultMessage: 'Update' })
    : undefined;
}

export default function DashboardsPage(): ReactNode {
  const { host } = useApp();
  const mayInstall = usePrivilege('manage');
  const query = useApi('listDashboards', {});
  const { install, isPending } = useInstalling();
  const [replaced, setReplaced] = useState<Dashboard | null>(null);
  const label = installLabel(query.data?.dashboards ?? []);
  const actions =
    mayInstall && label !== undefined
      ? [
          <EuiButton key="install" fill iconType="download" isLoading={isPending} onClick={() => install([])}>
            {label}
          </EuiButton>,
        ]
      : [];
  return (
    <Page
      title={i18n.translate('dyno.nav.dashboards', { defaultMessage: 'Dashboards' })}
      description={i18n.translate('dyno.dashboards.about', {
        defaultMessage:
          'Kibana dashboards of the results, in this space only. An update only replaces the dashboards in this list. To change a dashboard, clone it first.',
      })}
      actions={actions}
    >
      <Loadable query={query} skeleton={<EuiSkeletonText lines={5} />}>
        {({ dashboards }) => (
          <EuiBasicTable<Dashboard>
            tableCaption={i18n.translate('dyno.dashboards.caption', {
              defaultMessage: 'Dashboards of this space',
            })}
            items={dashboards}
            itemId="id"
            columns={columnsOf(host, mayInstall ? setReplaced : undefined)}
          />
        )}
      </Loadable>
      <EuiSpacer />
      <EuiText size="s" color="subdued">
        <p>
          {i18n.translate('dyno.dashboards.collector', {
            defaultMessage: 'The last two dashboards only show clusters that have a',
          })}{' '}
          <AppLink to="/collector">
            {i18n.translate('dyno.dashboards.collectorLink', { defaultMessage: 'collector' })}
          </AppLink>
          .
        </p>
      </EuiText>
      {replaced === null ? null : (
        <ReplaceDialog
          dashboard={replaced}
          isLoading={isPending}
          onConfirm={() => install([replaced.kind], () => setReplaced(null))}
          onCancel={() => setReplaced(null)}
        />
      )}
    </Page>
  );
}
