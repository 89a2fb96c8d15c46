import {
  dueTimes,
  expressionOf,
  isOver,
  onceAt,
  onceExpression,
  rhythmOf,
  scheduleProblem,
  scheduleWords,
  withSchedule,
  type ScheduleSetting,
} from './schedule';
import { parseTime } from '../units/time';

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
    ['once 2026-12-01 22:00', 'Once, on 2026-12-01 at 22:00 UTC'],
    ['once 2026-12-01T22:00 Europe/Berlin', 'Once, on 2026-12-01 at 22:00 Europe/Berlin'],
  ])('%s is: %s', (expression, words) => expect(scheduleWords(expression)).toBe(words));

  it.each(['0 2 * * *', '30 * * * *', '5 22 * * 1,3', '0 0 31 * *'])(
    '%s stays the same when the form reads and writes it',
    (expression) => expect(expressionOf(rhythmOf(expression)!)).toBe(expression),
  );

  it('is due in UTC', () => {
    const due = dueTimes('0 2 * * *', 2, new Date(parseTime('2026-03-28T12:00:00Z')));
    expect(due.map((time) => time.toISOString())).toEqual([
      '2026-03-29T02:00:00.000Z',
      '2026-03-30T02:00:00.000Z',
    ]);
  });

  it('is due at multiples of its interval, at the same times on every host', () => {
    const due = dueTimes('every 90m', 3, new Date(parseTime('2026-11-20T00:00:00Z')));
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
    'once',
    'once tomorrow',
    'once 2026-12-01',
    'once 2026-02-30 10:00',
    'once 2026-12-01 25:00',
    'once 2026-12-01 24:00',
    'once 2026-12-01 10:00:30',
    'once 2026-12-01 10:00Z',
    'once 2026-12-01 10:00 +01:00',
    '2026-12-01 10:00',
  ])('refuses %p', (expression) => {
    expect(scheduleProblem(expression)?.problems[0]).toMatchObject({ path: 'schedule' });
    expect(dueTimes(expression, 3, new Date())).toEqual([]);
  });
});

describe('a schedule in a time zone', () => {
  const times = (setting: ScheduleSetting, from: string, count = 2): string[] =>
    dueTimes(setting, count, new Date(parseTime(from))).map((time) => time.toISOString());

  it('is due by the clock of its zone, in summer and in winter', () => {
    expect(times('0 3 * * * Europe/Berlin', '2026-07-01T00:00:00Z', 1)).toEqual(['2026-07-01T01:00:00.000Z']);
    expect(times({ cron: '0 3 * * *', zone: 'Europe/Berlin' }, '2026-12-01T00:00:00Z', 1)).toEqual([
      '2026-12-01T02:00:00.000Z',
    ]);
    expect(scheduleWords('0 3 * * * Europe/Berlin')).toBe('Every day at 03:00 Europe/Berlin');
  });

  it('is due after the gap if its time does not exist, and once if it exists twice', () => {
    expect(times('30 2 * * * Europe/Berlin', '2026-03-28T12:00:00Z')).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    expect(times('30 2 * * * Europe/Berlin', '2026-10-24T12:00:00Z')).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
    // The time between the two occurrences of the local time.
    expect(times('30 2 * * * Europe/Berlin', '2026-10-25T00:45:00Z', 1)).toEqual([
      '2026-10-26T01:30:00.000Z',
    ]);
    expect(times('30 2 * * * America/New_York', '2026-03-08T00:00:00Z', 1)).toEqual([
      '2026-03-08T07:00:00.000Z',
    ]);
  });

  it.each<[ScheduleSetting, string]>([
    ['0 3 * * * Europe/Nowhere', 'not a time zone'],
    [{ cron: '0 3 * * *', zone: '+02:00' }, 'not a time zone'],
    [{ cron: '0 3 * * *', quiet: ['at night'] }, 'not a quiet period'],
    [{ cron: '0 3 * *' }, 'not a cron expression'],
  ])('is refused if it is invalid: %p', (setting, what) =>
    expect(scheduleProblem(setting)?.message).toContain(what),
  );

  it('is written in its shortest form', () => {
    expect(withSchedule('0 3 * * *', { zone: 'Europe/Berlin' })).toBe('0 3 * * * Europe/Berlin');
    expect(withSchedule('0 3 * * * Europe/Berlin', { quiet: ['Sat,Sun'] })).toEqual({
      cron: '0 3 * * *',
      zone: 'Europe/Berlin',
      quiet: ['Sat,Sun'],
    });
    expect(withSchedule({ cron: '0 3 * * *', 'when-missed': 'skip' }, { whenMissed: 'run-once' })).toBe(
      '0 3 * * *',
    );
  });
});

describe('a schedule of one time', () => {
  const times = (setting: ScheduleSetting, from: string): string[] =>
    dueTimes(setting, 3, new Date(parseTime(from))).map((time) => time.toISOString());
  const at = (time: string): Date => new Date(parseTime(time));

  it('is due once, by the clock of its zone', () => {
    expect(times('once 2026-12-01 22:00', '2026-11-20T00:00:00Z')).toEqual(['2026-12-01T22:00:00.000Z']);
    expect(times('once 2026-12-01T22:00:00 Europe/Berlin', '2026-11-20T00:00:00Z')).toEqual([
      '2026-12-01T21:00:00.000Z',
    ]);
    expect(
      times({ cron: 'once 2028-02-29 23:30', zone: 'Pacific/Kiritimati' }, '2026-11-20T00:00:00Z'),
    ).toEqual(['2028-02-29T09:30:00.000Z']);
    expect(times('once 2026-12-31 23:59 Pacific/Pago_Pago', '2026-11-20T00:00:00Z')).toEqual([
      '2027-01-01T10:59:00.000Z',
    ]);
  });

  it('is due after the gap if its time does not exist, and the first time if it exists twice', () => {
    expect(times('once 2026-03-29 02:30 Europe/Berlin', '2026-01-01T00:00:00Z')).toEqual([
      '2026-03-29T01:00:00.000Z',
    ]);
    expect(times('once 2026-10-25 02:30 Europe/Berlin', '2026-01-01T00:00:00Z')).toEqual([
      '2026-10-25T00:30:00.000Z',
    ]);
  });

  it('is over once its time has passed, and no other schedule ever is', () => {
    expect(isOver('once 2026-12-01 22:00', at('2026-12-01T21:59:59Z'))).toBe(false);
    expect(isOver('once 2026-12-01 22:00', at('2026-12-01T22:00:00Z'))).toBe(true);
    expect(times('once 2026-12-01 22:00', '2026-12-01T22:00:00Z')).toEqual([]);
    expect(isOver('0 2 * * *', at('2026-12-01T22:00:00Z'))).toBe(false);
    expect(isOver('once 2026-13-01 22:00', at('2026-12-01T22:00:00Z'))).toBe(false);
  });

  it('is valid after its time, so the definition stays readable', () => {
    expect(scheduleProblem('once 2001-01-01 00:00')).toBeUndefined();
  });

  it('stays as written when the form reads it, with its zone', () => {
    expect(onceExpression(onceAt('once 2026-12-01T22:00')!)).toBe('once 2026-12-01 22:00');
    expect(withSchedule('once 2026-12-01 22:00', { zone: 'Europe/Berlin' })).toBe(
      'once 2026-12-01 22:00 Europe/Berlin',
    );
    expect(withSchedule('once 2026-12-01 22:00 Europe/Berlin', { whenMissed: 'skip' })).toEqual({
      cron: 'once 2026-12-01 22:00',
      zone: 'Europe/Berlin',
      'when-missed': 'skip',
    });
  });
});
