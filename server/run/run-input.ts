/** What a run is begun with, and what it gives back. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { Definition } from '../../common/experiment/definition';
import type { Environment } from '../../common/experiment/environment';
import type { RunDocument } from '../../common/experiment/run';
import type { TrialDocument } from '../../common/measurement/trial';
import type { ResultsReader } from '../results/reader';
import type { Connection } from '../target-cluster/connection';
import type { ClusterStarter } from './preflight/clusters';
import type { RunListener, RunWriter } from './record/record';

export interface RunInput {
  definition: Definition;
  /** Labels of the environment that stands now, in which a new run begins; the definition's first. */
  begins?: Environment;
  /** Folder that the definition's files are relative to. */
  folder: string;
  connection: Connection;
  /** Starts clusters for the run's environments, in place of the target; undefined where they are labels. */
  clusters?: ClusterStarter;
  results: RunWriter;
  reader: ResultsReader;
  /** The cluster that keeps the results. */
  resultsClient: ElasticsearchClient;
  resultsUuid: string;
  workerFile: string;
  workers?: number;
  version: string;
  allowedHosts?: readonly string[];
  listener: RunListener;
  /** A run that is kept already, interrupted or queued: its document and the trials that it has completed. */
  resume?: { run: RunDocument; trials: TrialDocument[] };
  /** Its state where the preflight refuses it: `done` then resolves. Without it `done` rejects and nothing is kept of it. */
  refused?: 'failed' | 'interrupted' | 'waiting';
}

export interface RunResult {
  run: RunDocument;
  trials: TrialDocument[];
}
