/** The fields of a task's executor, which sets the pace of the requests: the choice of an executor and its settings. */
import { EuiFormRow, EuiSpacer, EuiSuperSelect, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { ExecutorDescription } from '../../../../common/executors/executor';
import { executorNamed, EXECUTORS, USUAL_EXECUTOR } from '../../../../common/executors/registry';
import { i18n } from '../../../i18n';
import { asRecord, useErrors, useForm, type PartProps } from './context';
import { Described } from './described';

/**
 * Returns the executors that the user can choose for a task. Executors made for tasks of this type come first, followed by those for all
 * tasks. Executors in `given`, which the definition already contains, are always included.
 */
const suiting = (task: Record<string, unknown>, given: readonly string[]): readonly ExecutorDescription[] => {
  const all: readonly ExecutorDescription[] = EXECUTORS;
  const isOwn = ({ name, onlyFor }: ExecutorDescription): boolean =>
    onlyFor !== undefined && (given.includes(name) || onlyFor.kinds.some((kind) => task[kind] !== undefined));
  return [...all.filter(isOwn), ...all.filter(({ onlyFor }) => onlyFor === undefined)];
};

export function ExecutorFields({ path: taskPath, value: task }: PartProps): ReactNode {
  const { edit, disabled } = useForm();
  const path = [...taskPath, 'executor'];
  const errors = useErrors(path);
  const given = Object.keys(asRecord(task['executor']));
  const choices = suiting(task, given);
  const chosen =
    choices.find(({ name }) => given.includes(name)) ?? choices.find(({ name }) => name in USUAL_EXECUTOR)!;
  const label = i18n.translate('dyno.editor.executor.label', { defaultMessage: 'Load' });
  return (
    <>
      <EuiSpacer size="m" />
      <EuiFormRow
        fullWidth
        label={label}
        isInvalid={errors.length > 0}
        error={errors}
        css={{ marginBlockEnd: 16 }}
      >
        <EuiSuperSelect<string>
          fullWidth
          disabled={disabled}
          isInvalid={errors.length > 0}
          valueOfSelected={chosen.name}
          onChange={(name) => edit([{ path, value: { [name]: executorNamed(name).first } }])}
          options={choices.map(({ name, label: title, text }) => ({
            value: name,
            inputDisplay: i18n.say(title),
            dropdownDisplay: (
              <>
                <strong>{i18n.say(title)}</strong>
                <EuiText size="s" color="subdued">
                  <p>{i18n.say(text)}</p>
                </EuiText>
              </>
            ),
          }))}
        />
      </EuiFormRow>
      <Described key={chosen.name} rows={chosen.form} path={[...path, chosen.name]} parts={{}} />
    </>
  );
}
