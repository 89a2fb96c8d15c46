/** Every preset in its smallest form on the real Elasticsearch, to its report: figures of so little say nothing, that they are there does. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PRESETS } from '../../common/presets';
import type { Report } from '../../common/report/model';
import { sharedElasticsearch, withElasticsearch } from './support/elasticsearch';
import { nodeGroups, smallestForm } from './support/smallest';
import { workplace } from './support/dyno';

const url = sharedElasticsearch();
const place = workplace();

afterAll(() => place.remove());

// Sixty shards on a busy machine.
jest.setTimeout(240_000);

/** One cell alone is compared with nothing: a second trial of it would only take time. */
const TRIALS = 1;

describe.each(PRESETS.map((preset) => [preset.name, preset] as const))('preset %s', (name, preset) => {
  // Indices that have nodes of their own need some to choose from.
  const groups = nodeGroups(preset);
  const own =
    groups.length === 0 ? null : withElasticsearch({ nodes: groups.length, nodeAttributes: groups });

  it('runs to a report with figures of every cell', async () => {
    const definition = smallestForm(preset, TRIALS);
    const forms = ['json', 'html', 'md', 'csv'].map((form) => path.join(place.folder, `${name}.${form}`));
    const { code, stdout, stderr } = await place.dyno(
      'run',
      place.write(`${name}.definition.json`, definition),
      '--elasticsearch',
      own?.url ?? url(),
      '--no-collector',
      ...forms.flatMap((form) => ['--report', form]),
    );
    expect(`${stderr}\n${code}`).toMatch(/\n0$/);
    expect(stdout.replace(/\s+/g, ' ')).toContain(preset.published.title);
    const [json, ...others] = forms.map((form) => readFileSync(form, 'utf8'));
    const report = JSON.parse(json!) as Report;
    expect(report.run.state).toBe('completed');
    expect(report.cells.map(({ completed }) => completed)).toEqual(report.cells.map(() => TRIALS));
    for (const { tasks } of report.cells) {
      expect(tasks).toHaveLength(definition.tasks.length);
      // Of searches, which a busy machine may answer only once the measured phase has ended.
      expect(tasks.filter(({ counts }) => counts.accepted === 0)).toEqual([]);
    }
    expect(report.published).toMatchObject({ seed: preset.published.seed });
    expect(report.published!.figures.map(({ metric }) => metric)).toEqual(
      preset.published.compared.map(({ metric }) => metric),
    );
    for (const text of others) expect(text).not.toMatch(/\bundefined\b|NaN/);
  });
});
