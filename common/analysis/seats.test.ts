import type { GeneratorSummary, SeatSummary } from '../measurement/trial';
import { saySeats } from './seats';

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
const said = (...seats: SeatSummary[]): string => saySeats({ seats } as GeneratorSummary);

test('seats that began together and did as much as each other need no word', () => {
  expect(saySeats(null)).toBe('');
  expect(said(seat(0), seat(1, { attempted: 1050 }))).toBe('');
});

test('a seat that began late, or may have, and one that did less than the others are named', () => {
  expect(said(seat(0), seat(1, { lateMs: 15, clockErrorMs: 8 }))).toBe(
    'seat 2 (load-2) may have begun 23 ms late',
  );
  expect(said(seat(0, { attempted: 1500 }), seat(1))).toBe(
    'seat 1 (load-1) sent 120% of an equal part, seat 2 (load-2) sent 80% of an equal part',
  );
});
