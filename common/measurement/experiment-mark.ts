/** Fields about the experiment in every document of a run, so that one filter fits all indices. */

export interface ExperimentMark {
  id: string;
  name: string;
  /** Id of the target. Documents of older versions of Dyno lack it. */
  target?: string;
  /** Kibana space of the experiment; absent in the default space and outside Kibana. */
  space?: string;
  /** True if its load provokes rejections on purpose; absent otherwise. */
  provokesRejections?: true;
}

/** Returns the fields of the mark without any other fields of the document. */
export const markOf = ({ id, name, target, space, provokesRejections }: ExperimentMark): ExperimentMark => ({
  id,
  name,
  ...(target === undefined ? {} : { target }),
  ...(space === undefined ? {} : { space }),
  ...(provokesRejections === undefined ? {} : { provokesRejections }),
});
