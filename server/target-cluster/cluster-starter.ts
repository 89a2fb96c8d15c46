/** The interface of a host that starts clusters itself, one for each environment of a run. */
import type { RequestedCluster } from '../../common/experiment/requested-cluster';
import type { Definition } from '../../common/experiment/definition';
import type { Plan } from '../../common/experiment/plan';
import type { StartedFacts } from '../../common/experiment/run';
import type { Connection } from './connection';

/** Progress and cancellation of something that takes long. */
export interface Following {
  /** Abort this signal to cancel. Everything that was started is then undone, and the promise rejects with the signal's reason. */
  signal: AbortSignal;
  /** Called with a description of each step, such as `downloads Elasticsearch 8.19.3: 40%`. */
  onStep: (step: string) => void;
}

export interface RunCluster {
  connection: Connection;
  /** Folder on this machine in which its nodes keep their data. */
  readonly dataFolder: string;
  /** Number of nodes, heap and version that were requested, completed with the host's defaults. */
  requested: StartedFacts;
  /** Notes for the run's events, such as why no collector runs on its nodes. */
  notes: readonly string[];
  /**
   * Calls `listener` with a message for each node that is lost, including those that were lost before the call. The other nodes continue.
   * Returns a function that removes the listener.
   */
  onLoss(listener: (message: string) => void): () => void;
  /** Ends its processes and removes its data. Never rejects. */
  end(): Promise<void>;
}

/** Starts clusters for the runs on one target of the host. */
export interface ClusterStarter {
  /** UUID of the target. The clusters are started on its machine. */
  readonly beside: string;
  /** Folder on this machine in which the nodes of that target keep their data. */
  readonly dataFolder: string;
  /**
   * Called before anything starts. Checks that the largest of the requested clusters fits into memory, and downloads every version. Rejects with
   * a DynoError.
   */
  prepare(
    run: { definition: Definition; plan: Plan },
    requested: readonly RequestedCluster[],
    following: Following,
  ): Promise<void>;
  /** Starts a cluster. Resolves when all nodes answer. Rejects with a DynoError; in this case, nothing is left behind. */
  start(requested: RequestedCluster, following: Following): Promise<RunCluster>;
}
