import type { GeneratorSummary, SeatSummary } from '../measurement/trial';
import { saySeats, saySeatsOver, seatsOver } from './seats';

const seat = (number: number, more: Partial<SeatSummary> = {}): SeatSummary => ({
  seat: number,
  host: `load-${number + 1}`,
  pid: 1,
  workers: 1,
  attempted: 1000,
  cpuMs: 100,
  utilisation: 0.1,
  lateMs: 1,
  clockOffsetMs: 3000,
  clockErrorMs: 2,
  ...more,
});
const sentence = (...seats: SeatSummary[]): string => saySeats({ seats } as GeneratorSummary);

test('seats that began together and sent equal parts give no warning', () => {
  expect(saySeats(null)).toBe('');
  expect(sentence(seat(0), seat(1, { attempted: 1050 }))).toBe('');
});

test('a seat that began late, or may have, and one that sent less than the others are named', () => {
  expect(sentence(seat(0), seat(1, { lateMs: 15, clockErrorMs: 8 }))).toBe(
    'seat 2 (load-2) may have begun 23 ms late',
  );
  expect(sentence(seat(0, { attempted: 1500 }), seat(1))).toBe(
    'seat 1 (load-1) sent 120% of an equal part, seat 2 (load-2) sent 80% of an equal part',
  );
});

describe('several trials', () => {
  test('show a seat by its means and its worst values', () => {
    const [first, second] = seatsOver([
      [seat(0, { labels: ['zone=a'] }), seat(1)],
      [seat(0, { attempted: 1500, utilisation: 0.4 }), seat(1, { attempted: 500, lateMs: 30 })],
    ]) as [ReturnType<typeof seatsOver>[number], ReturnType<typeof seatsOver>[number]];
    expect(first).toMatchObject({
      seat: 0,
      hosts: ['load-1'],
      labels: ['zone=a'],
      attempted: 1250,
      parts: { least: 1, most: 1.5 },
      uneven: true,
      apart: false,
      utilisation: 0.4,
      clockOffsetMs: 3000,
    });
    expect(second).toMatchObject({ parts: { least: 0.5, most: 1 }, apartMs: 32, apart: true, labels: [] });
    expect(saySeatsOver([first, second])).toBe(
      'seat 1 (load-1) sent 150% of an equal part, seat 2 (load-2) may have begun 32 ms late, ' +
        'seat 2 (load-2) sent 50% of an equal part',
    );
  });

  test('name every machine that had a seat, and have no clock if none was reported', () => {
    const clocks = { clockOffsetMs: null, clockErrorMs: null };
    const over = seatsOver([[seat(0, clocks)], [seat(0, { ...clocks, host: 'load-9', pid: 4 })]]);
    expect(over).toMatchObject([
      { hosts: ['load-1', 'load-9'], pids: [1, 4], clockOffsetMs: null, clockErrorMs: null },
    ]);
    expect(saySeatsOver(over)).toBe('');
    expect(seatsOver([])).toEqual([]);
  });
});
