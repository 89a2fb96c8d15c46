/**
 * Masks numbers without changing their order. A secret amount is added to each number. The amounts of different fields differ. Zero stays
 * zero, and the mask of a negative number is the negative mask of the positive number. The arithmetic is exact. Amounts have no more
 * decimals than the numbers, so integers stay integers.
 *
 * - Times since the epoch, in s, ms, µs or ns, are shifted by the same number of weeks as dates.
 * - A field with decimals, or with integers of six or more digits, has a single amount, which is larger than its largest number. Therefore,
 *   no mask equals a number of the field. The amount is so small that the masks fit the integer type that the field can have.
 * - A field with small integers has one amount for each number of digits. Numbers with more digits get an amount that is at least as large,
 *   which preserves the order. The masks of numbers with up to two digits fit a byte, and those with up to four digits a short.
 */
import { WEEK_SECONDS } from './dates';
import { secretBetween, type Digest } from './keyed';

/** Largest values of the integer types. They are not masked, because programs use them for "no limit". */
const LARGEST = [2_147_483_647n, 9_223_372_036_854_775_807n, 18_446_744_073_709_551_615n];

/**
 * Masking adds a secret amount to a number. The element at index n is for numbers whose first digit stands for 10^n. A range is the minimum
 * and maximum of the amount. A single number is for numbers that may be times since the epoch. Such times are shifted by whole weeks; the
 * number is one second in the unit of these times.
 */
const AMOUNTS: readonly ([from: bigint, to: bigint] | bigint)[] = [
  [1n, 9n],
  [10n, 28n],
  [30n, 290n],
  [300n, 900n],
  [900n, 8000n],
  [8000n, 80_000n],
  [80_000n, 800_000n],
  [800_000n, 8_000_000n],
  // This is less than 26 weeks in s.
  [8_000_000n, 15_000_000n],
  1n,
  // This is more than 156 weeks in s.
  [95_000_000n, 900_000_000n],
  [900_000_000n, 15_000_000_000n],
  1000n,
  [95_000_000_000n, 900_000_000_000n],
  [900_000_000_000n, 15_000_000_000_000n],
  1_000_000n,
  [95_000_000_000_000n, 900_000_000_000_000n],
  [900_000_000_000_000n, 15_000_000_000_000_000n],
  1_000_000_000n,
  [95_000_000_000_000_000n, 900_000_000_000_000_000n],
];

/** Power of ten from which numbers are not masked. The largest values of the types `float` and `double` are above it. */
const UNLIMITED = 38;

/** Minimum and maximum number of weeks by which dates are shifted. Shifted times in s around 1.7e9 still fit an integer of 32 bits. */
const WEEKS: readonly [bigint, bigint] = [26n, 156n];

const TOKEN = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The parts of a number. Its value is `digits * 10 ** exponent`. */
interface Parts {
  sign: string;
  digits: bigint;
  exponent: number;
  /** Power of ten of the first digit. */
  magnitude: number;
}

/** Returns the parts of a number that has to be masked. Returns undefined for zero, and for numbers that are not masked. */
function partsOf(token: string): Parts | undefined {
  const [, sign = '', whole, decimals = '', power = '0'] = TOKEN.exec(token) ?? [];
  if (whole === undefined) return undefined;
  const digits = BigInt(whole + decimals);
  const exponent = Number(power) - decimals.length;
  const magnitude = String(digits).length + exponent - 1;
  if (digits === 0n || magnitude >= UNLIMITED) return undefined;
  return exponent === 0 && LARGEST.includes(digits) ? undefined : { sign, digits, exponent, magnitude };
}

/** Units of times since the epoch as powers of ten: s, ms, µs and ns. */
const EPOCH_UNITS = [0, 3, 6, 9] as const;
type EpochUnit = (typeof EPOCH_UNITS)[number];

/** Range of numbers that may be times since the epoch in s: from 1998 to 2034. After a shift, they still fit 32 bits. */
const EPOCH = [9e8, 2.05e9] as const;

const epochUnitOf = ({ sign, digits, exponent }: Parts): EpochUnit | null => {
  const number = Number(digits) * 10 ** exponent;
  const isIn = (unit: EpochUnit): boolean =>
    number >= EPOCH[0] * 10 ** unit && number < EPOCH[1] * 10 ** unit;
  return sign === '' ? (EPOCH_UNITS.find(isIn) ?? null) : null;
};

/** Returns whether a number is an integer from -128 to 127. */
export const isByte = (token: string): boolean =>
  /^-?\d{1,3}$/.test(token) && Number(token) >= -128 && Number(token) <= 127;

/** Facts about the numbers in a field. */
export class NumberFacts {
  private isDecimal = false;
  private magnitude = Number.NEGATIVE_INFINITY;
  /** Whole part of the number with the largest absolute value, without its sign. */
  private largest = 0n;
  /**
   * Unit of the numbers in the field, if all of them are times since the epoch. Null if a number is not such a time; undefined if there are
   * no numbers.
   */
  private unit: EpochUnit | null | undefined;
  private isOfBytes = true;

  add(token: string): void {
    if (!isByte(token)) this.isOfBytes = false;
    const parts = partsOf(token);
    if (parts === undefined) return;
    const unit = epochUnitOf(parts);
    this.unit = this.unit === undefined || this.unit === unit ? unit : null;
    if (parts.exponent < 0) this.isDecimal = true;
    if (parts.magnitude < this.magnitude) return;
    this.magnitude = parts.magnitude;
    const { digits, exponent } = parts;
    const whole = exponent < 0 ? digits / 10n ** BigInt(-exponent) : digits * 10n ** BigInt(exponent);
    if (whole > this.largest) this.largest = whole;
  }

  /** Whether any number has decimals. */
  get hasDecimals(): boolean {
    return this.isDecimal;
  }

  /** Whether all numbers fit a byte. */
  get areBytes(): boolean {
    return this.isOfBytes;
  }

  /** Unit of the numbers, if all of them are times since the epoch; otherwise null. */
  get epochUnit(): EpochUnit | null {
    return this.unit ?? null;
  }

  /**
   * Range from which the secret amount is drawn, if all numbers of the field get the same amount. The amount is larger than all numbers of
   * the field. Its unit is `10 ** power`. Null if the amount depends on the number of digits.
   */
  get exceeding(): { range: [from: bigint, to: bigint]; power: number } | null {
    if (!this.isDecimal && this.magnitude < SMALL_DIGITS) return null;
    const above = this.magnitude + 1;
    if (above < 0) return { range: [1n, 3n], power: above };
    const from = 10n ** BigInt(above);
    const limit = this.isDecimal ? undefined : LARGEST.find((largest) => largest > this.largest);
    const room = limit === undefined ? 3n * from : limit - this.largest;
    const to = room < 3n * from ? room : 3n * from;
    return { range: [from < to ? from : to / 2n + 1n, to], power: 0 };
  }
}

/** Maximum number of digits of a small integer. */
const SMALL_DIGITS = 5;

interface Amount {
  value: bigint;
  /** Unit of the value, as a power of ten. */
  power: number;
}

export class Numbers {
  /** Number of weeks by which dates are shifted into the future. */
  readonly weeks: number;
  private readonly amounts = new Map<string, bigint>();

  constructor(private readonly digest: Digest) {
    this.weeks = Number(secretBetween(digest, 'weeks', ...WEEKS));
  }

  /**
   * Masks a number in a field. `token`: the number as JSON. `facts`: facts about the field; undefined if documents and queries contain no
   * numbers in it.
   */
  masked(field: string, token: string, facts?: NumberFacts): string {
    const parts = partsOf(token);
    if (parts === undefined) return token;
    const { sign, digits, exponent } = parts;
    const { value, power } = this.amount(field, parts, facts);
    const lowest = Math.min(exponent, power);
    const added = digits * 10n ** BigInt(exponent - lowest) + value * 10n ** BigInt(power - lowest);
    if (/[eE]/.test(token)) return `${sign}${added}${lowest === 0 ? '' : `e${lowest}`}`;
    // Without facts about the field, the number may be larger than the largest long.
    if (lowest === 0 && LARGEST.slice(1).some((largest) => digits < largest && added > largest))
      return `${sign}${digits - value}`;
    return sign + withDecimals(added, -lowest);
  }

  private amount(field: string, { magnitude }: Parts, facts: NumberFacts | undefined): Amount {
    const unit = facts?.epochUnit ?? null;
    if (unit !== null) return { value: this.weekSeconds * 10n ** BigInt(unit), power: 0 };
    const exceeding = facts?.exceeding ?? null;
    if (exceeding !== null) {
      const { range, power } = exceeding;
      return { value: this.secret(`above|${range.join()}|${power}|${field}`, range), power };
    }
    const range = AMOUNTS[magnitude];
    if (typeof range === 'bigint') return { value: range * this.weekSeconds, power: 0 };
    if (range !== undefined) return { value: this.secret(`${magnitude}|${field}`, range), power: 0 };
    // For such large numbers, only the first digit changes.
    return {
      value: this.secret(`${magnitude}|${field}`, [1n, magnitude < 0 ? 9n : 1n]),
      power: magnitude,
    };
  }

  private get weekSeconds(): bigint {
    return WEEK_SECONDS * BigInt(this.weeks);
  }

  private secret(name: string, [from, to]: readonly [bigint, bigint]): bigint {
    const made = this.amounts.get(name) ?? secretBetween(this.digest, `number|${name}`, from, to);
    if (this.amounts.size > MOST_KNOWN) this.amounts.clear();
    this.amounts.set(name, made);
    return made;
  }
}

/** Maximum number of amounts that are cached. */
const MOST_KNOWN = 100_000;

function withDecimals(digits: bigint, decimals: number): string {
  if (decimals <= 0) return String(digits * 10n ** BigInt(-decimals));
  const text = String(digits).padStart(decimals + 1, '0');
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}
