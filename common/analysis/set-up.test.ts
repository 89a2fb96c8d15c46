/** Tests what a run reports about settings that the target adds to indices, and about the target's clock. */
import { resolvePlan } from '../experiment/plan';
import type { RunDocument } from '../experiment/run';
import { buildReport } from '../report/model/build';
import { compareReports } from '../report/model/comparison';
import { provenanceTable } from '../report/tables/run';
import { historyRunOf } from '../history/history-run';
import { cutsOf } from '../history/place-changes';
import type { UnaskedPart } from '../measurement/unasked';
import { refreshRun } from './testing/made-run';
import { sayAllUnasked } from './unasked';
import { trialWarnings } from './warnings';

const REFRESH_45: UnaskedPart = {
  what: 'index.refresh_interval',
  value: '45s',
  from: 'index template everything',
};
const ADDITIONS = 'additions to the index by the target';

/**
 * Returns a run. `unasked`: settings that the target added to its indices although the definition does not contain them. Undefined, as in
 * runs of an older version, leaves the field out.
 */
function runWith(unasked: UnaskedPart[] | undefined, id: string) {
  const { run, trials } = refreshRun();
  const provenance = { ...run.provenance!, ...(unasked === undefined ? {} : { unasked }) } as NonNullable<
    RunDocument['provenance']
  >;
  return { run: { ...run, run: { ...run.run, id }, provenance }, trials };
}

test('additions of the target give a warning that names them with their template', () => {
  const { run, trials } = refreshRun();
  trials[0]!.unasked = [REFRESH_45, { what: 'alias logs', value: '', from: 'elsewhere' }];
  const [warning] = trialWarnings(run.definition, resolvePlan(run), trials);
  expect(warning).toMatch(
    /^The index was not what the definition says in 1 of \d+ trials \(#1\): alias logs \(elsewhere\); index\.refresh_interval 45s \(index template everything\)\. /,
  );
});

test('only a clock that is off gives a warning', () => {
  const { run, trials } = refreshRun();
  const warnings = (): string[] =>
    trialWarnings(run.definition, resolvePlan(run), trials).filter((text) => text.includes('clocks'));
  const reading = { offsetMs: 3, errorMs: 2, apartMs: 1 };
  trials[0]!.clock = { before: reading, after: reading };
  expect(warnings()).toEqual([]);
  trials[0]!.clock = { before: { ...reading, offsetMs: -600_000 }, after: null };
  expect(warnings()).toEqual([
    expect.stringMatching(/in 1 of \d+ trials \(#1\): the target’s clock is 10m 00s behind/),
  ]);
});

test('the provenance names additions and the hosts that received the load', () => {
  const { run, trials } = runWith([REFRESH_45], 'a');
  run.provenance.load = { nodes: ['http://10.0.0.1:9200'], past: '' };
  const rows = provenanceTable(buildReport(run, trials))!.rows.map((row) => row.map(({ text }) => text));
  expect(rows).toContainEqual(['added by the target', sayAllUnasked([REFRESH_45])]);
  expect(rows).toContainEqual(['load', 'to http://10.0.0.1:9200']);
});

test('runs with different additions of the target are not compared, but runs of an older version are', () => {
  const unfair = (...all: (UnaskedPart[] | undefined)[]): string[] =>
    compareReports(
      all
        .map((unasked, at) => runWith(unasked, `run-${at}`))
        .map(({ run, trials }) => buildReport(run, trials)),
    )
      .differences.filter(({ weight }) => weight === 'unfair')
      .map(({ what, values }) => `${what}: ${values.join(' / ')}`);
  expect(unfair([], [REFRESH_45])).toEqual([`${ADDITIONS}: none / ${sayAllUnasked([REFRESH_45])}`]);
  expect(unfair([REFRESH_45], [REFRESH_45])).toEqual([]);
  expect(unfair(undefined, [REFRESH_45])).toEqual([]);
});

test('a history has a cut if the target began to add something, but not if an older version did not record it', () => {
  const runs = (...all: (UnaskedPart[] | undefined)[]) =>
    all.map((unasked, at) => {
      const { run, trials } = runWith(unasked, `run-${at}`);
      return historyRunOf(run, resolvePlan(run), trials);
    });
  expect(cutsOf(runs(undefined, [], [], [REFRESH_45])).cuts).toEqual([
    { night: 3, what: [expect.stringContaining('index.refresh_interval 45s')] },
  ]);
});

test('whether additions are refused does not change the trials', () => {
  const { run, trials } = refreshRun();
  const recorded = (templates?: 'refuse') => {
    const definition = {
      ...run.definition,
      index: { ...run.definition.index, ...(templates ? { templates } : {}) },
    };
    return historyRunOf({ ...run, definition }, resolvePlan({ ...run, definition }), trials).cells;
  };
  expect(recorded('refuse')).toEqual(recorded());
});
