import type { DefinitionInput } from '../../experiment/definition';
import { DynoError } from '../../problem';
import { buildReport } from '../model/build';
import { compareReports } from '../model/comparison';
import {
  renderComparison,
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
  test('says a word where the runs were made alike', () => {
    const { unfair, differences, rows } = compareReports([report('a', 10_000), report('b', 13_000)]);
    expect(unfair).toEqual([[], []]);
    expect(differences).toEqual([]);
    expect(rows.map(({ runs }) => runs[1]!.comparison!.word)).toEqual(['higher', 'higher', 'higher']);
    expect(rows[0]!.runs[1]!.comparison!.family).toBe(3);
  });

  test('withholds the words where version, nodes, generator or load differ, and names them first', () => {
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
    expect(output).toMatch(/^! 3 of 3 runs are not comparable with A/);
    expect(output).toContain('not comparable: Elasticsearch');
    expect(output).not.toMatch(/\bhigher\b/);
    expect(output).toContain('+30%');
  });

  test('does not take another spelling of a setting for another setting', () => {
    const index = (settings: object): Partial<DefinitionInput> => ({
      index: { settings } as DefinitionInput['index'],
    });
    const { differences } = compareReports([
      report('a', 10_000, index({ index: { number_of_replicas: 0, translog: { durability: 'async' } } })),
      report('b', 13_000, index({ number_of_replicas: 0, 'index.translog.durability': 'async' })),
    ]);
    expect(differences).toEqual([]);
  });

  test('takes another index setting for what is being compared', () => {
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
    expect(rows[0]!.runs[1]!.comparison!.word).toBe('higher');
  });

  test('leaves a cell that a run does not have empty', () => {
    const fewer = report('b', 13_000, { factors: { 'index.settings.refresh_interval': ['1s'] } });
    const { rows } = compareReports([report('a', 10_000), fewer]);
    expect(rows.map(({ runs }) => runs[1] !== null)).toEqual([true, false, false]);
  });

  test('needs two runs', () => {
    expect(() => compareReports([report('a', 10_000)])).toThrow(DynoError);
  });

  test('fits in the terminal and is told by every format', () => {
    const reports = [report('a', 10_000), report('b', 13_000), report('c', 9000, {}, upgraded)];
    for (const line of renderComparison(reports, { width: 100 }).split('\n'))
      expect(line.length).toBeLessThanOrEqual(100);
    for (const output of [
      renderComparison(reports),
      renderComparisonHtml(reports),
      renderComparisonMarkdown(reports),
    ]) {
      expect(output).toContain('+30%');
      expect(output).toContain('higher');
      expect(output).not.toMatch(/undefined|NaN|\bnull\b/);
    }
    expect(JSON.parse(renderComparisonJson(reports))).toMatchObject({ margin: 0.05 });
  });
});
