import { stretchOf, widened } from './zoom';

describe('a time range in an address', () => {
  const from = '2026-11-03T02:00:00.000Z';
  const to = '2026-11-03T02:05:00.000Z';

  it('is used unchanged', () => expect(stretchOf(from, to)).toEqual({ from, to }));

  it.each([
    ['', to],
    [from, 'yesterday'],
    [to, from],
    ['2026-13-03T02:00:00.000Z', to],
    ['2026', to],
  ])('is ignored from %p to %p', (a, b) => expect(stretchOf(a, b)).toEqual({ from: '', to: '' }));
});

describe('a selected time range', () => {
  it('is at least five seconds long', () => expect(widened(10_000, 10_001)).toEqual([7500, 12_501]));
  it('is not changed if it is longer', () => expect(widened(0.5, 9000.5)).toEqual([0, 9001]));
});
