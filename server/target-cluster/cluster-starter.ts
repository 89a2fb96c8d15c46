/** Interface for a host that can start the clusters under test itself: one cluster for each environment of a run. */
import type { RequestedCluster } from '../../common/experiment/requested-cluster';
import type { Definition } from '../../common/experiment/definition';
import type { Plan } from '../../common/experiment/plan';
import type { StartedFacts } from '../../common/experiment/run';
import type { Connection } from './connection';
import type { NodeProfiler } from './node-profiler';

/** Lets a caller follow and cancel an operation that takes long. */
export interface Following {
  /**
   * Abort this signal to cancel the operation. Everything that the operation has started is then undone, and its promise rejects with the
   * signal's reason.
   */
  signal: AbortSignal;
  /** Called with the current step as text, such as `downloads Elasticsearch 8.19.3: 40%`. */
  onStep: (step: string) => void;
}

export interface RunCluster {
  connection: Connection;
  /** Folder on this machine in which the nodes of the cluster keep their data. */
  readonly dataFolder: string;
  /** Profiles the nodes of the cluster. */
  readonly profiler: NodeProfiler;
  /** Number of nodes, heap and version of the cluster: the requested values, completed with the host's defaults. */
  requested: StartedFacts;
  /** Notes for the run's events, for example why no collector runs on the nodes of the cluster. */
  notes: readonly string[];
  /**
   * Calls `listener` with a message for each node that is lost, including nodes that were lost before the call of `onLoss`. The other nodes
   * continue. Returns a function that removes the listener.
   */
  onLoss(listener: (message: string) => void): () => void;
  /** Ends the processes of the cluster and removes its data. Never rejects. */
  end(): Promise<void>;
}

/** Starts clusters for runs that need other clusters than the target, for example other versions of Elasticsearch. */
export interface ClusterStarter {
  /** UUID of the target's cluster. The other clusters are started on the same machine. */
  readonly beside: string;
  /** Folder on this machine in which the nodes of the target's cluster keep their data. */
  readonly dataFolder: string;
  /** Profiles the nodes of the target's cluster. */
  readonly profiler: NodeProfiler;
  /**
   * Prepares a run. Must be called before the run starts its first cluster. Checks that the machine has enough memory for the cluster with
   * the largest heap, and downloads all requested versions. Rejects with a DynoError.
   */
  prepare(
    run: { definition: Definition; plan: Plan },
    requested: readonly RequestedCluster[],
    following: Following,
  ): Promise<void>;
  /**
   * Starts a cluster. Resolves when all nodes respond. Rejects with a DynoError; in this case, no process and no file of the cluster is
   * left.
   */
  start(requested: RequestedCluster, following: Following): Promise<RunCluster>;
}
