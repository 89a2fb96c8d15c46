/** Creates the short summary of an experiment (its *mark*): id, name, target. It is part of every document that a run stores. */
import { provokesRejections } from '../executors/registry';
import type { ExperimentMark } from '../measurement/experiment-mark';
import type { Definition } from './definition';

/** Parts of a definition from which the summary is created. */
type Marked = Pick<Definition, 'name' | 'target' | 'tasks' | 'provokes-rejections'>;

/**
 * Returns the summary. Keys without a value are omitted. The reason is that indices of older versions of Dyno have a strict mapping, and
 * would refuse a document with unknown keys.
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
