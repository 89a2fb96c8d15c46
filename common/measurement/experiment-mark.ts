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

/** The mark alone, of a document that says more. */
export const markOf = ({ id, name, target, space, provokesRejections }: ExperimentMark): ExperimentMark => ({
  id,
  name,
  ...(target === undefined ? {} : { target }),
  ...(space === undefined ? {} : { space }),
  ...(provokesRejections === undefined ? {} : { provokesRejections }),
});
