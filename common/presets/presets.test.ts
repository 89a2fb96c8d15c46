import { parseText } from '../experiment/document';
import { baselineIndex, cellLevels } from '../experiment/cells';
import { isOfTask, parseMetric } from '../measurement/metric';
import { makePlan } from '../experiment/plan';
import { mostTrials } from '../experiment/trial-counts';
import { readDefinition } from '../experiment/read';
import { PRESETS } from '.';
import { doubtsOf } from './rows';
import { presetDefinition, presetYaml } from './preset';
import { SCALES } from './scale';

/** Levels as text, whatever order they were written in. */
const sorted = (levels: object): string => JSON.stringify(Object.entries(levels).sort());

test('accounts stand in their places, each with its presets together', () => {
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

test('every published account names its article, and Dyno’s own experiments name none', () => {
  for (const { name, published } of PRESETS)
    expect([name, published.url ?? '']).toEqual([
      name,
      expect.stringMatching(published.own ? /^$/ : /^https?:\/\/[\w.-]+\/.+/),
    ]);
});

test('no two presets have one name', () => {
  expect(new Set(PRESETS.map(({ name }) => name)).size).toBe(PRESETS.length);
});

describe.each(PRESETS.map((preset) => [preset.name, preset] as const))('preset %s', (_name, preset) => {
  it.each(SCALES)('is a valid definition at scale %s', (scale) => {
    const definition = readDefinition(presetDefinition(preset, scale));
    expect(definition.preset).toBe(preset.name);
    expect(definition.trials).toBeGreaterThanOrEqual(3);
  });

  it('writes YAML that is read to the same definition', () => {
    const written = readDefinition(parseText(presetYaml(preset, 'full'), 'preset.yml'));
    expect(written).toEqual(readDefinition(presetDefinition(preset, 'full')));
  });

  it('keeps its factors and takes minutes in the short form', () => {
    const full = readDefinition(presetDefinition(preset, 'full'));
    const quick = readDefinition(presetDefinition(preset, 'quick'));
    expect(quick.factors).toEqual(full.factors);
    expect(makePlan(quick).estimate.ms).toBeLessThan(20 * 60_000);
  });

  it('has a plan at both scales in which every cell is tried as often as it says', () => {
    for (const scale of SCALES) {
      const definition = readDefinition(presetDefinition(preset, scale));
      const { cells, trials, estimate } = makePlan(definition);
      expect(cells.length).toBeGreaterThanOrEqual(2);
      expect(trials).toHaveLength(cells.length * mostTrials(definition.trials));
      expect(estimate.ms).toBeGreaterThan(0);
    }
  });

  it('has every published row in a cell of its own, the baseline among them', () => {
    const definition = readDefinition(presetDefinition(preset, 'full'));
    const { rows } = preset.published;
    const cells = cellLevels(definition);
    // A level that says no more than the others of its cell need not stand in the row: runs of before lack it.
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
    // Whatever the account measured several times over, it has all cells of.
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

  it('doubts figures that it has', () => {
    const { rows, doubts } = preset.published;
    const idle = doubts.filter((doubt) =>
      rows.every((row) =>
        Object.keys(row.figures).every((figure) => !doubtsOf({ doubts: [doubt] }, row, figure).length),
      ),
    );
    expect(idle).toEqual([]);
  });

  it('says what it is in a line, and tells conditions and what had to change', () => {
    const { conditions, changes, own } = preset.published;
    expect(preset.summary).toMatch(/^[^\n]{10,100}$/);
    expect(conditions.length).toBeGreaterThan(0);
    expect(own === true || changes.length > 0).toBe(true);
  });
});
