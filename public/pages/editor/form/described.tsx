/** Draws the fields that a description asks for (common/fields/form.ts): of executors and of the work of tasks. */
import { EuiFormRow, EuiSelect, EuiSpacer } from '@elastic/eui';
import { Fragment, type ComponentType, type ReactNode } from 'react';
import type {
  ChoiceField,
  EitherField,
  FormField,
  FormRow,
  NumberField,
  SwitchField,
  TextField,
} from '../../../../common/fields/form';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { i18n } from '../../../i18n';
import { asRecord, useErrors, useForm, valueAtPath } from './context';
import { NumberRow, SelectRow, SwitchRow, TextRow } from './fields';
import { Limits } from './limits';
import { Advanced, Columns } from './part';
import { Stages } from './stages';

export interface PartProps {
  /** Of what the form is of. */
  path: EditPath;
  /** What is written there. */
  value: Record<string, unknown>;
}

/** A part that a description names. */
export type Part = ComponentType<PartProps>;

interface DescribedProps<Name extends string> {
  rows: readonly FormRow<Name>[];
  /** Of what the form is of, such as `['tasks', 0, 'executor', 'constant-rate']`. */
  path: EditPath;
  parts: Readonly<Record<Name, Part>>;
}

export function Described<Name extends string = never>({
  rows,
  path,
  parts,
}: DescribedProps<Name>): ReactNode {
  return rows.map((row, at) => (
    <Fragment key={at}>
      <Row row={row} path={path} parts={parts} />
    </Fragment>
  ));
}

function Row<Name extends string>({
  row,
  path,
  parts,
}: Omit<DescribedProps<Name>, 'rows'> & { row: FormRow<Name> }): ReactNode {
  if ('rows' in row) {
    return (
      <Advanced label={i18n.say(row.label)}>
        <Described rows={row.rows} path={path} parts={parts} />
      </Advanced>
    );
  }
  if ('kind' in row) return <Field field={row} path={path} parts={parts} />;
  return (
    <Columns>
      {row.map((field, at) => (
        <Field key={at} field={field} path={path} parts={parts} />
      ))}
    </Columns>
  );
}

const below = (path: EditPath, key: string | undefined): EditPath =>
  key === undefined ? path : [...path, ...key.split('.')];

function Field<Name extends string>({
  field,
  path,
  parts,
}: Omit<DescribedProps<Name>, 'rows'> & { field: FormField<Name> }): ReactNode {
  const { values } = useForm();
  switch (field.kind) {
    case 'either':
      return <Either field={field} path={below(path, field.below)} />;
    case 'stages':
      return <Stages path={below(path, field.key)} field={field} />;
    case 'limits':
      return (
        <>
          <Limits path={below(path, field.key)} field={field} />
          <EuiSpacer size="m" />
        </>
      );
    case 'part': {
      const Component: Part = parts[field.part];
      return <Component path={path} value={asRecord(valueAtPath(values, path))} />;
    }
    default:
      return <ValueField field={field} path={path} />;
  }
}

interface ValueFieldProps {
  field: NumberField | TextField | SwitchField | ChoiceField;
  path: EditPath;
}

function ValueField({ field, path }: ValueFieldProps): ReactNode {
  const common = {
    path: below(path, field.key),
    label: i18n.say(field.label),
    help: field.help && i18n.say(field.help),
  };
  switch (field.kind) {
    case 'number': {
      const { min, max, step, placeholder, scale, append } = field;
      const given = { min, max, step, placeholder, scale, append: append && i18n.say(append) };
      return <NumberRow {...common} {...given} />;
    }
    case 'text':
      return <TextRow {...common} placeholder={field.placeholder} required={field.required} />;
    case 'switch':
      return <SwitchRow {...common} />;
    case 'choice': {
      const options = field.options.map(({ value, text }) => ({ value, text: i18n.say(text) }));
      return <SelectRow {...common} fallback={field.fallback} options={options} />;
    }
  }
}

/** Which of the keys is given, and beside it its value. */
function Either({ field: { label, options }, path }: { field: EitherField; path: EditPath }): ReactNode {
  const { values, edit, disabled } = useForm();
  const errors = useErrors(path);
  const written = asRecord(valueAtPath(values, path));
  const given = options.find(({ field }) => written[field.key] !== undefined) ?? options[0]!;
  const choose = (key: string): void => {
    const chosen = options.find(({ field }) => field.key === key)!;
    edit([
      { path: [...path, key], value: chosen.first },
      { path: [...path, given.field.key], remove: true },
    ]);
  };
  return (
    <>
      <EuiFormRow label={i18n.say(label)} isInvalid={errors.length > 0} error={errors}>
        <EuiSelect
          disabled={disabled}
          value={given.field.key}
          onChange={({ target }) => choose(target.value)}
          options={options.map(({ text, field }) => ({ value: field.key, text: i18n.say(text) }))}
        />
      </EuiFormRow>
      <ValueField field={given.field} path={path} />
    </>
  );
}
