/** Clusters that a host starts for a run, one for each of its environments, where the host can. */
import {
  differsByCluster,
  requestsClusters,
  type RequestedCluster,
} from '../../../common/experiment/requested-cluster';
import type { Definition } from '../../../common/experiment/definition';
import type { Plan } from '../../../common/experiment/plan';
import type { NodeFacts, StartedFacts } from '../../../common/measurement/run';
import { formatBytes } from '../../../common/units/format';
import type { Connection } from '../../target-cluster/connection';
import type { RunRecord } from '../record/record';

/** How something that takes long is followed, and given up. */
export interface Following {
  /** Aborted to give up: what was begun is taken back, and the promise rejects with the signal's reason. */
  signal: AbortSignal;
  /** Told what goes on, in words: `downloads Elasticsearch 8.19.3: 40%`. */
  onStep: (step: string) => void;
}

export interface RunCluster {
  connection: Connection;
  /** With the host's defaults filled in. */
  requested: StartedFacts;
  /** Sentences for the reader of the run, such as why nothing collects from its nodes. */
  notes: readonly string[];
  /** Ends its processes and removes its data. Never rejects. */
  end(): Promise<void>;
}

/** What a host that starts clusters by itself offers the runs on one of its targets. */
export interface ClusterStarter {
  /** Uuid of the target, on whose machine they are started. */
  readonly beside: string;
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

/** The starter, for a run that requests clusters; the run then goes on by itself where only the cluster differs. */
export function starterFor(
  clusters: ClusterStarter | undefined,
  record: RunRecord,
): ClusterStarter | undefined {
  const starter = requestsClusters(record.plan.cells) ? clusters : undefined;
  if (starter) record.goesOnTo = differsByCluster;
  return starter;
}

/** The JVM may round a heap, by its regions or a survivor space. */
const HEAP_TOLERANCE = 0.05;

/** What was found and not requested, in words; '' where all is as it was requested. */
export function unlikeRequested(requested: StartedFacts, nodes: readonly NodeFacts[]): string {
  const versions = [...new Set(nodes.map(({ version }) => version))];
  const heaps = [...new Set(nodes.map(({ heapBytes }) => heapBytes))];
  const isOther = (heap: number): boolean =>
    Math.abs(heap - requested.heapBytes) > requested.heapBytes * HEAP_TOLERANCE;
  return [
    nodes.length === requested.nodes ? '' : `${nodes.length} nodes, not ${requested.nodes}`,
    versions.every((version) => version === requested.version)
      ? ''
      : `Elasticsearch ${versions.join(', ')}, not ${requested.version}`,
    heaps.some(isOther)
      ? `heap ${heaps.map((heap) => formatBytes(heap)).join(', ')}, not ${formatBytes(requested.heapBytes)}`
      : '',
  ]
    .filter(Boolean)
    .join('; ');
}
