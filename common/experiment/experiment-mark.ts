/** The mark that every document of a run carries of its experiment. */
import { provokesRejections } from '../executors/registry';
import type { ExperimentMark } from '../measurement/experiment-mark';
import type { Definition } from './definition';

/** What the mark says of a definition. */
type Marked = Pick<Definition, 'name' | 'target' | 'tasks' | 'provokes-rejections'>;

/** Absent parts stay absent, so that a strict index of an older version takes what it knows. */
export const experimentMark = (id: string, definition: Marked, space?: string): ExperimentMark => ({
  id,
  name: definition.name,
  target: definition.target,
  ...(space === undefined ? {} : { space }),
  // An executor that goes beyond what the target takes does so on purpose.
  ...(definition['provokes-rejections'] ||
  definition.tasks.some(({ executor }) => provokesRejections(executor))
    ? { provokesRejections: true }
    : {}),
});
