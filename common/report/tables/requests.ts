/** Builds the tables of a task's requests: its named searches, or the requests of its transactions. */
import { routeNames, typesOf, type ReplayDefinition } from '../../tasks/replay';
import { resolveStoredCell } from '../../experiment/resolved-cells';
import type { LatencySummary } from '../../measurement/histogram';
import { ERRORS, sumOf } from '../../measurement/outcomes';
import { formatMs, formatNumber, formatPercent, plural } from '../../units/format';
import { rowsOf } from '../model/cell-names';
import type { Report, ReportCell, ReportTask } from '../model/report';
import { formatRecall } from './recall';
import { cell, left, right, type Table, type TableCell } from './table';

const UNKNOWN = '–: a trial of an older version of Dyno has no times of single requests.';

const failedCell = (failed: number): TableCell => cell(formatNumber(failed), failed > 0 ? 'bad' : undefined);
const times = (summary: LatencySummary | null, keys: readonly (keyof LatencySummary)[]): TableCell[] =>
  keys.map((key) => cell(formatMs(summary?.[key])));

/** Returns the table of named searches, or of the requests of a transaction. Null if the task has neither. */
export const requestsTable = (report: Report, task: string): Table | null =>
  rowsOf(report, task).rows.some(({ own }) => own.kind === 'transaction')
    ? partsTable(report, task)
    : searchesTable(report, task);

/**
 * Returns the definition of the replay for one combination of factor levels (`of`). It may differ between combinations, because types and
 * names may be factors. Undefined if the task is not a replay.
 */
const replayIn = ({ definition }: Report, of: ReportCell, own: ReportTask): ReplayDefinition | undefined =>
  own.kind === 'replay'
    ? resolveStoredCell(definition, of).definition.tasks.find(({ name }) => name === own.task)?.replay
    : undefined;

/**
 * Builds the table of named searches. The searches of a replay are listed by type. If the replay has a `route` rule, which distributes the
 * searches to indices, the table has additional rows for the names in this rule.
 */
function searchesTable(report: Report, task: string): Table | null {
  const { heading, rows } = rowsOf(report, task);
  const requested = rows.map(({ name, of, own }) => {
    const replay = replayIn(report, of, own);
    const ways = replay ? routeNames(replay) : [];
    // Results of a replay are stored in the order in which requests occurred in the log. The table uses the order of the definition; types
    // that the definition does not list come first.
    const order = replay ? [...(typesOf(replay) ?? []), ...ways] : [];
    const requests = [...own.requests].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
    return { ways, lines: requests.map((request) => ({ where: name, request })) };
  });
  const ways = [...new Set(requested.flatMap((row) => row.ways))];
  const lines = requested.flatMap((row) => row.lines);
  if (lines.length === 0) return null;
  const judged = lines.some(({ request }) => request.recall !== undefined);
  const known = lines.every(({ request }) => request.latency !== null);
  return {
    title: `Requests of ${task}`,
    note: [
      'Latency over all trials of a cell, from merged histograms.',
      ways.length === 0
        ? ''
        : `${ways.join(', ')}: the same searches again, by the index that they were sent to.`,
      known ? '' : UNKNOWN,
    ]
      .filter(Boolean)
      .join(' '),
    columns: [
      left(heading),
      left('request'),
      right('count'),
      right('failed'),
      right('mean'),
      right('p50'),
      right('p95'),
      right('p99'),
      ...(judged ? [right('recall')] : []),
    ],
    rows: lines.map(({ where, request: { name, count, failed, latency, recall } }) => [
      cell(where),
      cell(name),
      cell(formatNumber(count)),
      failedCell(failed),
      ...times(latency, ['mean', 'p50', 'p95', 'p99']),
      ...(judged ? [cell(formatRecall(recall?.mean))] : []),
    ]),
  };
}

/** Returns a sentence that compares the time of the whole transaction with the sum of the times of its requests. */
function differenceSentence(where: string, { transaction, service }: ReportTask): string {
  const { partsMs, gapsMs, wholeMs, differenceMs } = transaction!;
  const parts = partsMs.reduce((sum, ms) => sum + ms, 0);
  const made = `${where}: parts of ${formatMs(parts)}${gapsMs === 0 ? '' : ` and gaps of ${formatMs(gapsMs)}`}`;
  const share = formatPercent(Math.abs(differenceMs) / wholeMs);
  return differenceMs > 0
    ? `${made} leave ${formatMs(differenceMs)} (${share}) of the mean of ${formatMs(wholeMs)} unaccounted for: the load generator was slow to send the next part.`
    : `${made} are ${formatMs(-differenceMs)} (${share}) longer than the mean of ${formatMs(wholeMs)}: transactions that were cut short or lost a connection lack parts, or have no time (${plural(service.count, 'transaction')} have one).`;
}

function partsTable(report: Report, task: string): Table | null {
  const { heading, rows } = rowsOf(report, task);
  const known = rows.filter(({ own }) => own.requests.length > 0);
  if (known.length === 0) return null;
  const judged = known.filter(({ own }) => own.transaction !== null);
  const apart = judged.filter(({ own }) => !own.transaction!.addsUp);
  return {
    title: `Parts of ${task}`,
    note: [
      'Service time of each part over all trials of a cell, from merged histograms. Share: of the mean of the whole transaction, from the first request to the last answer.',
      judged.length > 0 && apart.length === 0 ? 'Parts and gaps add up to the whole.' : '',
      ...apart.map(({ name, own }) => differenceSentence(name, own)),
      known.some(({ own }) => own.requests.some(({ service }) => service === null)) ? UNKNOWN : '',
    ]
      .filter(Boolean)
      .join(' '),
    columns: [
      left(heading),
      left('part'),
      right('count'),
      right('failed'),
      right('mean'),
      right('share'),
      right('p50'),
      right('p95'),
      right('p99'),
      right('max'),
    ],
    rows: known.flatMap(({ name, own }) => partRows(name, own)),
  };
}

function partRows(where: string, { requests, transaction, service, counts }: ReportTask): TableCell[][] {
  const share = (ms: number | undefined): TableCell =>
    cell(formatPercent(transaction === null || ms === undefined ? null : ms / transaction.wholeMs));
  const keys = ['p50', 'p95', 'p99', 'max'] as const;
  const gaps = transaction?.gapsMs ?? 0;
  return [
    ...requests.map((part, at) => [
      cell(where),
      cell(part.name),
      cell(formatNumber(part.count)),
      failedCell(part.failed),
      ...times(part.service, ['mean']),
      share(transaction?.partsMs[at]),
      ...times(part.service, keys),
    ]),
    ...(gaps === 0
      ? []
      : [
          [
            cell(where),
            cell('gaps, as stated', 'quiet'),
            cell(''),
            cell(''),
            cell(formatMs(gaps)),
            share(gaps),
            ...keys.map(() => cell('')),
          ],
        ]),
    [
      cell(where),
      cell('whole'),
      cell(formatNumber(counts.attempted)),
      failedCell(sumOf(ERRORS, counts)),
      ...times(service, ['mean']),
      share(transaction?.wholeMs),
      ...times(service, keys),
    ],
  ];
}
