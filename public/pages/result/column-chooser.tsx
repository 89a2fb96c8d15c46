/** Lets the user choose the columns of the result table. */
import {
  EuiButtonEmpty,
  EuiPopover,
  EuiPopoverTitle,
  EuiSelectable,
  type EuiSelectableOption,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { i18n } from '../../i18n';
import type { CellColumn } from './cell-columns';

interface ColumnChooserProps {
  columns: readonly CellColumn[];
  shown: readonly string[];
  onChange: (shown: string[]) => void;
}

export function ColumnChooser({ columns, shown, onChange }: ColumnChooserProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const title = i18n.translate('dyno.result.columns', { defaultMessage: 'Columns' });
  const options = columns.flatMap(({ id, name, group }, at): EuiSelectableOption[] => [
    ...(columns[at - 1]?.group === group ? [] : [{ label: group, isGroupLabel: true as const }]),
    { label: name, key: id, ...(shown.includes(id) ? { checked: 'on' as const } : {}) },
  ]);
  return (
    <EuiPopover
      aria-label={title}
      isOpen={isOpen}
      closePopover={() => setOpen(false)}
      panelPaddingSize="none"
      anchorPosition="downRight"
      button={
        <EuiButtonEmpty size="s" iconType="controls" onClick={() => setOpen((open) => !open)}>
          {title}
        </EuiButtonEmpty>
      }
    >
      <EuiSelectable
        aria-label={title}
        searchable
        searchProps={{ compressed: true }}
        options={options}
        listProps={{ bordered: false }}
        height={360}
        onChange={(next) =>
          onChange(next.flatMap(({ key, checked }) => (checked === 'on' && key ? [key] : [])))
        }
      >
        {(list, search) => (
          <div css={{ width: 260 }}>
            <EuiPopoverTitle paddingSize="s">{search}</EuiPopoverTitle>
            {list}
          </div>
        )}
      </EuiSelectable>
    </EuiPopover>
  );
}
