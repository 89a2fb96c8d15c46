/** All tables of a report, grouped and in their order, for the renderings that show everything. */
import { collectedTable } from './collected';
import { environmentTable } from './environments';
import { ratesTable, searchesTable, stepsTable } from './highest-rate';
import { limitTable } from './limit';
import type { Report } from '../model/report';
import { parseTable, unparsedTable } from './parse';
import { publishedTables } from './published';
import { replayLinesTable, replayTable } from './replay';
import { requestsTable } from './requests';
import { indexTable, provenanceTable, thresholdsTable, trialsTable } from './run';
import { poolsTable, serverTable } from './server';
import {
  comparisonTable,
  documentsTable,
  failuresTable,
  latencyTable,
  offeredTable,
  throughputTable,
} from './task';
import type { Table } from './table';

export interface TableGroup {
  heading: string;
  /** The task that it is about; null for the run as a whole. */
  task: string | null;
  tables: Table[];
}

/** Heading of the group that is about the published figures. */
export const PUBLISHED = 'Published figures';

/** Tables without rows and groups without tables are left out. */
export function reportTables(report: Report): TableGroup[] {
  const group = (heading: string, tables: (Table | null)[], task: string | null = null): TableGroup => ({
    heading,
    task,
    tables: tables.filter((table) => table !== null && table.rows.length > 0) as Table[],
  });
  return [
    group('Thresholds', [thresholdsTable(report)]),
    ...report.tasks.map((task) =>
      group(
        `Task ${task}`,
        [
          ratesTable(report, task),
          searchesTable(report, task),
          throughputTable(report, task),
          comparisonTable(report, task),
          offeredTable(report, task),
          latencyTable(report, task),
          documentsTable(report, task),
          requestsTable(report, task),
          parseTable(report, task),
          unparsedTable(report, task),
          replayTable(report, task),
          replayLinesTable(report, task),
          failuresTable(report, task),
          stepsTable(report, task),
        ],
        task,
      ),
    ),
    group(PUBLISHED, publishedTables(report)),
    group('The cluster', [
      limitTable(report),
      serverTable(report),
      collectedTable(report),
      poolsTable(report),
      indexTable(report),
    ]),
    group('The run', [environmentTable(report), trialsTable(report), provenanceTable(report)]),
  ].filter(({ tables }) => tables.length > 0);
}
