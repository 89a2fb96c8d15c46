import { resolvePlan } from '../experiment/plan';
import { createHistogram, encodeHistogram, recordMs } from '../measurement/histogram';
import { refreshRun } from './testing/made-run';
import { trialWarnings } from './warnings';

test('disturbances of a trial become warnings of the run', () => {
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
    /^Nodes were lost in 1 of \d+ trials \(#\d+\): dyno-2 left\. .*\nThe clock of this machine jumped in 1 of \d+ trials \(#\d+\): the wall clock jumped ahead by 1h\. /,
  );
});

test('delays of the instrument and other work on its machine become warnings that name the affected metrics', () => {
  const { run, trials } = refreshRun();
  const held = createHistogram();
  for (let i = 0; i < 1000; i += 1) recordMs(held, i < 980 ? 0.05 : 5000);
  trials[0]!.generator!.delays = { held: encodeHistogram(held), noticed: null };
  trials[0]!.generator!.machine = {
    busy: 0.9,
    steal: 0,
    own: 0.3,
    others: 0.42,
    full: 0.2,
    withTarget: false,
  };
  const [machine, latency, ...more] = trialWarnings(run.definition, resolvePlan(run), trials).filter((text) =>
    /Other work|Dyno itself/.test(text),
  );
  expect(machine).toMatch(
    /^Other work used 42% of the load generator’s machine in 1 of \d+ trials \(#\d+\)\. Throughput is lower and latency is longer/,
  );
  expect(latency).toMatch(
    /^Dyno itself may have added more than 10% to p99 and max of ingest in 1 of \d+ trials .*Throughput is not affected\.$/,
  );
  expect(more).toEqual([]);
});
