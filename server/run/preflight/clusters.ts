/** Clusters that a host starts for a run, one for each of its environments, where the host can. */
import {
  differsByCluster,
  asksForClusters,
  type AskedCluster,
} from '../../../common/experiment/asked-cluster';
import type { Definition } from '../../../common/experiment/definition';
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
  /** As asked for, with the host's defaults filled in. */
  asked: StartedFacts;
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
   * Before anything starts: whether the largest of `asked` fits into the memory, and brings every version here.
   * Rejects with a DynoError.
   */
  prepare(definition: Definition, asked: readonly AskedCluster[], following: Following): Promise<void>;
  /** Resolves when all nodes answer. Rejects with a DynoError, having left nothing behind. */
  start(asked: AskedCluster, following: Following): Promise<RunCluster>;
}

/** The starter, for a run that asks for clusters; the run then goes on by itself where only the cluster differs. */
export function starterFor(
  clusters: ClusterStarter | undefined,
  record: RunRecord,
): ClusterStarter | undefined {
  const starter = asksForClusters(record.document.definition) ? clusters : undefined;
  if (starter) record.goesOnTo = differsByCluster;
  return starter;
}

/** The JVM may round a heap, by its regions or a survivor space. */
const HEAP_TOLERANCE = 0.05;

/** What was found and not asked for, in words; '' where all is as it was asked for. */
export function unlikeAsked(asked: StartedFacts, nodes: readonly NodeFacts[]): string {
  const versions = [...new Set(nodes.map(({ version }) => version))];
  const heaps = [...new Set(nodes.map(({ heapBytes }) => heapBytes))];
  const isOther = (heap: number): boolean =>
    Math.abs(heap - asked.heapBytes) > asked.heapBytes * HEAP_TOLERANCE;
  return [
    nodes.length === asked.nodes ? '' : `${nodes.length} nodes, not ${asked.nodes}`,
    versions.every((version) => version === asked.version)
      ? ''
      : `Elasticsearch ${versions.join(', ')}, not ${asked.version}`,
    heaps.some(isOther)
      ? `heap ${heaps.map((heap) => formatBytes(heap)).join(', ')}, not ${formatBytes(asked.heapBytes)}`
      : '',
  ]
    .filter(Boolean)
    .join('; ');
}
