import type { DefinitionInput } from '../../experiment/definition';
import { DynoError } from '../../problem';
import { node, shards as shardWork } from '../../measurement/testing/made-nodes';
import { buildReport } from '../model/build';
import { compareReports } from '../model/comparison';
import {
  renderComparison,
  renderComparisonCsv,
  renderComparisonHtml,
  renderComparisonJson,
  renderComparisonMarkdown,
} from './comparison';
import { makeRun, PROVENANCE, REFRESH } from '../../analysis/testing/made-run';
import type { Report } from '../model/report';

const report = (
  id: string,
  rate: number,
  input: Partial<DefinitionInput> = {},
  provenance: typeof PROVENANCE | null = PROVENANCE,
): Report => {
  const { run, trials } = makeRun(
    { ...REFRESH, ...input },
    () => ({ tasks: { ingest: { rate, batch: 3000 } } }),
    { id, provenance, seed: rate },
  );
  return buildReport(run, trials);
};
const upgraded = { ...PROVENANCE, cluster: { ...PROVENANCE.cluster, version: '9.6.0' } };

describe('a comparison of runs', () => {
  const shards = (number_of_shards: number): Partial<DefinitionInput> => ({
    index: { settings: { number_of_shards } },
  });
  const named = (rates: readonly number[], input: Partial<DefinitionInput> = {}): Report[] =>
    rates.map((rate) => report(`run-${rate}`, rate, input));

  test('does not test differences of fewer than three runs of each kind, and says why', () => {
    const alike = compareReports([report('a', 10_000), report('b', 13_000)]);
    expect(alike).toMatchObject({ unfair: [[], []], differences: [], sides: [0, 0] });
    for (const { runs } of alike.rows)
      expect(runs[1]!.comparison).toMatchObject({ word: 'undecided', interval: null, method: 'none' });
    const few = [...named([10_000, 10_100, 10_050]), ...named([13_000, 13_200], shards(5))];
    const { rows, sides } = compareReports(few);
    expect(sides).toEqual([0, 0, 0, 3, 3].map((side) => (side === 0 ? 0 : 1)));
    expect(rows[0]!.runs[3]!.comparison!.reason).toContain('too few runs');
    expect(renderComparison(few).match(/more\s+than\s+chance/g)).toHaveLength(1);
    expect(renderComparison(few)).not.toMatch(/higher/);
  });

  test('tests the means of three runs of each kind', () => {
    const reports = [...named([10_000, 10_100, 10_050]), ...named([13_000, 13_200, 13_100], shards(5))];
    const { rows } = compareReports(reports);
    expect(rows.map(({ runs }) => runs[3]!.comparison!.word)).toEqual(['higher', 'higher', 'higher']);
    expect(rows[0]!.runs[5]!.comparison).toMatchObject({ n: 3, nAgainst: 3, family: 3, method: 'apart' });
    expect(rows[0]!.runs[1]!.comparison!.word).toBe('undecided');
    expect(renderComparisonMarkdown(reports)).toContain('higher (3 runs against 3)');
  });

  test('finds no difference if runs of one kind differ as much, however similar their trials are', () => {
    const reports = [...named([10_000, 12_100, 11_050]), ...named([11_500, 13_600, 10_600], shards(5))];
    expect(compareReports(reports).rows.map(({ runs }) => runs[3]!.comparison!.word)).toEqual(
      new Array(3).fill('undecided'),
    );
  });

  test('does not test runs with different version, nodes, load generator or load, and names these first', () => {
    const reports = [
      report('a', 10_000),
      report('b', 13_000, {}, upgraded),
      report('c', 13_000, { measure: { warmup: '10s', duration: '5m' } }),
      report('d', 13_000, {}, null),
    ];
    const { unfair, differences } = compareReports(reports);
    expect(unfair).toEqual([[], ['Elasticsearch'], ['measure.warmup'], ['provenance not known']]);
    expect(differences[0]).toMatchObject({
      what: 'Elasticsearch',
      weight: 'unfair',
      values: ['9.5.3', '9.6.0', '9.5.3', 'not known'],
    });
    const output = renderComparison(reports);
    expect(output).toMatch(/^B against A/);
    expect(output).toMatch(/^! 3 of 3 runs are not comparable with A/m);
    expect(output).toContain('not comparable: Elasticsearch');
    expect(output).not.toMatch(/\bhigher\b/);
    expect(output).toContain('+30%');
  });

  test('treats different spellings of a setting as the same setting', () => {
    const index = (settings: object): Partial<DefinitionInput> => ({
      index: { settings } as DefinitionInput['index'],
    });
    const { differences } = compareReports([
      report('a', 10_000, index({ index: { number_of_replicas: 0, translog: { durability: 'async' } } })),
      report('b', 13_000, index({ number_of_replicas: 0, 'index.translog.durability': 'async' })),
    ]);
    expect(differences).toEqual([]);
  });

  test('treats a different index setting as the subject of the comparison', () => {
    const one = (shards: number): Partial<DefinitionInput> => ({
      factors: {},
      expect: [],
      index: { settings: { number_of_shards: shards } },
    });
    const { unfair, differences, rows } = compareReports([
      report('a', 10_000, one(1)),
      report('b', 13_000, one(5)),
    ]);
    expect(unfair).toEqual([[], []]);
    expect(differences).toEqual([
      { what: 'index.settings.number_of_shards', weight: 'studied', values: ['1', '5'] },
    ]);
    expect(rows).toHaveLength(1);
  });

  test('leaves the values of a cell that a run lacks empty', () => {
    const fewer = report('b', 13_000, { factors: { 'index.settings.refresh_interval': ['1s'] } });
    const { rows } = compareReports([report('a', 10_000), fewer]);
    expect(rows.map(({ runs }) => runs[1] !== null)).toEqual([true, false, false]);
  });

  describe('of metrics of the cluster', () => {
    /** Returns a run. In each trial, the cluster has 3 nodes, which report `merges` merges in total. */
    const merging = (id: string, merges: number, seed: number, shardsOf = 3): Report => {
      const { run, trials } = makeRun(
        { ...REFRESH, index: { settings: { number_of_shards: shardsOf } } },
        () => ({ tasks: { ingest: { rate: 10_000, batch: 3000 } } }),
        { id, seed },
      );
      const counted = trials.map((trial) => ({
        ...trial,
        server: {
          ...trial.server!,
          partial: false,
          nodes: 1,
          perNode: [node('es-1', { shards: shardWork(merges + (trial.trial.order % 3)) })],
        },
      }));
      return buildReport(run, counted);
    };
    const some = (merges: readonly number[], shardsOf?: number): Report[] =>
      merges.map((count, at) => merging(`run-${shardsOf ?? 0}-${at}`, count, at + 1, shardsOf));
    const merges = (reports: readonly Report[]) =>
      compareReports(reports).cluster.filter(({ metric }) => metric === 'cluster.merges.count');

    test('shows differences of two runs without testing them', () => {
      const rows = merges(some([100, 50]));
      expect(rows).toHaveLength(3);
      expect(rows[0]!.runs[1]!).toMatchObject({
        source: 'nodes’ statistics',
        comparison: { word: 'undecided', method: 'none' },
      });
      expect(rows[0]!.runs[1]!.comparison!.ratio).toBeCloseTo(0.5, 1);
      expect(renderComparison(some([100, 50]))).toMatch(/−50%/);
      expect(renderComparisonHtml(some([100, 50]))).toContain('cluster.merges.count');
      const [header, ...lines] = renderComparisonCsv(some([100, 50])).split('\n');
      expect(header).toBe(
        'figure,unit,cell,run,experiment,by,n,mean,95% low,95% high,against first (ratio),ratio 95% low,ratio 95% high,found,not comparable for',
      );
      expect(lines.filter((line) => line.startsWith('ingest.throughput,docs/s,1s,'))).toHaveLength(2);
      expect(lines.find((line) => /^cluster\.merges\.count,.*,1s,run-0-1,/.test(line))).toContain(
        'nodes’ statistics,3,51',
      );
    });

    test('tests the means of runs by the rules of throughput', () => {
      const rows = merges([...some([100, 104, 102]), ...some([50, 52, 51], 5)]);
      expect(rows.map(({ runs }) => runs[3]!.comparison!.word)).toEqual(['lower', 'lower', 'lower']);
      expect(rows[0]!.runs[3]!.comparison).toMatchObject({ n: 3, nAgainst: 3, family: 3 });
    });

    test('does not test values from different sources', () => {
      const reports = [...some([100, 104, 102]), ...some([50, 52, 51], 5)];
      const other = reports.map((report, at) =>
        at === 5
          ? { ...report, cluster: report.cluster.map((one) => ({ ...one, source: 'collector' })) }
          : report,
      );
      const [row] = merges(other);
      expect(row!.runs[5]!.comparison).toMatchObject({ word: 'undecided', method: 'none' });
      expect(row!.runs[5]!.comparison!.reason).toContain('another source');
      // Only two runs of this kind remain.
      expect(row!.runs[3]!.comparison!.reason).toContain('too few runs');
    });

    test('lists equal and zero metrics in a sentence in a terminal', () => {
      const output = renderComparison(some([100, 100]));
      expect(output).toMatch(/Within ±5%\s+of A in every cell:[^:]*cluster\.merges\.count/);
      expect(output).toMatch(/0 in\s+all trials:[^:]*cluster\.merges\.throttled/);
    });
  });

  test('needs two runs', () => {
    expect(() => compareReports([report('a', 10_000)])).toThrow(DynoError);
  });

  test('fits in the terminal and is in every output format', () => {
    const reports = [report('a', 10_000), report('b', 13_000), report('c', 9000, {}, upgraded)];
    for (const line of renderComparison(reports, { width: 100 }).split('\n'))
      expect(line.length).toBeLessThanOrEqual(100);
    for (const output of [
      renderComparison(reports),
      renderComparisonHtml(reports),
      renderComparisonMarkdown(reports),
    ]) {
      expect(output).toContain('+30%');
      expect(output).toMatch(/more\s+than\s+chance/);
      expect(output).not.toMatch(/undefined|NaN|\bnull\b/);
    }
    expect(JSON.parse(renderComparisonJson(reports))).toMatchObject({ margin: 0.05 });
  });
});
