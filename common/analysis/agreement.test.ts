import { sematextRefresh } from '../presets/sematext-refresh';
import { refreshRun } from '../report/fixture';
import { agreementOf } from './agreement';
import { compareFamily } from './comparison';

const { published } = sematextRefresh;
const [baseline, , last] = refreshRun().run.plan.cells as [never, never, never];
const agreement = (values: number[]) =>
  agreementOf(
    published,
    last,
    baseline,
    compareFamily([{ values, against: [100, 101, 102] }], 0.05)[0]!,
    0.05,
  );

test('a published ratio agrees in direction, and tells whether it lies within the interval', () => {
  expect(agreement([120, 121, 122])).toMatchObject({
    throughput: 3400,
    ratio: 1.7,
    direction: 'agrees',
    within: false,
  });
  expect(agreement([169, 171, 173])).toMatchObject({ direction: 'agrees', within: true });
});

test('it disagrees with a fall and with no difference, and cannot tell of what is undecided', () => {
  expect(agreement([80, 81, 82]).direction).toBe('disagrees');
  expect(agreement([100, 101, 102]).direction).toBe('disagrees');
  expect(agreement([90, 120, 150]).direction).toBe('cannot tell');
});

test('the baseline has a figure and nothing to agree with', () => {
  expect(agreementOf(published, baseline, baseline, null, 0.05)).toMatchObject({
    throughput: 2000,
    ratio: 1,
    direction: 'cannot tell',
    within: null,
  });
});

test('a cell that the account does not have stays empty', () => {
  const cell = { index: 3, id: 'x', label: 'x', levels: { 'index.settings.refresh_interval': '60s' } };
  expect(agreementOf(published, cell, baseline, null, 0.05)).toMatchObject({
    row: null,
    throughput: null,
    ratio: null,
  });
});
