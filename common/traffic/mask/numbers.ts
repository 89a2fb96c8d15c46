/**
 * Masks numbers so that their order stays: within each power of ten, a secret amount is added, which differs from field to field. Larger
 * numbers never get a smaller amount, so the order of all numbers of a field stays. Zero stays zero, and negative numbers mirror positive
 * ones.
 *
 * Numbers that can be times since the epoch, in s, ms, µs or ns, are shifted by the weeks by which dates are shifted, in every field.
 *
 * The amounts are small enough for the types of Elasticsearch: a masked number of up to two digits fits a byte, one of up to four digits
 * a short. A number that would exceed the largest long is decreased instead. The amounts have no more decimals than the number, so integers
 * stay integers. The arithmetic is exact.
 */
import { secretBetween, type Digest } from './keyed';
import { WEEK_SECONDS } from './dates';

/** Largest values of integer types. Programs use them as "no limit", so they stay. */
const LIMITS = new Set(['2147483647', '9223372036854775807', '18446744073709551615']);

/** Range of the amount for each power of ten from 0 to 19, both included. Powers without a range have the shift of dates. */
const AMOUNTS: readonly ([from: bigint, to: bigint] | bigint)[] = [
  [1n, 9n],
  [10n, 28n],
  [30n, 290n],
  [300n, 900n],
  [900n, 8000n],
  [8000n, 80_000n],
  [80_000n, 800_000n],
  [800_000n, 8_000_000n],
  // Shorter than 26 weeks in s.
  [8_000_000n, 15_000_000n],
  1n,
  // Longer than 156 weeks in s.
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

/** Largest values of `long` and `unsigned_long`. */
const LARGEST = [9_223_372_036_854_775_807n, 18_446_744_073_709_551_615n];

/** Power of ten from which numbers stay. The largest values of `float` and `double` begin there. */
const UNLIMITED = 38;

/** Fewest and most weeks by which dates are shifted. Numbers in s around 1.7e9 then still fit an integer of 32 bits. */
const WEEKS: readonly [bigint, bigint] = [26n, 156n];

const TOKEN = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

export class Numbers {
  /** Number of weeks by which dates are shifted into the future. */
  readonly weeks: number;
  private readonly amounts = new Map<string, bigint>();

  constructor(private readonly digest: Digest) {
    this.weeks = Number(secretBetween(digest, 'weeks', ...WEEKS));
  }

  /** Masks a number of a field. `token`: the number as JSON. */
  masked(field: string, token: string): string {
    const [, sign, whole, decimals = '', power = '0'] = TOKEN.exec(token) ?? [];
    if (whole === undefined || LIMITS.has(token)) return token;
    const digits = BigInt(whole + decimals);
    if (digits === 0n) return token;
    const exponent = Number(power) - decimals.length;
    const magnitude = String(digits).length + exponent - 1;
    if (magnitude >= UNLIMITED) return token;
    // An amount of an integer has digits down to the ones.
    const lowest = Math.min(exponent, magnitude >= 0 && magnitude < AMOUNTS.length ? 0 : magnitude);
    const added = digits * 10n ** BigInt(exponent - lowest) + this.amount(field, magnitude, lowest);
    const isExponent = /[eE]/.test(token);
    if (isExponent) return `${sign}${added}${lowest === 0 ? '' : `e${lowest}`}`;
    if (lowest === 0 && LARGEST.some((largest) => digits <= largest && added > largest))
      return `${sign}${2n * digits - added}`;
    return sign + withDecimals(added, -lowest);
  }

  /** Returns the amount for a power of ten, in units of `10 ** lowest`. */
  private amount(field: string, magnitude: number, lowest: number): bigint {
    const name = `${magnitude}|${field}`;
    const found = this.amounts.get(name) ?? this.madeAmount(name, magnitude);
    if (this.amounts.size > MOST_KNOWN) this.amounts.clear();
    this.amounts.set(name, found);
    const unit = magnitude >= 0 && magnitude < AMOUNTS.length ? 0 : magnitude;
    return found * 10n ** BigInt(unit - lowest);
  }

  private madeAmount(name: string, magnitude: number): bigint {
    const amount = AMOUNTS[magnitude];
    if (typeof amount === 'bigint') return amount * WEEK_SECONDS * BigInt(this.weeks);
    // Beyond the integers, the first digit changes.
    const [from, to] = amount ?? [1n, magnitude < 0 ? 9n : 1n];
    return secretBetween(this.digest, `number|${name}`, from, to);
  }
}

/** Largest number of amounts that are kept in memory. */
const MOST_KNOWN = 100_000;

function withDecimals(digits: bigint, decimals: number): string {
  if (decimals <= 0) return String(digits * 10n ** BigInt(-decimals));
  const text = String(digits).padStart(decimals + 1, '0');
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}
