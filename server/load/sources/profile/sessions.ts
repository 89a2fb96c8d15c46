/** Which documents go on where an earlier one left off, and with which fields' values. */
import { shareOf } from '../../../../common/generators/profile/levels';
import type { ProfiledSessions, Weighted } from '../../../../common/generators/profile/profile';
import {
  ANY_SET,
  BEGAN,
  MOST_SESSIONS,
  rankClass,
  ranksOf,
} from '../../../../common/generators/profile/sessions';
import { Weights, type Dice } from './dice';
import type { OfSessions } from './field-value';

/** Below it moving entries one by one is faster than a call. */
const FEW = 24;

export class Sessions {
  /** Slots of sessions; those that went on last come first. */
  private readonly stack = new Int32Array(MOST_SESSIONS);
  private used = 0;
  private readonly begin: number;
  private readonly leasts: Int32Array;
  private readonly counts: Int32Array;
  private readonly rankWeights: Weights;
  /** Of each rank its class, as a place among the contexts. */
  private readonly classes: Int32Array;
  /** By class of the rank and by set that the session kept last, one more of each: which sets follow. */
  private readonly contexts: { sets: Int32Array; weights: Weights }[];
  private readonly stride: number;
  /** Of each session the set that it kept last, or BEGAN. */
  private readonly last = new Int32Array(MOST_SESSIONS);
  /** By set, for each value in the order in which they are drawn, 1 where it is kept. */
  private readonly masks: Uint8Array[];
  private readonly nothing: Uint8Array;

  /** `order`: places of values as they are drawn. */
  constructor(
    { begin, ranks, kept, next }: ProfiledSessions,
    order: readonly number[],
    private readonly session: OfSessions,
  ) {
    this.begin = shareOf(begin);
    this.leasts = Int32Array.from(ranks, ([rank]) => ranksOf(rank).least);
    this.counts = Int32Array.from(ranks, ([rank]) => ranksOf(rank).count);
    this.rankWeights = new Weights(ranks.map(([, level]) => shareOf(level)));
    this.stride = kept.length + 1;
    this.classes = Int32Array.from(ranks, ([rank]) => rankClass(rank) * this.stride);
    const told = new Map(next.map(([context, following]) => [context.join(), following]));
    const whole: Weighted = kept.map((_, set) => [set, 0]);
    const any = ranks.map(([rank]) => told.get(`${rankClass(rank)},${ANY_SET}`) ?? whole);
    this.contexts = [];
    for (const [at, [rank]] of ranks.entries())
      for (let set = BEGAN; set < kept.length; set += 1) {
        const following = told.get(`${rankClass(rank)},${set}`) ?? any[at]!;
        this.contexts[this.classes[at]! + set + 1] ??= {
          sets: Int32Array.from(following, ([number]) => number),
          weights: new Weights(following.map(([, level]) => shareOf(level))),
        };
      }
    this.masks = kept.map((places) => {
      const own = new Set(places);
      return Uint8Array.from(order, (place) => (own.has(place) ? 1 : 0));
    });
    this.nothing = new Uint8Array(order.length);
  }

  /** Sets the session of the document of that row, which follows; returns which values are as that has them. */
  next(row: number, dice: Dice): Uint8Array {
    if (this.used > 0 && dice.unit() >= this.begin) {
      const way = this.rankWeights.draw(dice);
      const count = this.counts[way]!;
      const rank = this.leasts[way]! + (count === 1 ? 0 : dice.below(count));
      if (rank < this.used) {
        const slot = this.stack[rank]!;
        this.toFront(row, rank, slot);
        const { sets, weights } = this.contexts[this.classes[way]! + this.last[slot]! + 1]!;
        const set = sets[weights.draw(dice)]!;
        this.last[slot] = set;
        this.session.goesOn[row] = 1;
        return this.masks[set]!;
      }
    }
    if (this.used < MOST_SESSIONS) {
      this.used += 1;
      this.toFront(row, this.used - 1, this.used - 1);
    } else this.toFront(row, MOST_SESSIONS - 1, this.stack[MOST_SESSIONS - 1]!);
    this.last[this.session.slots[row]!] = BEGAN;
    this.session.goesOn[row] = 0;
    return this.nothing;
  }

  private toFront(row: number, rank: number, slot: number): void {
    const { stack } = this;
    if (rank < FEW) for (let at = rank; at > 0; at -= 1) stack[at] = stack[at - 1]!;
    else stack.copyWithin(1, 0, rank);
    stack[0] = slot;
    this.session.slots[row] = slot;
  }
}
