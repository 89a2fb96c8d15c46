/**
 * Secret permutations. All decisions of masking are derived from HMAC-SHA-256 with a secret key. Therefore the same key always masks equal
 * values in the same way. The folder `common` contains no cryptography, so the caller passes the function.
 */

/** Returns the HMAC-SHA-256 of a text under the secret key: 32 bytes. */
export type Digest = (text: string) => Uint8Array;

/** Returns `count` secret bytes. The same key and label always result in the same bytes. */
export function secretBytes(digest: Digest, label: string, count: number): Uint8Array {
  if (count <= 32) return digest(label).subarray(0, count);
  const bytes = new Uint8Array(count);
  for (let from = 0; from < count; from += 32)
    bytes.set(digest(`${from}|${label}`).subarray(0, Math.min(32, count - from)), from);
  return bytes;
}

/** Returns a secret integer in [from, to]. The same key and label always result in the same integer. */
export function secretBetween(digest: Digest, label: string, from: bigint, to: bigint): bigint {
  const word = digest(label).reduce((all, byte) => all * 256n + BigInt(byte), 0n);
  return from + (word % (to - from + 1n));
}

/**
 * Returns the numbers from 0 to `count` - 1 in a secret order (Sattolo's variant of Fisher-Yates). No number is at its original position.
 */
export function secretOrder(digest: Digest, label: string, count: number): number[] {
  const order = Array.from({ length: count }, (_, at) => at);
  const bytes = secretBytes(digest, label, 4 * count);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = count - 1; at > 0; at -= 1) {
    const other = view.getUint32(4 * at) % at;
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}

/**
 * Number of rounds of the Feistel network. For long sequences, four are enough, because both halves have many possible values (Luby and
 * Rackoff). Short sequences need more rounds; FF1 also uses ten.
 */
const ROUNDS = { short: 10, long: 4 };
/** Number of symbols from which a sequence counts as long. */
const LONG = 8;

/**
 * Permutes a sequence of symbols (such as letters or digits) secretly. Different sequences have different results. Each symbol is
 * represented by its number in its alphabet, from 0. `radices`: for each position, the number of possible symbols, such as 26. `label`:
 * selects the permutation.
 *
 * The method is a Feistel network as in FF1 (NIST SP 800-38G), with HMAC-SHA-256 as its round function. For a single symbol, a table is
 * used.
 */
export function permuted(
  digest: Digest,
  label: string,
  symbols: readonly number[],
  radices: readonly number[],
): number[] {
  const result = [...symbols];
  if (result.length === 0) return result;
  const shape = `${label}|${radices.join(',')}`;
  if (result.length === 1) return [secretOrder(digest, shape, radices[0]!)[result[0]!]!];
  const middle = result.length >> 1;
  const rounds = result.length < LONG ? ROUNDS.short : ROUNDS.long;
  for (let round = 0; round < rounds; round += 1) {
    const isLeft = round % 2 === 0;
    const [from, to] = isLeft ? [0, middle] : [middle, result.length];
    const other = isLeft ? result.slice(middle) : result.slice(0, middle);
    const bytes = secretBytes(digest, `${round}|${shape}|${other.join(',')}`, 4 * (to - from));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = from; at < to; at += 1)
      result[at] = (result[at]! + (view.getUint32(4 * (at - from)) % radices[at]!)) % radices[at]!;
  }
  return result;
}
