/**
 * The times of the requests of one second. As long as they are few they are only listed, and sorted when the second ends: emptying
 * and searching a histogram takes 0.2 ms, in which answers may wait for the loop.
 */
import {
  countedValues,
  createHistogram,
  placeOf,
  recordUs,
  usOf,
  type CountedValues,
  type Histogram,
} from '../../common/measurement/histogram';

/** So many are listed; with more, sorting them takes as long as a histogram. */
const MOST_LISTED = 1024;

export class SecondTimes {
  private readonly listed = new Uint32Array(MOST_LISTED);
  private count = 0;
  /** Made once there are more than are listed. */
  private histogram: Histogram | null = null;

  /** One more, ms. */
  record(ms: number): void {
    const us = usOf(ms);
    if (this.count < MOST_LISTED) this.listed[this.count] = us;
    else {
      if (this.count === MOST_LISTED) this.unlist();
      recordUs(this.histogram!, us);
    }
    this.count += 1;
  }

  /** The 99th percentile so far, ms; 0 of none. */
  p99(): number {
    if (this.count === 0) return 0;
    if (this.count > MOST_LISTED) return this.histogram!.getValueAtPercentile(99) / 1000;
    return this.sorted()[Math.ceil(this.count * 0.99) - 1]! / 1000;
  }

  /** All of them; begins anew. */
  take(): CountedValues {
    const taken = this.count > MOST_LISTED ? countedValues(this.histogram!) : this.countListed();
    this.reset();
    return taken;
  }

  reset(): void {
    if (this.count > MOST_LISTED) this.histogram!.reset();
    this.count = 0;
  }

  private sorted(): Uint32Array {
    return this.listed.subarray(0, this.count).sort();
  }

  private unlist(): void {
    this.histogram ??= createHistogram();
    for (const us of this.listed) recordUs(this.histogram, us);
  }

  private countListed(): CountedValues {
    const counted = new Uint32Array(2 * this.count);
    let used = 0;
    for (const us of this.sorted()) {
      const place = placeOf(us);
      if (used > 0 && counted[used - 2] === place) counted[used - 1]! += 1;
      else {
        counted[used] = place;
        counted[used + 1] = 1;
        used += 2;
      }
    }
    return counted.slice(0, used);
  }
}
