/** Every preset in its smallest form on the real Elasticsearch, to its report: figures of so little say nothing, that they are there does. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PRESETS } from '../../common/presets';
import type { Preset } from '../../common/presets/preset';
import type { Report } from '../../common/report/model/report';
import { sharedElasticsearch, withElasticsearch } from './support/elasticsearch';
import { attributesFor, isOverNodes, smallestForm } from './support/smallest';
import { workplace } from './support/dyno';

const place = workplace();

afterAll(() => place.remove());

// Sixty shards on a busy machine.
jest.setTimeout(240_000);

/** One cell alone is compared with nothing: a second trial of it would only take time. */
const TRIALS = 1;
/** Of the local cluster for those that are about several. */
const NODES = 3;

const [overNodes, onOne] = [PRESETS.filter(isOverNodes), PRESETS.filter((preset) => !isOverNodes(preset))];

async function runToReport(preset: Preset, url: string): Promise<void> {
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
  expect(stdout.replace(/\s+/g, ' ')).toContain(published.title);
  const [json, ...others] = forms.map((form) => readFileSync(form, 'utf8'));
  const report = JSON.parse(json!) as Report;
  expect(report.run.state).toBe('completed');
  expect(report.cells.map(({ completed }) => completed)).toEqual(report.cells.map(() => TRIALS));
  for (const { tasks } of report.cells) {
    expect(tasks).toHaveLength(definition.tasks.length);
    // Of searches, which a busy machine may answer only once the measured phase has ended.
    expect(tasks.filter(({ counts }) => counts.accepted === 0)).toEqual([]);
  }
  expect(report.published).toMatchObject({ seed: published.seed });
  expect(report.published!.figures.map(({ metric }) => metric)).toEqual(
    published.compared.map(({ metric }) => metric),
  );
  for (const text of others) expect(text).not.toMatch(/\bundefined\b|NaN/);
}

const named = (presets: readonly Preset[]): [name: string, preset: Preset][] =>
  presets.map((preset) => [preset.name, preset]);

describe('on one node, to a report with figures of every cell', () => {
  const url = sharedElasticsearch();

  it.each(named(onOne))('%s', (_, preset) => runToReport(preset, url()));
});

describe(`on a cluster of ${NODES} nodes, to a report with figures of every cell`, () => {
  const three = withElasticsearch({ nodes: NODES, nodeAttributes: attributesFor(overNodes, NODES) });

  it.each(named(overNodes))('%s', (_, preset) => runToReport(preset, three.url));
});
