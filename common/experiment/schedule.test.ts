import { dueTimes, expressionOf, rhythmOf, scheduleProblem, scheduleWords } from './schedule';

describe('a schedule', () => {
  it.each([
    ['0 2 * * *', 'Every day at 02:00 UTC'],
    ['30 * * * *', 'Every hour, 30 minutes past'],
    ['5 22 * * 1-5', 'Every Monday, Tuesday, Wednesday, Thursday and Friday at 22:05 UTC'],
    ['0 6 * * SUN', 'Every Sunday at 06:00 UTC'],
    ['0 6 * * 7', 'Every Sunday at 06:00 UTC'],
    ['0 0 1 * *', 'On day 1 of every month at 00:00 UTC'],
    ['*/15 * * * *', 'Every 15 minutes'],
    ['*/1 * * * *', 'Every minute'],
    ['* * * * *', 'Every minute'],
    ['0 0 1 1 *', 'Cron: 0 0 1 1 * (UTC)'],
    ['every 6h', 'Every 6h'],
  ])('%s is: %s', (expression, words) => expect(scheduleWords(expression)).toBe(words));

  it.each(['0 2 * * *', '30 * * * *', '5 22 * * 1,3', '0 0 31 * *'])(
    '%s comes back from the form as it went in',
    (expression) => expect(expressionOf(rhythmOf(expression)!)).toBe(expression),
  );

  it('falls due in UTC', () => {
    const due = dueTimes('0 2 * * *', 2, new Date('2026-03-28T12:00:00Z'));
    expect(due.map((time) => time.toISOString())).toEqual([
      '2026-03-29T02:00:00.000Z',
      '2026-03-30T02:00:00.000Z',
    ]);
  });

  it('falls due at multiples of its interval, on every host the same', () => {
    const due = dueTimes('every 90m', 3, new Date('2026-11-20T00:00:00Z'));
    expect(due.map((time) => time.toISOString())).toEqual([
      '2026-11-20T01:30:00.000Z',
      '2026-11-20T03:00:00.000Z',
      '2026-11-20T04:30:00.000Z',
    ]);
  });

  it.each([
    'every day',
    'every',
    'every 30s',
    'every 6h 5m',
    'every -1h',
    'every 36501d',
    'every 99999999999h',
    '61 * * * *',
    '',
    '* * * * * *',
    '0 0 31 2 *',
  ])('refuses %p', (expression) => {
    expect(scheduleProblem(expression)?.problems[0]).toMatchObject({ path: 'schedule' });
    expect(dueTimes(expression, 3, new Date())).toEqual([]);
  });
});
