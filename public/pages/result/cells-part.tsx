/** The result table, with a row for each combination of factor levels, and further tables of the task. */
import { EuiAccordion, EuiButtonEmpty, EuiFlexGroup, EuiFlexItem, EuiSpacer, EuiText } from '@elastic/eui';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { cellNames } from '../../../common/report/model/cell-names';
import type { Report } from '../../../common/report/model/report';
import { download, fileName } from '../../ui/download';
import { NearViewport } from '../../charts/result/near-viewport';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { useQueryState } from '../../ui/query-state';
import { cellColumns, cellsNote, usualColumns } from './cell-columns';
import { cellRows, isIdleColumn, sortedRows } from './cell-rows';
import { cellsCsv } from './cell-csv';
import { CellsTable } from './cells-table';
import { ColumnChooser } from './column-chooser';
import { metricTitle, taskUnit, titleOfTask } from './metrics';
import { otherTables, Tables } from './table-parts';
import { useMetric, useTask } from './use-choice';

/** Reads and changes the order of the rows, which is stored in the URL: `mean` is ascending, `-mean` descending. */
function useSort(): { by: string; falling: boolean; toggle: (by: string) => void } {
  const [sort, setSort] = useQueryState('sort');
  const falling = sort.startsWith('-');
  const by = falling ? sort.slice(1) : sort;
  // The third click restores the planned order.
  const toggle = useCallback(
    (next: string) => setSort(next !== by ? next : falling ? '' : `-${next}`),
    [by, falling, setSort],
  );
  return { by, falling, toggle };
}

function TaskTables({ report, task }: { report: Report; task: string }): ReactNode {
  const tables = useMemo(() => otherTables(report, 'task', task), [report, task]);
  return (
    <>
      <EuiSpacer size="m" />
      <Tables tables={tables} />
    </>
  );
}

export function CellsPart({ report }: { report: Report }): ReactNode {
  const [task] = useTask(report);
  const [metric] = useMetric(report, task);
  const all = useMemo(() => cellColumns(report, task, metric), [report, task, metric]);
  const usual = usualColumns(all).join(',');
  const [chosen, setChosen] = useQueryState('columns', usual);
  const sort = useSort();
  const [details, setDetails] = useState(false);
  const { by, falling, toggle } = sort;
  const rows = useMemo(
    () => sortedRows(cellRows(report, task), all, by, falling),
    [report, task, all, by, falling],
  );
  const columns = useMemo(() => {
    const wanted = all.filter(({ id }) => chosen.split(',').includes(id));
    // Columns that the user selected remain, even if they are empty.
    return chosen === usual ? wanted.filter((column) => !isIdleColumn(column, rows)) : wanted;
  }, [all, chosen, usual, rows]);
  const { heading } = cellNames(report);
  const title = i18n.translate('dyno.result.cells.title', {
    defaultMessage: '{metric} by cell',
    values: { metric: titleOfTask(metricTitle(report, metric, taskUnit(report, task)), task, metric) },
  });
  const csv = (): void =>
    download(
      new Blob([cellsCsv(heading, columns, rows)], { type: 'text/csv' }),
      fileName(`${report.experiment.name} ${task} cells`, 'csv'),
    );
  return (
    <Part title={i18n.translate('dyno.result.cells', { defaultMessage: 'Cells' })}>
      <EuiFlexGroup gutterSize="s" alignItems="center" responsive={false} wrap>
        <EuiFlexItem>
          <EuiText size="s" color="subdued">
            <p>{[title, cellsNote(report, task, metric)].filter(Boolean).join('. ')}</p>
          </EuiText>
        </EuiFlexItem>
        <EuiFlexItem grow={false}>
          <ColumnChooser
            columns={all}
            shown={columns.map(({ id }) => id)}
            onChange={(ids) => setChosen(ids.join(','))}
          />
        </EuiFlexItem>
        <EuiFlexItem grow={false}>
          <EuiButtonEmpty size="s" iconType="download" onClick={csv}>
            {i18n.translate('dyno.result.cells.csv', { defaultMessage: 'CSV of this table' })}
          </EuiButtonEmpty>
        </EuiFlexItem>
      </EuiFlexGroup>
      <EuiSpacer size="xs" />
      <NearViewport height={36 + rows.length * 29}>
        {() => (
          <CellsTable
            title={title}
            heading={heading}
            columns={columns}
            rows={rows}
            sort={{ by, falling }}
            onSort={toggle}
          />
        )}
      </NearViewport>
      <EuiSpacer size="m" />
      <EuiAccordion
        id="task-tables"
        onToggle={setDetails}
        buttonContent={i18n.translate('dyno.result.cells.more', {
          defaultMessage: 'Comparison, documents and failures in full',
        })}
      >
        {details ? <TaskTables report={report} task={task} /> : null}
      </EuiAccordion>
    </Part>
  );
}
