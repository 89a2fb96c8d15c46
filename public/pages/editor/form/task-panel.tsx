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
import { kindOf, taskKind } from '../../../../common/tasks/registry';
import { i18n } from '../../../i18n';
import { asText, useErrors, useForm } from './context';
import { Described } from './described';
import { ExecutorFields } from './executor-fields';
import { TextRow } from './fields';
import { WORK_PARTS } from './work-parts';

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
  const { label, form } = taskKind(kind);
  const work = i18n.say(label);
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
      <Described key={kind} rows={form} path={['tasks', at, kind]} parts={WORK_PARTS} />
      <ExecutorFields at={at} task={task} />
    </EuiPanel>
  );
}
