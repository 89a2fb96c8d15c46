/**
 * Packs and unpacks history runs: compressed JSON in two `binary` fields of the run's document, each a column of its own on disk.
 * Thousands are read without the rest of their documents, and the metrics of the cluster only if a request needs them.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { HISTORY_RUN_VERSION, type HistoryRun } from '../../common/history/history-run';
import type { StoredHistoryRun } from '../../common/experiment/run';

/** What a run's document says elsewhere is not kept twice. */
type KeptFigures = Omit<HistoryRun, 'run' | 'at' | 'cluster'>;

/** What each begins with that this version has packed: three bytes, which are four characters of base64. */
const BEGINS = `n${String(HISTORY_RUN_VERSION).padStart(2, '0')}`;
/** Of zlib's levels the fastest: a run of 20 cells and 10 metrics takes a third of its room, 2.8 in place of 8.8 KB. */
const FAST = { level: 1 };

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const pack = (of: KeptFigures | HistoryRun['cluster']): string =>
  Buffer.concat([Buffer.from(BEGINS), deflateRawSync(JSON.stringify(of), FAST)]).toString('base64');

/** How history runs of earlier versions begin, which did not compress them: `{"version":2,"of":...}`, cut to whole groups of three bytes. */
const PLAIN = base64('{"version":2,"of":');
const isPlain = (text: string): boolean => HISTORY_RUN_VERSION === 2 && text.startsWith(PLAIN);

/** Whether it is of this version of Dyno, without a look into the rest. */
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

/** A history run with packed metrics. Thousands are passed to the thread that unpacks them. */
export interface PackedHistoryRun extends Pick<HistoryRun, 'run' | 'at'> {
  figures: string;
  /** Undefined where it was not asked for. */
  cluster: string | undefined;
}

export const isPacked = (run: HistoryRun | PackedHistoryRun): run is PackedHistoryRun =>
  typeof run.figures === 'string';

/** Returns undefined if the run has none, or if another version stored it: it is then computed from the run's trials. */
export const storedHistoryRun = (
  { run, at }: Pick<HistoryRun, 'run' | 'at'>,
  { figures, cluster }: { figures: string | undefined; cluster: string | undefined },
): PackedHistoryRun | undefined =>
  figures !== undefined && isOwn(figures) && (cluster === undefined || isOwn(cluster))
    ? { run, at, figures, cluster }
    : undefined;

/** None where they were not asked for. */
export const unpackCluster = ({ cluster }: PackedHistoryRun): HistoryRun['cluster'] =>
  cluster === undefined ? [] : (unpack(cluster) as HistoryRun['cluster']);

/** Without figures of the cluster where those were not asked for. */
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

/** As they came, but runs one after the other that have the same cells hold them once, and hand them over once. */
export function sharingCells<N extends Pick<HistoryRun, 'cells'>>(runs: readonly N[]): readonly N[] {
  let cells: HistoryRun['cells'] = [];
  for (const run of runs) {
    if (areSameCells(cells, run.cells)) run.cells = cells;
    else ({ cells } = run);
  }
  return runs;
}
