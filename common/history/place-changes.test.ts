import { define, REFRESH } from '../analysis/testing/made-run';
import type { HistoryRun } from './history-run';
import { cutsOf, definitionChanges } from './place-changes';

/** Returns one run for each argument, with the set-up (`place`) and the hashes of definitions (`cells`) in it. */
const historyRuns = (
  ...given: { place?: Record<string, string>; cells?: Record<string, string> }[]
): HistoryRun[] =>
  given.map(({ place = {}, cells = { a: '1' } }, at) => ({
    run: `run-${at}`,
    at: `2026-11-${String(at + 1).padStart(2, '0')}T02:00:00.000Z`,
    margin: 0.05,
    cells: Object.entries(cells).map(([id, definition]) => ({ id, label: id, definition })),
    place,
    figures: [],
    cluster: [],
  }));

const versions = (...all: string[]): HistoryRun[] =>
  historyRuns(...all.map((Elasticsearch) => ({ place: { Elasticsearch } })));

test('a run with another version of Elasticsearch begins a cut with its name', () => {
  expect(cutsOf(versions('9.5.2', '9.5.2', '9.5.3', '9.5.3')).cuts).toEqual([
    { night: 2, what: ['Elasticsearch 9.5.3'] },
  ]);
});

test('for a long trait, only the differing parts are named', () => {
  const node = (jvm: string): string => `JVM ${jvm}, heap 8 GB, 8 cores, 16 GB, ssd, Linux 6.8, data master`;
  const { cuts } = cutsOf(
    historyRuns({ place: { nodes: node('25.0.1') } }, { place: { nodes: node('25.0.2') } }),
  );
  expect(cuts).toEqual([{ night: 1, what: ['nodes JVM 25.0.2 instead of JVM 25.0.1'] }]);
});

test('a value that differs in each run, or the UUID of a cluster, does not begin a new part of the history', () => {
  const hosts = historyRuns(
    ...['a', 'b', 'c', 'd', 'e'].map((host) => ({ place: { 'load generator': host, cluster: host } })),
  );
  expect(cutsOf(hosts).cuts.map(({ night: run }) => run)).toEqual([1]);
});

test('whether there is a cut does not depend on later runs', () => {
  const all = versions('1', '1', '1', '2', '2', '2', '3', '4', '4', '4', '4', '5');
  for (let count = 1; count <= all.length; count += 1)
    expect(cutsOf(all.slice(0, count)).cuts).toEqual(
      cutsOf(all).cuts.filter(({ night: run }) => run < count),
    );
});

test('a trait without a value in a run is not a change', () => {
  expect(cutsOf(historyRuns({ place: { Dyno: '1' } }, {}, { place: { Dyno: '2' } })).cuts).toEqual([]);
});

test('a cell that does something else is a cut, a new cell is not', () => {
  const { cuts, asked } = cutsOf(
    historyRuns({ cells: { a: '1' } }, { cells: { a: '1', b: '2' } }, { cells: { a: '3', b: '2' } }),
  );
  expect(cuts).toEqual([{ night: 2, what: ['definition'] }]);
  expect(asked).toEqual(['run-1', 'run-2']);
});

test('with both definitions, a cut names the paths that changed', () => {
  const before = define(REFRESH);
  const after = define({
    ...REFRESH,
    name: 'renamed',
    index: { ...REFRESH.index, settings: { number_of_shards: 5 } },
  });
  const { cuts } = cutsOf(
    historyRuns({}, { cells: { a: '2' } }),
    new Map([
      ['run-0', before],
      ['run-1', after],
    ]),
  );
  expect(cuts[0]!.what).toEqual([
    'index.settings.number_of_shards 5 instead of 3',
    'without index.settings.number_of_replicas',
  ]);
  expect(definitionChanges(before, { ...before, name: 'renamed' })).toEqual(['definition']);
});
