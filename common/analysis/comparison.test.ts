import { compareFamily } from './comparison';

const one = (values: number[], against: number[], margin = 0.05) =>
  compareFamily([{ values, against }], margin)[0]!;

describe('the word of a comparison', () => {
  test('is higher or lower if the interval is on one side', () => {
    expect(one([120, 121, 122], [100, 101, 102]).word).toBe('higher');
    expect(one([100, 101, 102], [120, 121, 122])).toMatchObject({ word: 'lower', reason: '' });
  });

  test('is no difference if the interval is within the margin, however certain the difference', () => {
    expect(one([101.9, 102, 102.1], [99.9, 100, 100.1]).word).toBe('no difference within the margin');
    expect(one([101.9, 102, 102.1], [99.9, 100, 100.1], 0.01).word).toBe('higher');
  });

  test('is undecided if the interval contains both, and has a reason', () => {
    expect(one([90, 110, 130], [95, 100, 115])).toMatchObject({
      word: 'undecided',
      reason: expect.stringContaining('vary'),
    });
  });

  test('is undecided with a single trial on a side', () => {
    expect(one([200], [100, 101, 102])).toMatchObject({
      word: 'undecided',
      reason: 'one trial is not enough',
      interval: null,
    });
    expect(one([], [100, 101])).toMatchObject({ word: 'undecided', ratio: null, rank: null });
  });

  test('handles 0: equal zeros do not differ, and any value is higher than 0', () => {
    expect(one([0, 0, 0], [0, 0, 0])).toMatchObject({ ratio: 1, word: 'no difference within the margin' });
    expect(one([10, 11, 12], [0, 0, 0])).toMatchObject({ ratio: null, interval: null, word: 'higher' });
  });
});

describe('a family of comparisons', () => {
  const against = [100, 101, 102];
  const close = [104, 105.5, 107];

  test('has wider intervals than a single comparison', () => {
    const alone = one(close, against, 0.02);
    const [among] = compareFamily(
      [close, [99, 103, 101], [98, 104, 102], [97, 102, 106]].map((values) => ({ values, against })),
      0.02,
    );
    expect(alone.word).toBe('higher');
    expect(among).toMatchObject({ word: 'undecided', family: 4, interval: alone.interval });
    expect(among!.reason).toContain('widening');
    expect(among!.adjusted!.level).toBeCloseTo(0.9875, 10);
  });

  test('narrows its intervals once others are decided, as Holm does', () => {
    const clear = [150, 151, 152];
    const [among] = compareFamily(
      [close, clear, clear, clear].map((values) => ({ values, against })),
      0.02,
    );
    expect(among).toMatchObject({ word: 'higher', family: 4 });
    expect(among!.adjusted!.level).toBeCloseTo(0.95, 10);
  });

  test('counts only comparisons that have data', () => {
    expect(
      compareFamily(
        [close, [1]].map((values) => ({ values, against })),
        0.05,
      ).map(({ family }) => family),
    ).toEqual([1, 1]);
  });
});
