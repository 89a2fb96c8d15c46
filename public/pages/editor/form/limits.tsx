/** A list of conditions on a task's own figures, which a rate that is looked for keeps. */
import {
  EuiButtonEmpty,
  EuiButtonIcon,
  EuiFieldText,
  EuiFlexGroup,
  EuiFlexItem,
  EuiFormRow,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import type { LimitsField } from '../../../../common/fields/form';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { i18n } from '../../../i18n';
import { asList, asText, useErrors, useForm, valueAtPath } from './context';

function Limit({ path, at, last }: { path: EditPath; at: number; last: boolean }): ReactNode {
  const { values, edit, disabled } = useForm();
  const own = [...path, at];
  const errors = useErrors(own);
  return (
    <EuiFormRow fullWidth isInvalid={errors.length > 0} error={errors} css={{ marginBlockEnd: 6 }}>
      <EuiFlexGroup gutterSize="s" alignItems="center" responsive={false}>
        <EuiFlexItem>
          <EuiFieldText
            fullWidth
            compressed
            className="eui-textFontMono"
            aria-label={i18n.translate('dyno.editor.search.limitNumber', {
              defaultMessage: 'Limit {number}',
              values: { number: at + 1 },
            })}
            value={asText(valueAtPath(values, own))}
            disabled={disabled}
            isInvalid={errors.length > 0}
            onChange={({ target }) => edit([{ path: own, value: target.value }])}
          />
        </EuiFlexItem>
        <EuiFlexItem grow={false}>
          <EuiButtonIcon
            iconType="cross"
            color="text"
            isDisabled={disabled || last}
            aria-label={i18n.translate('dyno.editor.search.removeLimit', {
              defaultMessage: 'Remove limit {number}',
              values: { number: at + 1 },
            })}
            onClick={() => edit([{ path: own, remove: true }])}
          />
        </EuiFlexItem>
      </EuiFlexGroup>
    </EuiFormRow>
  );
}

/** The first suggestion of a figure that none is about yet. */
const nextLimit = (suggested: readonly string[], limits: readonly unknown[]): string =>
  suggested.find((one) => !limits.some((known) => asText(known).startsWith(one.split(' ')[0]!))) ??
  suggested.at(-1) ??
  '';

export function Limits({ path, field }: { path: EditPath; field: LimitsField }): ReactNode {
  const { values, edit, disabled } = useForm();
  const errors = useErrors(path);
  const limits = asList(valueAtPath(values, path));
  const label = i18n.say(field.label);
  return (
    <EuiFormRow
      fullWidth
      label={label}
      helpText={field.help && i18n.say(field.help)}
      isInvalid={errors.length > 0}
      error={errors}
      hasChildLabel={false}
    >
      <div role="group" aria-label={label}>
        {limits.map((_, at) => (
          <Limit key={at} path={path} at={at} last={limits.length === 1} />
        ))}
        <EuiButtonEmpty
          size="s"
          flush="left"
          iconType="plusCircle"
          isDisabled={disabled}
          onClick={() =>
            edit([{ path: [...path, limits.length], value: nextLimit(field.suggested, limits) }])
          }
        >
          {i18n.translate('dyno.editor.search.addLimit', { defaultMessage: 'Add limit' })}
        </EuiButtonEmpty>
      </div>
    </EuiFormRow>
  );
}
