/**
 * The page *Targets*. For each target, it shows the addresses, the cluster that responds at these addresses now, and the experiments that
 * use the target.
 */
import {
  EuiBadge,
  EuiBasicTable,
  EuiButton,
  EuiButtonEmpty,
  EuiLoadingSpinner,
  EuiText,
  EuiToolTip,
  type EuiBasicTableColumn,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { Target } from '../../../common/api/targets';
import { useApi, useApiChange } from '../../api/queries';
import { useApp, usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { AppLink, useLinkProps } from '../../ui/link';
import { Loadable } from '../../ui/loadable';
import { Page } from '../../ui/page';
import { PRIVILEGES_PATH } from '../../ui/privileges';
import { useToasts } from '../../ui/toasts';
import { ClusterHealth } from './facts';

/** Refresh interval of the health, in ms. */
const RENEW_MS = 15_000;

function Answers({ id }: { id: string }): ReactNode {
  const { data, error } = useApi('inspectTarget', { params: { id } }, { every: RENEW_MS });
  if (error) return <EuiBadge color="danger">{error.message}</EuiBadge>;
  if (!data) return <EuiLoadingSpinner size="s" />;
  if (data.cluster === null || data.problem !== '') {
    return (
      <EuiToolTip content={data.problem}>
        <EuiBadge color="danger" iconType="error" tabIndex={0}>
          {data.reachable
            ? i18n.translate('dyno.targets.unusable', { defaultMessage: 'cannot be used' })
            : i18n.translate('dyno.targets.unreachable', { defaultMessage: 'not reachable' })}
        </EuiBadge>
      </EuiToolTip>
    );
  }
  const { version, health } = data.cluster;
  return (
    <EuiText size="s">
      <ClusterHealth health={health} />{' '}
      {i18n.translate('dyno.targets.answers', {
        defaultMessage: '{version}, {nodes, plural, one {# node} other {# nodes}}',
        values: { version, nodes: data.nodes.length },
      })}
    </EuiText>
  );
}

function DeleteTarget({ target, onClose }: { target: Target; onClose: () => void }): ReactNode {
  const remove = useApiChange('deleteTarget', ['listTargets']);
  const toasts = useToasts();
  const title = i18n.translate('dyno.targets.delete.title', {
    defaultMessage: 'Remove the target {title}?',
    values: { title: target.title },
  });
  const confirm = (): void =>
    remove.mutate(
      { params: { id: target.id } },
      {
        onSuccess: () =>
          toasts.done(
            i18n.translate('dyno.targets.delete.done', {
              defaultMessage: 'Removed the target {title}',
              values: { title: target.title },
            }),
          ),
        onError: (error) =>
          toasts.failed(
            i18n.translate('dyno.targets.delete.failed', { defaultMessage: 'The target was not removed' }),
            error,
          ),
        onSettled: onClose,
      },
    );
  return (
    <ConfirmDialog
      title={title}
      onCancel={onClose}
      onConfirm={confirm}
      isLoading={remove.isPending}
      cancelButtonText={i18n.translate('dyno.targets.delete.cancel', { defaultMessage: 'Keep it' })}
      confirmButtonText={i18n.translate('dyno.targets.delete.confirm', { defaultMessage: 'Remove' })}
    >
      {i18n.translate('dyno.targets.delete.body', {
        defaultMessage:
          'Dyno deletes the address and the stored credentials. The cluster itself and the results of runs on it are kept.',
      })}
    </ConfirmDialog>
  );
}

export default function TargetsPage(): ReactNode {
  const query = useApi('listTargets', {});
  const { host } = useApp();
  const linkProps = useLinkProps();
  const mayManage = usePrivilege('manage');
  const [removed, setRemoved] = useState<Target | null>(null);
  const columns: EuiBasicTableColumn<Target>[] = [
    {
      name: i18n.translate('dyno.targets.column.title', { defaultMessage: 'Target' }),
      render: ({ id, title }: Target) => (
        <div>
          <AppLink to={`/targets/${encodeURIComponent(id)}`}>{title}</AppLink>
          {title === id ? null : (
            <EuiText size="xs" color="subdued">
              target: {id}
            </EuiText>
          )}
        </div>
      ),
    },
    {
      field: 'hosts',
      name: i18n.translate('dyno.targets.column.hosts', { defaultMessage: 'Hosts' }),
      render: (hosts: string[]) => hosts.join(', '),
    },
    {
      name: i18n.translate('dyno.targets.column.answers', { defaultMessage: 'Answers now' }),
      render: ({ id }: Target) => <Answers id={id} />,
    },
    {
      field: 'experiments',
      name: i18n.translate('dyno.targets.column.experiments', { defaultMessage: 'Experiments' }),
      align: 'right',
      width: '110px',
    },
    {
      name: i18n.translate('dyno.targets.column.actions', { defaultMessage: 'Actions' }),
      width: '90px',
      actions: [
        {
          name: i18n.translate('dyno.targets.action.delete', { defaultMessage: 'Remove' }),
          description: ({ experiments, builtIn }: Target) =>
            builtIn
              ? i18n.translate('dyno.targets.action.builtIn', {
                  defaultMessage: 'Dyno provides this target',
                })
              : experiments > 0
                ? i18n.translate('dyno.targets.action.inUse', {
                    defaultMessage: 'Experiments use this target. Change these experiments first',
                  })
                : i18n.translate('dyno.targets.action.deleteHint', { defaultMessage: 'Remove this target' }),
          icon: 'trash',
          type: 'icon',
          color: 'danger',
          enabled: ({ builtIn, experiments }: Target) => mayManage && !builtIn && experiments === 0,
          onClick: setRemoved,
        },
      ],
    },
  ];
  return (
    <Page
      title={i18n.translate('dyno.targets.title', { defaultMessage: 'Targets' })}
      description={i18n.translate('dyno.targets.description', {
        defaultMessage:
          'Clusters under test. An experiment names its target; credentials stay on the server.',
      })}
      actions={[
        <EuiButton
          key="add"
          fill
          iconType="plusCircle"
          isDisabled={!mayManage}
          {...linkProps('/targets/new')}
        >
          {i18n.translate('dyno.targets.add', { defaultMessage: 'Add a target' })}
        </EuiButton>,
        ...(host.hasRoles
          ? [
              <EuiButtonEmpty key="privileges" iconType="lock" {...linkProps(PRIVILEGES_PATH)}>
                {i18n.translate('dyno.privileges.title', { defaultMessage: 'Privileges' })}
              </EuiButtonEmpty>,
            ]
          : []),
      ]}
    >
      <Loadable query={query}>
        {({ targets }) => (
          <EuiBasicTable
            tableCaption={i18n.translate('dyno.targets.caption', { defaultMessage: 'Targets' })}
            items={targets}
            columns={columns}
            itemId="id"
          />
        )}
      </Loadable>
      {removed === null ? null : <DeleteTarget target={removed} onClose={() => setRemoved(null)} />}
    </Page>
  );
}
