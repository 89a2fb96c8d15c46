import type { Provenance, BlockFacts } from '../../experiment/run';
import { buildReport } from '../model/build';
import { acrossEnvironments, environmentTable } from './environments';
import { makeRun, PROVENANCE, REFRESH, refreshRun, type MadeRun } from '../../analysis/testing/made-run';
import { comparisonTable } from './task';
import { BLOCK_FIELD, blocksField } from '../../measurement/stored-names';

const block = (disk: string, since: string, until: string | null, kind: string): BlockFacts => ({
  ...PROVENANCE,
  nodes: PROVENANCE.nodes.map((node) => ({ ...node, disk: kind })),
  environment: { disk },
  target: 'local',
  since,
  until,
});

// The first trial of the fixture begins at 02:00. Each trial takes 345 s, so the tenth begins at 02:51:45.
const STANDARD = block('standard', '2026-11-03T02:00:00.000Z', '2026-11-03T02:51:40.000Z', 'spinning');
const PREMIUM = block('premium', '2026-11-03T02:51:44.000Z', '2026-11-03T03:43:30.000Z', 'ssd');

const onDisks = (blocks: BlockFacts[]): MadeRun => {
  const provenance: Provenance = { ...blocks.at(-1)!, ...blocksField(blocks) };
  const factors = { 'environment.disk': ['standard', 'premium'], ...(REFRESH.factors as object) };
  return makeRun({ ...REFRESH, factors }, () => ({ tasks: { ingest: { rate: 1000 } } }), { provenance });
};

test('each label has the facts that were found there, and its number of trials', () => {
  const { run, trials } = onDisks([STANDARD, PREMIUM]);
  const report = buildReport(run, trials);
  const texts = environmentTable(report)!.rows.map((row) => row.map(({ text }) => text));
  expect(texts.map(([label]) => label)).toEqual(['disk: standard', 'disk: premium']);
  expect(texts.map((row) => row[5])).toEqual(['spinning 500 GB', 'ssd 500 GB']);
  expect(texts.map((row) => row.at(-1))).toEqual(['9 of 9', '9 of 9']);
  expect(report.run.elapsedMs).toBe(51 * 60_000 + 40_000 + 51 * 60_000 + 46_000);
});

test('the comparison says that environments were not interleaved, if there are several', () => {
  const { run, trials } = onDisks([STANDARD, PREMIUM]);
  const report = buildReport(run, trials);
  expect(comparisonTable(report, 'ingest')!.note).toMatch(/one after the other, not interleaved/);
  expect(report.warnings.join()).toMatch(/disk: standard, disk: premium\), not interleaved/);
  const one = refreshRun();
  const plain = buildReport(one.run, one.trials);
  expect(acrossEnvironments(plain)).toBe('');
  expect(environmentTable(plain)).toBeNull();
});

test('environments that took turns are compared without a caveat, and each has one set of trials', () => {
  const factors = { 'environment.engine': ['elasticsearch', 'opensearch'] };
  const { run, trials } = makeRun({ ...REFRESH, expect: [], factors }, () => ({
    tasks: { ingest: { rate: 1000 } },
  }));
  const report = buildReport(run, trials);
  expect(report.environments).toEqual([
    { label: 'engine: elasticsearch', trials: { planned: 3, completed: 3 } },
    { label: 'engine: opensearch', trials: { planned: 3, completed: 3 } },
  ]);
  expect(acrossEnvironments(report)).toBe('');
  expect(report.warnings.join()).not.toContain('not interleaved');
});

test('a run that waits for an environment names it, and shows it as not measured yet', () => {
  const { run, trials } = onDisks([STANDARD]);
  const half = trials.slice(0, 9);
  const report = buildReport(
    {
      ...run,
      run: {
        ...run.run,
        state: 'waiting',
        ended: null,
        waiting: { environment: { disk: 'premium' }, since: STANDARD.until! },
      },
      progress: { ...run.progress, completed: 9, [BLOCK_FIELD]: 1 },
    },
    half,
  );
  expect(report.warnings[0]).toMatch(/^The run waits for disk: premium, with 9 of 18 trials/);
  expect(environmentTable(report)!.rows[1]!.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['disk: premium', 'not yet', '0 of 9']),
  );
});

test('the limit of a trial is judged by the nodes of its environment', () => {
  const many = { ...STANDARD, nodes: STANDARD.nodes.map((node) => ({ ...node, cores: 1 })) };
  const [few, all] = [onDisks([many, PREMIUM]), onDisks([STANDARD, PREMIUM])].map(({ run, trials }) =>
    buildReport(run, trials).trials.map(({ limit }) => JSON.stringify(limit)),
  );
  expect(few!.slice(0, 9)).not.toEqual(all!.slice(0, 9));
  expect(few!.slice(9)).toEqual(all!.slice(9));
});

test('the requested cluster is shown next to the found one only if Dyno started it', () => {
  const headings = (made: MadeRun): string[] =>
    environmentTable(buildReport(made.run, made.trials))!.columns.map(({ name }) => name);
  expect(headings(onDisks([STANDARD, PREMIUM]))).not.toContain('requested');
  const started = { nodes: 3, heapBytes: 512 * 1024 ** 2, version: '9.5.3' };
  const made = onDisks([
    { ...STANDARD, started },
    { ...PREMIUM, started },
  ]);
  expect(headings(made)).toContain('requested');
  const [row] = environmentTable(buildReport(made.run, made.trials))!.rows;
  expect(row!.map(({ text }) => text)).toContain('3 nodes of Elasticsearch 9.5.3, heap 512 MB each');
});
