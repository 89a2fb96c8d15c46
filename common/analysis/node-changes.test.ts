import { PROVENANCE, refreshRun } from './testing/made-run';
import { nodeChangeWarnings } from './node-changes';
import { blocksField } from '../measurement/stored-names';

const nodes = (...names: string[]) =>
  names.map((name) => ({ name, elapsedMs: 1000, cpuMs: 1, gcPauseMs: 0, diskBusyMs: null }));

test('says nothing if the nodes are those of the preflight', () => {
  expect(nodeChangeWarnings(PROVENANCE, refreshRun().trials)).toEqual([]);
});

test('names the trials that ran on more nodes than the run began with', () => {
  const { trials } = refreshRun();
  for (const order of [2, 0]) trials[order]!.server!.perNode = nodes('es-1', 'es-2', 'es-3', 'es-4');
  expect(nodeChangeWarnings(PROVENANCE, trials)).toEqual([
    'The cluster had 4 nodes (es-1, es-2, es-3, es-4) in 2 trials (#1, #3), but 3 (es-1, es-2, es-3) when the run began ' +
      'or continued. Requests went only to the latter, and the facts about machines are only about those.',
  ]);
});

test.each([
  ['a node came or left within the trial', { partial: true, perNode: nodes('es-1') }],
  ['an older version of Dyno kept no nodes', { perNode: undefined }],
])('leaves it where %s', (_, server) => {
  const { trials } = refreshRun();
  Object.assign(trials[0]!.server!, server);
  expect(nodeChangeWarnings(PROVENANCE, trials)).toEqual([]);
});

test('compares with the block in which the trial ran', () => {
  const { trials } = refreshRun();
  const early = { ...PROVENANCE, nodes: PROVENANCE.nodes.slice(0, 1) };
  const block = { environment: {}, target: '', since: '2000-01-01T00:00:00.000Z', until: null };
  const provenance = { ...PROVENANCE, ...blocksField([{ ...early, ...block }]) };
  expect(nodeChangeWarnings(provenance, trials)).toEqual([expect.stringContaining('but 1 (es-1) when')]);
});
