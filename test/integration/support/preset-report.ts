/**
 * Runs a preset in its shortest form on a real Elasticsearch, and checks that its report is complete. Does not check the values of the
 * metrics, which mean nothing in such short runs.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PRESETS } from '../../../common/presets';
import type { Preset } from '../../../common/presets/preset';
import type { Report } from '../../../common/report/model/report';
import type { Workplace } from './dyno';
import { smallestForm } from './smallest';

/** Whether to test all presets, as in `npm run test:all`. Otherwise, only a few presets are tested. */
export const EVERY_PRESET = process.env['DYNO_TEST_PRESETS'] === 'all';

/** Presets that `npm test` runs on one node: at least one for each published benchmark and each kind of task. */
export const ON_ONE_NODE = [
  'sematext-refresh',
  'azure-refresh',
  'azure-queries-only-scale-up',
  'logsearch-parsers',
  'logsdb-bytes',
];
/** Preset that `npm test` runs on the nodes of indices.test.ts. */
export const ON_TWO_NODES = 'bigcommerce-hosts';

export const presetNamed = (name: string): Preset => PRESETS.find((preset) => preset.name === name)!;

/** Number of trials for each combination of factor levels. A second trial would only take more time. */
const TRIALS = 1;

export async function expectPresetToReport(place: Workplace, preset: Preset, url: string): Promise<void> {
  const { name, published } = preset;
  const definition = smallestForm(preset, TRIALS);
  const forms = ['json', 'html', 'md', 'csv'].map((form) => path.join(place.folder, `${name}.${form}`));
  const { code, stdout, stderr } = await place.dyno(
    'run',
    place.write(`${name}.definition.json`, definition),
    '--elasticsearch',
    url,
    '--no-collector',
    ...forms.flatMap((form) => ['--report', form]),
  );
  expect(`${stderr}\n${code}`).toMatch(/\n0$/);
  const output = stdout.replace(/\s+/g, ' ');
  expect(output.includes(published.title)).toBe(published.own !== true);
  const [json, ...others] = forms.map((form) => readFileSync(form, 'utf8'));
  const report = JSON.parse(json!) as Report;
  expect(report.run.state).toBe('completed');
  expect(report.cells.map(({ completed }) => completed)).toEqual(report.cells.map(() => TRIALS));
  for (const { tasks } of report.cells) {
    expect(tasks).toHaveLength(definition.tasks.length);
    // Counts include searches that a busy machine answers only after the measured phase.
    expect(tasks.filter(({ counts }) => counts.accepted === 0)).toEqual([]);
  }
  if (published.own) expect(report.published).toBeNull();
  else {
    expect(report.published).toMatchObject({ seed: published.seed });
    expect(report.published!.figures.map(({ metric }) => metric)).toEqual(
      published.compared.map(({ metric }) => metric),
    );
  }
  for (const text of others) expect(text).not.toMatch(/\bundefined\b|NaN/);
}
