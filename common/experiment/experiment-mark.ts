/** Creates the summary of an experiment. Every document that a run stores contains this summary. */
import { provokesRejections } from '../executors/registry';
import type { ExperimentMark } from '../measurement/experiment-mark';
import type { Definition } from './definition';

/** Parts of a definition from which the summary is created. */
type Marked = Pick<Definition, 'name' | 'target' | 'tasks' | 'provokes-rejections'>;

/**
 * Returns the summary. Parts that the definition lacks are omitted: an index of an older version has a strict mapping, and refuses unknown
 * fields.
 */
export const experimentMark = (id: string, definition: Marked, space?: string): ExperimentMark => ({
  id,
  name: definition.name,
  target: definition.target,
  ...(space === undefined ? {} : { space }),
  // An executor that searches for the limit of the target causes rejections on purpose.
  ...(definition['provokes-rejections'] ||
  definition.tasks.some(({ executor }) => provokesRejections(executor))
    ? { provokesRejections: true }
    : {}),
});
