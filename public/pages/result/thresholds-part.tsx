/** The conditions that every cell had to meet: held or not, where it was worst, and how it was there. */
import { EuiBadge } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { Report } from '../../../common/report/model/report';
import { thresholdsTable } from '../../../common/report/tables/run';
import type { TableCell } from '../../../common/report/tables/table';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { ReportTable } from '../../ui/report-table';

const RESULT_COLUMN = 1;

function result(_: number, column: number, { text, tone }: TableCell): ReactNode | undefined {
  if (column !== RESULT_COLUMN) return undefined;
  const good = tone === 'good';
  return (
    <EuiBadge color={good ? 'success' : 'danger'} iconType={good ? 'check' : 'cross'}>
      {text}
    </EuiBadge>
  );
}

export function ThresholdsPart({ report }: { report: Report }): ReactNode {
  const table = useMemo(() => thresholdsTable(report), [report]);
  if (table === null) return null;
  return (
    <Part
      title={i18n.translate('dyno.result.thresholds', { defaultMessage: 'Thresholds' })}
      note={i18n.translate('dyno.result.thresholds.note', {
        defaultMessage: 'Judged by the worst trial of all cells.',
      })}
    >
      <ReportTable table={table} titled={false} render={result} />
    </Part>
  );
}
