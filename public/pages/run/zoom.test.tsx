import { stretchOf, widened } from './zoom';

describe('a stretch of time in an address', () => {
  const from = '2026-11-03T02:00:00.000Z';
  const to = '2026-11-03T02:05:00.000Z';

  it('is taken as it stands', () => expect(stretchOf(from, to)).toEqual({ from, to }));

  it.each([
    ['', to],
    [from, 'yesterday'],
    [to, from],
    ['2026-13-03T02:00:00.000Z', to],
    ['2026', to],
  ])('is none from %p to %p', (a, b) => expect(stretchOf(a, b)).toEqual({ from: '', to: '' }));
});

describe('a stretch that was drawn', () => {
  it('is at least five seconds long', () => expect(widened(10_000, 10_001)).toEqual([7500, 12_501]));
  it('is left as it is where it is longer', () => expect(widened(0.5, 9000.5)).toEqual([0, 9001]));
});
