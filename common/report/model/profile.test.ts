import { refreshRun } from '../../analysis/testing/made-run';
import { renderHtml } from '../render/html';
import { renderMarkdown } from '../render/markdown';
import { renderTerminal } from '../render/terminal';
import { buildReport } from './build';
import { renderProfile } from '../render/profile-file';
import {
  buildProfile,
  chooseForFile,
  chooseProfile,
  isChosen,
  type ProfileQuery,
  type TrialProfile,
} from './profile';

const { run, trials } = refreshRun();
const NAMES = ['1s', '5s', '30s'];

/** Shares of refreshes in the CPU time by cell, in percent. The other CPU time is merges of another node. */
const REFRESHES = [20, 10, 1];

const profiles = (event: TrialProfile['event'] = 'cpu'): TrialProfile[] =>
  trials.map(({ trial, cell, experiment, times }, at) => {
    const refreshes = REFRESHES[cell.index]! * 1000 + at;
    return {
      '@timestamp': times.started,
      run: { id: run.run.id },
      experiment,
      trial: { id: trial.id, repetition: trial.repetition, order: trial.order },
      cell: { id: cell.id, label: cell.label, index: cell.index },
      ...{ source: 'hot-threads', event, unit: 'us', total: 100_000, samples: 1000, folded: 0 },
      stacks: new Map([
        ['one;refresh;run;a.Engine.refresh', refreshes],
        ['two;merge;run;a.Merge.merge', 100_000 - refreshes],
      ]),
    };
  });

function shown(query: ProfileQuery = {}): Parameters<typeof buildProfile>[2] {
  const heads = profiles();
  const choice = chooseProfile(heads, query);
  return { heads, choice, profiles: heads.filter((head) => isChosen(head, choice)) };
}

const build = (query: ProfileQuery = {}): ReturnType<typeof buildProfile> =>
  buildProfile(run, NAMES, shown(query), query);

test('the last cell is compared with the first one; the changes are decided over the trials', () => {
  const profile = build();
  expect(profile).toMatchObject({ cell: 2, against: 0, event: 'cpu', source: 'hot-threads' });
  expect(profile.cells.map(({ cell }) => cell)).toEqual([0, 1, 2]);
  const { tree, changes } = profile;
  expect(tree.names).toContain('a.Engine.refresh');
  const refresh = tree.name.findIndex((name) => tree.names[name] === 'a.Engine.refresh');
  expect(tree.share[refresh]).toBeCloseTo(0.01, 3);
  expect(tree.against![refresh]).toBeCloseTo(0.2, 3);
  expect(tree.parent[refresh]).toBe(tree.name.findIndex((name) => tree.names[name] === 'run'));
  expect(changes.map(({ sentence }) => sentence).join('\n')).toContain('Engine.refresh');
});

test('a node or a thread pool restricts the tree; without a comparison there are no changes', () => {
  const { nodes, pools, tree, samples } = build({ pool: 'refresh', against: 'none' });
  expect([nodes, pools]).toEqual([
    ['two', 'one'],
    ['merge', 'refresh'],
  ]);
  expect(tree.names).toEqual(['all', 'run', 'a.Engine.refresh']);
  expect(tree.share).toEqual([1, 1, 1]);
  expect(tree.against).toBeNull();
  expect(samples.cell).toBeLessThan(100);
  expect(build({ node: 'two' }).tree.names).not.toContain('a.Engine.refresh');
});

test('a run without profiles, or a cell without one, is an error that names what exists', () => {
  expect(() => chooseProfile([], {})).toThrow('the run has no profile');
  expect(() => build({ cell: 7 })).toThrow('the trials of this cell have no profile of cpu');
});

test('reports list the changes, and HTML has the flame chart', () => {
  const report = buildReport(run, trials, { profile: shown() });
  expect(renderMarkdown(report)).toContain('What changed in the profile');
  const html = renderHtml(report);
  expect(html).toContain('class="flame less"');
  expect(html).toContain('a.Engine.refresh');
  expect(renderHtml(buildReport(run, trials))).not.toContain('class="flame');
});

test('a report of another event says what it counts, and shows the activities and the amount', () => {
  const of = (event: TrialProfile['event'], unit: TrialProfile['unit']) => {
    const heads = profiles(event).map((profile) => ({ ...profile, unit }));
    const choice = chooseProfile(heads, {});
    return buildReport(run, trials, {
      profile: { heads, choice, profiles: heads.filter((head) => isChosen(head, choice)) },
    });
  };
  const memory = of('alloc', 'bytes');
  expect(memory.profile).toMatchObject({ event: 'alloc', events: ['alloc'], perTrial: { cell: 100_000 } });
  const share = (key: string): number => memory.profile!.activities.find((one) => one.key === key)!.share;
  // The pools decide, because the frames belong to no activity.
  expect(share('refresh')).toBeCloseTo(0.01, 3);
  expect(share('merge')).toBeCloseTo(0.99, 3);
  for (const text of [renderTerminal(memory, { width: 100, colour: false }), renderHtml(memory)]) {
    expect(text).toContain('Where memory is allocated');
    expect(text).toMatch(/allocated bytes per trial\D*97\.7 KB/);
    expect(text).not.toContain('CPU time');
  }
  expect(renderMarkdown(memory)).toContain(
    'Shares of allocated bytes include the methods that a method calls.',
  );
  expect(renderHtml(memory)).toContain('Its width is its share of the allocated bytes');
  const locks = renderTerminal(of('lock', 'us'), { width: 100, colour: false });
  expect(locks).toContain('Where threads wait for locks');
  expect(locks).toMatch(/time waiting for locks per trial +100 ms/);
});

test('a file has the added stacks of one cell, and never those of another event', () => {
  const heads = profiles();
  const choice = chooseForFile(heads, { cell: 0 });
  const chosen = heads.filter((head) => isChosen(head, choice));
  expect(chosen.map(({ cell }) => cell.index)).toEqual(chosen.map(() => 0));
  const sums = ['one;refresh;run;a.Engine.refresh', 'two;merge;run;a.Merge.merge'].map(
    (stack) => `${stack} ${chosen.reduce((sum, { stacks }) => sum + stacks.get(stack)!, 0)}\n`,
  );
  expect(renderProfile(chosen, 'collapsed', '')).toBe(sums.join(''));
  expect(JSON.parse(renderProfile(chosen, 'firefox', 'Refresh'))).toMatchObject({
    meta: { product: 'Refresh', startTime: Date.parse(chosen[0]!['@timestamp']) },
    threads: [{ name: 'merge' }, { name: 'refresh' }],
  });
  expect(() => chooseForFile(heads, { event: 'alloc' })).toThrow('the run has no profile of this event');
  expect(() => chooseForFile([], {})).toThrow('the run has no profile');
});
