import { suggestFactors } from './factor-suggestions';
import { readDefinition } from './read';
import { PRESETS } from '../presets';
import { presetDefinition } from '../presets/preset';

describe('suggested factors', () => {
  it('are valid in every preset, each alone', () => {
    for (const preset of PRESETS) {
      const written = presetDefinition(preset, 'quick');
      for (const { path, levels } of suggestFactors(written)) {
        const varied = { ...written, expect: [], baseline: undefined, factors: { [path]: levels } };
        expect(() => readDefinition(varied)).not.toThrow();
      }
    }
  });

  it('leave out paths that already vary', () => {
    const paths = (written: unknown): string[] => suggestFactors(written).map(({ path }) => path);
    const path = 'index.settings.refresh_interval';
    expect(paths({})).toContain(path);
    expect(paths({ factors: { [path]: ['1s'] } })).not.toContain(path);
    expect(paths({ factors: [{ [path]: '1s' }] })).not.toContain(path);
  });

  it('match the load of the tasks', () => {
    const tasks = [{ name: 'a', search: {}, executor: { 'constant-rate': { rate: 1 } } }];
    expect(suggestFactors({ tasks }).map(({ path }) => path)).toContain(
      'tasks.a.executor.constant-rate.rate',
    );
  });

  it("include nodes, heap and version if the host starts the target's clusters", () => {
    const paths = (written: unknown, target: string | null): string[] =>
      suggestFactors(written, target).map(({ path }) => path);
    expect(paths({}, 'local')).toEqual(
      expect.arrayContaining(['environment.nodes', 'environment.heap', 'environment.version']),
    );
    expect(paths({ factors: { 'environment.nodes': [1] } }, 'local')).not.toContain('environment.nodes');
    for (const not of [paths({}, null), paths({ target: 'prod' }, 'local')])
      expect(not).not.toContain('environment.nodes');
  });

  it('accept any text, however incomplete', () => {
    for (const written of [null, 'x', [], { tasks: 'x', factors: 5 }, { tasks: [null, 5, {}] }]) {
      expect(suggestFactors(written).length).toBeGreaterThan(0);
    }
  });
});
