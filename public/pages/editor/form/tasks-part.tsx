/** The work of every trial: streams of bulks, searches, transactions or a log's searches, side by side. */
import { EuiButton, EuiFlexGroup, EuiFlexItem, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { TaskKindDescription } from '../../../../common/tasks/kind';
import { TASK_KINDS } from '../../../../common/tasks/registry';
import { i18n } from '../../../i18n';
import { asList, asRecord, asText, useForm } from './context';
import { FormPart } from './part';
import { TaskPanel } from './task-panel';

/** A name that no other task has. */
function freshName(base: string, taken: readonly string[]): string {
  let name = base;
  for (let count = 2; taken.includes(name); count += 1) name = `${base}-${count}`;
  return name;
}

export function TasksPart(): ReactNode {
  const { values, edit, disabled } = useForm();
  const tasks = asList(values['tasks']);
  const names = tasks.map((task) => asText(asRecord(task)['name']));
  const add = ({ name: kind, first: { work, executor } }: TaskKindDescription): void => {
    const task = { name: freshName(kind, names), [kind]: work, executor };
    edit([{ path: ['tasks', tasks.length], value: task }]);
  };
  return (
    <FormPart
      title={i18n.translate('dyno.editor.tasks.title', { defaultMessage: 'Work' })}
      roots={['tasks']}
      summary={names.join(', ')}
    >
      {tasks.length > 1 ? (
        <EuiText size="xs" color="subdued" css={{ marginBlockEnd: 12 }}>
          <p>
            {i18n.translate('dyno.editor.tasks.note', {
              defaultMessage: 'All tasks run at the same time.',
            })}
          </p>
        </EuiText>
      ) : null}
      {tasks.map((task, at) => (
        <TaskPanel key={at} at={at} task={asRecord(task)} only={tasks.length === 1} />
      ))}
      <EuiFlexGroup gutterSize="s" wrap responsive={false}>
        {(TASK_KINDS as readonly TaskKindDescription[]).map((kind) => (
          <EuiFlexItem key={kind.name} grow={false}>
            <EuiButton size="s" iconType="plusCircle" isDisabled={disabled} onClick={() => add(kind)}>
              {i18n.say(kind.add)}
            </EuiButton>
          </EuiFlexItem>
        ))}
      </EuiFlexGroup>
    </FormPart>
  );
}
