/**
 * Generates numbers of about the same sizes as those in the user's data. The profile contains the size of a number only as a bucket
 * (levels.ts).
 */
import { exactText, plainValue } from '../../json/exact';
import { mix, type Random } from '../../random';
import { Choice } from './choice';
import type { Making, TextOf } from './field-value';
import { bucketFrom } from './levels';
import type { ProfiledDraw, ProfiledValue } from './profile';
import { rareRowsOf } from './rare-rows';

const LARGEST = Number.MAX_SAFE_INTEGER;
/** Maximum number of decimals that are calculated. If the numbers in the user's data have more decimals, `text` appends random digits. */
const CARRIED = 6;
const TRIES = 50;
const MOST_TAKEN = 1_000_000;

export type NumberKind = Omit<Extract<ProfiledValue['make'], { number: object }>['number'], 'steps'>;

/** Generates numbers, which it represents as integers: with two decimals, 1.25 is represented as 125. */
export class Numbers {
  /** Factor between a number and the integer that represents it: 100 for two decimals. */
  readonly perOne: number;
  private readonly buckets: Choice<number>;
  private readonly zeros: number;

  constructor(private readonly kind: NumberKind) {
    this.buckets = new Choice(kind.buckets, 0);
    this.perOne = 10 ** Math.min(CARRIED, kind.decimals);
    this.zeros = kind.decimals > 0 ? 1 : 10 ** Math.min(15, kind.zeros);
  }

  drawBucket(random: Random): number {
    return this.buckets.draw(random);
  }

  draw(random: Random): number {
    return this.within(this.buckets.draw(random), random.unit());
  }

  /** Returns a number within a bucket. `place`: relative position in the bucket, from 0 to less than 1. */
  within(bucket: number, place: number): number {
    if (bucket === 0) return 0;
    const size = Math.abs(bucket);
    const low = Math.ceil(bucketFrom(size) * this.perOne);
    const high = Math.max(low + 1, Math.ceil(bucketFrom(size + 1) * this.perOne));
    let value = low + Math.floor((high - low) * place);
    if (this.zeros > 1) value = Math.max(this.zeros, Math.round(value / this.zeros) * this.zeros);
    if (this.kind.within !== undefined) value %= this.kind.within * this.perOne;
    value = Math.min(LARGEST, value);
    return bucket < 0 ? -value : value;
  }

  /** Returns a number within the bucket that is not in `taken` yet, and adds it to `taken`. */
  unused(bucket: number, taken: Set<number>, random: Random): number {
    let value = this.within(bucket, random.unit());
    for (let tried = 0; tried < TRIES && taken.has(value); tried += 1)
      value = this.within(bucket, random.unit());
    // If all numbers of the bucket are taken, larger numbers are used, up to the largest integer that a double represents exactly.
    const mayGrow = bucket !== 0 && this.kind.within === undefined && taken.size < MOST_TAKEN;
    while (mayGrow && taken.has(value) && value < LARGEST) value += 1;
    taken.add(value);
    return value;
  }

  /**
   * Formats a number. `value`: the integer that represents the number. `salt`: determines the random digits that are appended if the
   * numbers have more than {@link CARRIED} decimals.
   */
  text(value: number, salt: number): string {
    if (this.perOne === 1) return String(value);
    const size = Math.abs(value);
    const whole = Math.floor(size / this.perOne);
    const fraction = String(size - whole * this.perOne + this.perOne).slice(1);
    let text = `${value < 0 ? '-' : ''}${whole}.${fraction}`;
    let state = mix(salt);
    for (let digit = CARRIED; digit < this.kind.decimals; digit += 1) {
      state = mix(state + digit);
      text += 1 + (state % 9);
    }
    return text;
  }
}

/**
 * Returns a function that converts the id of a value of this field to the text of the value. Different ids give different numbers.
 * Generated numbers also differ from the original numbers that the profile contains (`kept`).
 */
export function repeatedNumbers(
  draw: ProfiledDraw,
  kind: NumberKind,
  { vocabulary: random }: Making,
): TextOf {
  const numbers = new Numbers(kind);
  const { head, kept = [] } = draw;
  const buckets = [
    ...head.map(([bucket]) => bucket),
    ...Array.from({ length: rareRowsOf(draw) }, () => numbers.drawBucket(random)),
  ];
  const taken = new Set(kept.map((value) => Math.round(Number(plainValue(value)) * numbers.perOne)));
  const texts = buckets.map((bucket, id) =>
    kept[id] === undefined ? numbers.text(numbers.unused(bucket, taken, random), id) : exactText(kept[id]),
  );
  const rareRows = buckets.length - head.length;
  return (id) => {
    const bucket = buckets[head.length + ((id - head.length) % rareRows)]!;
    return texts[id] ?? numbers.text(numbers.within(bucket, mix(id) / 2 ** 32), id);
  };
}
