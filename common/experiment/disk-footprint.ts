/** What takes up disk in the cluster at one time: the indices of one trial, and those that were loaded once for several. */
import type { CellDefinition } from './cell-definition';
import type { Definition } from './definition';
import { environmentKey } from './environment';
import { preloadBytes, trialBytes, type Plan } from './plan';
import { datasetKey } from './shared-dataset';

/** The indices of a trial, or of a shared dataset. */
export interface IndicesFootprint {
  /** Of the documents in all of them, once, as sent. */
  bytes: number;
  /** Primary shards of all of them, and copies of each. */
  primaries: number;
  replicas: number;
}

/** The datasets are on disk together, with one of the trials at a time. */
export interface DiskFootprint {
  datasets: IndicesFootprint[];
  trials: IndicesFootprint[];
}

const footprintOf = ({ index }: CellDefinition, bytes: number): IndicesFootprint => ({
  bytes,
  primaries: index.shards * index.count,
  replicas: index.replicas,
});

/**
 * Each state that the disk is in during a run. Where indices are loaded once for several trials, all that an environment
 * asks for stay until the last of their trials, which under an interleaved order is the last repetition; where the cells
 * come one after the other, one at a time. `bytesOf`: what a trial stores beside its preload.
 */
export function footprintsOf(
  { order }: Pick<Definition, 'order'>,
  { cells }: Pick<Plan, 'cells'>,
  bytesOf: (own: CellDefinition) => number = trialBytes,
): DiskFootprint[] {
  const places = new Map<string, { datasets: Map<string, IndicesFootprint>; trials: IndicesFootprint[] }>();
  cells.forEach(({ definition: own }, at) => {
    const stored = bytesOf(own);
    const loaded = preloadBytes(own);
    const reuse = own.preload?.reuse ?? 'never';
    const isOneByOne = reuse === 'never' || order === 'sequential';
    const place = isOneByOne ? String(at) : environmentKey(own.environment);
    const together = places.get(place) ?? { datasets: new Map<string, IndicesFootprint>(), trials: [] };
    places.set(place, together);
    if (reuse !== 'never') together.datasets.set(datasetKey(own), footprintOf(own, loaded));
    // A copy shares the files of what it was made of, its replicas are sent over.
    const isOwn = reuse === 'never' || (reuse === 'copy' && own.index.replicas > 0);
    together.trials.push(footprintOf(own, stored + (isOwn ? loaded : 0)));
  });
  return [...places.values()].map(({ datasets, trials }) => ({ datasets: [...datasets.values()], trials }));
}

/** The most that is on disk at one time with all its copies, as sent; bytes. */
export function largestFootprint(definition: Pick<Definition, 'order'>, plan: Plan): number {
  const whole = ({ bytes, replicas }: IndicesFootprint): number => bytes * (1 + replicas);
  return Math.max(
    ...footprintsOf(definition, plan).map(
      ({ datasets, trials }) =>
        datasets.reduce((sum, dataset) => sum + whole(dataset), 0) + Math.max(...trials.map(whole)),
    ),
  );
}
