/** A field for a structure, such as a mapping or a query, as YAML or JSON. A text that cannot be read counts as a problem. */
import { EuiFormRow, EuiTextArea } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { parseValue } from '../../../../common/experiment/document';
import { sameValue } from '../../../../common/experiment/text/values';
import { plainValue, stringifyExact } from '../../../../common/json/exact';
import { DynoError, messageOf } from '../../../../common/problem';
import { i18n } from '../../../i18n';
import { asText, useErrors, useField } from './context';
import { fieldPath, type RowProps } from './fields';

type Read = { value: unknown } | { why: string };

/** What the reader of YAML says, with the line where it is more than one. */
function reasonOf(error: unknown): string {
  if (!(error instanceof DynoError)) return messageOf(error);
  const [{ path, message }] = error.problems as [DynoError['problems'][number]];
  const [, line] = /:(\d+):\d+$/.exec(path) ?? [];
  return line === undefined || line === '1' ? message : `line ${line}: ${message}`;
}

/** An object, a list or one of `words`; or why `text` is none of them. */
function read(text: string, words: readonly string[]): Read {
  if (words.includes(text.trim())) return { value: text.trim() };
  const notOne = i18n.translate('dyno.editor.structure.bad', {
    defaultMessage: 'This is not an object in YAML or JSON',
  });
  try {
    const value = parseValue(text);
    return typeof value === 'object' && value !== null ? { value } : { why: notOne };
  } catch (error) {
    return { why: `${notOne} (${reasonOf(error)})` };
  }
}

/** A structure that is longer is scrolled. */
const MOST_ROWS = 16;

interface StructureRowProps extends RowProps {
  /** At least; as many as it takes, up to a bound. */
  rows: number;
  /** Emptied, it is taken out; else there is always an object. */
  optional?: boolean;
  /** Texts that may be written instead of a structure. */
  words?: readonly string[];
  placeholder?: string;
}

const NO_WORDS: readonly string[] = [];

export function StructureRow({
  path,
  label,
  help,
  rows,
  optional = false,
  words = NO_WORDS,
  placeholder,
}: StructureRowProps): ReactNode {
  const { value, set, unread, hold, disabled, onFocus } = useField(path);
  const [typed, setTyped] = useState<string | null>(null);
  const errors = useErrors(path, true);
  const parsed = typed === null ? null : read(typed, words);
  // As it was typed, for as long as it says what the definition says.
  const isCurrent =
    parsed !== null && 'value' in parsed && sameValue(plainValue(parsed.value), plainValue(value));
  const written =
    typeof value === 'string' || (optional && value === undefined)
      ? asText(value)
      : stringifyExact(value ?? {}, 2);
  const shown = unread ?? (isCurrent ? typed! : written);
  return (
    <EuiFormRow label={label} helpText={help} fullWidth isInvalid={errors.length > 0} error={errors}>
      <EuiTextArea
        fullWidth
        rows={Math.min(MOST_ROWS, Math.max(rows, shown.split('\n').length))}
        resize="vertical"
        className="eui-textFontMono"
        disabled={disabled}
        isInvalid={errors.length > 0}
        {...fieldPath(path)}
        onFocus={onFocus}
        placeholder={placeholder}
        value={shown}
        onChange={({ target }) => {
          const next =
            optional && target.value.trim() === '' ? { value: undefined } : read(target.value, words);
          setTyped(target.value);
          if ('value' in next) set(next.value);
          else hold(target.value, next.why);
        }}
      />
    </EuiFormRow>
  );
}
