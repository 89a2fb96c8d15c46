/** Random numbers for documents that are drawn field by field: sfc32 as in `common/random`, without numbers on the heap. */
import type { Random } from '../../../../common/random';

/** Numbers of {@link Dice.next} lie below it. */
const RANGE = 2 ** 31;

export class Dice {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(random: Random) {
    this.a = random.next() | 0;
    this.b = random.next() | 0;
    this.c = random.next() | 0;
    for (let i = 0; i < 12; i += 1) this.next();
  }

  /** 31 bits. */
  next(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 1;
  }

  /** Whole number in [0, bound). */
  below(bound: number): number {
    return Math.floor((this.next() * bound) / RANGE);
  }

  /** In [0, 1). */
  unit(): number {
    return this.next() / RANGE;
  }
}

/** The finalizer of MurmurHash3, 32 bits (Appleby): no two numbers have the same. */
export function mix(word: number): number {
  let bits = word ^ (word >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Draws by weights: the alias method (Walker 1977; Vose 1991); one random number gives the place and the share of it. */
export class Weights {
  /** Of each place, side by side: how much of it is its own, of {@link ONE}; the place; and what the rest of it stands for. */
  private readonly places: Int32Array;
  private readonly size: number;

  constructor(weights: readonly number[]) {
    const size = weights.length;
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const shares = weights.map((weight) => (total > 0 ? (weight * size) / total : 1));
    this.size = size;
    this.places = new Int32Array(WIDTH * size);
    for (let place = 0; place < size; place += 1) {
      this.places[WIDTH * place] = ONE;
      this.places[WIDTH * place + 1] = place;
      this.places[WIDTH * place + 2] = place;
    }
    const small: number[] = [];
    const large: number[] = [];
    shares.forEach((share, place) => (share < 1 ? small : large).push(place));
    while (small.length > 0 && large.length > 0) {
      const less = small.pop()!;
      const more = large.pop()!;
      this.places[WIDTH * less] = Math.round(shares[less]! * ONE);
      this.places[WIDTH * less + 2] = more;
      shares[more] = shares[more]! + shares[less]! - 1;
      (shares[more]! < 1 ? small : large).push(more);
    }
  }

  draw(dice: Dice): number {
    const { size, places } = this;
    if (size === 1) return 0;
    const drawn = dice.next() * size;
    const place = Math.floor(drawn / RANGE);
    const at = place * WIDTH;
    // The sign of a difference in place of a branch, which no processor would foresee.
    const isOther = (places[at]! - 1 - ((drawn - place * RANGE) | 0)) >>> 31;
    return places[at + 1 + isOther]!;
  }
}

const ONE = RANGE - 1;
/** Places of one in a cache line do not lie in two. */
const WIDTH = 4;
