/**
 * Masks vectors so that their distances stay: the dimensions get a secret order, and pairs of dimensions are rotated by secret angles.
 * Vectors of integers only get another order, because a rotation would not give integers.
 */
import { exactNumber } from '../../json/exact';
import { secretBytes, secretOrder, type Digest } from './keyed';

/** Fewest and most significant digits of a masked element. A float has 7 to 9. */
const DIGITS = [6, 9] as const;

const significant = (token: string): number =>
  token
    .replace(/[eE].*$/, '')
    .replaceAll(/[^\d]/g, '')
    .replace(/^0+/, '').length;

interface Rotation {
  order: readonly number[];
  /** Angle of each pair of dimensions, in radians. */
  angles: readonly number[];
}

export class Vectors {
  private readonly rotations = new Map<string, Rotation>();

  constructor(private readonly digest: Digest) {}

  /** Masks a vector. `tokens`: its elements as JSON numbers. Returns elements of an exact value. */
  masked(field: string, tokens: readonly string[]): (number | string)[] {
    const { order, angles } = this.rotation(field, tokens.length);
    const moved = order.map((from) => tokens[from]!);
    if (moved.every((token) => /^-?\d+$/.test(token))) return moved.map(exactNumber);
    const digits = Math.max(DIGITS[0], Math.min(DIGITS[1], Math.max(...moved.map(significant))));
    const values = moved.map(Number);
    angles.forEach((angle, pair) => {
      const [x, y] = [values[2 * pair]!, values[2 * pair + 1]!];
      values[2 * pair] = x * Math.cos(angle) - y * Math.sin(angle);
      values[2 * pair + 1] = x * Math.sin(angle) + y * Math.cos(angle);
    });
    if (values.length % 2 === 1) values[values.length - 1] = -values.at(-1)!;
    return values.map((value) => Number(value.toPrecision(digits)));
  }

  private rotation(field: string, length: number): Rotation {
    const label = `vector|${length}|${field}`;
    const found = this.rotations.get(label);
    if (found !== undefined) return found;
    const order = secretOrder(this.digest, label, length);
    const pairs = length >> 1;
    const bytes = secretBytes(this.digest, `angles|${label}`, 4 * pairs);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const angles = Array.from(
      { length: pairs },
      (_, pair) => (view.getUint32(4 * pair) / 2 ** 32) * 2 * Math.PI,
    );
    const made = { order, angles };
    this.rotations.set(label, made);
    return made;
  }
}
