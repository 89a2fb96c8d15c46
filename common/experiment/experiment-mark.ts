/** Creates the summary of an experiment that every document of a run contains. */
import { provokesRejections } from '../executors/registry';
import type { ExperimentMark } from '../measurement/experiment-mark';
import type { Definition } from './definition';

/** Parts of a definition in the summary. */
type Marked = Pick<Definition, 'name' | 'target' | 'tasks' | 'provokes-rejections'>;

/**
 * Returns the summary. A part that the definition lacks is omitted, so that an index with a strict mapping of an older version accepts the
 * document.
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
