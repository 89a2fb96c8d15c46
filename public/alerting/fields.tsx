/** Fields of the rule's form: each stands for one parameter. */
import { EuiFieldNumber, EuiFieldText, EuiFormRow } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { RuleParams } from '../../common/alerting/params';
import { useForm } from './form-context';

interface FieldProps {
  name: keyof RuleParams;
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
  /** May be left empty. */
  optional?: boolean;
  /** Shown as a multiple: 100 for percent. */
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
  // `0.` and `0.0` on the way to `0.05` are the same number, and must not vanish under the fingers.
  const shown = typed !== '' && Number(typed) === Number(stored) ? typed : stored;
  const change = (text: string): void => {
    setTyped(text);
    const number = Number((Number(text) / scale).toPrecision(12));
    // An emptied field that must be filled is null, for the schema to refuse.
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
