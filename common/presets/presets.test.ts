import { parseText } from '../experiment/document';
import { cellLevels } from '../experiment/cells';
import { makePlan } from '../experiment/plan';
import { readDefinition } from '../experiment/read';
import { PRESETS } from '.';
import { presetDefinition, presetYaml, SCALES } from './preset';

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

  it('has published figures for exactly its cells', () => {
    const definition = readDefinition(presetDefinition(preset, 'full'));
    expect(preset.published.rows.map(({ levels }) => levels)).toEqual(cellLevels(definition));
    for (const { figures } of preset.published.rows) {
      expect(figures[preset.published.throughput]).toBeGreaterThan(0);
      expect(Object.keys(preset.published.units)).toEqual(expect.arrayContaining(Object.keys(figures)));
    }
  });
});
