import { makePlan } from '../experiment/plan';
import { readDefinition } from '../experiment/read';
import { findPreset } from '../presets';
import { presetDefinition } from '../presets/preset';
import { cannotShow, cannotShowSentence, type KnownTarget } from './cannot-show';

const EMBEDDED: KnownTarget = { startsClusters: true, dataNodes: 1 };
const OTHER: KnownTarget = { startsClusters: false, dataNodes: 1 };

const sentences = (more: object, target: KnownTarget): string[] =>
  cannotShow(
    makePlan(
      readDefinition({
        version: 1,
        name: 'replicas',
        tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
        index: { settings: { number_of_replicas: 0 } },
        trials: 1,
        ...more,
      }),
    ),
    target,
  ).map(cannotShowSentence);

const REPLICAS = { factors: { 'index.settings.number_of_replicas': [0, 1, 2] } };

describe('before a run a target is reported', () => {
  it('to have replicas without a node, with what that hides, and how many nodes would help', () => {
    expect(sentences(REPLICAS, OTHER)).toEqual([
      '2 replicas of a shard need 3 data nodes, and there is 1 (cells 2, 3): a replica without its own node is not written, ' +
        'so the cost of replicas, which this experiment compares, cannot be seen. What helps: a target with 3 data nodes, or the ' +
        'embedded Elasticsearch as the target with environment.nodes: 3, for which Dyno starts them',
    ]);
    expect(sentences(REPLICAS, EMBEDDED)).toEqual([expect.stringContaining('--set environment.nodes=3')]);
    expect(sentences({ ...REPLICAS, environment: { nodes: 3 } }, EMBEDDED)).toEqual([]);
    expect(sentences(REPLICAS, { ...OTHER, dataNodes: 3 })).toEqual([]);
    expect(sentences(REPLICAS, { ...OTHER, dataNodes: null })).toEqual([]);
  });

  it('to need one node per copy in every group of nodes', () => {
    const groups = {
      index: {
        count: 2,
        settings: { number_of_replicas: 1 },
        allocation: { attribute: 'zone', values: ['a', 'b'] },
      },
    };
    const environment = { 'node-attribute': 'zone=a,b' };
    expect(sentences({ ...groups, environment: { ...environment, nodes: 4 } }, EMBEDDED)).toEqual([]);
    expect(sentences({ ...groups, environment: { ...environment, nodes: 2 } }, EMBEDDED)).toEqual([
      expect.stringContaining('environment.nodes: 4'),
    ]);
  });

  it('to have another number of nodes than its label says', () => {
    const [sentence] = sentences({ environment: { nodes: 6 } }, OTHER);
    expect(sentence).toMatch(
      /^environment\.nodes says 6, and the target has 1 data node: .* is only a label/,
    );
    expect(sentences({ environment: { nodes: 6 } }, EMBEDDED)).toEqual([]);
  });

  it('to have labels that only a person can change', () => {
    const factors = { 'environment.disk': ['standard', 'premium'], 'environment.nodes': [1, 2] };
    const [labels, machine] = sentences({ factors }, EMBEDDED);
    expect(labels).toMatch(/^environment\.disk is a label/);
    expect(machine).toMatch(/share one machine/);
    expect(sentences({ factors: { 'environment.heap': ['512m', '1g'] } }, EMBEDDED)).toEqual([]);
    expect(sentences({ factors: { 'environment.heap': ['512m', '1g'] } }, OTHER)).toEqual([
      expect.stringMatching(/^environment\.heap is a label/),
    ]);
  });
});

test('azure-replicas has no problem if Dyno starts its nodes', () => {
  const plan = makePlan(readDefinition(presetDefinition(findPreset('azure-replicas')!, 'quick')));
  expect(cannotShow(plan, EMBEDDED)).toEqual([]);
  expect(cannotShow(plan, OTHER)).toHaveLength(2);
});

test('parsers without a core are reported', () => {
  const plan = makePlan(readDefinition(presetDefinition(findPreset('logsearch-parsers')!, 'quick')));
  expect(cannotShow(plan, { ...OTHER, cores: 2 }).map(({ what }) => what)).toEqual([
    expect.stringMatching(/^4 parsers share the 2 cores/),
  ]);
  expect(cannotShow(plan, { ...OTHER, cores: 4 })).toEqual([]);
});

test('scripts are reported for the embedded Elasticsearch, which cannot run them', () => {
  const plan = makePlan(readDefinition(presetDefinition(findPreset('azure-query-forms')!, 'quick')));
  expect(cannotShow(plan, EMBEDDED).map(({ what }) => what)).toEqual([
    expect.stringMatching(/no script language, so requests with a script fail \(cell 4\)$/),
  ]);
  expect(cannotShow(plan, OTHER)).toEqual([]);
  expect(cannotShow(plan, { ...EMBEDDED, runsScripts: true })).toEqual([]);
});

test.each([
  ['engine: opensearch', { engine: 'opensearch' }, 0],
  ['distribution: full', { distribution: 'full' }, 0],
  ['distribution: reduced', { distribution: 'reduced' }, 1],
  ['only a heap', { heap: '1g' }, 1],
])('scripts on a cluster that Dyno starts with %s', (_, environment, found) => {
  const preset = presetDefinition(findPreset('azure-query-forms')!, 'quick');
  const plan = makePlan(readDefinition({ ...preset, environment }));
  expect(cannotShow(plan, EMBEDDED)).toHaveLength(found);
});
