import { parseQuiet, quietWithin, wallClock } from './quiet';

const at = (time: string): number => Date.parse(time);

test.each([
  ['Mon-Fri 08:00-18:00', '2026-11-20T07:30:00Z', 'Europe/Berlin', true],
  ['Mon-Fri 08:00-18:00', '2026-11-20T07:30:00Z', 'UTC', false],
  ['Mon-Fri 08:00-18:00', '2026-11-20T18:00:00Z', 'UTC', false],
  ['Mon-Fri 08:00-18:00', '2026-11-21T12:00:00Z', 'UTC', false],
  ['Sat,Sun', '2026-11-22T23:59:00Z', 'UTC', true],
  ['Fri-Mon', '2026-11-23T10:00:00Z', 'UTC', true],
  ['22:00-06:00', '2026-11-20T23:00:00Z', 'UTC', true],
  ['22:00-06:00', '2026-11-20T06:00:00Z', 'UTC', false],
  // A period across midnight belongs to the day on which it begins.
  ['Fri 22:00-06:00', '2026-11-21T05:00:00Z', 'UTC', true],
  ['Fri 22:00-06:00', '2026-11-20T05:00:00Z', 'UTC', false],
  ['2026-12-20 to 2027-01-03', '2027-01-03T23:30:00Z', 'UTC', true],
  ['2026-12-20 to 2027-01-03', '2027-01-03T23:30:00Z', 'Europe/Berlin', false],
  ['2026-12-24', '2026-12-24T12:00:00Z', 'UTC', true],
])('%s holds at %s in %s: %s', (quiet, time, zone, holds) => {
  expect(quietWithin([quiet], zone, at(time)) !== undefined).toBe(holds);
});

test('a run that reaches into a period overlaps it, however long the run is', () => {
  const quiet = ['Mon-Fri 08:00-18:00', '2027-02-01'];
  const from = at('2026-11-20T02:00:00Z');
  expect(quietWithin(quiet, 'UTC', from, from + 5 * 3_600_000)).toBeUndefined();
  expect(quietWithin(quiet, 'UTC', from, from + 6 * 3_600_000)).toBe('Mon-Fri 08:00-18:00');
  expect(quietWithin(['2026-12-24'], 'UTC', from, from + 60 * 86_400_000)).toBe('2026-12-24');
});

test.each([
  '',
  'Mon-Funday',
  '8-18',
  '08:00',
  '08:00-08:00',
  '25:00-26:00',
  '2026-02-30',
  '2026-12-24 to',
  'Mon 08:00-09:00 UTC',
])('%p is not a quiet period', (text) => expect(parseQuiet(text)).toBeUndefined());

test('the local time of a zone follows its daylight saving', () => {
  expect(wallClock(at('2026-07-01T01:00:00Z'), 'Europe/Berlin')).toBe('2026-07-01 03:00');
  expect(wallClock(at('2026-12-01T02:00:00Z'), 'Europe/Berlin')).toBe('2026-12-01 03:00');
});
