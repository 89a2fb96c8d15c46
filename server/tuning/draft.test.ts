import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDefinition } from '../../common/experiment/read';
import { removeOldDrafts, samplesIn } from './draft';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-drafts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('samples of drafts go after a day, but for those that a tuning took or an experiment reads', async () => {
  const samples = samplesIn(folder);
  const [left, taken, read] = ['left', 'taken', 'read'].map((name) => `tuning-${name}-mibq2x1k.ndjson`) as [
    string,
    string,
    string,
  ];
  for (const file of [left, taken, read]) await samples.keep(file, '{}\n');
  await samples.take(taken);
  const reading = readDefinition({
    version: 1,
    name: 'reads it',
    index: { name: 'read', mapping: {} },
    tasks: [{ name: 'ingest', ingest: { source: { file: read, repeat: true } } }],
    measure: { duration: '10s' },
  });
  const experiments = (): Promise<{ definition: typeof reading }[]> =>
    Promise.resolve([{ definition: reading }]);
  const there = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
  await removeOldDrafts(samples, experiments);
  expect(there()).toHaveLength(3);
  await removeOldDrafts(samples, experiments, Date.now() + 25 * 3_600_000);
  expect(there().sort()).toEqual([read, taken].sort());
});
