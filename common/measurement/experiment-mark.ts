/** Fields about the experiment in every document of a run, so that one filter fits all indices. */

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

/** Returns only the fields of the mark from a document that has other fields too. */
export const markOf = ({ id, name, target, space, provokesRejections }: ExperimentMark): ExperimentMark => ({
  id,
  name,
  ...(target === undefined ? {} : { target }),
  ...(space === undefined ? {} : { space }),
  ...(provokesRejections === undefined ? {} : { provokesRejections }),
});
