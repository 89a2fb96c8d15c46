import { rejectionParamsSchema } from './params';
import { judgePast, windowsUntil } from './past';
import { figures } from './testing/made-figures';

const params = rejectionParamsSchema.parse({ warning: 0.1, critical: 0.5, window: '1m' });

test('windows are consecutive, and the last one ends at the end', () => {
  expect(windowsUntil(params, 600_000, 3)).toEqual([
    { from: 420_000, to: 480_000 },
    { from: 480_000, to: 540_000 },
    { from: 540_000, to: 600_000 },
  ]);
});

test('each window is judged after the one before it', () => {
  const windows = windowsUntil(params, 600_000, 3);
  const found = [0.1, 0.06, 0.01].map((rate) => [figures(rate)]);
  const levels = judgePast(params, windows, found).map(({ judgements }) => judgements[0]?.level);
  expect(levels).toEqual(['warning', 'warning', 'ok']);
});
