import { makeRun, PROVENANCE, REFRESH } from '../../analysis/testing/made-run';
import { formatChange } from '../../analysis/wording';
import type { DefinitionInput } from '../../experiment/definition';
import { buildReport } from './build';
import { compareReports } from './comparison';
import { summariseComparison } from './comparison-summary';
import type { Report } from './report';

const report = (
  id: string,
  rate: number,
  input: Partial<DefinitionInput> = {},
  provenance: typeof PROVENANCE = PROVENANCE,
): Report => {
  const { run, trials } = makeRun(
    { ...REFRESH, ...input },
    () => ({ tasks: { ingest: { rate, batch: 3000 } } }),
    { id, provenance, seed: rate },
  );
  return buildReport(run, trials);
};
const oneCell: Partial<DefinitionInput> = { factors: {}, expect: [] };
const summaryOf = (...reports: Report[]) => summariseComparison(compareReports(reports));

test('for one cell, the sentence has the change with both values, throughput first', () => {
  const { sentences, significance } = summaryOf(report('a', 10_000, oneCell), report('b', 13_000, oneCell));
  expect(sentences).toEqual([
    expect.stringMatching(/^B against A: ingest throughput \+30% \(\S+ docs\/s to \S+ docs\/s\), p99 .+\.$/),
  ]);
  expect(significance).toMatch(/^It is not known whether a difference is more than chance/);
});

test('for several cells, the sentence has the range of the changes, and the cell with the largest', () => {
  const { sentences } = summaryOf(report('a', 10_000), report('b', 13_000));
  expect(sentences[0]).toMatch(/^B against A in 3 cells: ingest throughput \+\d+%/);
});

test('the metric of the first claim comes first', () => {
  const { sentences } = summaryOf(
    report('a', 10_000, { expect: ['ingest.latency.p99 falls with index.settings.refresh_interval'] }),
    report('b', 13_000, { expect: ['ingest.latency.p99 falls with index.settings.refresh_interval'] }),
  );
  expect(sentences[0]).toMatch(/^B against A in 3 cells: ingest (p99 .*, throughput|throughput)/);
});

test('runs that are not comparable have a reason, and are not tested', () => {
  const upgraded = { ...PROVENANCE, cluster: { ...PROVENANCE.cluster, version: '9.6.0' } };
  const { sentences, significance } = summaryOf(report('a', 10_000), report('b', 13_000, {}, upgraded));
  expect(sentences[0]).toMatch(/The two are not comparable: they differ in Elasticsearch\.$/);
  expect(significance).toBe('No difference is tested, because the runs are not comparable.');
});

test('differences are tested with enough runs of each kind', () => {
  const shards = { index: { settings: { number_of_shards: 5 } } };
  const { significance, sentences } = summaryOf(
    ...[10_000, 10_100, 10_050].map((rate) => report(`a${rate}`, rate)),
    ...[13_000, 13_200, 13_100].map((rate) => report(`b${rate}`, rate, shards)),
  );
  expect(significance).toMatch(/^Words such as “higher” compare the means of at least 3 runs/);
  expect(sentences).toHaveLength(5);
  expect(sentences.at(-1)).toBe('1 more run in the tables.');
});

test('the change is that of the table, and the sentence says so if the two named runs differ by another one', () => {
  const shards = { index: { settings: { number_of_shards: 5 } } };
  const comparison = compareReports([
    ...[10_000, 10_900, 9_100].map((rate) => report(`a${rate}`, rate, oneCell)),
    ...[13_000, 12_100, 13_900].map((rate) => report(`b${rate}`, rate, { ...oneCell, ...shards })),
  ]);
  const { ratio } = comparison.rows[0]!.runs[4]!.comparison!;
  expect(summariseComparison(comparison).sentences[3]).toContain(
    `ingest throughput ${formatChange(ratio)} (`,
  );
  expect(summariseComparison(comparison).sentences[3]).toContain(
    ' in these two; the change is of all runs of each kind)',
  );
});

test('runs without a common cell have a sentence about that', () => {
  const other = { factors: { 'index.settings.refresh_interval': ['7s', '8s'] }, expect: [] };
  expect(summaryOf(report('a', 10_000), report('b', 13_000, other)).sentences).toEqual([
    'B has no metric in common with A.',
  ]);
});
