/** The machines that generated the load together, side by side, over the completed trials. */
import { isApart, isUneven, judgeSeats, type SeatJudgement } from '../../analysis/seats';
import { formatMs, formatNumber } from '../../units/format';
import type { Report } from '../model/report';
import { cell, left, right, type Table } from './table';

const NOTE =
  'Mean over the completed trials, and the worst of them. A seat that may have begun over 20 ms late, or whose part differs by more ' +
  'than a tenth from an equal one, loaded the cluster otherwise than the rest. The wall clock of a machine is not used; its ' +
  'difference from the common clock is shown for information.';

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function rowOf(own: readonly SeatJudgement[]): Table['rows'][number] {
  const [{ summary: first }] = own as [SeatJudgement];
  const parts = own.map(({ part }) => part);
  const [least, most] = [Math.min(...parts), Math.max(...parts)].map((part) => `${Math.round(part * 100)}%`);
  const offsets = own.flatMap(({ summary }) => summary.clockOffsetMs ?? []);
  return [
    cell(`${first.seat + 1}`),
    cell([...new Set(own.map(({ summary }) => summary.host))].join(', ')),
    cell(`${first.workers}`),
    cell(formatNumber(Math.round(mean(own.map(({ summary }) => summary.attempted))))),
    cell(least === most ? least! : `${least} to ${most}`, own.some(isUneven) ? 'doubt' : undefined),
    cell(formatMs(Math.max(...own.map(({ apartMs }) => apartMs))), own.some(isApart) ? 'doubt' : undefined),
    cell(`${Math.round(mean(own.map(({ summary }) => summary.cpuMs)) / 10)}%`),
    cell(`${Math.round(Math.max(...own.map(({ summary }) => summary.utilisation)) * 100)}%`),
    cell(offsets.length === 0 ? '–' : formatMs(mean(offsets))),
  ];
}

/** Null where one machine generated the load. */
export function seatsTable(report: Report): Table | null {
  const judged = report.trials.flatMap(({ state, seats }) =>
    state === 'completed' && seats !== undefined ? judgeSeats(seats) : [],
  );
  if (judged.length === 0) return null;
  const bySeat = new Map<number, SeatJudgement[]>();
  for (const one of judged) {
    const { seat } = one.summary;
    bySeat.set(seat, [...(bySeat.get(seat) ?? []), one]);
  }
  return {
    title: 'Machines that generated the load',
    note: NOTE,
    columns: [
      right('seat'),
      left('machine'),
      right('threads'),
      right('sent a trial'),
      right('of an equal part'),
      right('began late, at most'),
      right('CPU, of one core'),
      right('busiest thread'),
      right('wall clock off by'),
    ],
    rows: [...bySeat].sort(([a], [b]) => a - b).map(([, own]) => rowOf(own)),
  };
}
