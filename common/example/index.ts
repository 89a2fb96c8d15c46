/** The recorded example: a real run that comes with Dyno, and its label for pages that have not loaded the run itself. */
import type { RunSummary } from '../api/runs';
import label from './label.json';

/** Content of label.json, which `npm run record-example` writes. The run itself is in run.dyno-runs.gz. */
export interface ExampleLabel {
  run: RunSummary;
  /** Machine that it was measured on: `2 cores (AMD EPYC), 24 GB of memory, Linux`. */
  machine: string;
  /** Sentences on how it was measured; '' for none. */
  note: string;
}

export const EXAMPLE = label as ExampleLabel;

/** Whether this is the id of the example, which is in no results cluster and cannot be changed. */
export const isExample = (run: string): boolean => run === EXAMPLE.run.id;
