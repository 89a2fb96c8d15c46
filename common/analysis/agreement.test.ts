import { agreementOf, type Agreement } from './agreement';
import { compareFamily } from './comparison';
import { LEVEL } from './confidence';
import { mean, ratioInterval } from './interval';

const BASE = [100, 101, 102];

/**
 * Judges a published change from 100 to `published` against a run. Its baseline is {@link BASE}, and its trials have the values `values`.
 */
function agree(
  published: number | null,
  values: number[],
  {
    against = BASE,
    base = 100,
    family = 1,
  }: { against?: number[]; base?: number | null; family?: number } = {},
): Agreement {
  return agreementOf({
    published,
    publishedBaseline: base,
    comparison: values.length === 0 ? null : compareFamily([{ values, against }], 0.05)[0]!,
    ownBaseline: mean(against),
    widened: ratioInterval(values, against, 1 - (1 - LEVEL) / family),
    margin: 0.05,
  });
}

describe('the direction', () => {
  test('agrees if both rise, both fall, or neither changes by more than the margin', () => {
    expect(agree(170, [120, 121, 122])).toMatchObject({
      direction: 'agrees',
      word: 'higher',
      directionWhy: '',
    });
    expect(agree(50, [80, 81, 82])).toMatchObject({ direction: 'agrees', word: 'lower' });
    expect(agree(99.7, [100, 101, 102])).toMatchObject({
      direction: 'agrees',
      word: 'no difference within the margin',
    });
  });

  test('disagrees if the directions differ, or if only one of them changes', () => {
    expect(agree(170, [80, 81, 82]).direction).toBe('disagrees');
    expect(agree(170, [100, 101, 102]).direction).toBe('disagrees');
    expect(agree(100, [150, 151, 152]).direction).toBe('disagrees');
  });

  test('is unknown if the own change of the run is undecided, with the reason of the comparison', () => {
    expect(agree(170, [60, 120, 180])).toMatchObject({
      direction: 'cannot tell',
      directionWhy: expect.stringContaining('vary too much'),
    });
    expect(agree(170, [170])).toMatchObject({
      direction: 'cannot tell',
      directionWhy: 'one trial is not enough',
    });
  });

  test('is unknown if the words differ but the published ratio is in the interval', () => {
    const { direction, ratioAgrees } = agree(104, [105, 107.5, 110]);
    expect(direction).toBe('cannot tell');
    expect(ratioAgrees).toBe('agrees');
  });
});

describe('the ratio', () => {
  test('agrees if the published ratio is in a decided interval', () => {
    expect(agree(170, [169, 171, 173])).toMatchObject({ ratio: 1.7, ratioAgrees: 'agrees', ratioWhy: '' });
    expect(agree(100, [100, 101, 102]).ratioAgrees).toBe('agrees');
  });

  test('of the run is higher or lower if its whole interval is beyond the published one', () => {
    expect(agree(170, [120, 121, 122]).ratioAgrees).toBe('lower');
    expect(agree(110, [140, 141, 142]).ratioAgrees).toBe('higher');
    expect(agree(50, [80, 81, 82]).ratioAgrees).toBe('higher');
  });

  test('is unknown if the interval contains both the published ratio and no difference', () => {
    expect(agree(120, [90, 120, 150])).toMatchObject({
      ratioAgrees: 'cannot tell',
      ratioWhy: expect.stringContaining('but also no change'),
    });
  });

  test('can be known although the direction is undecided, if the interval contains no difference but not the published ratio', () => {
    const { direction, ratioAgrees } = agree(500, [98, 103, 110]);
    expect(direction).toBe('cannot tell');
    expect(ratioAgrees).toBe('lower');
  });

  test('is unknown if it is outside the interval, but inside it once that is widened for all compared ratios', () => {
    const values = [118, 121, 124];
    const high = ratioInterval(values, BASE)!.high;
    const published = 100 * (high + 0.002);
    expect(agree(published, values).ratioAgrees).toBe('lower');
    expect(agree(published, values, { family: 12 })).toMatchObject({
      ratioAgrees: 'cannot tell',
      ratioWhy: expect.stringContaining('widened'),
    });
  });

  test('is unknown with one trial, which has no interval', () => {
    expect(agree(170, [170])).toMatchObject({
      ratioAgrees: 'cannot tell',
      ratioWhy: 'one trial is not enough',
    });
  });
});

describe('a baseline of 0', () => {
  const none = { against: [0, 0, 0], base: 0 };

  test('has a direction and no ratio', () => {
    expect(agree(194_262, [10, 12, 14], none)).toMatchObject({
      ratio: null,
      direction: 'agrees',
      ratioAgrees: 'cannot tell',
    });
    expect(agree(194_262, [0, 0, 0], none)).toMatchObject({ word: 'higher', direction: 'disagrees' });
    expect(agree(0, [0, 0, 0], none)).toMatchObject({ direction: 'agrees' });
  });

  test('only in this run leaves the published ratio without a ratio to compare with', () => {
    expect(agree(990, [0, 0, 0], { against: [0, 0, 0] })).toMatchObject({
      ratio: 9.9,
      direction: 'disagrees',
      ratioAgrees: 'cannot tell',
      ratioWhy: expect.stringContaining('baseline of this run is 0'),
    });
  });
});

test('values that are not published or not measured give no result', () => {
  expect(agree(null, [120, 121, 122])).toMatchObject({ word: null, ratio: null, direction: 'cannot tell' });
  expect(agree(170, [120, 121, 122], { base: null })).toMatchObject({ word: null, ratio: null });
  expect(agree(170, [])).toMatchObject({ ratio: 1.7, direction: 'cannot tell', ratioAgrees: 'cannot tell' });
});
