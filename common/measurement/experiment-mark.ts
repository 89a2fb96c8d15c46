/**
 * Fields about the experiment that every stored document of a run contains. Therefore the same filter, such as one on the experiment's id,
 * works in all indices with results.
 */

export interface ExperimentMark {
  id: string;
  name: string;
  /** Id of the target. Documents of older versions of Dyno lack it. */
  target?: string;
  /** Kibana space of the experiment; absent in the default space and outside Kibana. */
  space?: string;
  /** True if the load of the experiment provokes rejections on purpose; absent otherwise. */
  provokesRejections?: true;
}

/** Returns the fields of an {@link ExperimentMark} from an object that has other fields too. */
export const markOf = ({ id, name, target, space, provokesRejections }: ExperimentMark): ExperimentMark => ({
  id,
  name,
  ...(target === undefined ? {} : { target }),
  ...(space === undefined ? {} : { space }),
  ...(provokesRejections === undefined ? {} : { provokesRejections }),
});
