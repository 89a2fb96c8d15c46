/** A field for a value of any type, such as that of an index setting or a level of a factor. */
import { EuiFieldText } from '@elastic/eui';
import type { ReactNode } from 'react';
import { parseValue } from '../../../../common/experiment/document';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { i18n } from '../../../i18n';
import { useErrors, useField } from './context';
import { fieldPath, useTyped } from './fields';

/** Matches texts that begin like a list, an object or a quoted text. */
const OPENED = /^\s*[[{"']/;

/**
 * Parses the text of a field as YAML or JSON: `5` is a number, `true` is a boolean, `[1, 2]` is a list. If the text cannot be parsed, the
 * value is the text.
 */
export function readPlain(text: string): unknown {
  try {
    const value = parseValue(text);
    return value === null && text.trim() !== 'null' ? text : value;
  } catch {
    return text;
  }
}

/**
 * Returns the reason why `text` is incomplete; '' if it is complete. For example, `[1, 2` is incomplete. {@link readPlain} would accept it
 * as a text.
 */
export function whyUnread(text: string): string {
  if (!OPENED.test(text)) return '';
  try {
    parseValue(text);
    return '';
  } catch {
    return i18n.translate('dyno.editor.keyValues.bad', {
      defaultMessage: 'A bracket, a brace or a quotation mark is not closed, or something follows it',
    });
  }
}

interface PlainFieldProps {
  path: EditPath;
  label: string;
  prepend?: string;
}

export function PlainField({ path, label, prepend }: PlainFieldProps): ReactNode {
  const { value, set, unread, hold, disabled, onFocus } = useField(path);
  const errors = useErrors(path, true);
  const [shown, setTyped] = useTyped(value, readPlain);
  return (
    <EuiFieldText
      compressed
      fullWidth
      prepend={prepend}
      aria-label={label}
      {...fieldPath(path)}
      value={unread ?? shown}
      disabled={disabled}
      isInvalid={errors.length > 0}
      onFocus={onFocus}
      onChange={({ target }) => {
        const why = whyUnread(target.value);
        setTyped(target.value);
        if (why === '') set(readPlain(target.value));
        else hold(target.value, why);
      }}
    />
  );
}
