/**
 * Masks IP addresses. The masks of two addresses share exactly as many leading bits as the addresses themselves (as in Crypto-PAn). Subnets
 * therefore stay subnets, and a masked CIDR block contains the masks of its addresses.
 */
import type { Digest } from './keyed';

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;

/** Source of a regular expression that finds IPv4 addresses, with or without the length of a prefix, anywhere in a text. */
export const IPV4_PATTERN = String.raw`(?<![\p{L}\p{N}.])(?:${OCTET}\.){3}${OCTET}(?:\/(?:3[0-2]|[12]?\d)(?!\d))?(?![\p{L}\p{N}]|\.\d)`;

const IPV6 = /^[0-9a-f:]{2,39}(?:\/(?:12[0-8]|1[01]\d|[1-9]?\d))?$/i;

export class Addresses {
  private readonly flips = new Map<string, number>();

  constructor(private readonly digest: Digest) {}

  /** Masks an IPv4 address, with or without the length of its prefix. */
  v4(text: string): string {
    const [address, length] = text.split('/');
    const bits = address!.split('.').map((octet) => Number(octet).toString(2).padStart(8, '0'));
    const masked = this.masked('4', bits.join(''), length === undefined ? 32 : Number(length));
    const octets = Array.from({ length: 4 }, (_, at) => parseInt(masked.slice(8 * at, 8 * at + 8), 2));
    return octets.join('.') + (length === undefined ? '' : `/${length}`);
  }

  /** Masks an IPv6 address, with or without the length of its prefix. Returns null for any other text. */
  v6(text: string): string | null {
    if (!IPV6.test(text)) return null;
    const [address, length] = text.split('/');
    const groups = groupsOf(address!);
    if (groups === null) return null;
    const bits = groups.map((group) => group.toString(2).padStart(16, '0')).join('');
    const masked = this.masked('6', bits, length === undefined ? 128 : Number(length));
    const parts = Array.from({ length: 8 }, (_, at) =>
      parseInt(masked.slice(16 * at, 16 * at + 16), 2).toString(16),
    );
    return parts.join(':') + (length === undefined ? '' : `/${length}`);
  }

  /**
   * Returns the masked address. The first `length` of its bits are masked, the others are 0. Whether a bit is flipped depends on all bits
   * before it.
   */
  private masked(version: string, bits: string, length: number): string {
    let result = '';
    for (let at = 0; at < length; at += 1)
      result += Number(bits[at]) ^ this.flip(`${version}|${bits.slice(0, at)}`);
    return result.padEnd(bits.length, '0');
  }

  private flip(before: string): number {
    const found = this.flips.get(before);
    if (found !== undefined) return found;
    if (this.flips.size > MOST_KNOWN) this.flips.clear();
    const made = this.digest(`ip|${before}`)[0]! & 1;
    this.flips.set(before, made);
    return made;
  }
}

/** Maximum number of prefixes in the cache. For each prefix, the cache contains the masked value of its last bit. */
const MOST_KNOWN = 200_000;

/** Returns the eight numbers of an IPv6 address; null if the text is not an IPv6 address. */
function groupsOf(address: string): number[] | null {
  const halves = address.split('::');
  if (halves.length > 2) return null;
  const [before, after] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - before!.length - (after?.length ?? 0);
  if (after === undefined ? missing !== 0 : missing < 1) return null;
  const groups = [...before!, ...Array.from({ length: missing }, () => '0'), ...(after ?? [])];
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => parseInt(group, 16))
    : null;
}
