/** Keeps the marker of one trial up to date, so that the collector knows what its events belong to. */
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { markedPhases, type Marker, type TrialTimes } from '../../../common/measurement/marker';
import { messageOf } from '../../../common/problem';
import { saveMarker } from '../../results/markers';
import { readClocks } from '../../target-cluster/clocks';

export type MarkedTrial = Pick<Marker, 'cluster' | 'run' | 'experiment' | 'trial' | 'cell'>;

export class TrialMarker {
  private clocks: Promise<Marker['clocks']> | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly marked: MarkedTrial,
    private readonly results: ElasticsearchClient,
    private readonly target: ElasticsearchClient,
    /** Told when it could not be written: the trial is as good without. */
    private readonly note: (message: string) => void,
  ) {}

  /** Writes what is known by now; returns at once, writes follow each other. */
  tell(times: TrialTimes): void {
    this.last = this.last
      .then(() => this.write(times))
      .catch((error: unknown) => {
        this.note(`node metrics will not carry their trial: ${messageOf(error)}`);
      });
  }

  /** Resolves when all that was told is written, or could not be. */
  settled(): Promise<void> {
    return this.last;
  }

  private async write(times: TrialTimes): Promise<void> {
    this.clocks ??= readClocks(this.target).catch(() => ({}));
    await saveMarker(this.results, {
      '@timestamp': new Date().toISOString(),
      ...this.marked,
      phases: markedPhases(times),
      clocks: await this.clocks,
      ended: times.ended === null ? null : new Date(times.ended).toISOString(),
    });
  }
}
