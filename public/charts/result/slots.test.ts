import { joined, nearest, slotsFor } from './slots';

const places = (slots: ReturnType<typeof slotsFor>, x: number, groups: number): number[] =>
  Array.from({ length: groups }, (_, group) => slots.domain.indexOf(slots.slotOf(x, group)));

describe('slots of a chart of intervals', () => {
  test.each([1, 2, 3, 4, 5])(
    '%i groups and their trials never share a slot, and each level is labelled once',
    (groups) => {
      const names = ['a', 'b', 'c'];
      const slots = slotsFor(names, null, groups, 'even');
      const taken = names.flatMap((_, x) =>
        Array.from({ length: groups }, (__, group) => [
          slots.slotOf(x, group),
          slots.trialsSlotOf(x, group),
        ]).flat(),
      );
      expect(new Set(taken).size).toBe(taken.length);
      expect(taken.every((slot) => slots.domain.includes(slot))).toBe(true);
      expect(slots.domain.map(slots.labelOf).filter(Boolean)).toEqual(names);
    },
  );

  test('groups are placed around their label', () => {
    const slots = slotsFor(['a', 'b'], null, 4, 'even');
    const label = slots.domain.findIndex((slot) => slots.labelOf(slot) === 'b');
    const own = places(slots, 1, 4);
    expect(Math.min(...own)).toBeLessThan(label);
    expect(Math.max(...own)).toBeGreaterThan(label);
  });

  test('a logarithmic axis puts equal ratios at equal distances', () => {
    const slots = slotsFor(['1', '10', '100'], [1, 10, 100], 1, 'log');
    const [a, b, c] = [0, 1, 2].map((x) => places(slots, x, 1)[0]!);
    expect(c! - b!).toBe(b! - a!);
  });

  test('levels that are close together on a linear axis still have separate slots', () => {
    const slots = slotsFor(['1', '2', '40'], [1, 2, 40], 2, 'linear');
    const taken = [0, 1, 2].flatMap((x) => places(slots, x, 2));
    expect(new Set(taken).size).toBe(6);
    expect(taken.every((at) => at >= 0)).toBe(true);
  });

  test('values without a logarithm are spaced evenly, and so are texts', () => {
    const even = slotsFor(['0', '1', '9'], null, 1, 'even');
    expect(slotsFor(['0', '1', '9'], [0, 1, 9], 1, 'log').domain).toEqual(even.domain);
    const [a, b, c] = [0, 1, 2].map((x) => places(even, x, 1)[0]!);
    expect(c! - b!).toBe(b! - a!);
  });

  test('a single place is in the middle', () => {
    const slots = slotsFor(['all'], null, 1, 'even');
    expect(places(slots, 0, 1)[0]).toBe((slots.domain.length - 1) / 2);
  });

  test('a pointer next to a mark selects the nearest one, unless it is far away', () => {
    const domain = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    const found = nearest(
      domain,
      new Map([
        ['b', 1],
        ['f', 2],
      ]),
      2,
    );
    expect([...found]).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['d', 2],
      ['e', 2],
      ['f', 2],
      ['g', 2],
      ['h', 2],
    ]);
  });

  test('a line between marks is straight and skips places without a mean', () => {
    const domain = ['a', 'b', 'c', 'd', 'e'];
    const marks = [
      { slot: 'e', mean: 30 },
      { slot: 'a', mean: 10 },
      { slot: 'c', mean: null },
    ];
    expect(joined(domain, marks).map(({ mean }) => mean)).toEqual([10, 15, 20, 25, 30]);
    expect(joined(domain, marks).map(({ slot }) => slot)).toEqual(domain);
  });
});
