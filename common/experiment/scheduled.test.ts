import { readDefinition } from './read';
import { resolveCells } from './resolved-cells';
import { checkScheduled } from './scheduled';

const SCHEDULE = '0 2 * * *';

const input = (more: object): object => ({
  version: 1,
  name: 'environments',
  schedule: SCHEDULE,
  tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
  ...more,
});

describe('a schedule', () => {
  it('is refused if somebody must change the environment', () => {
    for (const factors of [
      { 'environment.disk': ['standard', 'premium'] },
      { 'environment.disk': ['standard', 'premium'], 'environment.nodes': [1, 2] },
    ]) {
      expect(() => readDefinition(input({ factors }))).toThrow(/wait for someone to change the environment/);
    }
    expect(readDefinition(input({ environment: { disk: 'standard' } })).schedule).toBe(SCHEDULE);
  });

  it('may cover several clusters if the host starts them, and only then', () => {
    const factors = { 'environment.nodes': [1, 2], 'environment.heap': ['512m', '1g'] };
    const definition = readDefinition(input({ factors, environment: { disk: 'premium' } }));
    expect(checkScheduled(definition, resolveCells(definition), true)).toEqual([]);
    const [problem] = checkScheduled(definition, resolveCells(definition), false);
    expect(problem).toMatchObject({ code: 'definition.schedule', path: 'schedule' });
    expect(problem!.message).toContain('Dyno starts no clusters for this target');
  });
});
