/** Table of all combinations of factor levels in the experiment. The user can choose one of them as the baseline. */
import {
  EuiFormRow,
  EuiInMemoryTable,
  EuiRadio,
  EuiScreenReaderOnly,
  EuiText,
  type EuiBasicTableColumn,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import {
  baselineIndex,
  countCells,
  factorPaths,
  shortNames,
  levelTexts,
  type Levels,
} from '../../../../common/experiment/cells';
import { cellsWritten, readFactors } from '../../../../common/experiment/form-factors';
import { i18n } from '../../../i18n';
import { asRecord, useErrors, useForm } from './context';

interface Row {
  index: number;
  levels: Levels;
}

export function CellsTable(): ReactNode {
  const { values, edit, disabled } = useForm();
  const factors = readFactors(values);
  const cells = cellsWritten(values);
  const count = countCells({ factors });
  const paths = factorPaths({ factors });
  const errors = useErrors(['baseline'], true);
  const chosen = values['baseline'] === undefined ? undefined : asRecord(values['baseline']);
  const baseline = baselineIndex({ factors: [...cells], baseline: chosen });
  const names = shortNames(paths);
  const text = levelTexts({ factors });
  const label = i18n.translate('dyno.editor.cells.label', {
    defaultMessage: '{count, plural, one {# cell} other {# cells}}',
    values: { count },
  });
  const columns: EuiBasicTableColumn<Row>[] = [
    {
      name: i18n.translate('dyno.editor.cells.baseline', { defaultMessage: 'Baseline' }),
      width: '80px',
      render: ({ index, levels }: Row) => (
        <EuiRadio
          id={`dyno-baseline-${index}`}
          name="dyno-baseline"
          checked={index === baseline}
          disabled={disabled}
          label={
            <EuiScreenReaderOnly>
              <span>
                {i18n.translate('dyno.editor.cells.compare', {
                  defaultMessage: 'Compare the other cells with cell {number}',
                  values: { number: index + 1 },
                })}
              </span>
            </EuiScreenReaderOnly>
          }
          onChange={() =>
            edit([index === 0 ? { path: ['baseline'], remove: true } : { path: ['baseline'], value: levels }])
          }
        />
      ),
    },
    { name: '#', width: '48px', render: ({ index }: Row) => index + 1 },
    ...paths.map((path) => ({
      name: <span title={path}>{names.get(path)}</span>,
      render: ({ levels }: Row) => <code>{levels[path] === undefined ? '–' : text(path, levels[path])}</code>,
    })),
  ];
  return (
    <EuiFormRow fullWidth label={label} isInvalid={errors.length > 0} error={errors} hasChildLabel={false}>
      {cells.length === 0 ? (
        <EuiText size="s" color="subdued">
          <p>
            {i18n.translate('dyno.editor.cells.none', {
              defaultMessage: 'Each factor needs at least one level. At most 1000 cells are allowed.',
            })}
          </p>
        </EuiText>
      ) : (
        <EuiInMemoryTable<Row>
          key={String(cells.length > 10)}
          compressed
          tableCaption={label}
          tableLayout="auto"
          responsiveBreakpoint={false}
          items={cells.map((levels, index) => ({ index, levels }))}
          itemId={({ index }) => String(index)}
          columns={columns}
          pagination={cells.length > 10 ? { pageSize: 10, showPerPageOptions: false } : undefined}
        />
      )}
    </EuiFormRow>
  );
}
