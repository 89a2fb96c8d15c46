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
  plan: Pick<Plan, 'cells' | 'trials'>,
  bytesOf: (own: CellDefinition) => number = trialBytes,
): DiskFootprint[] {
  const onExisting = existingFootprint(plan, bytesOf);
  const places = new Map<string, { datasets: Map<string, IndicesFootprint>; trials: IndicesFootprint[] }>();
  plan.cells.forEach(({ definition: own }, at) => {
    if (own.index.existing !== undefined) return;
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
  const made = [...places.values()].map(({ datasets, trials }) => ({
    datasets: [...datasets.values()],
    trials,
  }));
  if (onExisting === null) return made;
  // What is written to existing data stays while all else comes and goes.
  if (made.length === 0) return [{ datasets: [], trials: [onExisting] }];
  return made.map(({ datasets, trials }) => ({ datasets: [...datasets, onExisting], trials }));
}

/** All that the trials of a run write to data that was there, whose shards are not known here; null where none does. */
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
