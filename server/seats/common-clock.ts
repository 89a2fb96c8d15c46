/**
 * A clock that all processes of a run have in common: the clock of one node of the results cluster. The processes are on several machines,
 * whose own clocks may be wrong by seconds.
 *
 * Each process asks the node for the time several times, to find the difference between its own clock and that of the node. The node reads
 * its clock between the request and the response (Cristian 1989), so each response gives an interval that contains the difference. The
 * difference is therefore in the intersection of all these intervals (Marzullo and Owicki 1983).
 */
import { tick } from '../load/timing/clock';
import type { Bus } from './bus';
import type { ClockFigures } from './protocol';

/** Number of requests for the time. There are several, because a pause of the node could delay one of them. */
const ASKED = 12;
/** Half of the clock's resolution, in ms. The node reports whole milliseconds, and {@link Bus.time} returns the middle of a millisecond. */
const HALF_MS = 0.5;

export class CommonClock {
  /** Common time minus {@link tick}, in ms. */
  private offset = 0;
  private error = Infinity;

  constructor(
    private readonly bus: Pick<Bus, 'time'>,
    private readonly now: () => number = tick,
  ) {}

  /**
   * Measures the difference between this process's clock and the common clock, for later conversions. Returns the difference of the wall
   * clocks and its precision. Called before each load, because clocks drift. Rejects with a DynoError if the results cluster does not
   * answer.
   */
  async measure(): Promise<ClockFigures> {
    let least = -Infinity;
    let most = Infinity;
    for (let asked = 0; asked < ASKED; asked += 1) {
      const before = this.now();
      const time = await this.bus.time();
      const after = this.now();
      const [lower, upper] = [time - HALF_MS - after, time + HALF_MS - before];
      // If the intervals have no intersection, a clock was changed in the meantime, so the earlier answers are useless.
      if (lower > most || upper < least) [least, most] = [lower, upper];
      else [least, most] = [Math.max(least, lower), Math.min(most, upper)];
    }
    this.offset = (least + most) / 2;
    this.error = (most - least) / 2;
    return { offsetMs: Date.now() - (this.now() + this.offset), errorMs: this.error };
  }

  /** Converts a time of the common clock to the clock {@link tick} of this process, in ms. */
  tickAt(time: number): number {
    return time - this.offset;
  }

  /** Converts a time of the clock {@link tick} of this process to the common clock, in ms. */
  timeAt(atTick: number): number {
    return atTick + this.offset;
  }
}
