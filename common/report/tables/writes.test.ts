import { refreshRun } from '../../analysis/testing/made-run';
import { noWrites } from '../../measurement/writes';
import { buildReport } from '../model/build';
import { renderTerminal } from '../render/terminal';
import { writesTable } from './writes';

const writes = { ...noWrites(), created: 1000, updated: 300, deleted: 100, versions: 1150, perhapsAdded: 7 };

test('updates and deletions are summed over the trials of a cell', () => {
  const { run, trials } = refreshRun();
  const report = buildReport(
    run,
    trials.map((trial) => ({ ...trial, tasks: trial.tasks.map((task) => ({ ...task, writes })) })),
  );
  const { completed } = report.cells[0]!;
  const thousands = (n: number): string => (n * completed).toLocaleString('en-US');
  const [first] = writesTable(report, report.tasks[0]!)!.rows;
  expect(first!.slice(1).map(({ text }) => text)).toEqual([
    ...[1000, 300, 100, 0, 900, 1150, 7].map(thousands),
    '',
  ]);
  expect(renderTerminal(report, { width: 200 })).toContain('present');
});

test('a task that only adds documents has no such table', () => {
  const { run, trials } = refreshRun();
  const report = buildReport(run, trials);
  expect(writesTable(report, report.tasks[0]!)).toBeNull();
});
