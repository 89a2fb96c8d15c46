/** KQL queries that select the documents for the panels of the dashboards. */
import type { SpaceId } from '../../results/space';

/** Returns KQL for the documents of a space. Documents of the default space have no `experiment.space`. */
export const ofSpace = (space: SpaceId): string =>
  space === 'default' ? 'not experiment.space: *' : `experiment.space: "${space}"`;

export const COMPLETED = 'trial.state: "completed"';
export const MEASURED = 'phase: "measure"';
/**
 * KQL that excludes the phase drain. In this phase, Dyno sends no more requests and waits for the remaining responses. The rate of these
 * few responses would be misleading.
 */
export const LOADED = 'not phase: "drain"';

export const both = (...queries: string[]): string => queries.map((query) => `(${query})`).join(' and ');
