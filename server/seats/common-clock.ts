/**
 * The common clock of all seats of a run: the clock of one node of the results cluster. The wall clocks of the seats may be wrong by
 * seconds. Each process asks the node for the time several times. The time in an answer is between request and answer (Cristian 1989), so
 * the true offset is in the intersection of all these intervals (Marzullo and Owicki 1983).
 */
import { tick } from '../load/timing/clock';
import type { Bus } from './bus';
import type { ClockFigures } from './protocol';

/** Number of requests for the time. A single request could coincide with a pause of the node. */
const ASKED = 12;
/** The clock reports whole milliseconds, and {@link Bus.time} returns the middle of one. */
const HALF_MS = 0.5;

export class CommonClock {
  /** Common time minus {@link tick}, in ms. */
  private offset = 0;
  private error = Infinity;

  constructor(
    private readonly bus: Pick<Bus, 'time'>,
    private readonly now: () => number = tick,
  ) {}

  /** Measures the offset. Called before each load, because clocks drift. Rejects as the bus does. */
  async measure(): Promise<ClockFigures> {
    let least = -Infinity;
    let most = Infinity;
    for (let asked = 0; asked < ASKED; asked += 1) {
      const before = this.now();
      const time = await this.bus.time();
      const after = this.now();
      const [lower, upper] = [time - HALF_MS - after, time + HALF_MS - before];
      // Without an intersection, the clock was changed in the meantime, so earlier answers are useless.
      if (lower > most || upper < least) [least, most] = [lower, upper];
      else [least, most] = [Math.max(least, lower), Math.min(most, upper)];
    }
    this.offset = (least + most) / 2;
    this.error = (most - least) / 2;
    return { offsetMs: Date.now() - (this.now() + this.offset), errorMs: this.error };
  }

  /** Returns the {@link tick}, in ms, at a time of the common clock. */
  tickAt(time: number): number {
    return time - this.offset;
  }

  /** Returns the time of the common clock at a {@link tick}. */
  timeAt(atTick: number): number {
    return atTick + this.offset;
  }
}
