/** Builds the tables of parsed raw lines: the times of parsing and indexing, and the outcome of every line. */
import { microsecondsPerLine, parserShares, type ParseLimit } from '../../analysis/parse-limit';
import { accountedLines, type ParserFigures } from '../../measurement/parse';
import { formatNumber, formatPercent } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { Report, ReportTask } from '../model/report';
import { cell, left, optional, right, type Table, type Tone } from './table';

type Parsed = { name: string; parsing: NonNullable<ReportTask['parsing']> };

function parsed(report: Report, task: string): Parsed[] {
  const { names } = cellNames(report);
  return report.cells.flatMap(({ tasks }, at) => {
    const parsing = tasks.find((own) => own.task === task)?.parsing;
    return parsing ? [{ name: names[at]!, parsing }] : [];
  });
}

const byWorkers = (rows: readonly Parsed[]): { name: string; parsers: ParserFigures }[] =>
  rows.flatMap(({ name, parsing: { summary } }) =>
    summary.by === 'workers' ? [{ name, parsers: summary.parsers }] : [],
  );

const TONES: Partial<Record<ParseLimit['name'], Tone>> = { parsing: 'warning', undecided: 'quiet' };
const micro = (value: number | null): string => (value === null ? '' : formatNumber(value));

/**
 * Builds the table of the times of parsing and indexing. It also shows which of the two was the bottleneck. Null for tasks that do not
 * parse.
 */
export function parseTable(report: Report, task: string): Table | null {
  const rows = parsed(report, task);
  if (rows.length === 0) return null;
  const cores = report.provenance?.generator.cores ?? Infinity;
  const crowded = byWorkers(rows).some(({ parsers }) => parsers.workers > cores);
  return {
    title: `Parsing of the lines of ${task}`,
    note: [
      'Parsing is the limit if the parsers are always busy and clients wait for them. Indexing is the limit if a full queue blocks the parsers and no client waits.',
      'µs of parsing are CPU time of the parsers, or time in the target’s pipeline; µs of indexing are thread time of the nodes per document, all copies of it.',
      crowded
        ? `More parsers than the ${formatNumber(cores)} cores of this machine do not parse faster.`
        : '',
    ]
      .filter(Boolean)
      .join(' '),
    columns: [
      left(cellNames(report).heading),
      right('parsers'),
      right('µs a line'),
      right('indexing, µs'),
      optional(right('parsers busy')),
      optional(right('queue full')),
      optional(right('no lines')),
      optional(right('clients waited')),
      left('limit'),
      left('why'),
    ],
    rows: rows.map(({ name, parsing: { summary, limit, indexing } }) => {
      const parsers = summary.by === 'workers' ? summary.parsers : null;
      const shares = parsers && parserShares(parsers);
      const percent = (share: number | undefined) => cell(share === undefined ? '' : formatPercent(share));
      return [
        cell(name),
        parsers
          ? cell(formatNumber(parsers.workers), parsers.workers > cores ? 'warning' : undefined)
          : cell('the target'),
        cell(
          micro(
            summary.by === 'workers'
              ? microsecondsPerLine(summary.parsers.times)
              : perDocument(summary.pipeline),
          ),
        ),
        cell(micro(perDocument(indexing))),
        percent(shares?.busy),
        percent(shares?.blocked),
        percent(shares?.hungry),
        percent(shares?.waited),
        cell(limit.name, TONES[limit.name]),
        cell(limit.why, 'quiet'),
      ];
    }),
  };
}

const perDocument = (times: { documents: number; timeMs: number } | null): number | null =>
  times === null || times.documents === 0 ? null : (times.timeMs * 1000) / times.documents;

/**
 * Builds the table of the outcome of every line, with the first unparsed lines. Null if an ingest pipeline of the cluster parses the lines.
 */
export function unparsedTable(report: Report, task: string): Table | null {
  const rows = byWorkers(parsed(report, task));
  if (rows.length === 0) return null;
  const lost = rows.some(({ parsers: { account } }) => accountedLines(account) !== account.lines);
  const examples = rows.flatMap(({ name, parsers }) =>
    parsers.account.examples.map(({ line, reason, text }) => `${name}, line ${line} ${reason}: ${text}`),
  );
  return {
    title: `Lines of ${task}, over all trials with their warm-up`,
    note: [
      lost ? 'The outcomes do NOT add up to the lines read.' : 'The outcomes add up to the lines read.',
      'Waiting: read and not yet parsed when the load ended. Not sent: parsed and not yet sent.',
      ...examples.slice(0, 3),
    ].join(' '),
    columns: [
      left(cellNames(report).heading),
      right('lines read'),
      right('parsed'),
      right('unparsed'),
      right('waiting'),
      right('documents'),
      right('not sent'),
    ],
    rows: rows.map(({ name, parsers: { account } }) => [
      cell(name),
      cell(formatNumber(account.lines)),
      cell(formatNumber(account.parsed)),
      cell(formatNumber(account.unparsed), account.unparsed > 0 ? 'bad' : undefined),
      cell(formatNumber(account.waiting)),
      cell(formatNumber(account.documents)),
      cell(formatNumber(account.unsent)),
    ]),
  };
}
