/** Fields of the forms for Kibana's alert rules. Each field edits one parameter of a rule. */
import { EuiComboBox, EuiFieldNumber, EuiFieldText, EuiFormRow, EuiSwitch } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { i18n } from '../i18n';
import { useForm, type ParamName } from './form-context';

interface FieldProps {
  name: ParamName;
  label: string;
  help?: ReactNode;
  placeholder?: string;
  append?: string;
}

export function TextField({ name, label, help, placeholder, append }: FieldProps): ReactNode {
  const { raw, problems, set } = useForm();
  const errors = problems[name] ?? [];
  const value = raw[name];
  return (
    <EuiFormRow label={label} helpText={help} error={errors} isInvalid={errors.length > 0} fullWidth>
      <EuiFieldText
        fullWidth
        compressed
        value={typeof value === 'string' ? value : ''}
        placeholder={placeholder}
        append={append}
        isInvalid={errors.length > 0}
        onChange={({ target }) => set(name, target.value === '' ? undefined : target.value)}
      />
    </EuiFormRow>
  );
}

interface NumberFieldProps extends FieldProps {
  /** Whether the field may be empty. */
  optional?: boolean;
  /** Number by which the stored value is multiplied for display: 100 for a percentage. */
  scale?: number;
}

const shownAs = (value: unknown, scale: number): string =>
  typeof value === 'number' ? String(Number((value * scale).toPrecision(10))) : '';

export function NumberField(props: NumberFieldProps): ReactNode {
  const { name, label, help, placeholder, append, optional = false, scale = 1 } = props;
  const { raw, problems, set } = useForm();
  const errors = problems[name] ?? [];
  const stored = shownAs(raw[name], scale);
  const [typed, setTyped] = useState(stored);
  // The typed text is kept as long as it has the stored value. Otherwise, the field would replace `0.` or `0.0` while the user types
  // `0.05`.
  const shown = typed !== '' && Number(typed) === Number(stored) ? typed : stored;
  const change = (text: string): void => {
    setTyped(text);
    const number = Number((Number(text) / scale).toPrecision(12));
    // An empty field that is required becomes null, which the schema rejects.
    set(name, text.trim() === '' ? (optional ? undefined : null) : number);
  };
  return (
    <EuiFormRow label={label} helpText={help} error={errors} isInvalid={errors.length > 0} fullWidth>
      <EuiFieldNumber
        fullWidth
        compressed
        min={0}
        step="any"
        value={shown}
        placeholder={placeholder}
        append={append}
        isInvalid={errors.length > 0}
        onChange={({ target }) => change(target.value)}
      />
    </EuiFormRow>
  );
}

export interface Option {
  key: string;
  label: string;
}

interface ListFieldProps extends FieldProps {
  options: readonly Option[];
  /** Whether the list of options is still being loaded. While it is loading, the user cannot add texts that are not in the list. */
  isLoading?: boolean;
  /** Whether only one option can be chosen. In this case, the parameter is a text, and is absent if the field is empty. */
  single?: boolean;
  /** Label of the list entry with which the user adds the typed text itself. `{searchValue}` is replaced by the typed text. */
  other: string;
}

/** Returns the key of the option whose key or label is the typed text, ignoring case. If no option matches, returns the text itself. */
const keyOf = (text: string, options: readonly Option[]): string =>
  options.find(({ key, label }) => [key, label].some((name) => name.toLowerCase() === text.toLowerCase()))
    ?.key ?? text;

/** A list of texts that are chosen from options, or typed. */
export function ListField(props: ListFieldProps): ReactNode {
  const { name, label, help, placeholder, options, isLoading = false, single = false, other } = props;
  const { raw, problems, set } = useForm();
  const errors = problems[name] ?? [];
  const stored = [raw[name] ?? []].flat().map(String);
  const chosen = stored.map((key) => options.find((option) => option.key === key) ?? { label: key, key });
  const choose = (keys: readonly string[]): void => set(name, single ? keys.at(-1) : [...new Set(keys)]);
  return (
    <EuiFormRow label={label} helpText={help} error={errors} isInvalid={errors.length > 0} fullWidth>
      <EuiComboBox
        fullWidth
        compressed
        aria-label={label}
        placeholder={placeholder}
        singleSelection={single ? { asPlainText: true } : false}
        options={[...options]}
        selectedOptions={chosen}
        isInvalid={errors.length > 0}
        onChange={(selected) => choose(selected.map(({ key }) => String(key)))}
        isLoading={isLoading}
        onCreateOption={isLoading ? undefined : (text) => choose([...stored, keyOf(text.trim(), options)])}
        customOptionText={other}
      />
    </EuiFormRow>
  );
}

interface SwitchFieldProps<Value> extends Pick<FieldProps, 'name' | 'label' | 'help'> {
  on: Value;
  off: Value;
}

export function SwitchField<Value>({ name, label, help, on, off }: SwitchFieldProps<Value>): ReactNode {
  const { raw, set } = useForm();
  return (
    <EuiFormRow fullWidth helpText={help}>
      <EuiSwitch
        compressed
        label={label}
        checked={raw[name] === on}
        onChange={({ target }) => set(name, target.checked ? on : off)}
      />
    </EuiFormRow>
  );
}

/**
 * Returns the label of the list entry that uses the typed text as the id of an experiment. The combo box replaces `{searchValue}` by the
 * typed text.
 */
export const byId = (): string =>
  i18n.translate('dyno.rule.experiments.byId', {
    defaultMessage: 'The experiment with the id {searchValue}',
    values: { searchValue: '{searchValue}' },
  });
