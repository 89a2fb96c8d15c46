/** What a host offers that starts clusters by itself, one for each environment of a run. */
import type { RequestedCluster } from '../../common/experiment/requested-cluster';
import type { Definition } from '../../common/experiment/definition';
import type { Plan } from '../../common/experiment/plan';
import type { StartedFacts } from '../../common/experiment/run';
import type { Connection } from './connection';

/** How something that takes long is followed, and given up. */
export interface Following {
  /** Aborted to give up: what was begun is taken back, and the promise rejects with the signal's reason. */
  signal: AbortSignal;
  /** Called with what goes on, in words: `downloads Elasticsearch 8.19.3: 40%`. */
  onStep: (step: string) => void;
}

export interface RunCluster {
  connection: Connection;
  /** Of this machine, below which its nodes keep their data. */
  readonly dataFolder: string;
  /** With the host's defaults filled in. */
  requested: StartedFacts;
  /** Sentences for the reader of the run, such as why nothing collects from its nodes. */
  notes: readonly string[];
  /** Told, in words, of each node that is lost, past ones included: the others go on. Returns what ends it. */
  onLoss(listener: (message: string) => void): () => void;
  /** Ends its processes and removes its data. Never rejects. */
  end(): Promise<void>;
}

/** What a host that starts clusters by itself offers the runs on one of its targets. */
export interface ClusterStarter {
  /** Uuid of the target, on whose machine they are started. */
  readonly beside: string;
  /** Of this machine, below which the nodes of that target keep their data. */
  readonly dataFolder: string;
  /**
   * Before anything starts: checks that the largest of the requested clusters fits into the memory, and brings every
   * version here. Rejects with a DynoError.
   */
  prepare(
    run: { definition: Definition; plan: Plan },
    requested: readonly RequestedCluster[],
    following: Following,
  ): Promise<void>;
  /** Resolves when all nodes answer. Rejects with a DynoError, having left nothing behind. */
  start(requested: RequestedCluster, following: Following): Promise<RunCluster>;
}
