/** Finds out from the first bytes of a file whether the file is compressed, and whether it is text that Dyno can read. */

/** Compressions that Dyno unpacks while it reads a file. The name of the file does not matter. */
export type Packing = 'gzip' | 'zstd';

/** Number of bytes at the beginning of a file that {@link packingOf} and {@link compressionOf} need. */
export const MAGIC_BYTES = 8;

const startsWith = (bytes: Uint8Array, ...magic: number[]): boolean =>
  magic.every((byte, at) => bytes[at] === byte);

/** Returns the compression of a file. Null if the file is not compressed, or has a compression that Dyno does not unpack. */
export function packingOf(bytes: Uint8Array): Packing | null {
  if (startsWith(bytes, 0x1f, 0x8b)) return 'gzip';
  if (startsWith(bytes, 0x28, 0xb5, 0x2f, 0xfd)) return 'zstd';
  return null;
}

/**
 * Returns the name of a compression or archive that Dyno cannot unpack, and the command that unpacks it to standard output. Null for other
 * files.
 */
export function compressionOf(bytes: Uint8Array): { name: string; command: string } | null {
  if (startsWith(bytes, 0x42, 0x5a, 0x68)) return { name: 'bzip2', command: 'bzip2 -dc' };
  if (startsWith(bytes, 0xfd, 0x37, 0x7a, 0x58, 0x5a)) return { name: 'xz', command: 'xz -dc' };
  if (startsWith(bytes, 0x04, 0x22, 0x4d, 0x18)) return { name: 'lz4', command: 'lz4 -dc' };
  if (startsWith(bytes, 0x50, 0x4b, 3, 4)) return { name: 'zip', command: 'unzip -p' };
  if (startsWith(bytes, 0x37, 0x7a, 0xbc, 0xaf, 0x27)) return { name: '7z', command: '7z x -so' };
  return null;
}

/** Encodings and formats that are not UTF-8 text. */
export type ForeignText = 'UTF-16' | 'UTF-16LE' | 'UTF-16BE' | 'UTF-32' | 'tar' | 'binary';

/** Number of bytes that {@link foreignText} examines. */
const LOOKED_AT = 4096;
/** Share of byte pairs with a zero, always as the same byte of the pair. If a file has more, it is UTF-16 with Latin letters. */
const MANY = 0.3;
/** Share of byte pairs with a zero. If a file has more, it may be UTF-16 in a script other than Latin. Dyno then needs further evidence. */
const SOME = 0.05;
/** The text `ustar`, and its position in the header of a tar archive. */
const TAR = [0x75, 0x73, 0x74, 0x61, 0x72];
const TAR_AT = 257;
/**
 * Share of control characters. If a file has more, it is not text. The share is above 0, because logs of crashed programs contain a few
 * control characters.
 */
const BINARY = 0.1;

/** Returns whether a byte is a control character. Terminal escapes and the separators of JSON text sequences do not count. */
const isControl = (byte: number): boolean =>
  byte < 9 || (byte > 13 && byte < 32 && byte !== 27 && byte !== 30);

/** Returns whether `bytes` contains these two bytes in succession, the first one at an even offset. */
function hasPair(bytes: Uint8Array, first: number, second: number): boolean {
  for (let at = 0; at + 1 < bytes.length; at += 2)
    if (bytes[at] === first && bytes[at + 1] === second) return true;
  return false;
}

/**
 * Returns the encoding or format of a file that is not UTF-8 text. Null for UTF-8. Also null for encodings such as Windows-1252, in which
 * most characters have the same bytes as in UTF-8. `bytes`: the beginning of the unpacked file.
 */
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
  // In UTF-16, each pair of bytes of a Latin letter contains a zero, always on the same side.
  if (odd > MANY && even < MANY / 10) return 'UTF-16LE';
  if (even > MANY && odd < MANY / 10) return 'UTF-16BE';
  // Other scripts in UTF-16 have zeros only in their ASCII characters, such as the quotes of JSON and line feeds.
  if (odd > SOME && even < odd / 4 && hasPair(head, 10, 0)) return 'UTF-16LE';
  if (even > SOME && odd < even / 4 && hasPair(head, 0, 10)) return 'UTF-16BE';
  return controls / Math.max(1, head.length) > BINARY ? 'binary' : null;
}

/** Returns the number of bytes of the UTF-8 character that begins at `at`; 0 if no complete and valid character begins there. */
function characterAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (let next = 1; next < length; next += 1) if ((bytes[at + next] ?? 0) >>> 6 !== 2) return 0;
  const second = bytes[at + 1] ?? 0;
  // Rejects overlong forms, surrogates, and code points beyond the last one of Unicode.
  if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f)) return 0;
  if ((first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f)) return 0;
  return length;
}

/**
 * Returns the position of the first byte that is not UTF-8: its line, and its number within the line, both from 1. Null if all bytes are
 * UTF-8.
 */
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
