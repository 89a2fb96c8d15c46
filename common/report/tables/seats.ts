/** Builds the table of the machines that generated the load together, over the completed trials. */
import { seatsOver, type SeatOverTrials } from '../../analysis/seats';
import { formatMs, formatNumber } from '../../units/format';
import type { Report } from '../model/report';
import { cell, left, optional, right, type Table } from './table';

const NOTE =
  'Means over the completed trials; delays and parts are those of the worst trial. A seat that may have begun more than 20 ms late, or ' +
  'whose part differs by more than a tenth from an equal part, loaded the cluster differently from the others. The wall clock of a ' +
  'machine is not used; its difference from the common clock is for information only.';

function rowOf(seat: SeatOverTrials): Table['rows'][number] {
  const { parts } = seat;
  const [least, most] = [parts.least, parts.most].map((part) => `${Math.round(part * 100)}%`);
  return [
    cell(`${seat.seat + 1}`),
    cell(seat.hosts.join(', ')),
    cell(seat.pids.join(', ')),
    cell(seat.labels.join(', ')),
    cell(`${seat.workers}`),
    cell(formatNumber(Math.round(seat.attempted))),
    cell(least === most ? least! : `${least} to ${most}`, seat.uneven ? 'warning' : undefined),
    cell(formatMs(seat.apartMs), seat.apart ? 'warning' : undefined),
    cell(`${Math.round(seat.cpuMs / 10)}%`),
    cell(`${Math.round(seat.utilisation * 100)}%`),
    cell(formatMs(seat.clockOffsetMs)),
  ];
}

/** Builds the table of the machines that generated the load, from the result of {@link seatsOver}. Null without such results. */
export function seatsTableOf(seats: readonly SeatOverTrials[]): Table | null {
  if (seats.length === 0) return null;
  return {
    title: 'Machines that generated the load',
    note: NOTE,
    columns: [
      right('seat'),
      left('machine'),
      left('process'),
      optional(left('labels')),
      right('threads'),
      right('sent a trial'),
      right('of an equal part'),
      right('began late, at most'),
      right('CPU, of one core'),
      right('busiest thread'),
      right('wall clock off by'),
    ],
    rows: seats.map(rowOf),
  };
}

/** Returns the table of the machines that generated the load together. Null if one machine generated all of it. */
export const seatsTable = (report: Report): Table | null =>
  seatsTableOf(
    seatsOver(
      report.trials.flatMap(({ state, seats }) =>
        state === 'completed' && seats !== undefined ? [seats] : [],
      ),
    ),
  );
