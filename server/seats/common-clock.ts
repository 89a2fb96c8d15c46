/**
 * The clock that all seats of a run agree on: that of one node of the results cluster. Each process asks it a few times and
 * believes the answer that came fastest: the moment lies between question and answer (Cristian 1989). Their own wall clocks may
 * be off by seconds.
 */
import { tick } from '../load/clock';
import type { Bus } from './bus';
import type { ClockFigures } from './protocol';

/** Questions; one alone may have met a pause of the node. */
const ASKED = 8;

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
    let best = { way: Infinity, offset: 0 };
    for (let asked = 0; asked < ASKED; asked += 1) {
      const before = this.now();
      const time = await this.bus.time();
      const after = this.now();
      const way = after - before;
      if (way < best.way) best = { way, offset: time - (before + after) / 2 };
    }
    this.offset = best.offset;
    // The clock is read in whole milliseconds.
    this.error = best.way / 2 + 0.5;
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
