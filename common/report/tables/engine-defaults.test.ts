import type { BlockFacts } from '../../experiment/run';
import { makeRun, PROVENANCE, REFRESH } from '../../analysis/testing/made-run';
import { blocksField } from '../../measurement/stored-names';
import { buildReport } from '../model/build';
import { renderMarkdown } from '../render/markdown';
import { engineDefaultsTable } from './engine-defaults';

const block = (
  engine: 'elasticsearch' | 'opensearch',
  version: string,
  effective?: Record<string, string>,
): BlockFacts => ({
  ...PROVENANCE,
  cluster: { ...PROVENANCE.cluster, engine, version },
  ...(effective === undefined ? {} : { effective }),
  environment: { engine },
  target: 'local',
  since: '2026-11-03T02:00:00.000Z',
  until: '2026-11-03T02:51:40.000Z',
});

const reportOf = (...blocks: BlockFacts[]) =>
  reportWith({ 'environment.engine': ['elasticsearch', 'opensearch'] }, ...blocks);

function reportWith(factors: Parameters<typeof makeRun>[0]['factors'], ...blocks: BlockFacts[]) {
  const { run, trials } = makeRun(
    { ...REFRESH, expect: [], factors },
    () => ({ tasks: { ingest: { rate: 1000 } } }),
    { provenance: { ...blocks.at(-1)!, ...blocksField(blocks) } },
  );
  return buildReport(run, trials);
}

const ES = { 'index.codec': 'default', 'index.merge.policy.type': 'unset', Java: '25.0.3' };
const OS = { 'index.codec': 'lz4', Java: '25.0.3' };

test('the settings that differ are shown with the names of the engines, in every format', () => {
  const report = reportOf(
    block('elasticsearch', '9.5.3', ES),
    block('opensearch', '3.6.0', OS),
    block('opensearch', '3.6.0', OS),
  );
  const table = engineDefaultsTable(report)!;
  expect(table.columns.map(({ name }) => name)).toEqual([
    'setting',
    'Elasticsearch 9.5.3',
    'OpenSearch 3.6.0',
    'what it is',
  ]);
  expect(table.rows.map((row) => row.map(({ text }) => text))).toEqual([
    ['index.codec', 'default', 'lz4', 'compression of stored fields'],
    ['index.merge.policy.type', 'unset', '–', 'merge policy (Elasticsearch)'],
  ]);
  expect(renderMarkdown(report)).toContain('Defaults that differ between the engines');
});

test('one engine alone, and runs that stored no settings, have no such table', () => {
  expect(engineDefaultsTable(reportOf(block('opensearch', '3.6.0', OS)))).toBeNull();
  const old = reportOf(block('elasticsearch', '9.5.3'), block('opensearch', '3.6.0'));
  expect(engineDefaultsTable(old)).toBeNull();
});

test('a setting that the definition sets is no default, whether all cells set it or one', () => {
  const factors = [
    { 'environment.engine': 'elasticsearch', 'index.settings.codec': 'best_compression' },
    { 'environment.engine': 'opensearch', 'environment.write-queue': '100' },
  ];
  const queue = 'thread_pool.write.queue_size';
  const report = reportWith(
    factors,
    block('elasticsearch', '9.5.3', { ...ES, 'index.codec': 'best_compression', [queue]: '10000' }),
    block('opensearch', '3.6.0', { ...OS, [queue]: '100' }),
  );
  expect(engineDefaultsTable(report)!.rows.map(([name]) => name!.text)).toEqual(['index.merge.policy.type']);
});
