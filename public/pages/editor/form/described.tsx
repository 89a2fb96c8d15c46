/** Renders the fields of the editor's form. Their sections, rows and fields are described as data in common/fields/form.ts. */
import { EuiFormRow, EuiSelect, EuiText } from '@elastic/eui';
import { Fragment, type ReactNode } from 'react';
import { INDEX_SETTING_NAMES } from '../../../../common/elasticsearch/index-settings';
import type {
  EitherField,
  ListField,
  SentencesField,
  FormField,
  FormRow,
  FormSection,
  Note,
  PartField,
  Text,
  TextField,
  WaysField,
} from '../../../../common/fields/form';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { describeProblem } from '../../../../common/problem';
import { useApi } from '../../../api/queries';
import { useApp } from '../../../app/context';
import { i18n } from '../../../i18n';
import { useKnown } from '../target-fields';
import { asRecord, useForm, useProblems, valueAtPath, type Part } from './context';
import { ChoiceRow, NumberRow, SelectRow, SwitchRow, TextRow, WordsRow } from './fields';
import { KeyValues } from './key-values';
import { LinesRow } from './lines-row';
import { List } from './list';
import { Advanced, Columns, FormPart } from './part';
import { Sentences } from './sentences';
import { StructureRow } from './structure-row';

interface DescribedProps<Name extends string> {
  rows: readonly FormRow<Name>[];
  /** Path of the object, such as `['tasks', 0, 'executor', 'constant-rate']`. */
  path: EditPath;
  parts: Readonly<Record<Name, Part>>;
}

interface SectionProps<Name extends string> {
  of: FormSection<Name>;
  parts: Readonly<Record<Name, Part>>;
}

const textOf = (text: Text | string): string => (typeof text === 'string' ? text : i18n.say(text));

/** Renders a section of the form, whose fields edit keys at the top level of the definition. */
export function Section<Name extends string>({ of: section, parts }: SectionProps<Name>): ReactNode {
  const { values } = useForm();
  const { title, roots, isClosed = false, summary, rows } = section;
  return (
    <FormPart
      title={i18n.say(title)}
      roots={roots}
      startsOpen={!isClosed}
      summary={summary && textOf(summary(values))}
    >
      <Described rows={rows} path={[]} parts={parts} />
    </FormPart>
  );
}

export const Described = <Name extends string = never>({
  rows,
  path,
  parts,
}: DescribedProps<Name>): ReactNode =>
  rows.map((row, at) => (
    <Fragment key={at}>
      <Row row={row} path={path} parts={parts} />
    </Fragment>
  ));

type Drawn<Of, Name extends string> = Omit<DescribedProps<Name>, 'rows'> & Of;

function Row<Name extends string>({ row, path, parts }: Drawn<{ row: FormRow<Name> }, Name>): ReactNode {
  const { values } = useForm();
  if ('rows' in row) {
    if (row.kind === 'within')
      return <Described key={row.key} rows={row.rows} path={[...path, row.key]} parts={parts} />;
    const inner = <Described rows={row.rows} path={path} parts={parts} />;
    if (row.kind === 'closed') return <Advanced label={i18n.say(row.label)}>{inner}</Advanced>;
    return row.shown(asRecord(valueAtPath(values, path))) ? inner : null;
  }
  if ('kind' in row) {
    const field = <Field field={row} path={path} parts={parts} />;
    // A choice with several rows has its own layout.
    return row.kind === 'ways' ? field : <Alone>{field}</Alone>;
  }
  return (
    <Columns>
      {row.map((field, at) => (
        <Field key={at} field={field} path={path} parts={parts} inColumns />
      ))}
    </Columns>
  );
}

/** A field in its own row, with the distance to the next one. */
const Alone = ({ children }: { children: ReactNode }): ReactNode => (
  <div css={{ '&:not(:empty)': { marginBlockEnd: 16 } }}>{children}</div>
);

const below = (path: EditPath, key: string | undefined): EditPath =>
  key === undefined || key === '' ? path : [...path, ...key.split('.')];

type FieldProps<Name extends string> = Drawn<{ field: FormField<Name>; inColumns?: boolean }, Name>;

function Field<Name extends string>({ field, path, parts, inColumns }: FieldProps<Name>): ReactNode {
  const { values } = useForm();
  const value = asRecord(valueAtPath(values, path));
  if ('shown' in field && field.shown?.(value) === false) return null;
  switch (field.kind) {
    case 'note':
      return (
        <EuiText size="xs" color="subdued">
          <p>{i18n.say(field.text)}</p>
        </EuiText>
      );
    case 'either':
      return <Either field={field} path={below(path, field.below)} />;
    case 'ways':
      return <Ways field={field} path={path} parts={parts} inColumns={inColumns} />;
    case 'part': {
      const Component: Part = parts[field.part];
      return <Component path={path} value={value} />;
    }
    case 'list':
      return (
        <List
          field={field}
          path={below(path, field.key)}
          draw={(rows, own) => <Described rows={rows} path={own} parts={parts} />}
        />
      );
    case 'sentences':
      return <Sentences field={field} path={below(path, field.key)} parts={parts} />;
    case 'settings':
      // Settings use the full width, because their pairs of names and values need it.
      return (
        <div css={{ gridColumn: '1 / -1' }}>
          <ValueField field={field} path={path} />
        </div>
      );
    default:
      return <ValueField field={field} path={path} />;
  }
}

interface ValueFieldProps {
  field: Exclude<FormField, EitherField | WaysField | ListField | SentencesField | Note | PartField<never>>;
  path: EditPath;
}

function ValueField({ field, path }: ValueFieldProps): ReactNode {
  const { host } = useApp();
  const placeholder = 'placeholder' in field ? field.placeholder : undefined;
  const common = {
    path: below(path, field.key),
    label: i18n.say(field.label),
    help: field.help && i18n.say(field.help, { place: host.filesPlace(), example: placeholder }),
    wide: field.wide,
    placeholder,
  };
  switch (field.kind) {
    case 'number': {
      const { min, max, step, scale, append } = field;
      return <NumberRow {...common} {...{ min, max, step, scale, append: append && i18n.say(append) }} />;
    }
    case 'text': {
      const { required, lines, code, offers } = field;
      const row = { ...common, required, rows: lines, code };
      const Offering = offers === undefined ? TextRow : OFFERING[offers];
      return <Offering {...row} />;
    }
    case 'lines':
      return <LinesRow {...common} placeholder={field.placeholder} rows={field.lines} alone={field.alone} />;
    case 'words':
      return <WordsRow {...common} />;
    case 'structure': {
      const { lines, optional, words } = field;
      return <StructureRow {...common} {...{ rows: lines, optional, words }} />;
    }
    case 'settings':
      return <KeyValues {...common} addLabel={i18n.say(field.add)} suggestions={INDEX_SETTING_NAMES} />;
    case 'switch':
      return <SwitchRow {...common} />;
    case 'choice': {
      const options = field.options.map(({ value, text }) => ({ value, text: i18n.say(text) }));
      return <SelectRow {...common} fallback={field.fallback} options={options} />;
    }
  }
}

function DateFieldRow(row: Parameters<typeof TextRow>[0]): ReactNode {
  const { fields } = useKnown(useForm().values);
  return <TextRow {...row} suggestions={fields.filter(({ type }) => type.startsWith('date'))} />;
}

function TargetNameRow(row: Parameters<typeof TextRow>[0]): ReactNode {
  const { data } = useApi('listTargets', {});
  const targets = data?.targets ?? [];
  return <TextRow {...row} suggestions={targets.map(({ id, title }) => ({ name: id, type: title }))} />;
}

/** Components for text fields that suggest names. `dates`: names of date fields in the documents. `targets`: ids of targets. */
const OFFERING: Readonly<Record<NonNullable<TextField['offers']>, typeof TextRow>> = {
  dates: DateFieldRow,
  targets: TargetNameRow,
};

type WaysProps<Name extends string> = Drawn<{ field: WaysField<Name>; inColumns?: boolean }, Name>;

function Ways<Name extends string>({ field, path, parts, inColumns }: WaysProps<Name>): ReactNode {
  const { values, edit } = useForm();
  const { key, label, ways } = field;
  const value = asRecord(valueAtPath(values, path));
  const chosen = ways.find(({ is }) => is(value));
  const rows = chosen?.rows ?? [];
  const choose = (name: string): void => {
    const changes = ways.find((way) => way.value === name)!.writes(value);
    edit(
      changes.map((change) => {
        const at = below(path, change.key);
        return change.value === undefined ? { path: at, remove: true } : { path: at, value: change.value };
      }),
    );
  };
  return (
    <>
      <ChoiceRow
        path={below(path, key)}
        label={i18n.say(label)}
        // The errors are hidden if another row shows them, because it has the same key.
        hidesErrors={key === undefined || rows.some((row) => 'key' in row && row.key === key)}
        chosen={chosen?.value}
        onChoose={choose}
        options={ways
          .filter((way) => way.shown?.(value) !== false)
          .map((way) => ({ value: way.value, text: i18n.say(way.text) }))}
      />
      {/* The key separates the fields of different ways, which may look the same. */}
      <Fragment key={chosen?.value}>
        {rows.map((row, at) =>
          inColumns && 'kind' in row && !('rows' in row) ? (
            <Field key={at} field={row} path={path} parts={parts} />
          ) : (
            <Row key={at} row={row} path={path} parts={parts} />
          ),
        )}
      </Fragment>
    </>
  );
}

/** Two fields for keys of which the definition can contain only one: the left field selects the key, the right one edits its value. */
function Either({ field: { label, options }, path }: { field: EitherField; path: EditPath }): ReactNode {
  const { values, edit, disabled } = useForm();
  const written = asRecord(valueAtPath(values, path));
  const given = options.find(({ field }) => written[field.key] !== undefined) ?? options[0]!;
  // A missing required key that has no field is reported here.
  const elsewhere = ['', ...options.filter((one) => one !== given).map(({ field }) => field.key)];
  const errors = useProblems(path, true)
    .filter((problem) => elsewhere.includes(problem.path))
    .map((problem) => describeProblem({ ...problem, path: '' }));
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
