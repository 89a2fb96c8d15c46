/**
 * The common clock of all seats of a run: the clock of one node of the results cluster. It is needed because the wall clocks of the seats
 * may be wrong by seconds. Each process asks the node for the time several times. The node reads its clock between the request and the
 * answer (Cristian 1989), so each answer gives an interval that contains the true offset. The true offset is therefore in the intersection
 * of all these intervals (Marzullo and Owicki 1983).
 */
import { tick } from '../load/timing/clock';
import type { Bus } from './bus';
import type { ClockFigures } from './protocol';

/** Number of requests for the time. There are several, because a pause of the node could delay one of them. */
const ASKED = 12;
/**
 * Half of the clock's resolution, in ms. The clock reports whole milliseconds, and {@link Bus.time} returns the middle of a millisecond.
 */
const HALF_MS = 0.5;

export class CommonClock {
  /** Common time minus {@link tick}, in ms. */
  private offset = 0;
  private error = Infinity;

  constructor(
    private readonly bus: Pick<Bus, 'time'>,
    private readonly now: () => number = tick,
  ) {}

  /** Measures the offset. This is done before each load, because clocks drift. Rejects with the errors of the bus. */
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

  /** Converts a time of the common clock to the {@link tick} of this process, in ms. */
  tickAt(time: number): number {
    return time - this.offset;
  }

  /** Converts a {@link tick} of this process to a time of the common clock. */
  timeAt(atTick: number): number {
    return atTick + this.offset;
  }
}
