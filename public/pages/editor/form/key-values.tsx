/** Names with values, such as index settings: rows that can be added, renamed and removed. */
import { EuiComboBox, EuiFlexGroup, EuiFlexItem, EuiFormRow, EuiText } from '@elastic/eui';
import { useRef, useState, type ReactNode } from 'react';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { i18n } from '../../../i18n';
import { asRecord, useErrors, useForm, valueAtPath } from './context';
import { AddButton, IconButton } from './item-buttons';
import { PlainField } from './plain-field';

interface KeyValuesProps {
  path: EditPath;
  label: string;
  addLabel: string;
  suggestions: readonly string[];
}

export function KeyValues({ path, label, addLabel, suggestions }: KeyValuesProps): ReactNode {
  const { values, edit } = useForm();
  const entries = Object.keys(asRecord(valueAtPath(values, path)));
  const errors = useErrors(path, true);
  const [adding, setAdding] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const add = (name: string): void => {
    setAdding(false);
    const key = name.trim();
    if (key !== '' && !entries.includes(key)) edit([{ path: [...path, key], value: '' }]);
    // The new field exists after the next rendering.
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
              <PlainField
                path={[...path, key]}
                label={i18n.translate('dyno.editor.keyValues.valueOf', {
                  defaultMessage: 'Value of {name}',
                  values: { name: key },
                })}
              />
            </EuiFlexItem>
            <IconButton
              icon="cross"
              label={i18n.translate('dyno.editor.keyValues.remove', {
                defaultMessage: 'Remove {name}',
                values: { name: key },
              })}
              onClick={() => edit([{ path: [...path, key], remove: true }])}
            />
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
          <AddButton text={addLabel} onClick={() => setAdding(true)} />
        )}
      </div>
    </EuiFormRow>
  );
}
