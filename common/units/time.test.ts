import { isZone, parseHttpDate, parseTime, timeOfWallClock, wallClockAt } from './time';

const iso = (ms: number): string | null => (Number.isNaN(ms) ? null : new Date(ms).toISOString());

test.each([
  ['2026-03-29', '2026-03-29T00:00:00.000Z'],
  ['2026-03', '2026-03-01T00:00:00.000Z'],
  ['2026-03-29T02:30', '2026-03-29T02:30:00.000Z'],
  ['2026-03-29T02:30:00', '2026-03-29T02:30:00.000Z'],
  ['2026-03-29 02:30:00,5', '2026-03-29T02:30:00.500Z'],
  ['2026-03-29T02:30:00.123456789Z', '2026-03-29T02:30:00.123Z'],
  ['2026-03-29T02:30:00+02:00', '2026-03-29T00:30:00.000Z'],
  ['2026-03-29T02:30:00-0530', '2026-03-29T08:00:00.000Z'],
  ['2026-03-29T02:30:00+02', '2026-03-29T00:30:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['2026-12-31T24:00:00', '2027-01-01T00:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
])('%s without a zone is UTC on every machine', (text, expected) => {
  expect(iso(parseTime(text))).toBe(expected);
});

test.each([
  '',
  'now',
  '2026',
  '1774751400000',
  '2026-02-30',
  '2026-13-01',
  '2026-00-10',
  '2026-03-29T25:00',
  '2026-03-29T24:00:01',
  '2026-03-29T02:61',
  '2026-03-29T02:30:00+99:00',
  '29 Mar 2026',
  'Sun Mar 29 2026',
  '3/29/2026',
  '2026-3-9',
])('%p is not a time', (text) => {
  expect(parseTime(text)).toBeNaN();
});

test.each([
  ['Fri, 20 Nov 2026 10:00:00 GMT', '2026-11-20T10:00:00.000Z'],
  ['Friday, 20-Nov-26 10:00:00 GMT', '2026-11-20T10:00:00.000Z'],
  ['Fri Nov 20 10:00:00 2026', '2026-11-20T10:00:00.000Z'],
  ['soon', null],
])('the header date %s is UTC', (text, expected) => {
  expect(iso(parseHttpDate(text))).toBe(expected);
});

test.each([
  ['2026-07-14T22:30:00Z', 'Europe/Berlin', '2026-07-15T00:30:00.000Z'],
  ['2026-01-14T22:30:00Z', 'Europe/Berlin', '2026-01-14T23:30:00.000Z'],
  ['2026-01-14T22:30:00Z', 'America/New_York', '2026-01-14T17:30:00.000Z'],
  ['2026-01-14T22:30:00Z', 'Asia/Kolkata', '2026-01-15T04:00:00.000Z'],
  ['2026-01-14T22:30:00Z', 'UTC', '2026-01-14T22:30:00.000Z'],
])('at %s, clocks of %s show %s, and back', (at, zone, wall) => {
  expect(wallClockAt(parseTime(at), zone).toISOString()).toBe(wall);
  expect(timeOfWallClock(new Date(parseTime(wall)), zone)).toBe(parseTime(at));
});

test('a time that the clocks skip counts from before the gap, and of a time that occurs twice the first is used', () => {
  const at = (wall: string): string | null =>
    iso(timeOfWallClock(new Date(parseTime(wall)), 'Europe/Berlin'));
  expect(at('2026-03-29T01:59:00Z')).toBe('2026-03-29T00:59:00.000Z');
  expect(at('2026-03-29T02:30:00Z')).toBe('2026-03-29T01:30:00.000Z');
  expect(at('2026-03-29T03:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
  expect(at('2026-10-25T02:30:00Z')).toBe('2026-10-25T00:30:00.000Z');
  expect(at('2026-10-25T03:00:00Z')).toBe('2026-10-25T02:00:00.000Z');
});

test('names of zones are those of the IANA database', () => {
  expect(['Europe/Berlin', 'UTC'].every(isZone)).toBe(true);
  expect(['Berlin', '+01:00', 'Europe/Nowhere', ''].some(isZone)).toBe(false);
});
