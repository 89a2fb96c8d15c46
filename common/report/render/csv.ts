/**
 * The report as CSV (RFC 4180, but lines end in a bare newline): one row per cell and task, and one below it for each
 * named request of a search or replay and each part of a transaction; figures in full precision.
 */
import { factorPaths } from '../../experiment/cells';
import { PERCENTILES } from '../../measurement/histogram';
import { isCollected } from '../tables/collected';
import type { Report, ReportCell, ReportPublishedCell, ReportRequest, ReportTask } from '../model/report';

type Value = string | number | boolean | null;
export type CsvValue = Value;

interface CsvColumn {
  /** With its unit. */
  name: string;
  read: (cell: ReportCell, task: ReportTask) => Value;
  /** The same of one of the task's requests; without it the field is empty there. */
  request?: (request: ReportRequest) => Value;
}

const latency = (kind: 'latency' | 'service'): CsvColumn[] =>
  [
    { name: 'mean', key: 'mean' as const },
    ...PERCENTILES.map(({ key, percentile }) => ({ name: `p${percentile}`, key })),
    { name: 'max', key: 'max' as const },
  ].map(({ name, key }) => ({
    name: `${kind} ${name} (ms)`,
    read: (_, task) => task[kind][key],
    request: (request) => request[kind]?.[key] ?? null,
  }));

const COLUMNS: readonly CsvColumn[] = [
  { name: 'kind', read: (_, task) => task.kind },
  { name: 'request', read: () => null, request: ({ name }) => name },
  { name: 'trials', read: (_, task) => task.throughput.n },
  {
    name: 'with a time (requests)',
    read: (_, task) => task.service.count,
    request: ({ service }) => service?.count ?? null,
  },
  { name: 'failed (requests)', read: () => null, request: ({ failed }) => failed },
  { name: 'throughput mean (/s)', read: (_, task) => task.throughput.mean },
  { name: 'throughput 95% low (/s)', read: (_, task) => task.throughput.interval?.low ?? null },
  { name: 'throughput 95% high (/s)', read: (_, task) => task.throughput.interval?.high ?? null },
  { name: 'throughput median (/s)', read: (_, task) => task.throughput.median },
  { name: 'throughput best trial (/s)', read: (_, task) => task.throughput.best },
  { name: 'throughput worst trial (/s)', read: (_, task) => task.throughput.worst },
  { name: 'throughput coefficient of variation', read: (_, task) => task.throughput.cv },
  { name: 'ratio to baseline', read: (_, task) => task.comparison?.ratio ?? null },
  { name: 'ratio 95% low', read: (_, task) => task.comparison?.interval?.low ?? null },
  { name: 'ratio 95% high', read: (_, task) => task.comparison?.interval?.high ?? null },
  { name: 'ratio widened low', read: (_, task) => task.comparison?.adjusted?.low ?? null },
  { name: 'ratio widened high', read: (_, task) => task.comparison?.adjusted?.high ?? null },
  { name: 'found', read: (_, task) => task.comparison?.word ?? null },
  { name: 'Mann-Whitney p (Holm)', read: (_, task) => task.comparison?.rank?.holm ?? null },
  { name: 'attempted (docs)', read: (_, task) => task.counts.attempted },
  { name: 'accepted (docs)', read: (_, task) => task.counts.accepted },
  { name: 'rejected (docs)', read: (_, task) => task.counts.rejected },
  { name: 'failed (docs)', read: (_, task) => task.counts.failed },
  { name: 'retried (docs)', read: (_, task) => task.counts.retried },
  { name: 'rejection rate', read: (_, task) => task.rejectionRate },
  { name: 'error rate', read: (_, task) => task.errorRate },
  { name: 'attempted (/s)', read: (_, task) => task.attemptedPerSecond },
  { name: 'sent (bytes/s)', read: (_, task) => task.bytesPerSecond },
  ...latency('service'),
  ...latency('latency'),
  { name: 'offered (requests/s)', read: (_, task) => task.offered?.offeredPerSecond ?? null },
  { name: 'sent (requests/s)', read: (_, task) => task.offered?.sentPerSecond ?? null },
  { name: 'never sent (requests)', read: (_, task) => task.offered?.unsent ?? null },
  { name: 'saturated trials', read: (_, task) => task.offered?.saturatedTrials ?? null },
  { name: 'sustainable rate mean (requests/s)', read: (_, task) => task.highestRate?.sustained.mean ?? null },
  {
    name: 'sustainable rate 95% low (requests/s)',
    read: (_, task) => task.highestRate?.sustained.interval?.low ?? null,
  },
  {
    name: 'sustainable rate 95% high (requests/s)',
    read: (_, task) => task.highestRate?.sustained.interval?.high ?? null,
  },
  { name: 'sustainable rate trials', read: (_, task) => task.highestRate?.sustained.n ?? null },
  { name: 'merges (per trial)', read: (cell) => cell.server?.merges.count ?? null },
  { name: 'merge time (ms per trial)', read: (cell) => cell.server?.merges.timeMs ?? null },
  { name: 'refreshes (per trial)', read: (cell) => cell.server?.refresh.count ?? null },
  { name: 'refresh time (ms per trial)', read: (cell) => cell.server?.refresh.timeMs ?? null },
  { name: 'flushes (per trial)', read: (cell) => cell.server?.flush.count ?? null },
  { name: 'GC time (ms per trial)', read: (cell) => cell.server?.gc.timeMs ?? null },
  { name: 'GC share (of the busiest node)', read: (cell) => cell.server?.busiest.gcShare ?? null },
  { name: 'CPU share (of the busiest node)', read: (cell) => cell.server?.busiest.cpuShare ?? null },
  {
    name: 'disk busy share (of the busiest node)',
    read: (cell) => cell.server?.busiest.diskBusyShare ?? null,
  },
  {
    name: 'write pool completed (per trial)',
    read: (cell) => cell.server?.threadPools.write?.completed ?? null,
  },
  {
    name: 'write pool rejected (per trial)',
    read: (cell) => cell.server?.threadPools.write?.rejected ?? null,
  },
  { name: 'write pool rejection ratio', read: (cell) => cell.server?.threadPools.write?.ratio ?? null },
  {
    name: 'indexing pressure rejections (per trial)',
    read: (cell) => cell.server?.pressureRejections ?? null,
  },
  { name: 'limit', read: (cell) => cell.limit?.name ?? null },
  { name: 'limit in trials', read: (cell) => cell.limit?.trials ?? null },
  { name: 'limit judged by', read: (cell) => cell.limit?.evidence[0]?.figure ?? null },
  { name: 'limit figure (share)', read: (cell) => cell.limit?.evidence[0]?.value ?? null },
  { name: 'limit from (share)', read: (cell) => cell.limit?.evidence[0]?.from ?? null },
  {
    name: 'limit not judged',
    read: (cell) => cell.limit?.unknown.map(({ resource }) => resource).join('; ') ?? null,
  },
  { name: 'index documents', read: (cell) => cell.state?.docs ?? null },
  { name: 'primary store (bytes)', read: (cell) => cell.state?.storeBytes ?? null },
  { name: 'segments', read: (cell) => cell.state?.segments ?? null },
  { name: 'shard layout', read: (cell) => cell.state?.shards.join(' or ') ?? null },
];

/** Only of runs that a collector saw. */
const COLLECTED_COLUMNS: readonly CsvColumn[] = [
  ...(
    [
      ['collector: CPU busy share (worst machine)', 'cpuBusy'],
      ['collector: iowait share (worst machine)', 'iowait'],
      ['collector: disk busy share (worst disk)', 'diskBusy'],
      ['collector: I/O stalled share (worst machine)', 'ioStalled'],
      ['collector: write queue share (worst node)', 'writeQueue'],
      ['collector: GC pause share (worst node)', 'gcPause'],
      ['collector: received of the worst machine (bytes/s)', 'networkRx'],
      ['collector: sent of the worst machine (bytes/s)', 'networkTx'],
    ] as const
  ).map(([name, key]): CsvColumn => ({ name, read: (cell) => cell.collected?.[key]?.mean ?? null })),
  {
    name: 'collector: write queue highest share',
    read: (cell) => cell.collected?.writeQueueHighest ?? null,
  },
  {
    name: 'collector: indexing pressure highest share',
    read: (cell) => cell.collected?.pressureHighest ?? null,
  },
  ...(
    [
      ['collector: merge time (ms per trial)', 'timeMs'],
      ['collector: merges throttled (ms per trial)', 'throttledMs'],
      ['collector: merges stopped (ms per trial)', 'stoppedMs'],
    ] as const
  ).map(([name, key]): CsvColumn => ({ name, read: (cell) => cell.collected?.merges[key] ?? null })),
  { name: 'collector: least covered share', read: (cell) => cell.collected?.covered ?? null },
];

/** A column for each thing told of a published figure; only of runs that have some, and empty beside another task. */
const publishedColumns = (report: Report): CsvColumn[] =>
  (report.published?.figures ?? []).flatMap(({ figure, unit, metric, task: owner, cells }) => {
    const column = (name: string, read: (own: ReportPublishedCell) => Value): CsvColumn => ({
      name: `published ${figure}${name}`,
      read: (cell, { task }) => (task === owner ? read(cells[cell.index]!) : null),
    });
    return [
      column(` (${unit})`, ({ published }) => published),
      column(': ratio to baseline', ({ agreement }) => agreement?.ratio ?? null),
      column(`: ratio to baseline of ${metric}`, ({ comparison }) => comparison?.ratio ?? null),
      column(': direction', ({ agreement }) => agreement?.direction ?? null),
      column(
        ': ratio',
        ({ agreement }) => agreement && (agreement.ratio === null ? null : agreement.ratioAgrees),
      ),
      column(': in words', ({ sentence }) => (sentence === '' ? null : sentence)),
    ];
  });

/** A text that a spreadsheet would take for a formula is made a text by an apostrophe. */
function field(value: Value): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** First the run, the cell and a column for each factor; no figure is an empty field. */
export function renderCsv(report: Report): string {
  const paths = factorPaths(report.definition);
  const columns = [
    ...COLUMNS,
    ...publishedColumns(report),
    ...(isCollected(report) ? COLLECTED_COLUMNS : []),
  ];
  const level = (value: unknown): Value =>
    value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);
  const header = [
    'run',
    'experiment',
    'cell',
    ...paths,
    'baseline',
    'task',
    ...columns.map(({ name }) => name),
  ];
  const rows = report.cells.flatMap((cell) =>
    cell.tasks.flatMap((task) => {
      const { id } = report.run;
      const levels = paths.map((path) => level(cell.levels[path]));
      const place = [id, report.experiment.name, cell.label, ...levels, cell.baseline, task.task];
      return [
        [...place, ...columns.map(({ read }) => read(cell, task))],
        ...task.requests.map((own) => [...place, ...columns.map(({ request }) => request?.(own) ?? null)]),
      ];
    }),
  );
  return [header, ...rows].map((row) => `${row.map(field).join(',')}\n`).join('');
}

/** A line of any table, with its newline. */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(field).join(',')}\n`;
