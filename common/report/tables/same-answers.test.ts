import { noAnswers, type AnswerAccount } from '../../measurement/same-answers';
import { refreshRun } from '../../analysis/testing/made-run';
import { glanceOf } from '../glance';
import { buildReport } from '../model/build';
import type { Report } from '../model/report';
import { renderCsv } from '../render/csv';
import { renderHtml } from '../render/html';
import { renderJson } from '../render/json';
import { renderMarkdown } from '../render/markdown';
import { renderTerminal } from '../render/terminal';
import { alikeSentence, differingAnswersTable, sameAnswersTable } from './same-answers';

const ACCOUNT: AnswerAccount = {
  alike: 982,
  byRefresh: 35,
  different: 18,
  differences: { total: 15, result: 3 },
  notCompared: { overloaded: 40 },
  shapes: [
    { shape: 'GET /shop/_doc/{id}', compared: 500, different: 0, differences: {}, examples: [] },
    {
      shape: 'PUT /shop/_doc/{id}',
      compared: 100,
      different: 3,
      differences: { result: 3 },
      examples: [{ difference: 'result', recorded: 'updated', own: 'created' }],
    },
    {
      shape: 'POST /shop/_search',
      compared: 400,
      different: 15,
      differences: { total: 15 },
      examples: [
        { difference: 'total', recorded: '7', own: '8' },
        { difference: 'total', recorded: 'at least 10,000', own: '9,000' },
      ],
    },
  ],
};

/** Returns a report in which every trial has this comparison of answers. */
function compared(answers: AnswerAccount | undefined): Report {
  const { run, trials } = refreshRun();
  return buildReport(
    run,
    trials.map((trial) => ({
      ...trial,
      tasks: trial.tasks.map((task) => (answers === undefined ? task : { ...task, answers })),
    })),
  );
}

const texts = (rows: { text: string }[][]): string[][] => rows.map((row) => row.map(({ text }) => text));

test('the share of answers alike is in every output format', () => {
  const report = compared(ACCOUNT);
  expect(renderTerminal(report).replace(/\s+/g, ' ')).toMatch(
    /98\.2% answered alike \(2,946 of 3,000 compared answers, 105 of them only within the refresh window; 120 not compared\)/,
  );
  for (const text of [renderMarkdown(report), renderHtml(report)]) {
    expect(text).toContain('98.2%');
    expect(text).toContain('POST /shop/_search');
  }
  const [heading, first] = renderCsv(report).split('\n');
  expect(heading).toContain(
    'answers alike share,answers alike,answers alike within the refresh window,answers different,answers not compared',
  );
  expect(first).toContain('0.982,2946,105,54,120');
  expect(renderJson(report)).toContain('"different": 54');
  expect(glanceOf(report).facts.find(({ id }) => id === 'losses')?.label).toMatch(/; 98\.2% answered alike$/);
});

test('requests whose answers differ most come first, with examples of both answers', () => {
  const report = compared(ACCOUNT);
  const rows = texts(differingAnswersTable(report, 'ingest')!.rows);
  expect(rows.slice(0, 2).map((row) => row.slice(1))).toEqual([
    [
      'POST /shop/_search',
      '1,200',
      '45',
      '3.75%',
      'total hits (45)',
      'total hits: 7 → 8, at least 10,000 → 9,000',
    ],
    ['PUT /shop/_doc/{id}', '300', '9', '3%', 'result (9)', 'result: updated → created'],
  ]);
});

test('answers that could not be compared are counted with their reasons', () => {
  const report = compared({ ...noAnswers(), notCompared: { 'not-recorded': 5, overloaded: 2 } });
  const table = sameAnswersTable(report, 'ingest')!;
  expect(texts(table.rows)[0]!.slice(1)).toEqual(['–', '0', '', '0', '21', '']);
  expect(table.note).toMatch(
    /Not compared: the file contains no answer \(45\); the recorded cluster .* \(18\)\.$/,
  );
  expect(renderTerminal(report)).toContain('no answer could be compared with a recorded one');
  expect(differingAnswersTable(report, 'ingest')).toBeNull();
});

test('a share just below all is not rounded up to all', () => {
  expect(alikeSentence({ ...noAnswers(), alike: 99_999_999, different: 1 })).toMatch(
    /^under 100% answered alike/,
  );
});

test('tasks without compared answers have no such table', () => {
  const report = compared(undefined);
  expect(sameAnswersTable(report, 'ingest')).toBeNull();
  expect(renderCsv(report)).not.toContain('answers alike');
});
