/** Builds the tables of the nodes' thread pools, and of the indices after a trial. */
import type { PreloadSummary } from '../../measurement/trial';
import { formatBytes, formatDuration, formatNumber, formatPercent, plural } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { Report } from '../model/report';
import { cell, left, optional, right, type CsvColumn, type Table } from './table';

export const POOL_COLUMNS: readonly CsvColumn[] = [
  {
    name: 'write pool completed (per trial)',
    read: (cell) => cell.server?.threadPools.write?.completed ?? null,
  },
  { name: 'write pool rejection ratio', read: (cell) => cell.server?.threadPools.write?.ratio ?? null },
];

/** Builds the table of the thread pools that rejected tasks for any combination of factor levels. Null if there are no such pools. */
export function refusingPoolsTable(report: Report): Table | null {
  const refusing = refusingPools(report);
  return poolsTable(report, 'Thread pools with rejections, means per trial', (pool) => refusing.has(pool));
}

/**
 * Builds the table of all thread pools without rejections. The table is collapsed to its title at first, because pools with rejections are
 * more important.
 */
function quietPoolsTable(report: Report): Table | null {
  const refusing = refusingPools(report);
  const title = 'Thread pools without rejections, means per trial';
  const table = poolsTable(report, title, (pool) => !refusing.has(pool));
  return table && { ...table, folded: true };
}

function poolsTable(report: Report, title: string, has: (pool: string) => boolean): Table | null {
  const rows = poolRows(report).filter(({ pool }) => has(pool));
  if (rows.length === 0) return null;
  return {
    title,
    note: 'Ratio: rejected / (rejected + completed).',
    columns: [
      left(cellNames(report).heading),
      left('pool'),
      right('completed'),
      right('rejected'),
      right('ratio'),
    ],
    rows: rows.map(({ name, pool, completed, rejected, ratio }) => [
      cell(name),
      cell(pool),
      cell(formatNumber(completed)),
      cell(formatNumber(rejected), rejected > 0 ? 'bad' : undefined),
      cell(formatPercent(ratio)),
    ]),
  };
}

/** Returns the tables of all thread pools that were used. Null if no pools were used. */
export function poolsTables(report: Report): Table[] | null {
  const tables = [refusingPoolsTable(report), quietPoolsTable(report)].filter((table) => table !== null);
  return tables.length === 0 ? null : tables;
}

function poolRows(
  report: Report,
): { name: string; pool: string; completed: number; rejected: number; ratio: number }[] {
  const { names } = cellNames(report);
  return report.cells.flatMap(({ server }, at) =>
    Object.entries(server?.threadPools ?? {}).map(([pool, delta]) => ({ name: names[at]!, pool, ...delta })),
  );
}

const refusingPools = (report: Report): Set<string> =>
  new Set(poolRows(report).flatMap(({ pool, rejected }) => (rejected > 0 ? [pool] : [])));

/** Returns the table of the indices after the trials. Null if no trial contains the state of its indices. */
export function indexTable(report: Report): Table | null {
  const { heading, names } = cellNames(report);
  const rows = report.cells.flatMap(({ state }, at) => (state === null ? [] : [{ name: names[at]!, state }]));
  if (rows.length === 0) return null;
  return {
    title: 'The index after a trial, means over trials',
    note: [
      "Layouts: shards per data node, in the order of the nodes' names.",
      rows.some(({ state }) => state.shardSkew.docs !== null)
        ? 'Largest shard: the largest primary relative to the mean of all, in Lucene documents (nested documents count separately) and in bytes.'
        : '',
      bytesSentence(rows.map(({ state }) => state)),
      preloadSentence(
        report.trials.flatMap(({ preload }) => preload ?? []),
        report.trials.some(({ caches }) => caches !== undefined),
      ),
    ]
      .filter(Boolean)
      .join(' '),
    columns: [
      left(heading),
      right('documents'),
      right('primary store'),
      right('per document'),
      right('primary segments'),
      optional(right('largest shard, documents')),
      optional(right('largest shard, bytes')),
      optional(right('backing indices')),
      optional(left('index mode')),
      optional(left('source')),
      left('primaries'),
      left('with replicas'),
    ],
    rows: rows.map(({ name, state }) => [
      cell(name),
      cell(formatNumber(state.docs)),
      cell(formatBytes(state.storeBytes)),
      cell(formatBytes(state.bytesPerDocument)),
      cell(formatNumber(state.segments)),
      cell(timesText(state.shardSkew.docs)),
      cell(timesText(state.shardSkew.bytes)),
      cell(formatNumber(state.backing)),
      cell(state.modes.join(' or ')),
      cell(state.sources.join(' or ')),
      cell(state.primaries.join(' or ')),
      cell(state.shards.join(' or ')),
    ]),
  };
}

const timesText = (times: number | null): string => (times === null ? '–' : `${formatNumber(times)} times`);

/** Returns a sentence about the state of the index at the time when bytes and segments were read, for example after a force merge. */
function bytesSentence(states: readonly Report['cells'][number]['state'][]): string {
  const merged = [...new Set(states.flatMap((state) => state?.merged ?? []))];
  const ways =
    merged.length === 0
      ? 'without a forced merge'
      : `after a merge of each shard into at most ${merged.map((n) => plural(n, 'segment')).join(' or ')}`;
  return `Bytes are those of the segments that searches see, read after the load and a refresh, ${ways}.`;
}

/** Maximum number of fields in the table. The largest fields use most of the bytes. */
const MOST_FIELDS = 15;

/** Returns the table of the bytes of each field. Null if the definition does not request them. */
export function fieldsTable(report: Report): Table | null {
  const { heading, names } = cellNames(report);
  const rows = report.cells.flatMap(({ state }, at) =>
    (state?.fields ?? []).slice(0, MOST_FIELDS).map((own) => ({ name: names[at]!, of: state!, ...own })),
  );
  if (rows.length === 0) return null;
  return {
    title: `Bytes per document by field, the ${MOST_FIELDS} largest, means over trials`,
    note: 'From _disk_usage of the primaries, with all structures of a field. _source is the document as it was sent; a synthetic source stores none.',
    columns: [left(heading), left('field'), right('per document'), right('of the store')],
    rows: rows.map(({ name, of, field, bytesPerDocument: bytes }) => [
      cell(name),
      cell(field),
      cell(formatBytes(bytes)),
      cell(of.bytesPerDocument === null ? '–' : formatPercent(bytes / of.bytesPerDocument)),
    ]),
  };
}

/**
 * Returns a sentence about the documents in the indices before the load; '' for empty indices. `hasCachesTable`: whether another table
 * shows the caches. In this case, the sentence does not mention them.
 */
function preloadSentence(preloads: readonly PreloadSummary[], hasCachesTable: boolean): string {
  if (preloads.length === 0) return '';
  const documents = [...new Set(preloads.map((own) => own.documents))].map(formatNumber).join(' or ');
  const times = (by: PreloadSummary['by']): number => preloads.filter((own) => own.by === by).length;
  const loaded = preloads.filter(({ by }) => by === 'load').map(({ ms }) => ms);
  const ways = [
    loaded.length > 0
      ? `loaded for ${plural(loaded.length, 'trial')}, in up to ${formatDuration(Math.max(...loaded))}`
      : '',
    times('copy') > 0 ? `copied for ${times('copy')}` : '',
    times('same') > 0
      ? `${times('same')} on indices of earlier trials${hasCachesTable ? '' : ', with empty caches'}`
      : '',
  ].filter(Boolean);
  const shared =
    loaded.length < preloads.length
      ? ' All trials that used them share the same segments. The intervals do not include the variation between segment layouts.'
      : '';
  const put = preloads.filter(({ built }) => built === 'reindex').length;
  const order =
    put > 0
      ? ` In ${plural(put, 'trial')} the cluster copied them from the indices of another cell (reindex): the same documents in another order.`
      : '';
  const copies = preloads.some(({ built }) => built === 'existing')
    ? ' They are copies of the documents of an existing index (preload.from-index).'
    : '';
  const restored = preloads.some(({ built }) => built === 'snapshot')
    ? ' The target restored them from a snapshot (preload.from-snapshot).'
    : '';
  return `${documents} documents were in the indices before the load: ${ways.join('; ')}.${order}${copies}${restored}${shared}`;
}

export const INDEX_COLUMNS: readonly CsvColumn[] = [
  { name: 'index documents', read: (cell) => cell.state?.docs ?? null },
  { name: 'primary store (bytes)', read: (cell) => cell.state?.storeBytes ?? null },
  { name: 'bytes per document', read: (cell) => cell.state?.bytesPerDocument ?? null },
  { name: 'segments', read: (cell) => cell.state?.segments ?? null },
  { name: 'largest shard / mean (documents)', read: (cell) => cell.state?.shardSkew.docs ?? null },
  { name: 'largest shard / mean (bytes)', read: (cell) => cell.state?.shardSkew.bytes ?? null },
  { name: 'index mode', read: (cell) => cell.state?.modes.join(' or ') ?? null },
  { name: 'source mode', read: (cell) => cell.state?.sources.join(' or ') ?? null },
  { name: 'shard layout', read: (cell) => cell.state?.shards.join(' or ') ?? null },
];
