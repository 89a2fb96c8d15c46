/** Names with values, such as index settings: rows that can be added, renamed and taken away. */
import {
  EuiButtonEmpty,
  EuiButtonIcon,
  EuiComboBox,
  EuiFieldText,
  EuiFlexGroup,
  EuiFlexItem,
  EuiFormRow,
  EuiText,
} from '@elastic/eui';
import { useRef, useState, type ReactNode } from 'react';
import { parseValue } from '../../../../common/experiment/document';
import { sameValue } from '../../../../common/experiment/text/values';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { i18n } from '../../../i18n';
import { asRecord, asText, useErrors, useField, useForm, valueAtPath } from './context';
import { fieldPath } from './fields';

/** Begins as a list, an object or a text in quotes does. */
const OPENED = /^\s*[[{"']/;

/** `5` is a number, `true` a yes, everything else what it says. */
export function readPlain(text: string): unknown {
  try {
    const value = parseValue(text);
    return value === null && text.trim() !== 'null' ? text : value;
  } catch {
    return text;
  }
}

/** Why {@link readPlain} takes `text` for something else than was meant: `[1, 2` is no list yet; '' for nothing. */
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

function ValueField({ path, name }: { path: EditPath; name: string }): ReactNode {
  const { value, set, unread, hold, disabled, onFocus, errors } = useField(path);
  const [typed, setTyped] = useState<string | null>(null);
  const shown = unread ?? (typed !== null && sameValue(readPlain(typed), value) ? typed : asText(value));
  return (
    <EuiFieldText
      compressed
      fullWidth
      aria-label={i18n.translate('dyno.editor.keyValues.valueOf', {
        defaultMessage: 'Value of {name}',
        values: { name },
      })}
      value={shown}
      disabled={disabled}
      isInvalid={errors.length > 0}
      {...fieldPath(path)}
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

interface KeyValuesProps {
  path: EditPath;
  label: string;
  addLabel: string;
  suggestions: readonly string[];
}

export function KeyValues({ path, label, addLabel, suggestions }: KeyValuesProps): ReactNode {
  const { values, edit, disabled } = useForm();
  const entries = Object.keys(asRecord(valueAtPath(values, path)));
  const errors = useErrors(path, true);
  const [adding, setAdding] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const add = (name: string): void => {
    setAdding(false);
    const key = name.trim();
    if (key !== '' && !entries.includes(key)) edit([{ path: [...path, key], value: '' }]);
    // The value's field is there after the next drawing.
    setTimeout(() => box.current?.querySelector<HTMLInputElement>('[data-last] input')?.focus());
  };
  return (
    <EuiFormRow label={label} fullWidth isInvalid={errors.length > 0} error={errors} hasChildLabel={false}>
      <div ref={box} role="group" aria-label={label}>
        {entries.length === 0 && !adding ? (
          <EuiText size="s" color="subdued">
            <p>
              {i18n.translate('dyno.editor.keyValues.none', {
                defaultMessage: "Elasticsearch's own defaults",
              })}
            </p>
          </EuiText>
        ) : null}
        {entries.map((key, at) => (
          <EuiFlexGroup
            key={key}
            gutterSize="s"
            alignItems="center"
            responsive={false}
            css={{ marginBlockEnd: 4 }}
          >
            <EuiFlexItem grow={5}>
              <code css={{ overflowWrap: 'anywhere', fontSize: 13 }}>{key.replace(/^index\./, '')}</code>
            </EuiFlexItem>
            <EuiFlexItem grow={5} {...(at === entries.length - 1 ? { 'data-last': true } : {})}>
              <ValueField path={[...path, key]} name={key} />
            </EuiFlexItem>
            <EuiFlexItem grow={false}>
              <EuiButtonIcon
                iconType="cross"
                color="text"
                isDisabled={disabled}
                aria-label={i18n.translate('dyno.editor.keyValues.remove', {
                  defaultMessage: 'Remove {name}',
                  values: { name: key },
                })}
                onClick={() => edit([{ path: [...path, key], remove: true }])}
              />
            </EuiFlexItem>
          </EuiFlexGroup>
        ))}
        {adding ? (
          <EuiComboBox
            autoFocus
            compressed
            fullWidth
            singleSelection={{ asPlainText: true }}
            aria-label={addLabel}
            placeholder={i18n.translate('dyno.editor.keyValues.name', {
              defaultMessage: 'Choose or type a name',
            })}
            options={suggestions.filter((name) => !entries.includes(name)).map((name) => ({ label: name }))}
            selectedOptions={[]}
            onChange={([option]) => option && add(option.label)}
            onCreateOption={add}
            onBlur={() => setAdding(false)}
          />
        ) : (
          <EuiButtonEmpty
            size="s"
            iconType="plusCircle"
            flush="left"
            isDisabled={disabled}
            onClick={() => setAdding(true)}
          >
            {addLabel}
          </EuiButtonEmpty>
        )}
      </div>
    </EuiFormRow>
  );
}
