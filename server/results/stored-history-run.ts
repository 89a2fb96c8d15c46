/**
 * Packs and unpacks history runs (summaries of runs, with which the history of an experiment is analysed). A packed history run is
 * compressed JSON in two `binary` fields of the run's document. Elasticsearch stores each field separately on disk. Dyno can therefore read
 * thousands of history runs without the other fields, and reads cluster metrics only if it needs them.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { HISTORY_RUN_VERSION, type HistoryRun } from '../../common/history/history-run';
import type { StoredHistoryRun } from '../../common/experiment/run';

/** A history run without the values that other fields of the run's document contain. */
type KeptFigures = Omit<HistoryRun, 'run' | 'at' | 'cluster'>;

/**
 * Prefix of all packed texts, with the version of the format. It has three bytes. Its base64 form is therefore always the same four
 * characters.
 */
const BEGINS = `n${String(HISTORY_RUN_VERSION).padStart(2, '0')}`;
/**
 * The fastest level of zlib. It compresses the history run of 20 cells (combinations of factor levels) and 10 metrics from 8.8 to 2.8 KB.
 */
const FAST = { level: 1 };

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const pack = (of: KeptFigures | HistoryRun['cluster']): string =>
  Buffer.concat([Buffer.from(BEGINS), deflateRawSync(JSON.stringify(of), FAST)]).toString('base64');

/** Prefix of the uncompressed texts of earlier versions, in base64. These texts begin with `{"version":2,"of":`. */
const PLAIN = base64('{"version":2,"of":');
const isPlain = (text: string): boolean => HISTORY_RUN_VERSION === 2 && text.startsWith(PLAIN);

/** Returns whether this version of Dyno can unpack the text. The prefix of the text shows this. */
const isOwn = (text: string): boolean => text.startsWith(base64(BEGINS)) || isPlain(text);

const unpack = (text: string): unknown => {
  const bytes = Buffer.from(text, 'base64');
  if (isPlain(text)) return (JSON.parse(bytes.toString()) as { of: unknown }).of;
  return JSON.parse(inflateRawSync(bytes.subarray(BEGINS.length)).toString());
};

export const packHistoryRun = ({
  run: _run,
  at: _at,
  cluster,
  ...figures
}: HistoryRun): StoredHistoryRun => ({
  figures: pack(figures),
  cluster: pack(cluster),
});

/** A history run whose metrics are still packed. Thousands of these are passed to another thread, which unpacks them. */
export interface PackedHistoryRun extends Pick<HistoryRun, 'run' | 'at'> {
  figures: string;
  /** Metrics of the cluster; undefined if the request did not need them. */
  cluster: string | undefined;
}

export const isPacked = (run: HistoryRun | PackedHistoryRun): run is PackedHistoryRun =>
  typeof run.figures === 'string';

/**
 * Returns the packed history run in a run's document. Undefined if the document contains none, or one of another version. The caller then
 * computes the history run from the trials.
 */
export const storedHistoryRun = (
  { run, at }: Pick<HistoryRun, 'run' | 'at'>,
  { figures, cluster }: { figures: string | undefined; cluster: string | undefined },
): PackedHistoryRun | undefined =>
  figures !== undefined && isOwn(figures) && (cluster === undefined || isOwn(cluster))
    ? { run, at, figures, cluster }
    : undefined;

/** Unpacks the metrics of the cluster. Empty if the request did not need them. */
export const unpackCluster = ({ cluster }: PackedHistoryRun): HistoryRun['cluster'] =>
  cluster === undefined ? [] : (unpack(cluster) as HistoryRun['cluster']);

/** Unpacks a history run. It contains no metrics of the cluster if the request did not need them. */
export const unpackHistoryRun = (run: PackedHistoryRun): HistoryRun => ({
  run: run.run,
  at: run.at,
  ...(unpack(run.figures) as KeptFigures),
  cluster: unpackCluster(run),
});

const areSameCells = (one: HistoryRun['cells'], other: HistoryRun['cells']): boolean =>
  one.length === other.length &&
  one.every(({ id, label, definition }, place) => {
    const own = other[place]!;
    return id === own.id && label === own.label && definition === own.definition;
  });

/**
 * Makes consecutive runs with equal cells refer to the same list of cells. This saves memory, and time for copying the runs between
 * threads. Changes and returns `runs`.
 */
export function sharingCells<N extends Pick<HistoryRun, 'cells'>>(runs: readonly N[]): readonly N[] {
  let cells: HistoryRun['cells'] = [];
  for (const run of runs) {
    if (areSameCells(cells, run.cells)) run.cells = cells;
    else ({ cells } = run);
  }
  return runs;
}
