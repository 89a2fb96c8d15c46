/**
 * Estimates how much disk space the cluster needs at one time: for the indices of one trial, and for datasets that several trials share.
 */
import type { CellDefinition } from './cell-definition';
import type { Definition } from './definition';
import { environmentKey } from './environment';
import { preloadBytes, trialBytes, type Plan } from './plan';
import { datasetKey } from './shared-dataset';

/** Size of the indices of a trial, or of a shared dataset. */
export interface IndicesFootprint {
  /** Size of all documents in bytes, as they are sent: one copy, without compression. */
  bytes: number;
  /** Number of primary shards of all indices together. */
  primaries: number;
  /** Number of replicas of each primary shard. */
  replicas: number;
}

/** Data on disk at one time during a run: all of `datasets`, and one of `trials` (the indices of the trial that is running). */
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
 * Returns the combinations of data that are on disk at the same time during a run: one element for each combination.
 *
 * A dataset that several trials share stays on disk until the last of these trials. With an interleaved order, all datasets of an
 * environment are therefore on disk together. With a sequential order, only one dataset is on disk at a time.
 *
 * `loadedBytesOf`: returns the size of the documents that are loaded before a trial, in bytes. `bytesOf`: returns the size of the documents
 * that the trial stores in addition.
 */
export function footprintsOf(
  { order }: Pick<Definition, 'order'>,
  plan: Pick<Plan, 'cells' | 'trials'>,
  bytesOf: (own: CellDefinition) => number = trialBytes,
  loadedBytesOf: (own: CellDefinition) => number = preloadBytes,
): DiskFootprint[] {
  const onExisting = existingFootprint(plan, bytesOf);
  const places = new Map<string, { datasets: Map<string, IndicesFootprint>; trials: IndicesFootprint[] }>();
  plan.cells.forEach(({ definition: own }, at) => {
    if (own.index.existing !== undefined) return;
    const stored = bytesOf(own);
    const loaded = loadedBytesOf(own);
    const reuse = own.preload?.reuse ?? 'never';
    const isOneByOne = reuse === 'never' || order === 'sequential';
    const place = isOneByOne ? String(at) : environmentKey(own.environment);
    const together = places.get(place) ?? { datasets: new Map<string, IndicesFootprint>(), trials: [] };
    places.set(place, together);
    if (reuse !== 'never') together.datasets.set(datasetKey(own), footprintOf(own, loaded));
    // A clone shares its primary shards with the original index on disk. Its replicas are copied over the network and need additional
    // space.
    const isOwn = reuse === 'never' || (reuse === 'copy' && own.index.replicas > 0);
    together.trials.push(footprintOf(own, stored + (isOwn ? loaded : 0)));
  });
  const made = [...places.values()].map(({ datasets, trials }) => ({
    datasets: [...datasets.values()],
    trials,
  }));
  if (onExisting === null) return made;
  // Documents written to existing indices stay, while everything else is created and deleted.
  if (made.length === 0) return [{ datasets: [], trials: [onExisting] }];
  return made.map(({ datasets, trials }) => ({ datasets: [...datasets, onExisting], trials }));
}

/**
 * Returns the size of all documents that a run writes to existing indices; null if no cell uses existing indices. The number of their
 * shards is unknown, so the result has one primary shard without replicas.
 */
function existingFootprint(
  { cells, trials }: Pick<Plan, 'cells' | 'trials'>,
  bytesOf: (own: CellDefinition) => number,
): IndicesFootprint | null {
  if (cells.every(({ definition }) => definition.index.existing === undefined)) return null;
  const bytes = trials.reduce((sum, { cell }) => {
    const own = cells[cell]!.definition;
    return own.index.existing === undefined ? sum : sum + bytesOf(own);
  }, 0);
  return { bytes, primaries: 1, replicas: 0 };
}

/**
 * Returns the largest amount of data that a run has on disk at one time, in bytes, including replicas. Each document counts with the size
 * in which it is sent.
 */
export function largestFootprint(definition: Pick<Definition, 'order'>, plan: Plan): number {
  const whole = ({ bytes, replicas }: IndicesFootprint): number => bytes * (1 + replicas);
  return Math.max(
    ...footprintsOf(definition, plan).map(
      ({ datasets, trials }) =>
        datasets.reduce((sum, dataset) => sum + whole(dataset), 0) + Math.max(...trials.map(whole)),
    ),
  );
}
