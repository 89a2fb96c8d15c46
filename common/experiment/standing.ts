/** What stands in the cluster at a time: the indices of one trial, and those that were loaded once for several. */
import { definitionFor } from './cells';
import type { Definition } from './definition';
import { environmentKey } from './environment';
import { flattenSettings } from './path';
import { makePlan, preloadBytes, type Plan } from './plan';
import { datasetKey } from './preload';

/** Indices of one kind. */
export interface StandingPart {
  /** Of the cell that they are of. */
  definition: Definition;
  /** Of the documents in all of them, once, as sent. */
  bytes: number;
  replicas: number;
}

/** All parts stand together; of trials the one that takes most. */
export interface Standing {
  datasets: StandingPart[];
  trials: StandingPart[];
}

export const replicasOf = ({ index }: Definition): number =>
  Number(flattenSettings(index.settings)['number_of_replicas'] ?? 1) || 0;

const partOf = (definition: Definition, bytes: number): StandingPart => ({
  definition,
  bytes,
  replicas: replicasOf(definition),
});

/**
 * Where indices are loaded once for several trials, all that an environment asks for stand until the last of their trials,
 * which under an interleaved order is the last repetition; where the cells come one after the other, one at a time.
 * `trialBytes`: what a trial itself stores of a definition without preload.
 */
export function standingOf(
  definition: Definition,
  { cells }: Pick<Plan, 'cells'>,
  trialBytes: (definition: Definition) => number,
): Standing[] {
  const places = new Map<string, { datasets: Map<string, StandingPart>; trials: StandingPart[] }>();
  cells.forEach((cell, at) => {
    const own = definitionFor(definition, cell);
    const stored = trialBytes({ ...own, preload: undefined, trials: 1 });
    const loaded = preloadBytes(own);
    const reuse = own.preload?.reuse ?? 'never';
    const isOneByOne = reuse === 'never' || definition.order === 'sequential';
    const place = isOneByOne ? String(at) : environmentKey(own.environment);
    const standing = places.get(place) ?? { datasets: new Map<string, StandingPart>(), trials: [] };
    places.set(place, standing);
    if (reuse !== 'never') standing.datasets.set(datasetKey(own), partOf(own, loaded));
    // A copy shares the files of what it was made of, its replicas are sent over.
    const isOwn = reuse === 'never' || (reuse === 'copy' && replicasOf(own) > 0);
    standing.trials.push(partOf(own, stored + (isOwn ? loaded : 0)));
  });
  return [...places.values()].map(({ datasets, trials }) => ({ datasets: [...datasets.values()], trials }));
}

/** The most that stands at a time with all its copies, as sent; bytes. */
export function standingBytes(definition: Definition, plan: Plan): number {
  const whole = ({ bytes, replicas }: StandingPart): number => bytes * (1 + replicas);
  const standing = standingOf(definition, plan, (own) => makePlan(own).estimate.bytes);
  return Math.max(
    ...standing.map(
      ({ datasets, trials }) =>
        datasets.reduce((sum, dataset) => sum + whole(dataset), 0) + Math.max(...trials.map(whole)),
    ),
  );
}
