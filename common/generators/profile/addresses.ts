/**
 * Generates IP addresses for a field of a profile (a description of a user's documents, from which similar documents are generated). The
 * generator draws a number, and the functions here return the address for this number. Different numbers give different addresses.
 * Addresses share network prefixes as often as in the user's documents.
 */
import { exactText } from '../../json/exact';
import { mix } from '../../random';
import type { TextOf } from './field-value';
import type { ProfiledDraw } from './profile';

/**
 * Returns a function that returns the address for a number. `six`: percentage of IPv6 addresses. `networks`: number of different network
 * prefixes (the first 16 bits) per 100 addresses.
 */
export function addresses(draw: ProfiledDraw, { six, networks }: { six: number; networks: number }): TextOf {
  return (id) => {
    const kept = draw.kept?.[id];
    if (kept !== undefined) return exactText(kept);
    const network = mix(Math.floor((id * networks) / 100) + 1);
    if (six > 0 && mix(id ^ 0x5bd1e995) % 100 < six) return versionSix(id, network);
    const host = Math.imul(id, 40_503) & 0xffff;
    return `${1 + ((network >>> 24) % 223)}.${(network >>> 16) & 255}.${host >>> 8}.${host & 255}`;
  };
}

function versionSix(id: number, network: number): string {
  const bits = (group: number): number =>
    group === 0 ? 0xfd00 : group < 3 ? network >>> (16 * (group - 1)) : mix(id * 8 + group);
  return Array.from({ length: 8 }, (_, group) => (bits(group) & 0xffff).toString(16).padStart(4, '0')).join(
    ':',
  );
}
