import { parseBytes } from './bytes';
import { parseDuration } from './duration';
import { formatBytes, formatDuration, formatMs, formatNumber, formatPercent } from './format';

describe('durations and sizes', () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['1.5m', 90_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
  ])('%s is %i ms', (text, ms) => expect(parseDuration(text)).toBe(ms));

  it.each(['5', '-1s', 's', '1 s', '1w', ''])('%p is not a duration', (text) =>
    expect(parseDuration(text)).toBeUndefined(),
  );

  it.each([
    ['512b', 512],
    ['5mb', 5 * 1024 ** 2],
    ['5MB', 5 * 1024 ** 2],
    ['1.5kb', 1536],
  ])('%s is %i bytes', (text, bytes) => expect(parseBytes(text)).toBe(bytes));
});

describe('numbers for people', () => {
  it('have thousands separators or three digits', () => {
    expect(formatNumber(12_345.6)).toBe('12,346');
    expect(formatNumber(0.012345)).toBe('0.0123');
    expect(formatNumber(null)).toBe('–');
  });

  it('have units', () => {
    expect(formatPercent(0.0125)).toBe('1.25%');
    expect([0, 1e-5, 1.34e-8].map(formatPercent)).toEqual(['0%', '0.001%', 'under 0.001%']);
    expect(formatMs(1234)).toBe('1,234 ms');
    expect(formatMs(12_345)).toBe('12.3 s');
    expect(formatBytes(1536)).toBe('1.5 KB');
    expect(formatDuration(3_599_600)).toBe('1h 00m');
    expect(formatDuration(65_000)).toBe('1m 05s');
  });
});
