/**
 * The clock that all seats of a run agree on: that of one node of the results cluster. Each process asks it a few times. The moment
 * that an answer tells lies between question and answer (Cristian 1989), and the true distance in all of these intervals at once
 * (Marzullo and Owicki 1983). Their own wall clocks may be off by seconds.
 */
import { tick } from '../load/timing/clock';
import type { Bus } from './bus';
import type { ClockFigures } from './protocol';

/** Questions; one alone may have met a pause of the node. */
const ASKED = 12;
/** It tells whole milliseconds, and {@link Bus.time} gives the middle of one. */
const HALF_MS = 0.5;

export class CommonClock {
  /** Common time minus {@link tick}, ms. */
  private offset = 0;
  private error = Infinity;

  constructor(
    private readonly bus: Pick<Bus, 'time'>,
    private readonly now: () => number = tick,
  ) {}

  /** Before each load: clocks drift. Rejects as the bus does. */
  async measure(): Promise<ClockFigures> {
    let least = -Infinity;
    let most = Infinity;
    for (let asked = 0; asked < ASKED; asked += 1) {
      const before = this.now();
      const time = await this.bus.time();
      const after = this.now();
      const [lower, upper] = [time - HALF_MS - after, time + HALF_MS - before];
      // A clock that was set meanwhile: what it said before is of no use.
      if (lower > most || upper < least) [least, most] = [lower, upper];
      else [least, most] = [Math.max(least, lower), Math.min(most, upper)];
    }
    this.offset = (least + most) / 2;
    this.error = (most - least) / 2;
    return { offsetMs: Date.now() - (this.now() + this.offset), errorMs: this.error };
  }

  /** ms of {@link tick} at a moment of the common clock. */
  tickAt(time: number): number {
    return time - this.offset;
  }

  /** The moment of the common clock at a {@link tick}. */
  timeAt(atTick: number): number {
    return atTick + this.offset;
  }
}
