/** Table of combinations of factor levels that are listed one by one: a row for each combination, a column for each factor. */
import { EuiFlexGroup, EuiFlexItem } from '@elastic/eui';
import type { ReactNode } from 'react';
import { shortNames, type Levels } from '../../../../common/experiment/cells';
import { i18n } from '../../../i18n';
import { AddButton, ItemButtons } from './item-buttons';
import { useAdd } from './list';
import { PlainField } from './plain-field';

const PATH = ['factors'];
const TEXTS = { remove: { id: 'dyno.editor.listed.remove', text: 'Remove cell {number}' } };

interface ListedCellsProps {
  cells: readonly Levels[];
  paths: readonly string[];
}

export function ListedCells({ cells, paths }: ListedCellsProps): ReactNode {
  const names = shortNames(paths);
  const add = useAdd(PATH);
  return (
    <div css={{ marginBlockEnd: 12 }}>
      {cells.map((_, at) => (
        <EuiFlexGroup
          key={at}
          gutterSize="s"
          alignItems="center"
          responsive={false}
          css={{ marginBlockEnd: 6 }}
        >
          {paths.map((path) => (
            <EuiFlexItem key={path}>
              <PlainField
                path={[...PATH, at, path]}
                prepend={names.get(path) ?? path}
                label={i18n.translate('dyno.editor.listed.level', {
                  defaultMessage: '{path} of cell {number}',
                  values: { path, number: at + 1 },
                })}
              />
            </EuiFlexItem>
          ))}
          <ItemButtons path={PATH} at={at} texts={TEXTS} name="" keepsOne />
        </EuiFlexGroup>
      ))}
      <AddButton
        text={i18n.translate('dyno.editor.listed.add', { defaultMessage: 'Add cell' })}
        onClick={() => add(cells.at(-1) ?? {})}
      />
    </div>
  );
}
