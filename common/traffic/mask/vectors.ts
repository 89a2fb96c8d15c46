/**
 * Masks vectors so that their distances stay: the dimensions get a secret order, and pairs of dimensions are rotated by secret angles.
 * Vectors of bytes only get another order, because a rotation would not give bytes.
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
  /** Angle of each pair of dimensions, in radians. If their number is odd, the last one forms a second pair with the first one. */
  angles: readonly number[];
}

export class Vectors {
  private readonly rotations = new Map<string, Rotation>();

  constructor(private readonly digest: Digest) {}

  /** Gives the elements of a vector of bytes another order. `tokens`: its elements as JSON numbers. Returns elements of an exact value. */
  reordered(field: string, tokens: readonly string[]): (number | string)[] {
    return this.rotation(field, tokens.length).order.map((from) => exactNumber(tokens[from]!));
  }

  /** Rotates a vector of at least two elements, likewise. */
  rotated(field: string, tokens: readonly string[]): number[] {
    const { order, angles } = this.rotation(field, tokens.length);
    const digits = Math.max(DIGITS[0], Math.min(DIGITS[1], Math.max(...tokens.map(significant))));
    const values = order.map((from) => Number(tokens[from]));
    angles.forEach((angle, pair) => {
      const [first, second] = [2 * pair, (2 * pair + 1) % values.length];
      const [x, y] = [values[first]!, values[second]!];
      values[first] = x * Math.cos(angle) - y * Math.sin(angle);
      values[second] = x * Math.sin(angle) + y * Math.cos(angle);
    });
    return values.map((value) => Number(value.toPrecision(digits)));
  }

  private rotation(field: string, length: number): Rotation {
    const label = `vector|${length}|${field}`;
    const found = this.rotations.get(label);
    if (found !== undefined) return found;
    const order = secretOrder(this.digest, label, length);
    const pairs = Math.ceil(length / 2);
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
