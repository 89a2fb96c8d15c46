/** What every document of a run says of its experiment, so that one filter fits all indices. */

export interface ExperimentMark {
  id: string;
  name: string;
  /** Id of the target. Documents of older versions of Dyno lack it. */
  target?: string;
  /** Kibana's space that it belongs to; absent in the default one and outside Kibana. */
  space?: string;
  /** True where its load provokes rejections on purpose; absent otherwise. */
  provokesRejections?: true;
}

/** What the mark tells of a definition. */
interface Marked {
  name: string;
  target: string;
  tasks: readonly { executor: { 'highest-rate'?: unknown } }[];
  'provokes-rejections': boolean;
}

/** What says so, and a search for the highest rate, which finds it by going beyond. */
const provokes = (definition: Pick<Marked, 'tasks' | 'provokes-rejections'>): boolean =>
  definition['provokes-rejections'] ||
  definition.tasks.some(({ executor }) => executor['highest-rate'] !== undefined);

/** Absent parts stay absent, so that a strict index of an older version takes what it knows. */
export const experimentMark = (id: string, definition: Marked, space?: string): ExperimentMark => ({
  id,
  name: definition.name,
  target: definition.target,
  ...(space === undefined ? {} : { space }),
  ...(provokes(definition) ? { provokesRejections: true } : {}),
});

/** The mark alone, of a document that says more. */
export const markOf = ({ id, name, target, space, provokesRejections }: ExperimentMark): ExperimentMark => ({
  id,
  name,
  ...(target === undefined ? {} : { target }),
  ...(space === undefined ? {} : { space }),
  ...(provokesRejections === undefined ? {} : { provokesRejections }),
});
