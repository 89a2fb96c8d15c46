import { screen } from '@testing-library/react';
import { refreshRun } from '../../../common/analysis/testing/made-run';
import { noAnswers, type AnswerAccount } from '../../../common/measurement/same-answers';
import { buildReport } from '../../../common/report/model/build';
import { show } from '../../testing/fake-host';
import { AnswersPart } from './table-parts';

function opened(answers: AnswerAccount | undefined): void {
  const { run, trials } = refreshRun();
  const own = trials.map((trial) => ({
    ...trial,
    tasks: trial.tasks.map((task) => (answers === undefined ? task : { ...task, answers })),
  }));
  show(<AnswersPart report={buildReport(run, own)} />);
}

test('the overview shows the share of answers alike and the requests that differ', () => {
  const shape = {
    shape: 'POST /shop/_search',
    compared: 10,
    different: 1,
    differences: { total: 1 },
    examples: [{ difference: 'total' as const, recorded: '7', own: '8' }],
  };
  opened({ ...noAnswers(), alike: 9, different: 1, differences: { total: 1 }, shapes: [shape] });
  expect(screen.getByRole('heading', { name: 'Same answers?' })).toBeTruthy();
  expect(screen.getAllByText('90%').length).toBeGreaterThan(0);
  expect(screen.getAllByText('POST /shop/_search').length).toBeGreaterThan(0);
  expect(screen.getAllByText('total hits: 7 → 8').length).toBeGreaterThan(0);
});

test('a run without compared answers has no such part', () => {
  opened(undefined);
  expect(screen.queryByRole('heading', { name: 'Same answers?' })).toBeNull();
});
