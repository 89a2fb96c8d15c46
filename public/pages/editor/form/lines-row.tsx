/** A field for one or more texts, one per line. The definition contains a text or a list of texts. */
import { EuiFormRow, EuiTextArea } from '@elastic/eui';
import type { ReactNode } from 'react';
import { asText, useErrors, useField } from './context';
import { useTyped, type RowProps } from './fields';

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

const showLines = (value: unknown): string =>
  Array.isArray(value) ? value.map(asText).join('\n') : asText(value);

interface LinesRowProps extends RowProps {
  placeholder: string;
  /** Minimum number of lines. The field grows with the text. */
  rows?: number;
  /**
   * How the text is stored. If true, a single line is stored as a text, even if it is empty. Otherwise, lines are always stored as a list,
   * and an empty field removes the key.
   */
  alone?: boolean | undefined;
}

const write = (lines: string[], alone: boolean): unknown => {
  if (alone) return lines.length > 1 ? lines : (lines[0] ?? '');
  return lines.length === 0 ? undefined : lines;
};

export function LinesRow({
  path,
  label,
  help,
  placeholder,
  rows = 2,
  alone = false,
}: LinesRowProps): ReactNode {
  const { value, set, disabled, onFocus } = useField(path);
  const errors = useErrors(path, true);
  const read = (text: string): unknown => write(linesOf(text), alone);
  const [shown, setTyped] = useTyped(value, read, showLines);
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
        rows={Math.max(rows, shown.split('\n').length)}
        resize="vertical"
        className="eui-textFontMono"
        placeholder={placeholder}
        disabled={disabled}
        isInvalid={errors.length > 0}
        onFocus={onFocus}
        value={shown}
        onChange={({ target }) => {
          setTyped(target.value);
          set(read(target.value));
        }}
      />
    </EuiFormRow>
  );
}
