/** What the target had counted when the measured phase of a trial began, and when it ended. */
import type { StatsSnapshot } from '../../../common/measurement/server-delta';
import { messageOf } from '../../../common/problem';
import type { Connection } from '../../target-cluster/connection';
import type { PipelineCounters } from '../../target-cluster/ingest-pipelines';
import { takeSnapshot } from '../../target-cluster/snapshot';
import type { TrialIndices } from './trial-indices';
import type { TrialPipelines } from './trial-pipelines';

interface SnapshotInput {
  connection: Connection;
  indices: TrialIndices;
  pipelines: TrialPipelines;
  onNote: (message: string) => void;
}

/** The target's counters at a moment; null where they could not be read. */
export interface Snapshot {
  stats: StatsSnapshot | null;
  pipelines: PipelineCounters | null;
}

/** A snapshot that could not be taken costs the server's side of a trial, not the trial. */
export async function takeSnapshots({
  connection,
  indices,
  pipelines,
  onNote,
}: SnapshotInput): Promise<Snapshot> {
  const [stats, counters] = await Promise.all([
    takeSnapshot(connection, indices.names).catch((error: unknown) => {
      onNote(`no node statistics: ${messageOf(error)}`);
      return null;
    }),
    pipelines.counters(),
  ]);
  return { stats, pipelines: counters };
}

export const NO_SNAPSHOT: Snapshot = { stats: null, pipelines: null };
