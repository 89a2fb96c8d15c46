/** Stages of a load that changes: what is reached, over how long. */
import { EuiButtonEmpty, EuiButtonIcon, EuiFlexGroup, EuiFlexItem, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { StagesField } from '../../../../common/fields/form';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { i18n } from '../../../i18n';
import { asList, asRecord, useForm, valueAtPath } from './context';
import { NumberRow, TextRow } from './fields';

export function Stages({ path, field }: { path: EditPath; field: StagesField }): ReactNode {
  const { values, edit, disabled } = useForm();
  const stages = asList(valueAtPath(values, path));
  const { reaches, label } = field;
  const last = asRecord(stages.at(-1));
  return (
    <div role="group" aria-label={i18n.translate('dyno.editor.stages.title', { defaultMessage: 'Stages' })}>
      {stages.map((_, at) => (
        <EuiFlexGroup
          key={at}
          gutterSize="s"
          alignItems="flexEnd"
          responsive={false}
          css={{ marginBlockEnd: 8 }}
        >
          <EuiFlexItem grow={false} css={{ paddingBlockEnd: 10, inlineSize: 20 }}>
            <EuiText size="s" color="subdued">
              {at + 1}.
            </EuiText>
          </EuiFlexItem>
          <EuiFlexItem>
            <NumberRow path={[...path, at, reaches]} min={0} step="any" label={i18n.say(label)} />
          </EuiFlexItem>
          <EuiFlexItem>
            <TextRow
              path={[...path, at, 'over']}
              required
              placeholder="2m"
              label={i18n.translate('dyno.editor.stages.over', { defaultMessage: 'Over' })}
            />
          </EuiFlexItem>
          <EuiFlexItem grow={false} css={{ paddingBlockEnd: 4 }}>
            <EuiButtonIcon
              iconType="cross"
              color="text"
              isDisabled={disabled || stages.length === 1}
              aria-label={i18n.translate('dyno.editor.stages.remove', {
                defaultMessage: 'Remove stage {number}',
                values: { number: at + 1 },
              })}
              onClick={() => edit([{ path: [...path, at], remove: true }])}
            />
          </EuiFlexItem>
        </EuiFlexGroup>
      ))}
      <EuiButtonEmpty
        size="s"
        flush="left"
        iconType="plusCircle"
        isDisabled={disabled}
        onClick={() =>
          edit([
            {
              path: [...path, stages.length],
              value: {
                [reaches]: typeof last[reaches] === 'number' ? last[reaches] * 2 : 1,
                over: last['over'] ?? '2m',
              },
            },
          ])
        }
      >
        {i18n.translate('dyno.editor.stages.add', { defaultMessage: 'Add stage' })}
      </EuiButtonEmpty>
    </div>
  );
}
