import { DynoError } from '../problem';
import { readDefinition } from './read';
import { resolveCells } from './resolved-cells';

const EXECUTOR = 'tasks.ingest.executor';
const SEARCH = { 'highest-rate': { start: 10, limits: ['latency.p99 < 500ms'] } };
const STEADY = { 'constant-rate': { rate: 10 } };

const read = (more: object, executor?: object): ReturnType<typeof readDefinition> =>
  readDefinition({
    version: 1,
    name: 'durations',
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } }, executor }],
    ...more,
  });

/** Returns the durations of the whole definition and of each cell. */
const durationsOf = (more: object, executor?: object): (string | undefined)[] => {
  const definition = read(more, executor);
  const cells = resolveCells(definition).map((cell) => cell.definition.measure.duration);
  return [definition.measure.duration, ...cells];
};

describe('the duration if a definition has none', () => {
  it.each([
    ['a steady load', {}, STEADY, ['5m', '5m']],
    ['a search', {}, SEARCH, ['60m', '60m']],
    ['cells that all search, because of their factor', { [EXECUTOR]: [SEARCH] }, STEADY, ['60m', '60m']],
    ['cells, one of which searches', { [EXECUTOR]: [STEADY, SEARCH] }, STEADY, [undefined, '5m', '60m']],
    [
      'cells, one of which searches like the definition itself',
      { [EXECUTOR]: [STEADY, SEARCH] },
      SEARCH,
      [undefined, '5m', '60m'],
    ],
    [
      'listed cells, one of which searches and one of which has a duration',
      [{ [EXECUTOR]: SEARCH }, { [EXECUTOR]: STEADY, 'measure.duration': '1m' }],
      STEADY,
      ['60m', '60m', '1m'],
    ],
  ])('is that of %s', (_, factors, executor, durations) => {
    expect(durationsOf({ factors }, executor)).toEqual(durations);
  });

  it('is the written one if there is one', () => {
    const factors = { [EXECUTOR]: [STEADY, SEARCH] };
    expect(durationsOf({ factors, measure: { duration: '4m' } })).toEqual(['4m', '4m', '4m']);
    expect(durationsOf({ factors, measure: { warmup: '1s' } })).toEqual([undefined, '5m', '60m']);
  });

  it('stays the same when a definition is read again', () => {
    const definition = read({ factors: { [EXECUTOR]: [STEADY, SEARCH] } });
    expect(readDefinition(JSON.parse(JSON.stringify(definition)))).toEqual(definition);
  });

  it('is required with a warm-up, unless a task searches for the highest rate', () => {
    expect(() => read({ measure: { warmup: '1s' } }, STEADY)).toThrow(DynoError);
    expect(() =>
      read({ measure: { duration: '1m' }, factors: { measure: [{ warmup: '1s' }] } }, STEADY),
    ).toThrow(DynoError);
  });
});
