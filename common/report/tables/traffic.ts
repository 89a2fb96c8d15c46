/** Builds the tables of replayed traffic: the outcomes of its requests. */
import { trafficAccountedFor, type TrafficAccount } from '../../measurement/traffic';
import { formatNumber, formatPercent } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { Report } from '../model/report';
import { cell, left, optional, right, type Table } from './table';

function replayed(report: Report, task: string): { name: string; traffic: TrafficAccount }[] {
  const { names } = cellNames(report);
  return report.cells.flatMap(({ tasks }, at) => {
    const traffic = tasks.find((own) => own.task === task)?.traffic;
    return traffic === undefined ? [] : [{ name: names[at]!, traffic }];
  });
}

/** Builds the table of the outcomes of all recorded requests. Null for tasks that do not replay traffic. */
export function trafficTable(report: Report, task: string): Table | null {
  const rows = replayed(report, task);
  if (rows.length === 0) return null;
  const isLost = rows.some(({ traffic }) => trafficAccountedFor(traffic) !== traffic.records);
  return {
    title: `Recorded requests of ${task}, over all trials with their warm-up`,
    note: [
      isLost
        ? 'The outcomes do NOT add up to the requests read.'
        : 'The outcomes add up to the requests read.',
      'Not sent: read and not yet sent when the load ended.',
      rows.some(({ traffic }) => traffic.waited > 0)
        ? 'Waited: due before an earlier request of the same connection was answered, or before the answer with an id that the request uses.'
        : '',
      rows.some(({ traffic }) => traffic.untranslated > 0)
        ? 'Ids as recorded: ids and versions for which no own answer contained a new one.'
        : '',
    ]
      .filter(Boolean)
      .join(' '),
    columns: [
      left(cellNames(report).heading),
      right('requests read'),
      right('sent'),
      right('left out'),
      right('not sent'),
      right('waited'),
      optional(right('ids as recorded')),
    ],
    rows: rows.map(({ name, traffic }) => [
      cell(name),
      cell(formatNumber(traffic.records)),
      cell(formatNumber(traffic.sent)),
      cell(formatNumber(traffic.leftOut)),
      cell(formatNumber(traffic.unsent)),
      cell(formatNumber(traffic.waited)),
      cell(traffic.untranslated === 0 ? '' : formatNumber(traffic.untranslated), 'warning'),
    ]),
  };
}

/** Builds the table of the reasons why requests were left out. Null if no requests were left out. */
export function leftOutTable(report: Report, task: string): Table | null {
  const rows = replayed(report, task).flatMap(({ name, traffic }) =>
    Object.entries(traffic.reasons)
      .sort(([, one], [, other]) => other - one)
      .map(([why, count]) => [
        cell(name),
        cell(why),
        cell(formatNumber(count)),
        cell(formatPercent(count / traffic.records)),
      ]),
  );
  if (rows.length === 0) return null;
  return {
    title: `Recorded requests of ${task} that were left out`,
    note: '',
    columns: [left(cellNames(report).heading), left('why'), right('requests'), right('share')],
    rows,
  };
}
