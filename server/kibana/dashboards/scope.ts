/** Which documents the panels of the overview read. */
import type { SpaceId } from '../../results/space';

/** `experiment.space` is absent in the default space. */
export const ofSpace = (space: SpaceId): string =>
  space === 'default' ? 'not experiment.space: *' : `experiment.space: "${space}"`;

export const COMPLETED = 'trial.state: "completed"';
export const MEASURED = 'phase: "measure"';
/** Nothing is sent in the drain: the few answers of its seconds are no rate. */
export const LOADED = 'not phase: "drain"';

export const both = (...queries: string[]): string => queries.map((query) => `(${query})`).join(' and ');
