/** A share's turns of a rate that changes when the search says so: every step begins a schedule of its own. */
import { NOT_YET, type Turns } from '../executors/schedule';
import type { Share } from '../shares';
import type { RateOrder } from './orders';

interface Stretch {
  from: number;
  lengthMs: number;
  perSecond: number;
  /** The share's own number of its first request. */
  first: number;
}

export class SteppedTurns implements Turns {
  private readonly stretches: Stretch[] = [];

  /** `lane`: the share's place among those that take turns; nothing is ever due where `index` is `of` or more. */
  constructor(private readonly lane: Share) {}

  /** Orders follow each other in time. */
  follow({ from, until, perSecond }: Pick<RateOrder, 'from' | 'until' | 'perSecond'>): void {
    const last = this.stretches.at(-1);
    const first = last === undefined ? 0 : last.first + this.within(last, last.lengthMs);
    this.stretches.push({ from, lengthMs: until - from, perSecond, first });
  }

  due(own: number): number {
    const { index, of } = this.lane;
    if (index >= of) return Infinity;
    const stretch = this.stretches.findLast(({ first }) => first <= own);
    if (stretch === undefined || own - stretch.first >= this.within(stretch, stretch.lengthMs))
      return NOT_YET;
    return stretch.from + ((index + (own - stretch.first) * of) * 1000) / stretch.perSecond;
  }

  dueBefore(time: number): number {
    const stretch = this.stretches.findLast(({ from }) => from < time);
    return stretch === undefined
      ? 0
      : stretch.first + this.within(stretch, Math.min(time - stretch.from, stretch.lengthMs));
  }

  /** The share's requests that are due within the first `ms` of a stretch. */
  private within({ perSecond }: Stretch, ms: number): number {
    const { index, of } = this.lane;
    if (index >= of) return 0;
    // What is due at the very end is not within; the tolerance is that of the product.
    const all = Math.ceil((ms * perSecond) / 1000 - 1e-9);
    return Math.max(0, Math.floor((all - index + of - 1) / of));
  }
}
