/** A table with a row for each combination of factor levels. It can be sorted by any column. */
import { EuiIcon } from '@elastic/eui';
import { memo, type ReactNode } from 'react';
import { i18n } from '../../i18n';
import { cellClass, CellText, PlainTable } from '../../ui/report-table';
import type { CellColumn } from './cell-columns';
import type { CellRow } from './cell-rows';

interface Sort {
  by: string;
  falling: boolean;
}

interface CellsTableProps {
  title: string;
  heading: string;
  columns: readonly CellColumn[];
  rows: readonly CellRow[];
  sort: Sort;
  onSort: (by: string) => void;
}

const plainButton = {
  font: 'inherit',
  color: 'inherit',
  background: 'none',
  border: 0,
  padding: 0,
  cursor: 'pointer',
  '&:hover': { textDecoration: 'underline' },
} as const;

interface HeadingProps {
  id: string;
  name: string;
  align: 'left' | 'right';
  sort: Sort;
  onSort: (by: string) => void;
}

function SortHeading({ id, name, align, sort, onSort }: HeadingProps): ReactNode {
  const isSorted = sort.by === id;
  return (
    <th
      scope="col"
      className={cellClass(align)}
      aria-sort={isSorted ? (sort.falling ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" css={plainButton} onClick={() => onSort(id)}>
        {name}
        {isSorted ? (
          <EuiIcon
            type={sort.falling ? 'sortDown' : 'sortUp'}
            size="s"
            aria-hidden
            css={{ marginInlineStart: 4 }}
          />
        ) : null}
      </button>
    </th>
  );
}

function Row({ row, columns }: { row: CellRow; columns: readonly CellColumn[] }): ReactNode {
  const { name, cell, task } = row;
  const baseline = i18n.translate('dyno.result.baseline', { defaultMessage: 'baseline' });
  return (
    <tr data-marked={cell.baseline ? '' : undefined}>
      <th scope="row">
        {name}
        {cell.baseline ? (
          <EuiIcon
            type="flag"
            size="s"
            aria-label={baseline}
            title={baseline}
            css={{ marginInlineStart: 6 }}
          />
        ) : null}
      </th>
      {task === null ? (
        <td colSpan={columns.length} className="quiet">
          {i18n.translate('dyno.result.noTrial', { defaultMessage: 'no completed trial' })}
        </td>
      ) : (
        columns.map(({ id, align, show }) => {
          const shown = show(cell, task);
          return (
            <td key={id} className={cellClass(align, shown.text, shown.tone)}>
              <CellText {...shown} />
            </td>
          );
        })
      )}
    </tr>
  );
}

function CellsTableInner({ title, heading, columns, rows, sort, onSort }: CellsTableProps): ReactNode {
  return (
    <PlainTable caption={title}>
      <thead>
        <tr>
          <SortHeading id="name" name={heading} align="left" sort={sort} onSort={onSort} />
          {columns.map(({ id, name, align }) => (
            <SortHeading key={id} id={id} name={name} align={align} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.cell.index} row={row} columns={columns} />
        ))}
      </tbody>
    </PlainTable>
  );
}

export const CellsTable = memo(CellsTableInner);
