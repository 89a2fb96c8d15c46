import { resolvePlan } from '../experiment/plan';
import type { NodeDelta } from '../measurement/server';
import type { TrialDocument } from '../measurement/trial';
import { makeRun, REFRESH } from './testing/made-run';
import { judge } from './verdict';

/** Judges a claim about merges. `merges`: number of merges in each trial, by level of the factor. */
function judged(
  expect: string[],
  merges: Record<string, number[]>,
  change: (trial: TrialDocument) => void = () => {},
) {
  const { run, trials } = makeRun({ ...REFRESH, expect, thresholds: [] }, () => ({
    tasks: { ingest: { rate: 2000 } },
  }));
  const made = trials.map((trial): TrialDocument => {
    const level = String(Object.values(trial.cell.levels)[0]);
    const count = merges[level]![trial.trial.repetition]!;
    const node: NodeDelta = {
      name: 'es-1',
      roles: ['data'],
      machine: 'vm',
      cores: 8,
      elapsedMs: 300_000,
      cpuMs: null,
      gcPauseMs: 0,
      diskBusyMs: null,
      shards: {
        ...trial.server!,
        requestCache: { hits: 0, misses: 0 },
        merges: { ...trial.server!.merges, count },
      },
    };
    const own = { ...trial, server: { ...trial.server!, nodes: 1, partial: false, perNode: [node] } };
    change(own);
    return own;
  });
  return judge(run.definition, resolvePlan(run), made).claims;
}

const HALVE =
  'cluster.merges.count falls with index.settings.refresh_interval from 1s to 30s by at least 40%';

it('decides a claim on merges, and names the source of the values', () => {
  const [claim] = judged([HALVE], { '1s': [40, 41, 40], '5s': [30, 30, 31], '30s': [20, 20, 19] });
  expect(claim).toMatchObject({ answer: 'confirmed' });
  expect(claim!.why).toContain(
    'the cluster’s merges are 2.1 times lower (19.7 against 40.3; 95% interval 1.9 to 2.2 times; from nodes’ statistics)',
  );
});

it('decides a claim on the CPU time of an activity', () => {
  const claim = 'cluster.cpu.refresh falls with index.settings.refresh_interval from 1s to 30s';
  const of = (refresh: number) => (trial: TrialDocument) => {
    trial.server!.perNode![0]!.profile = { readings: 30, cpuMs: 100, activities: { refresh } };
  };
  const found = judged([claim], { '1s': [1, 1, 1], '5s': [1, 1, 1], '30s': [1, 1, 1] }, (trial) =>
    of(trial.cell.index === 0 ? 20 + trial.trial.repetition / 10 : 10)(trial),
  );
  expect(found[0]).toMatchObject({ answer: 'confirmed' });
  expect(found[0]!.why).toContain('the cluster’s CPU time for refreshes is 2 times lower');
});

it('decides a claim with a size by the difference if a level is 0, or says how many trials are needed', () => {
  expect(judged([HALVE], { '1s': [6, 6, 5], '5s': [3, 3, 0], '30s': [0, 0, 0] })[0]).toMatchObject({
    answer: 'confirmed',
  });
  const [open] = judged([HALVE], { '1s': [6, 1, 0], '5s': [3, 3, 0], '30s': [0, 0, 0] });
  expect(open!.answer).toBe('undecided');
  expect(open!.why).toMatch(/; about \d+ trials per cell would decide it$/);
});

it('says how many trials would show a fall to 0', () => {
  const [claim] = judged(['cluster.merges.count falls with index.settings.refresh_interval'], {
    '1s': [19, 85, 142],
    '5s': [10, 40, 70],
    '30s': [0, 0, 0],
  });
  expect(claim!.answer).toBe('undecided');
  expect(claim!.why).toMatch(/; about \d trials per cell would decide it$/);
});

it('leaves undecided a fall of a metric that was always 0', () => {
  const [claim] = judged([HALVE], { '1s': [0, 0, 0], '5s': [0, 0, 0], '30s': [0, 0, 0] });
  expect(claim).toMatchObject({ answer: 'undecided' });
  expect(claim!.why).toContain('the cluster’s merges are 0 in all trials, so nothing could fall');
});

it('leaves undecided a metric that no node reports, with the reason', () => {
  const merges = { '1s': [1, 1, 1], '5s': [1, 1, 1], '30s': [1, 1, 1] };
  const [iowait] = judged(['cluster.iowait stays with index.settings.refresh_interval'], merges, (trial) => {
    trial.collected = null;
  });
  expect(iowait).toMatchObject({ answer: 'undecided' });
  expect(iowait!.why).toContain('no collector read the nodes');
});
