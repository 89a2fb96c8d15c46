import { screen } from '@testing-library/react';
import { refreshRun } from '../../../common/analysis/testing/made-run';
import type { RunState } from '../../../common/experiment/run';
import { show } from '../../testing/fake-host';
import { LastLook } from './last-look';

const runIn = (state: RunState, looked = true): ReturnType<typeof refreshRun>['run'] => {
  const { run } = refreshRun();
  const claim = { claim: 'a rises with b', answer: 'undecided' as const, why: 'the trials vary too much' };
  return {
    ...run,
    run: { ...run.run, state },
    progress: { ...run.progress, ...(looked ? { look: { repetitions: 4, claims: [claim] } } : {}) },
  };
};

test('the last test is shown while the run continues, with its reasons', () => {
  show(<LastLook run={runIn('running')} />);
  expect(screen.getByText('Claims after 4 repetitions')).toBeTruthy();
  expect(screen.getByText('the trials vary too much')).toBeTruthy();
});

test.each([
  ['before the first look', runIn('running', false)],
  ['once the verdict says it', runIn('completed')],
])('nothing is shown %s', (_, run) => {
  const { container } = show(<LastLook run={run} />);
  expect(container.textContent).toBe('');
});
