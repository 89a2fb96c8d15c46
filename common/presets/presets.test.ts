import { parseText } from '../experiment/document';
import { baselineIndex, cellLevels } from '../experiment/cells';
import { isOfTask, parseMetric } from '../measurement/metric';
import { makePlan } from '../experiment/plan';
import { mostTrials } from '../experiment/trial-counts';
import { readDefinition } from '../experiment/read';
import { PRESETS } from '.';
import { notesOnFigure } from './rows';
import { presetDefinition, presetYaml } from './preset';
import { SCALES } from './scale';

/** Returns levels as text, independent of their order. */
const sorted = (levels: object): string => JSON.stringify(Object.entries(levels).sort());

test('published benchmarks are in the order of their places, each with all its presets', () => {
  const seeds = PRESETS.map(({ published }) => published.seed);
  const accounts = seeds.filter((seed, at) => seed !== seeds[at - 1]);
  expect(accounts.slice(0, 5)).toEqual([
    'sematext-refresh',
    'azure-ingestion',
    'azure-queries',
    'bigcommerce-tenants',
    'logsearch-scaling',
  ]);
  expect(new Set(accounts).size).toBe(accounts.length);
});

test('every published benchmark has an address, and Dyno’s own experiments have none', () => {
  for (const { name, published } of PRESETS)
    expect([name, published.url ?? '']).toEqual([
      name,
      expect.stringMatching(published.own ? /^$/ : /^https?:\/\/[\w.-]+\/.+/),
    ]);
});

test('names of presets are unique', () => {
  expect(new Set(PRESETS.map(({ name }) => name)).size).toBe(PRESETS.length);
});

describe.each(PRESETS.map((preset) => [preset.name, preset] as const))('preset %s', (_name, preset) => {
  it.each(SCALES)('is a valid definition at scale %s', (scale) => {
    const definition = readDefinition(presetDefinition(preset, scale));
    expect(definition.preset).toBe(preset.name);
    expect(definition.trials).toBeGreaterThanOrEqual(3);
  });

  it('writes YAML that is parsed to the same definition', () => {
    const written = readDefinition(parseText(presetYaml(preset, 'full'), 'preset.yml'));
    expect(written).toEqual(readDefinition(presetDefinition(preset, 'full')));
  });

  it('has the same factors in the short form, and takes minutes', () => {
    const full = readDefinition(presetDefinition(preset, 'full'));
    const quick = readDefinition(presetDefinition(preset, 'quick'));
    expect(quick.factors).toEqual(full.factors);
    expect(makePlan(quick).estimate.ms).toBeLessThan(20 * 60_000);
  });

  it('has a plan at both scales with the right number of trials for every cell', () => {
    for (const scale of SCALES) {
      const definition = readDefinition(presetDefinition(preset, scale));
      const { cells, trials, estimate } = makePlan(definition);
      expect(cells.length).toBeGreaterThanOrEqual(2);
      expect(trials).toHaveLength(cells.length * mostTrials(definition.trials));
      expect(estimate.ms).toBeGreaterThan(0);
    }
  });

  it('has a separate cell for every published row, including the baseline', () => {
    const definition = readDefinition(presetDefinition(preset, 'full'));
    const { rows } = preset.published;
    const cells = cellLevels(definition);
    // A row may omit a level that follows from the others. Earlier runs do not have it.
    const owners = rows.map(({ levels }) => {
      const fitting = [...cells.keys()].filter(
        (at) => sorted({ ...cells[at], ...levels }) === sorted(cells[at]!),
      );
      expect(fitting).toHaveLength(1);
      return fitting[0]!;
    });
    const measured = rows.map(({ labels = {} }, at) => `${owners[at]} ${sorted(labels)}`);
    expect(new Set(measured).size).toBe(rows.length);
    const labels = new Set(rows.map(({ labels: own = {} }) => sorted(own)));
    // If some combinations of factor levels were measured on several types of machines, all of them were.
    expect(rows).toHaveLength(labels.size * new Set(owners).size);
    expect(rows.length === 0 ? [baselineIndex(definition)] : owners).toContain(baselineIndex(definition));
  });

  it('has a unit for every column, a number in every row of the main one, and metrics that its tasks have', () => {
    const { rows, units, compared } = preset.published;
    for (const { figures } of rows) expect(Object.keys(figures)).toEqual(Object.keys(units));
    expect(compared.length > 0).toBe(rows.length > 0);
    for (const { figures } of rows) expect(figures[compared[0]!.figure]).toBeGreaterThan(0);
    const tasks = preset.definition.tasks.map(({ name }) => name);
    for (const { figure, metric } of compared) {
      expect(Object.keys(units)).toContain(figure);
      const parsed = parseMetric(metric);
      expect(parsed !== undefined && (!isOfTask(parsed) || tasks.includes(parsed.task))).toBe(true);
    }
  });

  it('has notes only on figures that exist', () => {
    const { rows, doubts } = preset.published;
    const idle = doubts.filter((doubt) =>
      rows.every((row) =>
        Object.keys(row.figures).every((figure) => !notesOnFigure({ doubts: [doubt] }, row, figure).length),
      ),
    );
    expect(idle).toEqual([]);
  });

  it('has a summary of one line, conditions, and differences', () => {
    const { conditions, changes, own } = preset.published;
    expect(preset.summary).toMatch(/^[^\n]{10,100}$/);
    expect(conditions.length).toBeGreaterThan(0);
    expect(own === true || changes.length > 0).toBe(true);
  });
});
