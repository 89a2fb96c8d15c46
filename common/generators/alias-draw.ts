/** Draws of very unequal weights: the alias method (Walker 1977; Vose 1991), exact however small a weight is. */
import type { Random } from '../random';

export class AliasDraw {
  /** By place: with this probability the number is the place itself, else the other one. */
  private readonly own: Float64Array;
  private readonly other: Int32Array;

  /** Number i comes with a probability of `weights[i]` over their sum. */
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
      // What the small one leaves free of its place is filled by the large one.
      const left = this.own[more]! + this.own[less]! - 1;
      this.own[more] = left;
      (left < 1 ? small : large).push(more);
    }
    // Nothing but rounding is left of these.
    for (const place of [...small, ...large]) this.own[place] = 1;
  }

  /** Allocates nothing. */
  draw(random: Random): number {
    const place = random.below(this.own.length);
    return random.unit() < this.own[place]! ? place : this.other[place]!;
  }
}
