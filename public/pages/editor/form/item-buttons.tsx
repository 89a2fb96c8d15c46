/** Buttons that add, move and remove items of a list. */
import { EuiButtonEmpty, EuiButtonIcon, EuiFlexGroup, EuiFlexItem } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { EditPath } from '../../../../common/experiment/text/edit';
import type { ItemTexts, Text } from '../../../../common/fields/form';
import { i18n } from '../../../i18n';
import { asList, useForm, valueAtPath } from './context';

interface IconButtonProps {
  icon: string;
  label: string;
  isDisabled?: boolean;
  onClick: () => void;
}

export function IconButton({ icon, label, isDisabled = false, onClick }: IconButtonProps): ReactNode {
  const { disabled } = useForm();
  return (
    <EuiFlexItem grow={false}>
      <EuiButtonIcon
        iconType={icon}
        color="text"
        isDisabled={disabled || isDisabled}
        aria-label={label}
        onClick={onClick}
      />
    </EuiFlexItem>
  );
}

export function AddButton({ text, icon = 'plusCircle', onClick }: AddButtonProps): ReactNode {
  const { disabled } = useForm();
  return (
    <div>
      <EuiButtonEmpty size="s" flush="left" iconType={icon} isDisabled={disabled} onClick={onClick}>
        {text}
      </EuiButtonEmpty>
    </div>
  );
}

interface AddButtonProps {
  text: string;
  icon?: string;
  onClick: () => void;
}

interface ItemButtonsProps {
  /** Path of the list in the definition. */
  path: EditPath;
  at: number;
  texts: ItemTexts;
  /** Displayed name of the item, for screen readers and tooltips. */
  name: string;
  keepsOne?: boolean | undefined;
}

export function ItemButtons({ path, at, texts, name, keepsOne = false }: ItemButtonsProps): ReactNode {
  const { values, edit } = useForm();
  const list = asList(valueAtPath(values, path));
  const button = (
    text: Text | undefined,
    icon: string,
    isDisabled: boolean,
    onClick: () => void,
  ): ReactNode =>
    text && (
      <IconButton {...{ icon, isDisabled, onClick }} label={i18n.say(text, { number: at + 1, name })} />
    );
  const swap = (other: number): void =>
    edit([
      { path: [...path, at], value: list[other] },
      { path: [...path, other], value: list[at] },
    ]);
  return (
    <EuiFlexItem grow={false}>
      <EuiFlexGroup gutterSize="none" responsive={false}>
        {button(texts.up, 'sortUp', at === 0, () => swap(at - 1))}
        {button(texts.down, 'sortDown', at === list.length - 1, () => swap(at + 1))}
        {button(texts.remove, 'cross', keepsOne && list.length === 1, () =>
          edit([{ path: [...path, at], remove: true }]),
        )}
      </EuiFlexGroup>
    </EuiFlexItem>
  );
}
