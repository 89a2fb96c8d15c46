import { addReplay, noReplay, type ReplayAccount } from '../../measurement/replay';
import { buildReport } from '../model/build';
import { refreshRun } from '../../analysis/testing/made-run';
import { renderHtml } from '../render/html';
import type { Report } from '../model/report';
import { replayLinesTable, replayTable } from './replay';
import { renderTerminal } from '../render/terminal';

const account = (more: Partial<ReplayAccount> = {}): ReplayAccount => ({
  ...noReplay(),
  lines: 1000,
  sent: 900,
  otherType: 50,
  malformed: 30,
  refused: 20,
  rewritten: 300,
  outOfOrder: 4,
  rules: { filtered: 300 },
  refusals: { facets: 20 },
  malformedExamples: [{ line: 17, reason: 'is not JSON', text: '<b>half' }],
  ...more,
});

/** Returns a report whose first task replayed a log in every trial. */
function replayed(of: ReplayAccount): Report {
  const { run, trials } = refreshRun();
  return buildReport(
    run,
    trials.map((trial) => ({ ...trial, tasks: trial.tasks.map((task) => ({ ...task, replay: of })) })),
  );
}

const cells = (report: Report): string[] => {
  const table = replayTable(report, report.tasks[0]!)!;
  return table.rows[0]!.map(({ text }) => text);
};

test('the outcomes of the lines are summed over the trials of a cell', () => {
  const report = replayed(account());
  const completed = report.cells[0]!.completed;
  const thousands = (n: number): string => (n * completed).toLocaleString('en-US');
  expect(cells(report).slice(1, 8)).toEqual(
    [1000, 900, 50].map(thousands).concat('', thousands(30), thousands(20), '0'),
  );
  expect(replayTable(report, report.tasks[0]!)!.note).toContain('add up to the lines read');
});

test('outcomes that do not add up are reported', () => {
  const report = replayed(account({ sent: 899 }));
  expect(replayTable(report, report.tasks[0]!)!.note).toContain('do NOT add up');
});

test('rules, reasons and the first lines that could not be sent are in every output format', () => {
  const report = replayed(account());
  const text = replayLinesTable(report, report.tasks[0]!)!.rows.map((row) =>
    row.map((each) => each.text).join(' '),
  );
  expect(text.join('\n')).toMatch(/rewritten filtered[^]*refused facets[^]*line 17 is not JSON: <b>half/);
  expect(renderTerminal(report, { width: 100 })).toContain('line 17 is not JSON');
  expect(renderHtml(report)).toContain('&lt;b&gt;half');
});

test('a run that replays nothing has no such table', () => {
  const { run, trials } = refreshRun();
  const report = buildReport(run, trials);
  expect([replayTable(report, report.tasks[0]!), replayLinesTable(report, report.tasks[0]!)]).toEqual([
    null,
    null,
  ]);
});

test('lines that were not sent are flagged from one percent', () => {
  expect(replayed(account()).trials[0]!.doubts).toContainEqual(
    expect.objectContaining({ kind: 'lines-not-sent', detail: '5% (facets)' }),
  );
  expect(replayed(account({ malformed: 5, refused: 0, sent: 945 })).trials[0]!.doubts).not.toContainEqual(
    expect.objectContaining({ kind: 'lines-not-sent' }),
  );
});

test('accounts add up, and keep the first examples', () => {
  const example = (line: number) => ({ line, reason: 'r', text: 't' });
  const own = account({ malformedExamples: [1, 5, 9].map(example) });
  const other = account({ malformedExamples: [1, 2, 3, 4].map(example), rules: { filtered: 1, and: 2 } });
  const both = addReplay(own, other);
  expect(both).toMatchObject({ lines: 2000, rules: { filtered: 301, and: 2 } });
  expect(both.malformedExamples.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
});
