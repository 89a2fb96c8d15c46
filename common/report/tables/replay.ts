/** Builds the tables of a replayed log: the outcomes of its lines. */
import { accountedFor } from '../../measurement/replay';
import { formatNumber, formatPercent } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { Report, ReportTask } from '../model/report';
import { cell, left, optional, right, type Table } from './table';

type Replayed = { name: string; replay: NonNullable<ReportTask['replay']> };

function replayed(report: Report, task: string): Replayed[] {
  const { names } = cellNames(report);
  return report.cells.flatMap(({ tasks }, at) => {
    const replay = tasks.find((own) => own.task === task)?.replay;
    return replay ? [{ name: names[at]!, replay }] : [];
  });
}

/** Builds the table of the outcomes of all lines. Null for tasks that do not replay a log. */
export function replayTable(report: Report, task: string): Table | null {
  const rows = replayed(report, task);
  if (rows.length === 0) return null;
  const lost = rows.some(({ replay }) => accountedFor(replay) !== replay.lines);
  return {
    title: `Lines of the log of ${task}, over all trials with their warm-up`,
    note: [
      lost ? 'The outcomes do NOT add up to the lines read.' : 'The outcomes add up to the lines read.',
      'Malformed lines, and lines of old versions without a rule (refused), were not sent. Not sent: read and not yet sent when the load ended.',
      rows.some(({ replay }) => replay.late > 0)
        ? 'Late: so far out of order that they were sent as soon as they were read.'
        : '',
    ]
      .filter(Boolean)
      .join(' '),
    columns: [
      left(cellNames(report).heading),
      right('lines read'),
      right('sent'),
      right('other types'),
      optional(right('other shards and phases')),
      right('malformed'),
      right('refused'),
      right('not sent'),
      right('rewritten'),
      right('out of order'),
      optional(right('late')),
    ],
    rows: rows.map(({ name, replay }) => [
      cell(name),
      cell(formatNumber(replay.lines)),
      cell(formatNumber(replay.sent)),
      cell(formatNumber(replay.otherType)),
      cell(replay.repeated === 0 ? '' : formatNumber(replay.repeated)),
      cell(formatNumber(replay.malformed), replay.malformed > 0 ? 'bad' : undefined),
      cell(formatNumber(replay.refused), replay.refused > 0 ? 'bad' : undefined),
      cell(formatNumber(replay.unsent)),
      cell(formatNumber(replay.rewritten)),
      cell(formatNumber(replay.outOfOrder)),
      cell(replay.late === 0 ? '' : formatNumber(replay.late), 'warning'),
    ]),
  };
}

/**
 * Builds the table of lines that were not sent unchanged: the rewrites of old queries, the reasons why lines were not sent, and examples.
 * Null if every line was sent unchanged.
 */
export function replayLinesTable(report: Report, task: string): Table | null {
  const rows = replayed(report, task).flatMap(({ name, replay }) => {
    const share = (count: number): string => formatPercent(count / replay.lines);
    const counted = (what: string, of: Record<string, number>, tone: 'quiet' | 'bad') =>
      Object.entries(of).map(([why, count]) => [
        cell(name),
        cell(what, tone),
        cell(why),
        cell(formatNumber(count)),
        cell(share(count)),
      ]);
    const examples = (what: string, of: typeof replay.malformedExamples) =>
      of.map(({ line, reason, text }) => [
        cell(name),
        cell(what, 'bad'),
        cell(`line ${formatNumber(line)} ${reason}: ${text}`),
        cell(''),
        cell(''),
      ]);
    return [
      ...counted('rewritten', replay.rules, 'quiet'),
      ...counted('refused', replay.refusals, 'bad'),
      ...examples('malformed', replay.malformedExamples),
      ...examples('refused', replay.refusedExamples),
    ];
  });
  if (rows.length === 0) return null;
  return {
    title: `Lines of the log of ${task} that were not sent unchanged`,
    note: 'A line may be counted under several rules. Lines are shown from the beginning of the log.',
    columns: [left(cellNames(report).heading), left('outcome'), left('why'), right('lines'), right('share')],
    rows,
  };
}
