/** Interface for a host that itself starts the clusters under test, one cluster for each environment of a run. */
import type { RequestedCluster } from '../../common/experiment/requested-cluster';
import type { Definition } from '../../common/experiment/definition';
import type { Plan } from '../../common/experiment/plan';
import type { StartedFacts } from '../../common/experiment/run';
import type { Connection } from './connection';

/** Lets a caller follow and cancel an operation that takes long. */
export interface Following {
  /**
   * Abort this signal to cancel the operation. Everything that the operation has started is then undone, and its promise rejects with the
   * signal's reason.
   */
  signal: AbortSignal;
  /** Called with a description of each step, such as `downloads Elasticsearch 8.19.3: 40%`. */
  onStep: (step: string) => void;
}

export interface RunCluster {
  connection: Connection;
  /** Folder on this machine in which the nodes of the cluster keep their data. */
  readonly dataFolder: string;
  /** Number of nodes, heap and version of the cluster: the requested values, completed with the host's defaults. */
  requested: StartedFacts;
  /** Notes for the run's events, such as the reason why no collector runs on the nodes of the cluster. */
  notes: readonly string[];
  /**
   * Calls `listener` with a message for each node that is lost, including nodes that were lost before the call of `onLoss`. The other nodes
   * continue. Returns a function that removes the listener.
   */
  onLoss(listener: (message: string) => void): () => void;
  /** Ends the processes of the cluster and removes its data. Never rejects. */
  end(): Promise<void>;
}

/** Starts clusters for the runs on one target of the host. */
export interface ClusterStarter {
  /** UUID of the cluster of the target. Clusters for the target's runs are started on the machine of this cluster. */
  readonly beside: string;
  /** Folder on this machine in which the nodes of that target keep their data. */
  readonly dataFolder: string;
  /**
   * Must be called before the first cluster starts. Checks that the largest of the requested clusters fits into memory, and downloads every
   * version. Rejects with a DynoError.
   */
  prepare(
    run: { definition: Definition; plan: Plan },
    requested: readonly RequestedCluster[],
    following: Following,
  ): Promise<void>;
  /** Starts a cluster. Resolves when all nodes answer. Rejects with a DynoError; in this case, nothing is left behind. */
  start(requested: RequestedCluster, following: Following): Promise<RunCluster>;
}
