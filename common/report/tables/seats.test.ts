import { seatsOver } from '../../analysis/seats';
import type { SeatSummary } from '../../measurement/trial';
import { seatsTableOf } from './seats';
import { withoutEmptyColumns, type TableCell } from './table';

const seat = (number: number, more: Partial<SeatSummary> = {}): SeatSummary => ({
  seat: number,
  host: `load-${number + 1}`,
  pid: 1,
  workers: 2,
  attempted: 1000,
  cpuMs: 100,
  utilisation: 0.1,
  lateMs: 1,
  clockOffsetMs: -3,
  clockErrorMs: 2,
  ...more,
});

/** Returns the rows of the table of machines that generate load. Each row is an object with the names of the columns as keys. */
function rowsOf(seats: readonly SeatSummary[]): Record<string, TableCell>[] {
  const { columns, rows } = withoutEmptyColumns(seatsTableOf(seatsOver([seats]))!);
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]!])));
}

test('each machine has a row with its labels, and one that did less or began late is marked', () => {
  const [first, second] = rowsOf([
    seat(0, { labels: ['zone=a', 'rack=7'], attempted: 1300 }),
    seat(1, { lateMs: 40, attempted: 700 }),
  ]);
  expect(first).toMatchObject({
    machine: { text: 'load-1' },
    process: { text: '1' },
    labels: { text: 'zone=a, rack=7' },
    'of an equal part': { text: '130%', tone: 'warning' },
    'wall clock off by': { text: '-3 ms' },
  });
  expect(second).toMatchObject({
    labels: { text: '' },
    'of an equal part': { text: '70%', tone: 'warning' },
    'began late, at most': { text: '42 ms', tone: 'warning' },
  });
});

test('there is no column for labels if no machine has any', () => {
  expect(Object.keys(rowsOf([seat(0), seat(1)])[0]!)).not.toContain('labels');
  expect(seatsTableOf([])).toBeNull();
});
