/** What the first bytes of a file say: whether it is compressed, and whether it is text that Dyno reads. */

/** Compressions that are unpacked while a file is read, whatever its name. */
export type Packing = 'gzip' | 'zstd';

/** Bytes that {@link packingOf} and {@link compressionOf} look at. */
export const MAGIC_BYTES = 8;

const startsWith = (bytes: Uint8Array, ...magic: number[]): boolean =>
  magic.every((byte, at) => bytes[at] === byte);

/** Null for a file that is not compressed, or in another way. */
export function packingOf(bytes: Uint8Array): Packing | null {
  if (startsWith(bytes, 0x1f, 0x8b)) return 'gzip';
  if (startsWith(bytes, 0x28, 0xb5, 0x2f, 0xfd)) return 'zstd';
  return null;
}

/** A compression or archive that Dyno does not read, and the command that unpacks it to standard output; null for anything else. */
export function compressionOf(bytes: Uint8Array): { name: string; command: string } | null {
  if (startsWith(bytes, 0x42, 0x5a, 0x68)) return { name: 'bzip2', command: 'bzip2 -dc' };
  if (startsWith(bytes, 0xfd, 0x37, 0x7a, 0x58, 0x5a)) return { name: 'xz', command: 'xz -dc' };
  if (startsWith(bytes, 0x04, 0x22, 0x4d, 0x18)) return { name: 'lz4', command: 'lz4 -dc' };
  if (startsWith(bytes, 0x50, 0x4b, 3, 4)) return { name: 'zip', command: 'unzip -p' };
  if (startsWith(bytes, 0x37, 0x7a, 0xbc, 0xaf, 0x27)) return { name: '7z', command: '7z x -so' };
  return null;
}

/** How bytes are written as text; `null` for UTF-8, ASCII and what differs from them in single characters. */
export type ForeignText = 'UTF-16' | 'UTF-16LE' | 'UTF-16BE' | 'UTF-32' | 'tar' | 'binary';

/** Bytes that {@link foreignText} looks at. */
const LOOKED_AT = 4096;
/** Share of the pairs of bytes that hold a zero, from which text is in two bytes for each character. */
const MANY = 0.3;
/** The same for text of letters that are not Latin. */
const SOME = 0.05;
/** `ustar`, and its place in the head of an archive. */
const TAR = [0x75, 0x73, 0x74, 0x61, 0x72];
const TAR_AT = 257;
/** Share of control characters from which a file is not text; single ones are in the logs of programs that ended suddenly. */
const BINARY = 0.1;

/** Escapes of terminals and separators of JSON text sequences are text. */
const isControl = (byte: number): boolean =>
  byte < 9 || (byte > 13 && byte < 32 && byte !== 27 && byte !== 30);

/** Whether two bytes are next to each other at an even place. */
function hasPair(bytes: Uint8Array, first: number, second: number): boolean {
  for (let at = 0; at + 1 < bytes.length; at += 2)
    if (bytes[at] === first && bytes[at + 1] === second) return true;
  return false;
}

/** `bytes`: the beginning of a file, unpacked. */
export function foreignText(bytes: Uint8Array): ForeignText | null {
  if (startsWith(bytes, 0xff, 0xfe, 0, 0) || startsWith(bytes, 0, 0, 0xfe, 0xff)) return 'UTF-32';
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff)) return 'UTF-16';
  if (TAR.every((byte, at) => bytes[TAR_AT + at] === byte)) return 'tar';
  const head = bytes.subarray(0, LOOKED_AT);
  const zeros = [0, 0];
  let controls = 0;
  for (let at = 0; at < head.length; at += 1) {
    if (head[at] === 0) zeros[at % 2]! += 1;
    if (isControl(head[at]!)) controls += 1;
  }
  const pairs = Math.max(1, head.length / 2);
  const [even, odd] = [zeros[0]! / pairs, zeros[1]! / pairs];
  // Text of Latin letters has a zero in each pair of bytes, always on the same side.
  if (odd > MANY && even < MANY / 10) return 'UTF-16LE';
  if (even > MANY && odd < MANY / 10) return 'UTF-16BE';
  // Text of other letters has them in what is written in ASCII, such as the quotes of JSON and the line feeds.
  if (odd > SOME && even < odd / 4 && hasPair(head, 10, 0)) return 'UTF-16LE';
  if (even > SOME && odd < even / 4 && hasPair(head, 0, 10)) return 'UTF-16BE';
  return controls / Math.max(1, head.length) > BINARY ? 'binary' : null;
}

/** Number of bytes of the UTF-8 character at `at`; 0 where the bytes are not a whole character. */
function characterAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (let next = 1; next < length; next += 1) if ((bytes[at + next] ?? 0) >>> 6 !== 2) return 0;
  const second = bytes[at + 1] ?? 0;
  // Longer forms than needed, surrogates, and what is behind the last character of Unicode.
  if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f)) return 0;
  if ((first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f)) return 0;
  return length;
}

/** The first byte that is not UTF-8: its line and its place in the line, both from 1; null for valid text. */
export function invalidUtf8(bytes: Uint8Array): { line: number; byte: number } | null {
  let line = 1;
  let begin = 0;
  for (let at = 0; at < bytes.length;) {
    const length = characterAt(bytes, at);
    if (length === 0) return { line, byte: at - begin + 1 };
    if (bytes[at] === 10) {
      line += 1;
      begin = at + 1;
    }
    at += length;
  }
  return null;
}
