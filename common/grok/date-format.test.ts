import { compileDateFormat } from './date-format';

const NOW = Date.UTC(2026, 0, 2, 12);

test.each<[string, string, string | null]>([
  ['dd/MMM/yyyy:HH:mm:ss Z', '20/Nov/2026:15:40:00 +0100', '2026-11-20T14:40:00.000Z'],
  ['dd/MMM/yyyy:HH:mm:ss Z', '32/Nov/2026:15:40:00 +0100', null],
  ['dd/MMM/yyyy:HH:mm:ss Z', '20/Foo/2026:15:40:00 +0100', null],
  ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", '2026-11-20T15:40:00.123Z', '2026-11-20T15:40:00.123Z'],
  ['yyyy-MM-dd HH:mm:ss', '2026-11-20 15:40:00', '2026-11-20T15:40:00.000Z'],
  ['MMM d HH:mm:ss', 'Jan  2 11:00:00', '2026-01-02T11:00:00.000Z'],
  ['MMM d HH:mm:ss', 'Dec 31 23:00:00', '2025-12-31T23:00:00.000Z'],
  ['ISO8601', '2026-11-20T15:40:00,5+02:00', '2026-11-20T13:40:00.500Z'],
  ['ISO8601', '2026-11-20 15:40', '2026-11-20T15:40:00.000Z'],
  ['ISO8601', 'today', null],
  ['UNIX', '1763653200.5', '2025-11-20T15:40:00.500Z'],
  ['UNIX_MS', '1763653200500', '2025-11-20T15:40:00.500Z'],
])('%s of %s', (format, text, expected) => {
  const ms = compileDateFormat(format, () => NOW)!(text);
  expect(ms === null ? null : new Date(ms).toISOString()).toBe(expected);
});

test.each(['', 'HH:mm', 'yyyy', 'yyyy-MM-dd EEE', 'dd/MM dd', 'clf'])('%j is not a time format', (format) => {
  expect(compileDateFormat(format)).toBeUndefined();
});
