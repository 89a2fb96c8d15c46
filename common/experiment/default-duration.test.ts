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

/** Of the whole definition, and of each cell. */
const durationsOf = (more: object, executor?: object): (string | undefined)[] => {
  const definition = read(more, executor);
  const cells = resolveCells(definition).map((cell) => cell.definition.measure.duration);
  return [definition.measure.duration, ...cells];
};

describe('how long a cell measures where nothing is written', () => {
  it.each([
    ['a steady load', {}, STEADY, ['5m', '5m']],
    ['a search', {}, SEARCH, ['60m', '60m']],
    ['cells that all search by their factor', { [EXECUTOR]: [SEARCH] }, STEADY, ['60m', '60m']],
    ['cells of which one searches', { [EXECUTOR]: [STEADY, SEARCH] }, STEADY, [undefined, '5m', '60m']],
    [
      'cells of which one searches as the whole does',
      { [EXECUTOR]: [STEADY, SEARCH] },
      SEARCH,
      [undefined, '5m', '60m'],
    ],
    [
      'listed cells of which one searches, and one names its time',
      [{ [EXECUTOR]: SEARCH }, { [EXECUTOR]: STEADY, 'measure.duration': '1m' }],
      STEADY,
      ['60m', '60m', '1m'],
    ],
  ])('is that of %s', (_, factors, executor, durations) => {
    expect(durationsOf({ factors }, executor)).toEqual(durations);
  });

  it('is what is written where something is', () => {
    const factors = { [EXECUTOR]: [STEADY, SEARCH] };
    expect(durationsOf({ factors, measure: { duration: '4m' } })).toEqual(['4m', '4m', '4m']);
    expect(durationsOf({ factors, measure: { warmup: '1s' } })).toEqual([undefined, '5m', '60m']);
  });

  it('is read from what was read as it was the first time', () => {
    const definition = read({ factors: { [EXECUTOR]: [STEADY, SEARCH] } });
    expect(readDefinition(JSON.parse(JSON.stringify(definition)))).toEqual(definition);
  });

  it('must be written where a warm-up is and nothing is searched for', () => {
    expect(() => read({ measure: { warmup: '1s' } }, STEADY)).toThrow(DynoError);
    expect(() =>
      read({ measure: { duration: '1m' }, factors: { measure: [{ warmup: '1s' }] } }, STEADY),
    ).toThrow(DynoError);
  });
});
