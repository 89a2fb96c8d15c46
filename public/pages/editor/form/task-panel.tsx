/** One task: its name, what it does, how it is paced. */
import {
  EuiButtonIcon,
  EuiCallOut,
  EuiFlexGroup,
  EuiFlexItem,
  EuiPanel,
  EuiSpacer,
  EuiTitle,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import { kindOf, type TaskKind } from '../../../../common/measurement/task-kind';
import { i18n } from '../../../i18n';
import { asText, useErrors, useForm } from './context';
import { ExecutorFields } from './executor-fields';
import { TextRow } from './fields';
import { IngestFields } from './ingest-fields';
import { ReplayFields } from './replay-fields';
import { SearchFields } from './search-fields';

const kindName = (kind: TaskKind): string =>
  ({
    ingest: i18n.translate('dyno.editor.task.ingest', { defaultMessage: 'Ingestion' }),
    search: i18n.translate('dyno.editor.task.search', { defaultMessage: 'Searches' }),
    transaction: i18n.translate('dyno.editor.task.transaction', { defaultMessage: 'Transaction' }),
    replay: i18n.translate('dyno.editor.task.replay', { defaultMessage: 'Replay' }),
  })[kind];

interface TaskPanelProps {
  at: number;
  task: Record<string, unknown>;
  /** The only task: there must be one. */
  only: boolean;
}

export function TaskPanel({ at, task, only }: TaskPanelProps): ReactNode {
  const { edit, disabled } = useForm();
  const errors = useErrors(['tasks', at]);
  const name = asText(task['name']);
  const kind = kindOf(task);
  const work = kindName(kind);
  const title = name === '' ? work : `${work}: ${name}`;
  return (
    <EuiPanel
      color="subdued"
      hasShadow={false}
      paddingSize="m"
      css={{ marginBlockEnd: 12 }}
      role="group"
      aria-label={title}
    >
      <EuiFlexGroup alignItems="center" responsive={false} gutterSize="s">
        <EuiFlexItem>
          <EuiTitle size="xxs">
            <h3>{title}</h3>
          </EuiTitle>
        </EuiFlexItem>
        {only ? null : (
          <EuiFlexItem grow={false}>
            <EuiButtonIcon
              iconType="trash"
              color="danger"
              isDisabled={disabled}
              aria-label={i18n.translate('dyno.editor.task.remove', {
                defaultMessage: 'Remove {name}',
                values: { name: title },
              })}
              onClick={() => edit([{ path: ['tasks', at], remove: true }])}
            />
          </EuiFlexItem>
        )}
      </EuiFlexGroup>
      {errors.map((error) => (
        <EuiCallOut key={error} announceOnMount={false} size="s" color="danger" title={error} />
      ))}
      <EuiSpacer size="s" />
      <TextRow
        path={['tasks', at, 'name']}
        required
        label={i18n.translate('dyno.editor.task.name', { defaultMessage: 'Name' })}
        help={i18n.translate('dyno.editor.task.nameHelp', {
          defaultMessage: 'Conditions and factors use this name.',
        })}
      />
      <EuiSpacer size="m" />
      {kind === 'replay' ? (
        <ReplayFields at={at} task={task} />
      ) : kind === 'ingest' ? (
        <IngestFields at={at} task={task} />
      ) : (
        <SearchFields at={at} task={task} kind={kind} />
      )}
      <ExecutorFields at={at} task={task} />
    </EuiPanel>
  );
}
