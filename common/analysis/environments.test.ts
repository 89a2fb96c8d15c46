import { PROVENANCE } from './testing/made-run';
import type { PlaceFacts, Provenance } from '../experiment/run';
import { environmentWarnings, startedWarnings } from './environments';
import { blocksField } from '../measurement/stored-names';

const blocks = (...places: [disk: string, place: Partial<PlaceFacts>][]): Provenance => ({
  ...PROVENANCE,
  ...blocksField(
    places.map(([disk, place], day) => ({
      ...PROVENANCE,
      ...place,
      environment: { disk },
      target: 'local',
      since: `2026-11-0${day + 3}T02:00:00.000Z`,
      until: `2026-11-0${day + 3}T03:00:00.000Z`,
    })),
  ),
});

const spinning = PROVENANCE.nodes.map((node) => ({ ...node, disk: 'spinning' }));

test('the same nodes under two labels are reported', () => {
  const [sentence, ...others] = environmentWarnings(blocks(['standard', {}], ['premium', {}]));
  expect(sentence).toMatch(/^Dyno found the same in disk: standard and in disk: premium: cluster /);
  expect(sentence).toMatch(/known from their labels only/);
  expect(others).toEqual([]);
});

test('another disk on the same nodes, or another cluster, confirms a label', () => {
  expect(environmentWarnings(blocks(['standard', { nodes: spinning }], ['premium', {}]))).toEqual([]);
  const cluster = { ...PROVENANCE.cluster, uuid: 'another' };
  expect(environmentWarnings(blocks(['standard', {}], ['premium', { cluster }]))).toEqual([]);
});

test('changes that the label of an environment does not mention are reported', () => {
  const cluster = { ...PROVENANCE.cluster, uuid: 'another', version: '9.9.9' };
  const resultsInTarget = !PROVENANCE.resultsInTarget;
  expect(
    environmentWarnings(blocks(['standard', {}], ['premium', { cluster, resultsInTarget }])).join(),
  ).toMatch(/this also changed: Elasticsearch \(.*, then 9\.9\.9\); results in the cluster under test/);
});

test('another engine in the next environment is reported', () => {
  const cluster = { ...PROVENANCE.cluster, engine: 'opensearch' } as const;
  expect(environmentWarnings(blocks(['a', {}], ['b', { cluster }]))).toEqual([
    expect.stringContaining('also changed: engine (Elasticsearch, then OpenSearch)'),
  ]);
});

test('an environment that changed during an interruption is reported', () => {
  expect(environmentWarnings(blocks(['standard', {}], ['standard', { nodes: spinning }]))).toEqual([
    expect.stringMatching(/continued in disk: standard after an interruption.*nodes/),
  ]);
  expect(environmentWarnings(blocks(['standard', {}], ['standard', {}]))).toEqual([]);
});

describe('clusters that Dyno started', () => {
  const MIB = 1024 ** 2;
  const started = (nodes: number, version: string): Partial<PlaceFacts> => ({
    cluster: { ...PROVENANCE.cluster, uuid: `${nodes} of ${version}`, version },
    started: { nodes, heapBytes: 512 * MIB, version },
  });

  test('may differ in a requested version, and may be new after an interruption', () => {
    expect(environmentWarnings(blocks(['a', started(1, '8.19.4')], ['b', started(1, '9.5.3')]))).toEqual([]);
    expect(environmentWarnings(blocks(['a', started(1, '9.5.3')], ['a', started(2, '9.5.3')]))).toEqual([]);
    const other = { ...started(1, '9.5.3'), cluster: { ...PROVENANCE.cluster, version: '9.5.2' } };
    expect(environmentWarnings(blocks(['a', other], ['b', started(1, '9.5.3')])).join()).toMatch(
      /also changed: Elasticsearch \(9.5.2, then 9.5.3\)/,
    );
  });

  test('share a machine, which matters most with several nodes', () => {
    expect(startedWarnings(blocks(['a', {}]))).toEqual([]);
    const [one] = startedWarnings(blocks(['a', started(1, '9.5.3')]));
    expect(one).toMatch(/on one machine with the load generator/);
    expect(one).not.toMatch(/not more hardware/);
    expect(startedWarnings(blocks(['a', started(3, '9.5.3')])).join()).toMatch(/not more hardware/);
  });
});
