/**
 * Masks vectors without changing the distances between them. Masking has four rounds. In each round, the dimensions are put into a secret
 * order, and pairs of dimensions are rotated by secret angles. One round is not enough: if one element of a pair is zero, the length of the
 * pair would reveal the other element. The elements of vectors of bytes are only reordered, because a rotation would not result in bytes.
 */
import { exactNumber } from '../../json/exact';
import { secretBytes, secretOrder, type Digest } from './keyed';

/** Minimum and maximum number of significant digits of a masked element. A float has 7 to 9. */
const DIGITS = [6, 9] as const;

const significant = (token: string): number =>
  token
    .replace(/[eE].*$/, '')
    .replaceAll(/[^\d]/g, '')
    .replace(/^0+/, '').length;

/** Number of rounds. After four rounds, each masked element depends on up to 16 elements. */
const ROUNDS = 4;

interface Rotation {
  order: readonly number[];
  /**
   * Angles of the pairs of dimensions in each round, in radians. If the number of dimensions is odd, the last dimension forms a further
   * pair with the first one.
   */
  rounds: readonly (readonly number[])[];
}

export class Vectors {
  private readonly rotations = new Map<string, Rotation>();

  constructor(private readonly digest: Digest) {}

  /** Returns the elements of a vector of bytes in the secret order. `tokens`: the elements as JSON numbers, whose notation stays. */
  reordered(field: string, tokens: readonly string[]): (number | string)[] {
    return this.rotation(field, tokens.length).order.map((from) => exactNumber(tokens[from]!));
  }

  /** Rotates a vector with at least two elements. `tokens`: the elements as JSON numbers. */
  rotated(field: string, tokens: readonly string[]): number[] {
    const { order, rounds } = this.rotation(field, tokens.length);
    const digits = Math.max(DIGITS[0], Math.min(DIGITS[1], Math.max(...tokens.map(significant))));
    let values = tokens.map(Number);
    for (const angles of rounds) {
      const moved = order.map((from) => values[from]!);
      angles.forEach((angle, pair) => {
        const [first, second] = [2 * pair, (2 * pair + 1) % moved.length];
        const [x, y] = [moved[first]!, moved[second]!];
        moved[first] = x * Math.cos(angle) - y * Math.sin(angle);
        moved[second] = x * Math.sin(angle) + y * Math.cos(angle);
      });
      values = moved;
    }
    return values.map((value) => Number(value.toPrecision(digits)));
  }

  private rotation(field: string, length: number): Rotation {
    const label = `vector|${length}|${field}`;
    const found = this.rotations.get(label);
    if (found !== undefined) return found;
    const order = secretOrder(this.digest, label, length);
    const pairs = Math.ceil(length / 2);
    const bytes = secretBytes(this.digest, `angles|${label}`, 4 * pairs * ROUNDS);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const angle = (at: number): number => (view.getUint32(4 * at) / 2 ** 32) * 2 * Math.PI;
    const rounds = Array.from({ length: ROUNDS }, (_, round) =>
      Array.from({ length: pairs }, (__, pair) => angle(round * pairs + pair)),
    );
    const made = { order, rounds };
    this.rotations.set(label, made);
    return made;
  }
}
