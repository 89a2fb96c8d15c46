/** Sections of the result page that show tables of the report unchanged. */
import { EuiAccordion, EuiBadge, EuiSpacer } from '@elastic/eui';
import { Fragment, useMemo, type ReactNode } from 'react';
import type { Report } from '../../../common/report/model/report';
import { groupTables, type NamedTable } from '../../../common/report/tables';
import {
  withoutIdleColumns,
  type ReportTable as TableOfReport,
  type Table,
  type TableCell,
} from '../../../common/report/tables/table';
import { NearViewport } from '../../charts/result/near-viewport';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { ReportTable } from '../../ui/report-table';

/** Ids of tables about log lines, which a separate section of the page shows. */
const LINES: readonly string[] = ['parse', 'unparsed', 'replay', 'replay-lines'];
/** Ids of tables that compare the responses in a replay with the recorded responses. A separate section shows these tables. */
const ANSWERS: readonly string[] = ['same-answers', 'differing-answers'];
/** Ids of the tables on the tab *Latency*. */
export const LATENCY_TABLES: readonly string[] = ['latency', 'percentiles', 'requests'];
const OWN_PART: readonly string[] = [
  ...LATENCY_TABLES,
  ...['thresholds', 'rates', 'searches', 'steps', 'throughput', 'recall', 'scaling', ...LINES, ...ANSWERS],
  ...[
    'limit',
    'environments',
    'trials',
    'provenance',
    'nodes-activities',
    'profile-activities',
    'profile-changes',
  ],
];

/** Returns the tables of a group that are not shown in a separate section. */
export const otherTables = (report: Report, group: TableOfReport['group'], task?: string): NamedTable[] =>
  groupTables(report, group, task).filter(({ id }) => !OWN_PART.includes(id));

/** Returns the table without the columns that are zero in every row. A note below the table names these columns. */
function withoutZeros(table: Table): Table {
  const { table: rest, idle } = withoutIdleColumns(table);
  if (idle.length === 0) return rest;
  const zeros = i18n.translate('dyno.result.zeros', {
    defaultMessage: 'Zero in every row: {columns}.',
    values: { columns: idle.join(', ') },
  });
  return { ...rest, note: [rest.note, zeros].filter(Boolean).join(' ') };
}

export const Tables = ({ tables }: { tables: readonly NamedTable[] }): ReactNode =>
  tables
    .map(({ id, content }) => ({ id, content: withoutZeros(content) }))
    .map(({ id, content }) => (
      <Fragment key={`${id} ${content.title}`}>
        {content.folded ? (
          <EuiAccordion id={`folded ${id} ${content.title}`} buttonContent={content.title} paddingSize="s">
            <ReportTable table={content} titled={false} />
          </EuiAccordion>
        ) : (
          <ReportTable table={content} />
        )}
        <EuiSpacer size="l" />
      </Fragment>
    ));

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

/** Table of the thresholds: whether each was met, and the combination of factor levels with the worst value. */
export function ThresholdsPart({ report }: { report: Report }): ReactNode {
  const table = useMemo(() => groupTables(report, 'thresholds')[0]?.content, [report]);
  if (table === undefined) return null;
  return (
    <Part
      title={i18n.translate('dyno.result.thresholds', { defaultMessage: 'Thresholds' })}
      note={i18n.translate('dyno.result.thresholds.note', {
        defaultMessage: 'The worst trial of each cell decides.',
      })}
    >
      <ReportTable table={table} titled={false} render={result} />
    </Part>
  );
}

/** Tables about log lines: lines that were parsed into documents, and lines that were replayed as searches. */
export function LinesPart({ report }: { report: Report }): ReactNode {
  const tables = useMemo(
    () =>
      report.tasks
        .flatMap((task) => groupTables(report, 'task', task))
        .filter(({ id }) => LINES.includes(id)),
    [report],
  );
  if (tables.length === 0) return null;
  return (
    <Part title={i18n.translate('dyno.result.lines', { defaultMessage: 'Lines of logs' })}>
      <Tables tables={tables} />
    </Part>
  );
}

/**
 * Tables about a replay of recorded traffic: the share of responses that equal the recorded ones, and the requests whose responses differ.
 */
export function AnswersPart({ report }: { report: Report }): ReactNode {
  const tables = useMemo(
    () =>
      report.tasks
        .flatMap((task) => groupTables(report, 'task', task))
        .filter(({ id }) => ANSWERS.includes(id)),
    [report],
  );
  if (tables.length === 0) return null;
  return (
    <Part title={i18n.translate('dyno.result.answers', { defaultMessage: 'Same answers?' })}>
      <Tables tables={tables} />
    </Part>
  );
}

/** Section with the tables about the target's nodes. */
export function ServerPart({ report }: { report: Report }): ReactNode {
  const tables = useMemo(() => otherTables(report, 'cluster'), [report]);
  if (tables.length === 0) return null;
  const rows = tables.reduce((sum, { content }) => sum + (content.folded ? 0 : content.rows.length), 0);
  return (
    <Part title={i18n.translate('dyno.result.server', { defaultMessage: 'The cluster' })}>
      <NearViewport height={rows * 33 + tables.length * 110}>{() => <Tables tables={tables} />}</NearViewport>
    </Part>
  );
}
