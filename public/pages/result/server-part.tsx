/** What the nodes did: the tables of the cluster's side. */
import { EuiSpacer } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import { collectedTable } from '../../../common/report/tables/collected';
import type { Report } from '../../../common/report/model/report';
import { indexTable } from '../../../common/report/tables/run';
import { poolsTable, serverTable } from '../../../common/report/tables/server';
import { NearViewport } from '../../charts/result/near-viewport';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { ReportTable } from '../../ui/report-table';

export function ServerPart({ report }: { report: Report }): ReactNode {
  const tables = useMemo(
    () =>
      [serverTable(report), collectedTable(report), indexTable(report), poolsTable(report)].filter(
        (table) => table !== null,
      ),
    [report],
  );
  if (tables.length === 0) return null;
  const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
  return (
    <Part title={i18n.translate('dyno.result.server', { defaultMessage: 'The cluster' })}>
      <NearViewport height={rows * 33 + tables.length * 110}>
        {() =>
          tables.map((table) => (
            <div key={table.title}>
              <ReportTable table={table} />
              <EuiSpacer size="l" />
            </div>
          ))
        }
      </NearViewport>
    </Part>
  );
}
