/** A field for a structure, such as a mapping or a query: YAML or JSON, taken over when it can be read. */
import { EuiFormRow, EuiTextArea } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { parseValue } from '../../../../common/experiment/document';
import { sameValue } from '../../../../common/experiment/text/values';
import { i18n } from '../../../i18n';
import { useErrors, useField } from './context';
import type { RowProps } from './fields';

function read(text: string): { value: unknown } | null {
  try {
    const value = parseValue(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { value } : null;
  } catch {
    return null;
  }
}

export function StructureRow({ path, label, help, rows }: RowProps & { rows: number }): ReactNode {
  const { value, set, disabled, onFocus } = useField(path);
  const [typed, setTyped] = useState<string | null>(null);
  const [bad, setBad] = useState(false);
  const parsed = typed === null ? null : read(typed);
  const isCurrent = typed !== null && (bad || (parsed && sameValue(parsed.value, value)));
  const errors = [
    ...useErrors(path, true),
    ...(bad
      ? [
          i18n.translate('dyno.editor.structure.bad', {
            defaultMessage:
              'This is neither YAML nor JSON of an object, so the definition still holds what was there before.',
          }),
        ]
      : []),
  ];
  return (
    <EuiFormRow label={label} helpText={help} fullWidth isInvalid={errors.length > 0} error={errors}>
      <EuiTextArea
        fullWidth
        rows={rows}
        resize="vertical"
        className="eui-textFontMono"
        disabled={disabled}
        isInvalid={errors.length > 0}
        onFocus={onFocus}
        value={isCurrent ? typed : JSON.stringify(value ?? {}, null, 2)}
        onChange={({ target }) => {
          const next = read(target.value);
          setTyped(target.value);
          setBad(next === null);
          if (next) set(next.value);
        }}
      />
    </EuiFormRow>
  );
}
