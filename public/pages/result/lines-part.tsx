/** What became of the lines of logs: those that were parsed into documents, and those that were sent again as searches. */
import { EuiSpacer } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { Report } from '../../../common/report/model/report';
import { parseTable, unparsedTable } from '../../../common/report/tables/parse';
import { replayLinesTable, replayTable } from '../../../common/report/tables/replay';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { ReportTable } from '../../ui/report-table';

const TABLES = [parseTable, unparsedTable, replayTable, replayLinesTable];

export function LinesPart({ report }: { report: Report }): ReactNode {
  const tables = useMemo(
    () =>
      report.tasks
        .flatMap((task) => TABLES.map((table) => table(report, task)))
        .filter((table) => table !== null && table.rows.length > 0),
    [report],
  );
  if (tables.length === 0) return null;
  return (
    <Part title={i18n.translate('dyno.result.lines', { defaultMessage: 'Lines of logs' })}>
      {tables.map((table) => (
        <div key={table!.title} data-test-subj="dynoLines">
          <ReportTable table={table!} />
          <EuiSpacer size="l" />
        </div>
      ))}
    </Part>
  );
}
