/** Builds the tables that compare the responses to replayed traffic with the recorded responses. */
import {
  alikeShare,
  notComparedOf,
  type AnswerAccount,
  type ShapeAnswers,
} from '../../measurement/same-answers';
import { DIFFERENCES, NOT_COMPARED, type DifferenceKind, type NotCompared } from '../../traffic/compare';
import { formatNumber, formatPercent, plural } from '../../units/format';
import { cellNames, rowsOf } from '../model/cell-names';
import type { Report } from '../model/report';
import {
  cell,
  left,
  optional,
  right,
  withoutColumns,
  type CsvColumn,
  type Sentences,
  type Table,
} from './table';

/** Maximum number of rows for each combination of factor levels. */
const MOST_ROWS = 10;

interface Compared {
  name: string;
  answers: AnswerAccount;
}

const compared = (report: Report, task: string): Compared[] =>
  rowsOf(report, task).rows.flatMap(({ name, own: { answers } }) =>
    answers === undefined ? [] : [{ name, answers }],
  );

/** Formats a share as a percentage. A share slightly below 1 is not rounded up to 100%. */
export const formatAlike = (share: number): string =>
  share < 1 && formatPercent(share) === '100%' ? 'under 100%' : formatPercent(share);

const most = (counts: Readonly<Record<string, number>>): [string, number][] =>
  Object.entries(counts).sort(([, one], [, other]) => other - one);

const nameOf = (difference: string): string => DIFFERENCES[difference as DifferenceKind] ?? difference;

const differencesText = (differences: Readonly<Record<string, number>>): string =>
  most(differences)
    .map(([difference, count]) => `${nameOf(difference)} (${formatNumber(count)})`)
    .join(', ');

/**
 * Returns how many responses could not be compared, and why: `340 not compared: the file contains no answer (340)`. Returns '' if all were
 * compared.
 */
function notComparedText(accounts: readonly AnswerAccount[]): string {
  const counts: Record<string, number> = {};
  for (const { notCompared } of accounts)
    for (const [why, count] of Object.entries(notCompared)) counts[why] = (counts[why] ?? 0) + count;
  const reasons = most(counts).map(
    ([why, count]) => `${NOT_COMPARED[why as NotCompared] ?? why} (${formatNumber(count)})`,
  );
  return reasons.length === 0 ? '' : `Not compared: ${reasons.join('; ')}.`;
}

/** Returns a sentence such as `98.2% answered alike (982 of 1,000 compared answers)`. */
export function alikeSentence(answers: AnswerAccount): string {
  const share = alikeShare(answers);
  if (share === null) return 'no answer could be compared with a recorded one';
  const all = plural(answers.alike + answers.different, 'compared answer');
  const rest = notComparedOf(answers);
  const notCompared = rest === 0 ? '' : `; ${formatNumber(rest)} not compared`;
  const byRefresh =
    answers.byRefresh === 0
      ? ''
      : `, ${formatNumber(answers.byRefresh)} of them only within the refresh window`;
  return `${formatAlike(share)} answered alike (${formatNumber(answers.alike)} of ${all}${byRefresh}${notCompared})`;
}

const MEANING =
  'Compared are status, error type, timeouts, failed shards, numbers of items, hits and total hits, and the result. Differing answers count as failed.';

/** Builds the table of how many responses agree with the recorded ones. Null if no responses of the task were compared. */
export function sameAnswersTable(report: Report, task: string): Table | null {
  const rows = compared(report, task);
  if (rows.length === 0) return null;
  return {
    title: `Answers to ${task} compared with the recorded ones, over all trials with their warm-up`,
    note: [
      MEANING,
      rows.some(({ answers }) => answers.byRefresh > 0)
        ? 'Within the refresh window: alike, except that the number of hits differs by at most the documents that were written around the search.'
        : '',
      notComparedText(rows.map(({ answers }) => answers)),
    ]
      .filter(Boolean)
      .join(' '),
    columns: [
      left(cellNames(report).heading),
      right('answered alike'),
      right('alike'),
      optional(right('of these within the refresh window')),
      right('different'),
      right('not compared'),
      optional(left('differ first in')),
    ],
    rows: rows.map(({ name, answers }) => {
      const share = alikeShare(answers);
      return [
        cell(name),
        cell(share === null ? '–' : formatAlike(share)),
        cell(formatNumber(answers.alike)),
        cell(answers.byRefresh === 0 ? '' : formatNumber(answers.byRefresh)),
        cell(formatNumber(answers.different), answers.different > 0 ? 'bad' : undefined),
        cell(formatNumber(notComparedOf(answers))),
        cell(differencesText(answers.differences)),
      ];
    }),
  };
}

/** Returns the content of {@link sameAnswersTable} as sentences for terminals, one for each combination of factor levels. */
export function sameAnswersSentences(report: Report, task: string): Sentences | null {
  const rows = compared(report, task);
  if (rows.length === 0) return null;
  return {
    title: `Answers to ${task} compared with the recorded ones`,
    lines: rows.map(({ name, answers }) => {
      const sentence = alikeSentence(answers);
      return rows.length === 1 ? sentence : `${name}: ${sentence}`;
    }),
    notes: [notComparedText(rows.map(({ answers }) => answers))].filter(Boolean),
  };
}

/** Returns examples of differing responses as text, with recorded and new values: `total hits: 7 → 8, 5 → 4; status: 200 → 404`. */
function examplesText({ examples }: ShapeAnswers): string {
  const kinds = [...new Set(examples.map(({ difference }) => difference))];
  return kinds
    .map((kind) => {
      const own = examples.filter(({ difference }) => difference === kind);
      return `${nameOf(kind)}: ${own.map((example) => `${example.recorded} → ${example.own}`).join(', ')}`;
    })
    .join('; ');
}

/** Builds the table of the requests whose responses differ most often, with examples. Null if no response differs. */
export function differingAnswersTable(report: Report, task: string): Table | null {
  let hidden = 0;
  const rows = compared(report, task).flatMap(({ name, answers }) => {
    const differing = answers.shapes
      .filter(({ different }) => different > 0)
      .sort((one, other) => other.different - one.different);
    hidden += Math.max(0, differing.length - MOST_ROWS);
    return differing
      .slice(0, MOST_ROWS)
      .map((shape) => [
        cell(name),
        cell(shape.shape),
        cell(formatNumber(shape.compared)),
        cell(formatNumber(shape.different), 'bad'),
        cell(formatPercent(shape.different / shape.compared)),
        cell(differencesText(shape.differences)),
        cell(examplesText(shape)),
      ]);
  });
  if (rows.length === 0) return null;
  return {
    title: `Requests of ${task} whose answers differ from the recorded ones`,
    note: [
      'One hit more or fewer right after a write usually means that a refresh came earlier or later than in the recording.',
      hidden === 0 ? '' : `${formatNumber(hidden)} less frequent kinds of requests are not shown.`,
    ]
      .filter(Boolean)
      .join(' '),
    columns: [
      left(cellNames(report).heading),
      left('requests'),
      right('compared'),
      right('different'),
      right('share'),
      left('differ first in'),
      left('first examples, recorded → now'),
    ],
    rows,
  };
}

/** Returns the table of differing responses with its main columns only, for terminals. */
export function shortDifferingAnswersTable(report: Report, task: string): Table | null {
  const table = differingAnswersTable(report, task);
  return table && withoutColumns(table, ['compared', 'differ first in']);
}

/** Returns the CSV columns about compared responses. Empty if the report contains no compared responses. */
export const sameAnswersColumns = (report: Report): readonly CsvColumn[] =>
  report.cells.some(({ tasks }) => tasks.some(({ answers }) => answers !== undefined)) ? COLUMNS : [];

const COLUMNS: readonly CsvColumn[] = [
  { name: 'answers alike share', read: (_, { answers }) => (answers ? alikeShare(answers) : null) },
  { name: 'answers alike', read: (_, { answers }) => answers?.alike ?? null },
  {
    name: 'answers alike within the refresh window',
    read: (_, { answers }) => answers?.byRefresh ?? null,
  },
  { name: 'answers different', read: (_, { answers }) => answers?.different ?? null },
  { name: 'answers not compared', read: (_, { answers }) => (answers ? notComparedOf(answers) : null) },
];
