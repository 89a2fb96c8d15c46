/** The report for a terminal: the answer first, then the figures that it stands on; details are left to the files. */
import { kindNamed } from '../../experiment/task-kind';
import { answerAndRest, runFacts } from '../model/facts';
import { collectedTable } from '../tables/collected';
import { answerLines, ratesTable } from '../tables/highest-rate';
import { limitLines } from '../tables/limit';
import type { Report } from '../model/report';
import { environmentTable } from '../tables/environments';
import { parseTable, unparsedTable } from '../tables/parse';
import { ABSOLUTE_COLUMNS, isManyFigures } from '../tables/published-digest';
import { publishedSentence, publishedTables, publishedWords } from '../tables/published';
import { replayLinesTable, replayTable } from '../tables/replay';
import { requestsTable } from '../tables/requests';
import { indexTable, provenanceTable, thresholdsTable, trialsTable } from '../tables/run';
import { poolsTable, serverTable } from '../tables/server';
import {
  comparisonTable,
  documentsTable,
  failuresTable,
  hasRefusals,
  latencyTable,
  offeredTable,
  throughputTable,
} from '../tables/task';
import { formatNumber } from '../../units/format';
import { keepColumns, type Table, type Tone } from '../tables/table';
import { layTable, painter, wrap, type Paint } from './text-layout';
import { throughputStrip } from './strip';

export interface TerminalOptions {
  /** Characters in a line; 100 where it is not known. */
  width?: number;
  colour?: boolean;
}

/** Wider lines are not easier to read. */
const WIDEST = 120;
const NARROWEST = 60;
/** More trials than this are shown only where there is something to say about them. */
const MOST_TRIALS = 24;

export const ANSWER_TONES: Record<Report['verdict']['answer'], Tone> = {
  confirmed: 'good',
  refuted: 'bad',
  undecided: 'doubt',
};

/** Lines of at most `width` characters, without a newline at the end. */
export function renderTerminal(
  report: Report,
  { width: asked = 100, colour = false }: TerminalOptions = {},
): string {
  const width = Math.min(WIDEST, Math.max(NARROWEST, asked));
  const paint = painter(colour);
  const show = (table: Table | null): string[] =>
    table === null || table.rows.length === 0 ? [] : section(table, width, paint);
  const lines = [
    ...head(report, width, paint),
    ...warnings(report, width, paint),
    ...show(thresholdsTable(report)),
    ...report.tasks.flatMap((task) => taskSections(report, task, show, width, paint)),
    ...publishedLines(report, show, width, paint),
    ...limitLines(report, width, paint),
    ...show(shortServerTable(report)),
    ...show(shortCollectedTable(report)),
    ...show(poolsTable(report, { refusing: true })),
    ...show(indexTable(report)),
    ...environments(report, width, paint),
    ...show(trials(report)),
    ...provenance(report, width, paint),
  ];
  return lines.join('\n');
}

function head(report: Report, width: number, paint: Paint): string[] {
  const { verdict, experiment } = report;
  const [answer, sentence] = answerAndRest(report);
  const tone = ANSWER_TONES[verdict.answer];
  const [first, ...rest] = wrap(answer + sentence, width, '  ');
  const claims =
    verdict.claims.length < 2
      ? []
      : verdict.claims.flatMap(({ claim, answer: own, why }) => {
          const [line, ...more] = wrap(`${own.padEnd(9)} ${claim}: ${why}`, width - 2, '            ');
          return [`  ${paint(line!.slice(0, 9), ANSWER_TONES[own])}${line!.slice(9)}`, ...more];
        });
  return [
    ...wrap(experiment.name, width).map((line) => paint(line, 'bold')),
    ...wrap(runFacts(report).join(' · '), width).map((line) => paint(line, 'quiet')),
    '',
    paint(answer, tone) + first!.slice(answer.length),
    ...rest,
    ...(experiment.hypothesis === '' ? [] : wrap(`Hypothesis: ${experiment.hypothesis}`, width, '  ')),
    ...claims,
  ];
}

const warnings = (report: Report, width: number, paint: Paint): string[] =>
  report.warnings.length === 0
    ? []
    : [
        '',
        ...report.warnings.flatMap((warning) =>
          wrap(`! ${warning}`, width, '  ').map((line) => paint(line, 'doubt')),
        ),
      ];

function section(table: Table, width: number, paint: Paint): string[] {
  return [
    '',
    ...wrap(table.title, width).map((line) => paint(line, 'title')),
    ...layTable(table, width, paint),
    ...(table.note === '' ? [] : wrap(table.note, width - 2).map((line) => paint(`  ${line}`, 'quiet'))),
  ];
}

function taskSections(
  report: Report,
  task: string,
  show: (table: Table | null) => string[],
  width: number,
  paint: Paint,
): string[] {
  const throughput = withoutColumns(
    throughputTable(report, task),
    report.trials.length > report.cells.length ? [] : ['worst trial'],
  );
  return [
    ...show(ratesTable(report, task)),
    ...answerLines(report, task).flatMap((line) =>
      wrap(`- ${line}`, width - 2, '  ').map((own) => `  ${own}`),
    ),
    ...show(throughput),
    ...throughputStrip(report, task, width, paint),
    ...show(comparisonTable(report, task)),
    ...show(offeredTable(report, task)),
    ...(hasRefusals(report, task)
      ? show(withoutColumns(documentsTable(report, task), ['attempted/s', 'sent/s']))
      : ['', ...allAccepted(report, task, width)]),
    ...show(failuresTable(report, task)),
    ...show(withoutColumns(latencyTable(report, task), ['p95', 'p99.99', 'requests'])),
    ...show(requestsTable(report, task)),
    ...show(parseTable(report, task)),
    ...show(unparsedTable(report, task)),
    ...show(replayTable(report, task)),
    ...show(replayLinesTable(report, task)),
  ];
}

function allAccepted(report: Report, task: string, width: number): string[] {
  const accepted = report.cells
    .flatMap(({ tasks }) => tasks.filter((own) => own.task === task))
    .reduce((sum, { counts }) => sum + counts.accepted, 0);
  const what = {
    ingest: 'documents were accepted',
    search: 'searches were answered',
    replay: 'searches were answered',
    transaction: 'transactions were answered',
  }[kindNamed(report.definition, task)];
  if (accepted === 0) return ['Nothing was counted.'];
  return wrap(
    `All ${formatNumber(accepted)} ${what} at the first attempt: none rejected, failed or retried.`,
    width,
  );
}

/** The main figure cell by cell, the others in one sentence each, many in one table: the files tell all. */
function publishedLines(
  report: Report,
  show: (table: Table | null) => string[],
  width: number,
  paint: Paint,
): string[] {
  const { published } = report;
  if (published === null) return [];
  const indented = (text: string, hang = ''): string[] =>
    wrap(text, width - 2, hang).map((line) => `  ${line}`);
  const [whole = null] = publishedTables(report);
  const table = whole && withoutColumns(whole, ABSOLUTE_COLUMNS);
  const [main, ...others] = publishedWords(published);
  const cells = isManyFigures(published) ? [] : (main?.cells ?? []);
  return [
    ...(main === undefined
      ? ['', ...wrap(`${published.title}: ${publishedSentence(report)}`, width)]
      : [
          ...show(table),
          ...indented(main.summary),
          ...cells.flatMap((text) => indented(`- ${text}`, '  ')),
          ...others.flatMap(({ summary }) => indented(summary)),
        ]),
    ...[...published.notes, ...published.changes].flatMap((note) =>
      indented(`- ${note}`, '  ').map((line) => paint(line, 'quiet')),
    ),
  ];
}

function trials(report: Report): Table {
  const table = trialsTable(report);
  if (table.rows.length <= MOST_TRIALS) return table;
  const rows = table.rows.filter(
    (_, at) => report.trials[at]!.state !== 'completed' || report.trials[at]!.doubts.length > 0,
  );
  return {
    ...table,
    title: `Trials that something is to be said about (${rows.length} of ${table.rows.length})`,
    rows,
  };
}

function provenance(report: Report, width: number, paint: Paint): string[] {
  const table = provenanceTable(report);
  if (table === null) return [];
  return [
    '',
    paint(table.title, 'title'),
    ...table.rows.flatMap(([what, text]) =>
      wrap(`${what!.text}: ${text!.text}`, width - 2, '  ').map((line) => `  ${line}`),
    ),
  ];
}

/** A table of these has not room beside each other. */
function environments(report: Report, width: number, paint: Paint): string[] {
  const table = environmentTable(report);
  if (table === null) return [];
  const names = table.columns.map(({ name }) => name);
  return [
    '',
    paint(table.title, 'title'),
    ...table.rows.flatMap(([label, ...found]) =>
      wrap(
        `${label!.text} · ${found.map(({ text }, at) => `${names[at + 1]} ${text}`).join(', ')}`,
        width - 2,
        '  ',
      ).map((line) => `  ${line}`),
    ),
    ...wrap(table.note, width - 2).map((line) => paint(`  ${line}`, 'quiet')),
  ];
}

/** Where a share says the same as its seconds, the share: a terminal has not room for both. */
function shortServerTable(report: Report): Table | null {
  const table = serverTable(report);
  return table && withoutColumns(table, ['flushes', 'GC s', 'CPU s', 'disk busy s', 'write completed']);
}

/** What is left out here is in every file, or says much the same. */
function shortCollectedTable(report: Report): Table | null {
  const table = collectedTable(report);
  return table && withoutColumns(table, ['I/O stalled', 'merge s', 'throttled s', 'stopped s', 'sent/s']);
}

/** The table without the columns called so. */
const withoutColumns = (table: Table, names: readonly string[]): Table =>
  keepColumns(table, ({ name }) => !names.includes(name));
