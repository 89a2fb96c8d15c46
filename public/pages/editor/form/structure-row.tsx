/** A field for a structure, such as a mapping or a query: YAML or JSON, taken over when it can be read. */
import { EuiFormRow, EuiTextArea } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { parseValue } from '../../../../common/experiment/document';
import { sameValue } from '../../../../common/experiment/text/values';
import { plainValue, stringifyExact } from '../../../../common/json/exact';
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

/** A structure that is longer is scrolled. */
const MOST_ROWS = 16;

interface StructureRowProps extends RowProps {
  /** At least; as many as it takes, up to a bound. */
  rows: number;
  /** Emptied, it is taken out; else there is always an object. */
  optional?: boolean;
  placeholder?: string;
}

export function StructureRow({
  path,
  label,
  help,
  rows,
  optional = false,
  placeholder,
}: StructureRowProps): ReactNode {
  const { value, set, disabled, onFocus } = useField(path);
  const [typed, setTyped] = useState<string | null>(null);
  const [bad, setBad] = useState(false);
  const parsed = typed === null ? null : read(typed);
  const isCurrent =
    typed !== null && (bad || (parsed && sameValue(plainValue(parsed.value), plainValue(value))));
  const written = optional && value === undefined ? '' : stringifyExact(value ?? {}, 2);
  const shown = isCurrent ? typed : written;
  const errors = [
    ...useErrors(path, true),
    ...(bad
      ? [
          i18n.translate('dyno.editor.structure.bad', {
            defaultMessage:
              'This is not an object in YAML or JSON. The definition still has the previous value.',
          }),
        ]
      : []),
  ];
  return (
    <EuiFormRow label={label} helpText={help} fullWidth isInvalid={errors.length > 0} error={errors}>
      <EuiTextArea
        fullWidth
        rows={Math.min(MOST_ROWS, Math.max(rows, shown.split('\n').length))}
        resize="vertical"
        className="eui-textFontMono"
        disabled={disabled}
        isInvalid={errors.length > 0}
        onFocus={onFocus}
        placeholder={placeholder}
        value={shown}
        onChange={({ target }) => {
          const next = optional && target.value.trim() === '' ? { value: undefined } : read(target.value);
          setTyped(target.value);
          setBad(next === null);
          if (next) set(next.value);
        }}
      />
    </EuiFormRow>
  );
}
