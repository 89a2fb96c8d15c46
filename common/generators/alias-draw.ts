/**
 * Draws numbers whose weights may be very different, using the alias method (Walker 1977; Vose 1991). The method is exact even for tiny
 * weights.
 */
import type { Random } from '../random';

export class AliasDraw {
  /**
   * For each number, the probability that drawing its entry of the table returns the number itself. Otherwise, the result is the number in
   * `other`.
   */
  private readonly own: Float64Array;
  private readonly other: Int32Array;

  /** `weights`: the probability of number i is `weights[i]` divided by the sum of all weights. */
  constructor(weights: readonly number[]) {
    const size = weights.length;
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    this.own = Float64Array.from(weights, (weight) => (weight * size) / total);
    this.other = Int32Array.from(weights, (_, place) => place);
    const small: number[] = [];
    const large: number[] = [];
    this.own.forEach((share, place) => (share < 1 ? small : large).push(place));
    while (small.length > 0 && large.length > 0) {
      const less = small.pop()!;
      const more = large.pop()!;
      this.other[less] = more;
      // The small weight does not fill its entry of the table. Part of the large weight fills the rest.
      const left = this.own[more]! + this.own[less]! - 1;
      this.own[more] = left;
      (left < 1 ? small : large).push(more);
    }
    // The weights of the remaining entries differ from 1 only by rounding errors.
    for (const place of [...small, ...large]) this.own[place] = 1;
  }

  /** Draws a number. Allocates no memory. */
  draw(random: Random): number {
    const place = random.below(this.own.length);
    return random.unit() < this.own[place]! ? place : this.other[place]!;
  }
}
