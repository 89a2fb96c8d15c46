/**
 * Lists all tables of a report in their order. To add a table, add a file to this folder and an entry here. All output formats then show
 * the table: Markdown, HTML, terminal, CSV and the result page.
 */
import type { Report } from '../model/report';
import { cachesTable } from './caches';
import { GROUP_TABLES } from './cluster';
import { profileActivitiesTable, profileTable } from './profile';
import { COVERED_COLUMNS, isCollected } from './collected';
import { engineDefaultsSentences, engineDefaultsTable } from './engine-defaults';
import { environmentSentences, environmentTable } from './environments';
import { existingTable } from './existing';
import { costColumns, costTable } from './cost';
import { RATE_COLUMNS, ratesTable, searchesTable, stepsTable } from './highest-rate';
import { LIMIT_COLUMNS, limitSentences, limitTable } from './limit';
import { parseTable, unparsedTable } from './parse';
import { PERCENTILE_COLUMNS, percentilesTable } from './percentiles';
import { publishedColumns, publishedTables } from './published';
import { recipeTable } from './recipe';
import { isJudged, RECALL_COLUMNS, recallTable, shortRecallTable } from './recall';
import { replayLinesTable, replayTable } from './replay';
import {
  differingAnswersTable,
  sameAnswersColumns,
  sameAnswersSentences,
  sameAnswersTable,
  shortDifferingAnswersTable,
} from './same-answers';
import { requestsTable } from './requests';
import { leftOutTable, trafficTable } from './traffic';
import { provenanceSentences, provenanceTable, shortTrialsTable, thresholdsTable, trialsTable } from './run';
import { searchProfileTable, shortSearchProfileTable } from './search-profile';
import { scalingColumns, scalingSentences, scalingTable } from './scaling';
import {
  fieldsTable,
  INDEX_COLUMNS,
  indexTable,
  POOL_COLUMNS,
  poolsTables,
  refusingPoolsTable,
} from './server';
import { seatsTable } from './seats';
import type { ReportTable, Sentences, Table } from './table';
import {
  COMPARISON_COLUMNS,
  comparisonTable,
  DOCUMENT_COLUMNS,
  documentsTable,
  failureSentences,
  failuresTable,
  LATENCY_COLUMNS,
  latencyTable,
  OFFERED_COLUMNS,
  offeredTable,
  shortDocumentsTable,
  shortLatencyTable,
  shortThroughputTable,
  THROUGHPUT_COLUMNS,
  throughputTable,
  varianceTable,
} from './task';
import { answersTable } from './answers';
import { drawnTable } from './drawn';
import { writesTable } from './writes';

const nothing = (): null => null;

// oxfmt-ignore
export const REPORT_TABLES: readonly ReportTable[] = [
  { id: 'thresholds', group: 'thresholds', build: thresholdsTable },
  { id: 'rates', group: 'task', build: ratesTable, csv: RATE_COLUMNS },
  // In a terminal, the lines below the table of rates already contain these results.
  { id: 'searches', group: 'task', build: searchesTable, terminal: nothing },
  { id: 'throughput', group: 'task', build: throughputTable, terminal: shortThroughputTable, csv: THROUGHPUT_COLUMNS },
  { id: 'comparison', group: 'task', build: comparisonTable, csv: COMPARISON_COLUMNS },
  { id: 'scaling', group: 'task', build: scalingTable, terminal: scalingSentences, csv: scalingColumns },
  { id: 'cost', group: 'task', build: costTable, csv: costColumns },
  { id: 'variance', group: 'task', build: varianceTable },
  { id: 'offered', group: 'task', build: offeredTable, csv: OFFERED_COLUMNS },
  { id: 'latency', group: 'task', build: latencyTable, terminal: shortLatencyTable, csv: LATENCY_COLUMNS },
  { id: 'percentiles', group: 'task', build: percentilesTable, terminal: nothing, csv: PERCENTILE_COLUMNS },
  { id: 'recall', group: 'task', build: recallTable, terminal: shortRecallTable, csv: (report) => (isJudged(report) ? RECALL_COLUMNS : []) },
  { id: 'documents', group: 'task', build: documentsTable, terminal: shortDocumentsTable, csv: DOCUMENT_COLUMNS },
  { id: 'same-answers', group: 'task', build: sameAnswersTable, terminal: sameAnswersSentences, csv: sameAnswersColumns },
  { id: 'differing-answers', group: 'task', build: differingAnswersTable, terminal: shortDifferingAnswersTable },
  { id: 'writes', group: 'task', build: writesTable },
  { id: 'drawn', group: 'task', build: drawnTable, terminal: nothing },
  { id: 'requests', group: 'task', build: requestsTable },
  { id: 'search-profile', group: 'task', build: searchProfileTable, terminal: shortSearchProfileTable },
  { id: 'answers', group: 'task', build: answersTable, terminal: nothing },
  { id: 'parse', group: 'task', build: parseTable },
  { id: 'unparsed', group: 'task', build: unparsedTable },
  { id: 'replay', group: 'task', build: replayTable },
  { id: 'replay-lines', group: 'task', build: replayLinesTable },
  { id: 'traffic', group: 'task', build: trafficTable },
  { id: 'left-out', group: 'task', build: leftOutTable },
  { id: 'failures', group: 'task', build: failuresTable, terminal: failureSentences },
  { id: 'steps', group: 'task', build: stepsTable, terminal: nothing },
  { id: 'published', group: 'published', build: publishedTables, csv: publishedColumns },
  { id: 'limit', group: 'cluster', build: limitTable, terminal: limitSentences, csv: LIMIT_COLUMNS },
  ...GROUP_TABLES,
  { id: 'profile-activities', group: 'cluster', build: profileActivitiesTable },
  { id: 'profile-changes', group: 'cluster', build: profileTable },
  { id: 'pools', group: 'cluster', build: poolsTables, terminal: refusingPoolsTable, csv: (report) => [...POOL_COLUMNS, ...(isCollected(report) ? COVERED_COLUMNS : [])] },
  { id: 'index', group: 'cluster', build: indexTable, csv: INDEX_COLUMNS },
  { id: 'recipe', group: 'cluster', build: recipeTable },
  { id: 'fields', group: 'cluster', build: fieldsTable, terminal: nothing },
  { id: 'existing', group: 'cluster', build: existingTable },
  { id: 'caches', group: 'cluster', build: cachesTable },
  { id: 'environments', group: 'run', build: environmentTable, terminal: environmentSentences },
  { id: 'engine-defaults', group: 'run', build: engineDefaultsTable, terminal: engineDefaultsSentences },
  { id: 'seats', group: 'run', build: seatsTable },
  { id: 'trials', group: 'run', build: trialsTable, terminal: shortTrialsTable },
  { id: 'provenance', group: 'run', build: provenanceTable, terminal: provenanceSentences },
];

/** Content of a table, or sentences that replace the table. `id`: id of the table in {@link REPORT_TABLES}. */
export interface Named<Content> {
  id: string;
  content: Content;
}
export type NamedTable = Named<Table>;

export interface TableGroup<Content> {
  group: ReportTable['group'];
  heading: string;
  /** Task of the tables; '' for tables about the whole run. */
  task: string;
  tables: Named<Content>[];
}

/** Heading of the group of published values. */
export const PUBLISHED = 'Published values';

const HEADINGS: Readonly<Record<ReportTable['group'], (task: string) => string>> = {
  thresholds: () => 'Thresholds',
  task: (task) => `Task ${task}`,
  published: () => PUBLISHED,
  cluster: () => 'The cluster',
  run: () => 'The run',
};

/** Returns the full tables of a group. Tables without rows are left out. */
export const groupTables = (report: Report, group: ReportTable['group'], task = ''): NamedTable[] =>
  inGroup(group, ({ build }) => build(report, task));

/** Returns the full tables of all groups. Empty groups are left out. */
export const reportTables = (report: Report): TableGroup<Table>[] =>
  grouped(report, (group, task) => groupTables(report, group, task));

/** Returns the tables in the short form for terminals, in the same order. */
export const terminalTables = (report: Report): TableGroup<Table | Sentences>[] =>
  grouped(report, (group, task) => inGroup(group, ({ build, terminal = build }) => terminal(report, task)));

const inGroup = <Content extends Table | Sentences>(
  group: ReportTable['group'],
  contentOf: (table: ReportTable) => Content | Content[] | null,
): Named<Content>[] =>
  REPORT_TABLES.filter((table) => table.group === group).flatMap((table) =>
    [contentOf(table) ?? []]
      .flat()
      .map((content) => ({ id: table.id, content: content as Content }))
      .filter(({ content }) => ('rows' in content ? content.rows : content.lines).length > 0),
  );

const grouped = <Content>(
  report: Report,
  tablesOf: (group: ReportTable['group'], task: string) => Named<Content>[],
): TableGroup<Content>[] =>
  (Object.keys(HEADINGS) as ReportTable['group'][])
    .flatMap((group) => (group === 'task' ? report.tasks : ['']).map((task) => ({ group, task })))
    .map(({ group, task }) => ({
      group,
      heading: HEADINGS[group](task),
      task,
      tables: tablesOf(group, task),
    }))
    .filter(({ tables }) => tables.length > 0);
