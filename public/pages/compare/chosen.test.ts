import { formatChosen, MOST_RUNS, parseChosen, withBaseline, without } from './chosen';

describe('the runs of a comparison', () => {
  test('come from the link in their order, each once', () => {
    expect(parseChosen('b, a,,b')).toEqual({ runs: ['b', 'a'], twice: ['b'] });
    expect(parseChosen('')).toEqual({ runs: [], twice: [] });
  });

  test('are limited to the number that can be compared', () => {
    const many = formatChosen(Array.from({ length: MOST_RUNS + 3 }, (_, at) => `r${at}`));
    expect(parseChosen(many).runs).toHaveLength(MOST_RUNS);
  });

  test('begin with the baseline', () => {
    expect(withBaseline(['a', 'b', 'c'], 'c')).toEqual(['c', 'a', 'b']);
    expect(without(['a', 'b'], 'a')).toEqual(['b']);
  });
});
