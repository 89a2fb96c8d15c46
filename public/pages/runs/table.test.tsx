import { screen, within } from '@testing-library/react';
import type { RunSummary } from '../../../common/api/runs';
import { EXAMPLE } from '../../../common/example';
import { show } from '../../testing/fake-host';
import { RunTable } from './table';

const run = (more: Partial<RunSummary>): RunSummary => ({ ...EXAMPLE.run, ...more });

const showRuns = (...runs: RunSummary[]): void =>
  void show(<RunTable runs={runs} selected={[]} onSelect={() => undefined} most={500} />);

test('a run shows the effect of its first claim with its interval, its trust and its tags', () => {
  showRuns(
    run({
      answer: 'confirmed',
      effect: { size: '+23%', interval: '+17% to +29%', metric: 'throughput of ingest' },
      trust: { level: 'limited', line: 'Trust: limited. Other work used the machine', reasons: [] },
      tags: ['nightly'],
    }),
  );
  const row = screen.getAllByRole('row')[1]!;
  for (const text of [
    'confirmed',
    '+23%',
    '+17% to +29%',
    'throughput of ingest',
    'Trust: limited',
    'nightly',
  ])
    expect(within(row).getByText(text)).toBeTruthy();
});

test('a run without an answer shows neither a verdict nor an effect', () => {
  showRuns(run({ state: 'failed', answer: null, trust: null, effect: null, completed: 0 }));
  const row = screen.getAllByRole('row')[1]!;
  expect(within(row).getByText('failed')).toBeTruthy();
  expect(within(row).queryByText(/Trust/)).toBeNull();
  expect(within(row).queryByText(/refuted|confirmed|undecided/)).toBeNull();
});
