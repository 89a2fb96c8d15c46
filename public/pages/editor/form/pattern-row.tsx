/** Grok patterns, one a line: one is written as a text, several as a list that is tried in its order. */
import { EuiFormRow, EuiTextArea } from '@elastic/eui';
import type { ReactNode } from 'react';
import { asText, useErrors, useField } from './context';
import { useTyped, type RowProps } from './fields';

function readPatterns(text: string): string | string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 1 ? lines : (lines[0] ?? '');
}

const showPatterns = (value: unknown): string =>
  Array.isArray(value) ? value.map(asText).join('\n') : asText(value);

export function PatternRow({
  path,
  label,
  help,
  placeholder,
}: RowProps & { placeholder: string }): ReactNode {
  const { value, set, disabled, onFocus } = useField(path);
  const errors = useErrors(path, true);
  const [shown, setTyped] = useTyped(value, readPatterns, showPatterns);
  return (
    <EuiFormRow
      fullWidth
      label={label}
      helpText={help}
      isInvalid={errors.length > 0}
      error={errors}
      css={{ marginBlockEnd: 16 }}
    >
      <EuiTextArea
        fullWidth
        rows={2}
        resize="vertical"
        className="eui-textFontMono"
        placeholder={placeholder}
        disabled={disabled}
        isInvalid={errors.length > 0}
        onFocus={onFocus}
        value={shown}
        onChange={({ target }) => {
          setTyped(target.value);
          set(readPatterns(target.value));
        }}
      />
    </EuiFormRow>
  );
}
