import { resolvePlan } from '../experiment/plan';
import { refreshRun } from './testing/made-run';
import { trialWarnings } from './warnings';

test('what disturbed a trial is a doubt of it, named before trusting the run', () => {
  const { run, trials } = refreshRun();
  const warnings = (): string =>
    trialWarnings(run.definition, resolvePlan(run), trials)
      .filter((warning) => /lost|jumped/.test(warning))
      .join('\n');
  expect(warnings()).toBe('');
  trials[0]!.disturbances = [
    { kind: 'node-left', detail: 'dyno-2 left', node: 'dyno-2' },
    { kind: 'clock-jumped', detail: 'the wall clock jumped ahead by 1h' },
  ];
  expect(warnings()).toMatch(
    /^Nodes were lost in 1 of \d+ trials \(#\d+\), dyno-2 left: .*\nThe clock of this machine jumped in 1 of \d+ trials \(#\d+\), the wall clock jumped ahead by 1h: /,
  );
});
