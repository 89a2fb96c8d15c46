import { createRandom } from '../random';
import { AliasDraw } from './alias-draw';

test('draws each number by its weight, even the rarest', () => {
  const weights = [5, 0.5, 4, 0, 0.5];
  const draw = new AliasDraw(weights);
  const random = createRandom(1);
  const counts = weights.map(() => 0);
  const draws = 100_000;
  for (let i = 0; i < draws; i += 1) counts[draw.draw(random)]! += 1;
  counts.forEach((count, at) => {
    const expected = weights[at]! / 10;
    // Five standard deviations of the observed share.
    const tolerance = 5 * Math.sqrt((expected * (1 - expected)) / draws);
    expect(Math.abs(count / draws - expected)).toBeLessThanOrEqual(tolerance);
  });
});

test('the same stream of random numbers gives the same draws', () => {
  const draw = new AliasDraw([1, 2, 3]);
  const ten = (seed: number): number[] => {
    const random = createRandom(seed);
    return Array.from({ length: 10 }, () => draw.draw(random));
  };
  expect(ten(3)).toEqual(ten(3));
});
