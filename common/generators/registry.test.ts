import type { GeneratorDescription } from './generator';
import { generatorNamed, GENERATORS, LINE_GENERATORS, LOG_GENERATORS, logOf, MAPPINGS } from './registry';

const ALL: readonly GeneratorDescription[] = GENERATORS;

describe.each(ALL)('$name', (generator) => {
  it('is found by its name, which is also in its label', () => {
    expect(generatorNamed(generator.name)).toBe(generator);
    expect(generator.label.text).toContain(`(${generator.name})`);
  });

  it('creates separate parts for each source, so that sources share no state', () => {
    const [one, other] = [generator.document(), generator.document()];
    expect(other).not.toBe(one);
    expect(other.filter((part) => part.kind === 'written' && one.includes(part))).toEqual([]);
  });
});

test('names of generators and of their mappings are unique', () => {
  expect(new Set(MAPPINGS).size).toBe(MAPPINGS.length);
  expect(MAPPINGS.slice(0, ALL.length)).toEqual(ALL.map(({ name }) => name));
  expect(MAPPINGS.slice(ALL.length)).toContain('http-events-no-doc-values');
  expect(() => generatorNamed('http-events-no-doc-values')).toThrow('no generator is called');
});

test('raw lines and logs come from their generators', () => {
  expect(LINE_GENERATORS).toContain('apache-access-lines');
  expect(LINE_GENERATORS).not.toContain('apache-logs');
  expect(LOG_GENERATORS).toContain('storefront');
  expect(logOf('storefront').lines()).toHaveLength(logOf('storefront').types.length);
});
