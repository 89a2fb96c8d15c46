/** The work of every trial: streams of bulks, searches, transactions or a log's searches, side by side. */
import { EuiButton, EuiFlexGroup, EuiFlexItem, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { TaskKind } from '../../../../common/measurement/task-kind';
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

/** What each kind begins with when it is added. */
const FIRST: Record<TaskKind, object> = {
  ingest: {
    ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 1000 } },
    executor: { 'constant-clients': { clients: 1 } },
  },
  search: { search: { set: 'azure-queries' }, executor: { 'constant-clients': { clients: 1 } } },
  transaction: { transaction: { set: 'azure-queries' }, executor: { 'constant-rate': { every: '5s' } } },
  replay: { replay: { file: 'searches.log' }, executor: { recorded: { speed: 1 } } },
};

export function TasksPart(): ReactNode {
  const { values, edit, disabled } = useForm();
  const tasks = asList(values['tasks']);
  const names = tasks.map((task) => asText(asRecord(task)['name']));
  const add = (kind: TaskKind): void => {
    const task = { name: freshName(kind, names), ...FIRST[kind] };
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
        <EuiFlexItem grow={false}>
          <EuiButton size="s" iconType="plusCircle" isDisabled={disabled} onClick={() => add('ingest')}>
            {i18n.translate('dyno.editor.tasks.addIngest', { defaultMessage: 'Add ingestion' })}
          </EuiButton>
        </EuiFlexItem>
        <EuiFlexItem grow={false}>
          <EuiButton size="s" iconType="plusCircle" isDisabled={disabled} onClick={() => add('search')}>
            {i18n.translate('dyno.editor.tasks.addSearch', { defaultMessage: 'Add searches' })}
          </EuiButton>
        </EuiFlexItem>
        <EuiFlexItem grow={false}>
          <EuiButton size="s" iconType="plusCircle" isDisabled={disabled} onClick={() => add('transaction')}>
            {i18n.translate('dyno.editor.tasks.addTransaction', { defaultMessage: 'Add transaction' })}
          </EuiButton>
        </EuiFlexItem>
        <EuiFlexItem grow={false}>
          <EuiButton size="s" iconType="plusCircle" isDisabled={disabled} onClick={() => add('replay')}>
            {i18n.translate('dyno.editor.tasks.addReplay', { defaultMessage: 'Add replay of a log' })}
          </EuiButton>
        </EuiFlexItem>
      </EuiFlexGroup>
    </FormPart>
  );
}
