/** Fields of the form. Each edits one path of the definition. */
import {
  EuiComboBox,
  EuiFieldNumber,
  EuiFieldText,
  EuiFormRow,
  EuiSelect,
  EuiSwitch,
  EuiTextArea,
  useGeneratedHtmlId,
  type EuiSelectOption,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { sameValue } from '../../../../common/experiment/text/values';
import { formatPath } from '../../../../common/experiment/path';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { i18n } from '../../../i18n';
import { asList, asText, useErrors, useField, useForm } from './context';

export interface RowProps {
  path: EditPath;
  label: string;
  help?: ReactNode;
  /** Whether the field takes the full width of the form. */
  wide?: boolean;
}

/** Returns an HTML attribute for the control that edits `path`, by which {@link focusField} finds the control. */
export const fieldPath = (path: EditPath): { 'data-path': string } => ({ 'data-path': formatPath(path) });

/** Moves the focus to the control that edits a path of the definition. `path`: the path as text. */
export function focusField(path: string): void {
  const fields = document.querySelectorAll<HTMLElement>('[data-path]');
  const field = [...fields].find(({ dataset }) => dataset['path'] === path);
  field?.scrollIntoView?.({ block: 'center' });
  field?.focus();
}

interface TextRowProps extends RowProps {
  placeholder?: string;
  /** Whether the key stays in the definition if the field is emptied. */
  required?: boolean;
  /** Number of lines; by default one. */
  rows?: number;
  code?: boolean;
  append?: string;
  /** Values that are suggested while typing. Others are allowed. */
  suggestions?: readonly { name: string; type: string }[];
}

/**
 * Returns the text of a field and a function that sets the typed text. The field shows the typed text, such as `1.0`, while it has the same
 * value as the definition. Otherwise the field shows the value in the definition.
 */
export function useTyped(
  value: unknown,
  read: (text: string) => unknown,
  show: (value: unknown) => string = asText,
): [string, (text: string) => void] {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed !== null && sameValue(read(typed), value) ? typed : show(value);
  return [shown, setTyped];
}

export function TextRow({
  path,
  label,
  help,
  wide,
  placeholder,
  required,
  rows,
  code,
  append,
  suggestions = [],
}: TextRowProps): ReactNode {
  const { value, set, errors, disabled, onFocus } = useField(path);
  const list = useGeneratedHtmlId();
  const common = {
    value: asText(value),
    disabled,
    placeholder,
    onFocus,
    fullWidth: wide,
    isInvalid: errors.length > 0,
    onChange: ({ target }: { target: { value: string } }) =>
      set(target.value === '' && !required ? undefined : target.value),
  };
  const row = (
    <EuiFormRow label={label} helpText={help} fullWidth={wide} isInvalid={errors.length > 0} error={errors}>
      {rows === undefined ? (
        <EuiFieldText
          {...common}
          append={append}
          controlOnly={false}
          className={code ? 'eui-textFontMono' : undefined}
          list={suggestions.length === 0 ? undefined : list}
        />
      ) : (
        <EuiTextArea {...common} rows={rows} resize="vertical" />
      )}
    </EuiFormRow>
  );
  return suggestions.length === 0 ? (
    row
  ) : (
    <div>
      {row}
      <datalist id={list}>
        {suggestions.map(({ name, type }) => (
          <option key={name} value={name}>
            {type}
          </option>
        ))}
      </datalist>
    </div>
  );
}

interface NumberRowProps extends RowProps {
  placeholder?: string;
  min?: number;
  max?: number;
  step?: number | 'any';
  append?: string;
  /** Number by which the value is multiplied for display: 100 for a percentage. */
  scale?: number;
}

const readNumber = (text: string, scale: number): number | undefined =>
  text.trim() === '' ? undefined : Number((Number(text) / scale).toPrecision(12));

export function NumberRow({ path, label, help, wide, scale = 1, ...rest }: NumberRowProps): ReactNode {
  const { value, set, unread, hold, errors, disabled, onFocus } = useField(path);
  const read = (text: string): unknown => readNumber(text, scale);
  const [typed, setTyped] = useTyped(value, read);
  const shown = typeof value === 'number' && typed === asText(value) ? String(value * scale) : typed;
  const take = ({ value: text, validity }: HTMLInputElement): void => {
    if (validity.badInput) {
      hold('', i18n.translate('dyno.editor.number.bad', { defaultMessage: 'This is not a number' }));
      return;
    }
    setTyped(text);
    set(read(text));
  };
  return (
    <EuiFormRow label={label} helpText={help} fullWidth={wide} isInvalid={errors.length > 0} error={errors}>
      <EuiFieldNumber
        {...rest}
        {...fieldPath(path)}
        // The text is kept separately, because for `1e` browsers report an empty value although they show the text.
        value={unread ?? shown}
        disabled={disabled}
        onFocus={onFocus}
        fullWidth={wide}
        isInvalid={errors.length > 0}
        // Typing `e` does not change the value: browsers send an input event, but no change event.
        onInput={({ currentTarget }) => {
          if (currentTarget.validity.badInput || unread !== null) take(currentTarget);
        }}
        onChange={({ target }) => take(target)}
      />
    </EuiFormRow>
  );
}

interface SelectRowProps extends RowProps {
  options: EuiSelectOption[];
  /** Text of the option for the default value. Choosing this option removes the key from the definition. */
  fallback: string;
}

export function SelectRow({ path, label, help, wide, options, fallback }: SelectRowProps): ReactNode {
  const { value, set, errors, disabled, onFocus } = useField(path);
  const known = value === undefined ? fallback : asText(value);
  const all = options.some((option) => option.value === known)
    ? options
    : [...options, { value: known, text: known }];
  return (
    <EuiFormRow label={label} helpText={help} fullWidth={wide} isInvalid={errors.length > 0} error={errors}>
      <EuiSelect
        options={all}
        value={known}
        disabled={disabled}
        onFocus={onFocus}
        fullWidth={wide}
        isInvalid={errors.length > 0}
        onChange={({ target }) => set(target.value === fallback ? undefined : target.value)}
      />
    </EuiFormRow>
  );
}

interface ChoiceRowProps {
  /** Path in the definition. Its errors are shown below the field. */
  path: EditPath;
  /** Whether this field shows no errors, because another field shows them. */
  hidesErrors?: boolean;
  label: string;
  options: EuiSelectOption[];
  /** The chosen option; undefined if no option fits the definition. */
  chosen: string | undefined;
  onChoose: (value: string) => void;
}

/** A field to choose one of several alternatives. The field does not change the definition: the parent component does, in `onChoose`. */
export function ChoiceRow({
  path,
  hidesErrors = false,
  label,
  options,
  chosen,
  onChoose,
}: ChoiceRowProps): ReactNode {
  const { disabled, reveal } = useForm();
  const own = useErrors(path);
  const errors = hidesErrors ? [] : own;
  return (
    <EuiFormRow
      fullWidth
      label={label}
      isInvalid={errors.length > 0}
      error={errors}
      css={{ marginBlockEnd: 16 }}
    >
      <EuiSelect
        fullWidth
        disabled={disabled}
        isInvalid={errors.length > 0}
        onFocus={() => reveal(formatPath(path))}
        hasNoInitialSelection={chosen === undefined}
        value={chosen}
        onChange={({ target }) => onChoose(target.value)}
        options={options}
      />
    </EuiFormRow>
  );
}

export function SwitchRow({ path, label, help }: RowProps): ReactNode {
  const { value, set, errors, disabled, onFocus } = useField(path);
  return (
    <EuiFormRow helpText={help} isInvalid={errors.length > 0} error={errors} hasEmptyLabelSpace={false}>
      <EuiSwitch
        label={label}
        checked={value === true}
        disabled={disabled}
        onFocus={onFocus}
        onChange={({ target }) => set(target.checked || undefined)}
      />
    </EuiFormRow>
  );
}

/** A list of short texts, each added with Enter. */
export function WordsRow({ path, label, help, wide }: RowProps): ReactNode {
  const { value, set, disabled, onFocus } = useField(path);
  const errors = useErrors(path, true);
  const words = asList(value).map(asText);
  return (
    <EuiFormRow label={label} helpText={help} fullWidth={wide} isInvalid={errors.length > 0} error={errors}>
      <EuiComboBox
        aria-label={label}
        fullWidth={wide}
        noSuggestions
        isDisabled={disabled}
        isInvalid={errors.length > 0}
        onFocus={onFocus}
        selectedOptions={words.map((word) => ({ label: word }))}
        onChange={(options) => set(options.length === 0 ? undefined : options.map((option) => option.label))}
        onCreateOption={(word) => {
          if (word.trim() !== '' && !words.includes(word.trim())) set([...words, word.trim()]);
        }}
      />
    </EuiFormRow>
  );
}
