import { partsTimeline, type PartsSecond } from './parts';

const START = Date.UTC(2026, 10, 20);
const figures = (count: number, mean: number | null): PartsSecond['parts'][string] => ({
  count,
  failed: 0,
  mean,
  max: mean,
});
const second = (at: number, parts: PartsSecond['parts']): PartsSecond => ({ at: START + at * 1000, parts });

test('parts are in the order of the transaction, with one point for each second in which one ended', () => {
  const seconds = [
    second(0, { b: figures(2, 30), a: figures(2, 10) }),
    second(1, { a: figures(1, 20) }),
    second(2, {}),
  ];
  expect(partsTimeline(seconds, ['a', 'b', 'c'], 100)).toEqual({
    columnMs: 1000,
    parts: [
      {
        name: 'a',
        points: [
          { at: START, mean: 10 },
          { at: START + 1000, mean: 20 },
        ],
      },
      { name: 'b', points: [{ at: START, mean: 30 }] },
    ],
  });
});

test('a mean over several seconds covers all requests in them', () => {
  const seconds = [
    second(0, { a: figures(1, 100) }),
    second(1, { a: figures(3, 20) }),
    second(2, { a: figures(2, null) }),
    second(3, { a: figures(1, 7) }),
  ];
  expect(partsTimeline(seconds, ['a'], 2)).toEqual({
    columnMs: 2000,
    parts: [
      {
        name: 'a',
        points: [
          { at: START, mean: 40 },
          { at: START + 2000, mean: 7 },
        ],
      },
    ],
  });
});

test('without samples there are no parts', () => {
  expect(partsTimeline([], ['a'], 100)).toEqual({ columnMs: 1000, parts: [] });
});
