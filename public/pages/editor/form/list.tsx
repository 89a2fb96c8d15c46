/** Lists in the form. Each item of such a list has several fields. */
import {
  EuiFlexGroup,
  EuiFlexItem,
  EuiFormErrorText,
  EuiFormRow,
  EuiPanel,
  EuiSpacer,
  EuiText,
  EuiTitle,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import type { EditPath } from '../../../../common/experiment/text/edit';
import type { FormRow, ListField, SentencesField } from '../../../../common/fields/form';
import { i18n } from '../../../i18n';
import { asList, asRecord, asText, useErrors, useForm, valueAtPath } from './context';
import { AddButton, ItemButtons } from './item-buttons';

/** Shows the label, help and errors of a list around its items. */
export function ListRow({ path, field, children }: ListRowProps): ReactNode {
  const errors = useErrors(path);
  const label = i18n.say(field.label);
  return (
    <EuiFormRow
      fullWidth
      label={field.hidesLabel ? undefined : label}
      helpText={field.help && i18n.say(field.help)}
      isInvalid={errors.length > 0}
      error={errors}
      hasChildLabel={false}
    >
      <div role="group" aria-label={label}>
        {children}
      </div>
    </EuiFormRow>
  );
}

interface ListRowProps {
  path: EditPath;
  field: Pick<ListField, 'label' | 'help' | 'hidesLabel'>;
  children: ReactNode;
}

/** Returns a function that appends an item to the list at `path`. */
export function useAdd(path: EditPath): (item: unknown) => void {
  const { values, edit } = useForm();
  const written = valueAtPath(values, path);
  return (item) =>
    edit([
      Array.isArray(written) ? { path: [...path, written.length], value: item } : { path, value: [item] },
    ]);
}

/** Returns the displayed name of an item, such as `Ingestion: ingest` or `Step 2`. */
export function itemName({ item: { name }, type }: NamedField, item: unknown, at: number): string {
  const own = asText(asRecord(item)['name']);
  const shown = name === undefined ? own : i18n.say(name, { number: at + 1, name: own });
  return [type && i18n.say(type(asRecord(item))), shown].filter(Boolean).join(': ');
}

type NamedField = Pick<ListField | SentencesField, 'item'> & Pick<ListField, 'type'>;

interface ListProps<Name extends string> {
  path: EditPath;
  field: ListField<Name>;
  /** Renders the fields of the item at a path. */
  draw: (rows: readonly FormRow<Name>[], path: EditPath) => ReactNode;
}

export function List<Name extends string>({ path, field, draw }: ListProps<Name>): ReactNode {
  const { values } = useForm();
  const list = asList(valueAtPath(values, path));
  const add = useAdd(path);
  const Item = field.inLine ? LineItem : PanelItem;
  return (
    <ListRow path={path} field={field}>
      {list.map((item, at) => (
        <Item key={at} {...{ path, field, draw, at, item }} isOnly={list.length === 1} />
      ))}
      <EuiFlexGroup gutterSize="s" wrap responsive={false}>
        {field.adds.map(({ text, item }) => (
          <AddButton key={text.id} text={i18n.say(text)} onClick={() => add(item(list))} />
        ))}
      </EuiFlexGroup>
    </ListRow>
  );
}

type ItemProps<Name extends string> = ListProps<Name> & { at: number; item: unknown; isOnly: boolean };

function LineItem<Name extends string>({ path, field, draw, at, item }: ItemProps<Name>): ReactNode {
  const { item: texts, keepsOne } = field;
  return (
    <EuiFlexGroup gutterSize="s" alignItems="flexStart" responsive={false}>
      <EuiFlexItem grow={false} css={{ paddingBlockStart: 32, inlineSize: 20 }}>
        <EuiText size="s" color="subdued">
          {at + 1}.
        </EuiText>
      </EuiFlexItem>
      <EuiFlexItem>{draw(field.itemRows(asRecord(item)), [...path, at])}</EuiFlexItem>
      <div css={{ paddingBlockStart: 30 }}>
        <ItemButtons {...{ path, at, texts, keepsOne }} name={itemName(field, item, at)} />
      </div>
    </EuiFlexGroup>
  );
}

function PanelItem<Name extends string>({ path, field, draw, at, item, isOnly }: ItemProps<Name>): ReactNode {
  const own = [...path, at];
  const errors = useErrors(own);
  const name = itemName(field, item, at);
  // Panels of the outer list contain those of inner lists.
  const isOuter = path.length === 1;
  const Heading = isOuter ? 'h3' : 'h4';
  return (
    <EuiPanel
      hasBorder={!isOuter}
      hasShadow={false}
      color={isOuter ? 'subdued' : 'plain'}
      paddingSize={isOuter ? 'm' : 's'}
      css={{ marginBlockEnd: 12 }}
      role="group"
      aria-label={name}
    >
      <EuiFlexGroup gutterSize="s" alignItems="center" responsive={false}>
        <EuiFlexItem>
          <EuiTitle size="xxs">
            <Heading>{name}</Heading>
          </EuiTitle>
        </EuiFlexItem>
        {field.keepsOne && isOnly ? null : <ItemButtons {...{ path, at, name }} texts={field.item} />}
      </EuiFlexGroup>
      {errors.map((error) => (
        <EuiFormErrorText key={error}>{error}</EuiFormErrorText>
      ))}
      <EuiSpacer size="s" />
      {draw(field.itemRows(asRecord(item)), own)}
    </EuiPanel>
  );
}
