/** How numbers are written: those that come again, those of one document alone, and those that rise. */
import { bucketFrom, shareOf } from '../../../../common/generators/profile/levels';
import { exactText, plainValue } from '../../../../common/json/exact';
import type { ProfiledDraw, Weighted } from '../../../../common/generators/profile/profile';
import { Rows, writeNumber, type Target } from './bytes';
import { mix, Weights, type Dice } from './dice';
import type { FieldValue, Maker, Surroundings } from './field-value';
import { encodedOf, rowsOf, TRIES } from './made-rows';

const LARGEST = Number.MAX_SAFE_INTEGER;
const LONGEST_NUMBER = 40;
/** Digits behind the point that a number carries itself; more are drawn one by one. */
const CARRIED = 6;

interface NumberKind {
  buckets: Weighted;
  decimals: number;
  zeros: number;
  within?: 90 | 180 | undefined;
  steps?: Weighted | undefined;
}

/** Numbers of buckets, in units of the last digit that they carry. */
export class Numbers {
  private readonly buckets: Int32Array;
  private readonly weights: Weights;
  private readonly unit: number;
  private readonly more: number;
  private readonly zeros: number;

  constructor(private readonly kind: NumberKind) {
    this.buckets = Int32Array.from(kind.buckets.length === 0 ? [0] : kind.buckets.map(([bucket]) => bucket));
    this.weights = new Weights(
      kind.buckets.length === 0 ? [1] : kind.buckets.map(([, level]) => shareOf(level)),
    );
    this.unit = 10 ** Math.min(CARRIED, kind.decimals);
    this.more = Math.max(0, kind.decimals - CARRIED);
    this.zeros = kind.decimals > 0 ? 1 : 10 ** Math.min(15, kind.zeros);
  }

  drawBucket(dice: Dice): number {
    return this.buckets[this.weights.draw(dice)]!;
  }

  /** `place`: where in the bucket, in [0, 1). */
  within(bucket: number, place: number): number {
    if (bucket === 0) return 0;
    const size = Math.abs(bucket);
    const low = Math.ceil(bucketFrom(size) * this.unit);
    const high = Math.max(low + 1, Math.ceil(bucketFrom(size + 1) * this.unit));
    let value = low + Math.floor((high - low) * place);
    if (this.zeros > 1) value = Math.max(this.zeros, Math.round(value / this.zeros) * this.zeros);
    if (this.kind.within !== undefined) value %= this.kind.within * this.unit;
    value = Math.min(LARGEST, value);
    return bucket < 0 ? -value : value;
  }

  /** `value`: in units; the digits that it does not carry follow from `salt`. */
  write(value: number, salt: number, out: Target, from: number): number {
    if (this.unit === 1) return writeNumber(out, from, value);
    const { bytes } = out;
    const size = Math.abs(value);
    const whole = Math.floor(size / this.unit);
    let at = from;
    if (value < 0) {
      bytes[at] = 45;
      at += 1;
    }
    at = writeNumber(out, at, whole);
    bytes[at] = 46;
    at += 1;
    let rest = size - whole * this.unit;
    for (let divisor = this.unit / 10; divisor >= 1; divisor /= 10) {
      const digit = Math.floor(rest / divisor);
      bytes[at] = 48 + digit;
      at += 1;
      rest -= digit * divisor;
    }
    let state = mix(salt);
    for (let digit = 0; digit < this.more; digit += 1) {
      state = mix(state + digit);
      bytes[at] = 49 + (state % 9);
      at += 1;
    }
    return at;
  }
}

/** Numbers by the numbers that they have among the values. */
export class NumberMaker implements Maker {
  readonly longest = LONGEST_NUMBER;
  private readonly numbers: Numbers;
  readonly whole: Rows;
  private readonly rowBuckets: Int32Array;
  private readonly heads: number;

  constructor(profiled: ProfiledDraw, kind: NumberKind, { dice, store }: Surroundings) {
    this.numbers = new Numbers(kind);
    this.heads = profiled.head.length;
    const { kept = [] } = profiled;
    // Made ones are none of those that are kept.
    const units = kept.map((value) =>
      Math.round(Number(plainValue(value)) * 10 ** Math.min(CARRIED, kind.decimals)),
    );
    const taken = new Set(units);
    const rows = [
      ...profiled.head.map(([bucket]) => bucket),
      ...Array.from({ length: rowsOf(profiled) }, () => this.numbers.drawBucket(dice)),
    ];
    this.rowBuckets = Int32Array.from(rows);
    const values = rows.map((bucket, at) => {
      if (at < units.length) return units[at]!;
      let value = this.numbers.within(bucket, dice.unit());
      for (let tried = 0; tried < TRIES && taken.has(value); tried += 1)
        value = this.numbers.within(bucket, dice.unit());
      // A bucket that is full lends its neighbours' numbers. Above the largest whole number of a double, adding 1 changes nothing.
      while (
        taken.has(value) &&
        value < LARGEST &&
        taken.size < 1_000_000 &&
        bucket !== 0 &&
        kind.within === undefined
      )
        value += 1;
      taken.add(value);
      return value;
    });
    const buffer = Buffer.alloc(LONGEST_NUMBER);
    const target = { bytes: buffer, view: new DataView(buffer.buffer, buffer.byteOffset) };
    this.whole = new Rows(
      store,
      values.map((value, at) =>
        kept[at] === undefined
          ? Uint8Array.from(buffer.subarray(0, this.numbers.write(value, at, target, 0)))
          : encodedOf(exactText(kept[at])),
      ),
    );
  }

  write(id: number, out: Target, at: number): number {
    const { whole, heads } = this;
    if (id < whole.count) return whole.write(id, out, at);
    const row = heads + ((id - heads) % (whole.count - heads));
    return this.numbers.write(
      this.numbers.within(this.rowBuckets[row]!, mix(id) / 4_294_967_296),
      id,
      out,
      at,
    );
  }
}

/** A number of its own in each document. */
export class OwnNumber implements FieldValue {
  drawnFor = -1;
  readonly longest = LONGEST_NUMBER;
  private readonly numbers: Numbers;
  private value = 0;
  private salt = 0;

  constructor(
    kind: NumberKind,
    private readonly dice: Dice,
  ) {
    this.numbers = new Numbers(kind);
  }

  draw(document: number): void {
    this.drawnFor = document;
    this.value = this.numbers.within(this.numbers.drawBucket(this.dice), this.dice.unit());
    this.salt = this.dice.next();
  }

  keep(document: number): void {
    this.draw(document);
  }

  write(out: Target, at: number): number {
    return this.numbers.write(this.value, this.salt, out, at);
  }
}

/** A number that rises from document to document; each thread counts in a range of its own. */
export class CountingNumber implements FieldValue {
  drawnFor = -1;
  readonly longest = LONGEST_NUMBER;
  private readonly numbers: Numbers;
  private readonly steps: Numbers;
  private value: number;

  private readonly dice: Dice;

  constructor(kind: NumberKind, { dice, share }: Surroundings) {
    this.dice = dice;
    this.numbers = new Numbers({ ...kind, zeros: 0 });
    this.steps = new Numbers({ buckets: kind.steps!, decimals: 0, zeros: 0 });
    const start = Math.abs(this.numbers.within(this.numbers.drawBucket(dice), 0));
    this.value = Math.min(LARGEST / 2, start * (1 + share.index));
  }

  draw(document: number): void {
    this.drawnFor = document;
    const step = this.steps.within(this.steps.drawBucket(this.dice), this.dice.unit());
    this.value = Math.min(LARGEST, this.value + step);
  }

  keep(document: number): void {
    this.draw(document);
  }

  write(out: Target, at: number): number {
    return writeNumber(out, at, this.value);
  }
}
