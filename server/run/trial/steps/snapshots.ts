/** Reads the target's counters at both ends of the measured phase. */
import type { StatsSnapshot } from '../../../../common/measurement/server-delta';
import { messageOf } from '../../../../common/problem';
import type { PipelineCounters } from '../../../target-cluster/ingest-pipelines';
import { takeSnapshot } from '../../../target-cluster/snapshot';
import type { Needs } from '../input';

/** The target's counters at one moment. Null for counters that could not be read. */
export interface Snapshot {
  stats: StatsSnapshot | null;
  pipelines: PipelineCounters | null;
}

export const NO_SNAPSHOT: Snapshot = { stats: null, pipelines: null };

/** Reads the counters. If that fails, the trial lacks metrics of the target, but is valid. */
export async function takeSnapshots({
  target: { connection, indices, pipelines },
  listener,
}: Needs<'target' | 'listener'>): Promise<Snapshot> {
  const [stats, counters] = await Promise.all([
    takeSnapshot(connection.atOnce, indices.names).catch((error: unknown) => {
      listener.onNote(`no node statistics: ${messageOf(error)}`);
      return null;
    }),
    pipelines.counters(),
  ]);
  return { stats, pipelines: counters };
}
