/** Queries for the documents that the panels of the overview read. */
import type { SpaceId } from '../../results/space';

/** Returns KQL for the documents of a space. `experiment.space` is absent in the default space. */
export const ofSpace = (space: SpaceId): string =>
  space === 'default' ? 'not experiment.space: *' : `experiment.space: "${space}"`;

export const COMPLETED = 'trial.state: "completed"';
export const MEASURED = 'phase: "measure"';
/**
 * KQL that excludes the drain: the time after the last request, in which Dyno waits for the remaining responses. The rate of these few
 * responses would be misleading.
 */
export const LOADED = 'not phase: "drain"';

export const both = (...queries: string[]): string => queries.map((query) => `(${query})`).join(' and ');
