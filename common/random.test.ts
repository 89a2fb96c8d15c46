import { createRandom, deriveSeed, shuffled } from './random';

describe('seeded random numbers', () => {
  it('are the same for the same seed', () => {
    const take = (seed: number): number[] => Array.from({ length: 5 }, createRandom(seed).next);
    expect(take(1)).toEqual(take(1));
    expect(take(1)).not.toEqual(take(2));
  });

  it('fill a range evenly', () => {
    const random = createRandom(7);
    const counts = new Array<number>(10).fill(0);
    for (let i = 0; i < 100_000; i += 1) counts[random.below(10)]! += 1;
    // Chi-square with 9 degrees of freedom is below 27.9 with a probability of 0.999.
    expect(counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)).toBeLessThan(27.9);
  });

  it('differ between the streams of one seed', () => {
    expect(deriveSeed(1, 'ingest', 0)).not.toBe(deriveSeed(1, 'ingest', 1));
    expect(deriveSeed(1, 'a', 'bc')).not.toBe(deriveSeed(1, 'ab', 'c'));
  });

  it('are used to shuffle without losing anything', () => {
    const items = [1, 2, 3, 4, 5];
    expect(shuffled(items, createRandom(3)).sort()).toEqual(items);
    expect(items).toEqual([1, 2, 3, 4, 5]);
  });
});
