/**
 * A recorded example run that is part of Dyno, for users without runs. Pages show its main facts (its *label*) before they have loaded the
 * run itself.
 */
import type { RunSummary } from '../api/runs';
import label from './label.json';

/**
 * Main facts of the recorded example run, from label.json, which `npm run record-example` writes. The run itself is in run.dyno-runs.gz.
 */
export interface ExampleLabel {
  run: RunSummary;
  /** Description of the machine on which the example was measured: `2 cores (AMD EPYC), 24 GB of memory, Linux`. */
  machine: string;
  /** Sentences about how the example was measured; '' if there are no such sentences. */
  note: string;
}

export const EXAMPLE = label as ExampleLabel;

/** Returns whether this is the id of the recorded example run. The example is in no results cluster and cannot be changed. */
export const isExample = (run: string): boolean => run === EXAMPLE.run.id;
