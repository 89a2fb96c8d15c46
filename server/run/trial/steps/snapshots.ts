/** Reads the target's counters at both ends of the measured phase, and its gauges in between. */
import type { ElasticsearchClient } from '../../../../common/elasticsearch/client';
import type { GaugeReading, StatsSnapshot } from '../../../../common/measurement/server-delta';
import { messageOf } from '../../../../common/problem';
import type { PipelineCounters } from '../../../target-cluster/ingest-pipelines';
import { readGauges, takeSnapshot } from '../../../target-cluster/snapshot';
import type { Needs } from '../input';
import type { Undo } from '../undo';

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

/** Interval at which gauges are read, in ms. Elasticsearch itself updates them only once a second. */
const GAUGES_EVERY_MS = 2000;

/** Reads the gauges of the nodes from `begin` to `end`. If a reading fails, it is skipped. */
export class GaugeWatch {
  readonly readings: GaugeReading[] = [];
  private timer: NodeJS.Timeout | undefined;
  private asking = false;

  constructor(
    private readonly client: ElasticsearchClient,
    undo: Undo,
  ) {
    undo(() => this.end());
  }

  begin(): void {
    this.timer = setInterval(() => void this.look(), GAUGES_EVERY_MS);
  }

  end(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async look(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    try {
      const reading = await readGauges(this.client);
      // If an answer arrives after the phase, it describes the next phase and is dropped.
      if (this.timer !== undefined) this.readings.push(reading);
    } catch {
      // The snapshots report the reason why nodes do not answer.
    } finally {
      this.asking = false;
    }
  }
}
