import { refreshRun } from '../../analysis/testing/made-run';
import type { Failures } from '../../measurement/failures';
import { buildReport } from '../model/build';
import { renderTerminal } from '../render/terminal';
import { failuresTable } from './task';

const FAILED: Failures = {
  document_parsing_exception: {
    count: 5,
    example: 'field name is empty',
    reasons: [
      { count: 1, example: 'field name is empty' },
      { count: 4, example: 'field name ends with a dot' },
    ],
  },
  // Format of older versions of Dyno.
  'http-413': {
    count: 2,
    example: '413: larger than http.max_content_length (100mb here); lower bulk.bytes or bulk.docs\u001b[31m',
  },
};
const RETRIED: Failures = { es_rejected_execution_exception: { count: 9, example: 'queue full' } };

function reportWith(failures: Failures, retries: Failures) {
  const { run, trials } = refreshRun();
  const [first, ...others] = trials.map((trial) => ({
    ...trial,
    tasks: trial.tasks.map((task) => ({ ...task, failures: {} })),
  }));
  const tasks = first!.tasks.map((task) => ({ ...task, failures, retries }));
  return buildReport(run, [{ ...first!, tasks }, ...others]);
}

test('each reason has a line, the most frequent of a type first, and retried rejections are separate', () => {
  const report = reportWith(FAILED, RETRIED);
  const { rows, note } = failuresTable(report, report.tasks[0]!)!;
  expect(rows.map((row) => row.slice(1, 3).map(({ text }) => text))).toEqual([
    ['document_parsing_exception', '4'],
    ['document_parsing_exception', '1'],
    ['http-413', '2'],
    ['es_rejected_execution_exception, sent again', '9'],
  ]);
  expect(note).toMatch(/^Sent again: /);
});

test('a terminal shows full reasons, without the control characters that old results may contain', () => {
  const shown = renderTerminal(reportWith(FAILED, {}), { width: 60 });
  expect(shown.replace(/\s+/g, ' ')).toMatch(
    /: 2 http-413, 413: larger than http\.max_content_length \(100mb here\); lower bulk\.bytes or bulk\.docs\\u001b\[31m/,
  );
  expect(shown).not.toContain('\u001b[31m');
});

test('a task without failures and rejections has no such table', () => {
  const report = reportWith({}, {});
  expect(failuresTable(report, report.tasks[0]!)).toBeNull();
});
