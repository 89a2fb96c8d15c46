/** The recorded example: a real run that comes with Dyno, and what pages say of it before they have read it. */
import type { RunSummary } from '../api/runs';
import label from './label.json';

/** As `npm run record-example` writes it to label.json; the run itself is in run.dyno-runs.gz beside it. */
export interface ExampleLabel {
  run: RunSummary;
  /** On which it was measured, as `2 cores (AMD EPYC), 24 GB of memory, Linux`. */
  machine: string;
  /** What a reader must know of how it was measured, in sentences; ''. */
  note: string;
}

export const EXAMPLE = label as ExampleLabel;

/** Its id is in no results, and nothing changes it. */
export const isExample = (run: string): boolean => run === EXAMPLE.run.id;
