/**
 * Reads text files from archives: zip, tar, and tar compressed with gzip. No library is needed, because browsers can decompress deflate and
 * gzip. Apart from this, zip and tar are lists of headers and contents.
 */
import { inputError } from '../../../../common/problem';

/**
 * Maximum size of the files of a track that are read, in bytes. Larger files are skipped, because they are datasets, which the conversion
 * does not need.
 */
export const LARGEST_FILE = 20_000_000;
/** Maximum total size of the unpacked files of an archive, in bytes. */
const LARGEST_ALL = 100_000_000;
const MOST_FILES = 20_000;

const BLOCK = 512;
const END_OF_ZIP = 0x06054b50;
const ENTRY_OF_ZIP = 0x02014b50;

const broken = (): Error =>
  inputError('import.archive', '', 'the archive is damaged, or of a kind that is not read here', {
    allowed: 'zip, tar or tar.gz',
  });

const tooLarge = (): Error =>
  inputError('import.archive', '', 'the archive is too large', {
    allowed: 'at most 100 MB and 20,000 files: an archive of one track',
  });

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

async function unpacked(
  packed: Uint8Array,
  format: 'gzip' | 'deflate-raw',
  most: number,
): Promise<Uint8Array> {
  const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream(format));
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw broken();
    });
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw tooLarge();
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

const isZip = (bytes: Uint8Array): boolean => textOf(bytes.subarray(0, 4)) === 'PK\u0003\u0004';
const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
const isTar = (bytes: Uint8Array): boolean => textOf(bytes.subarray(257, 262)) === 'ustar';

/** Returns the files of an archive by their paths; undefined if `bytes` is not an archive. */
export async function readArchive(bytes: Uint8Array): Promise<Map<string, string> | undefined> {
  if (isGzip(bytes)) {
    const inner = await unpacked(bytes, 'gzip', LARGEST_ALL);
    return isTar(inner) ? readTar(inner) : undefined;
  }
  if (isTar(bytes)) return readTar(bytes);
  return isZip(bytes) ? await readZip(bytes) : undefined;
}

async function readZip(bytes: Uint8Array): Promise<Map<string, string>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== END_OF_ZIP) end -= 1;
  if (end < 0) throw broken();
  const count = view.getUint16(end + 10, true);
  if (count > MOST_FILES) throw tooLarge();
  const files = new Map<string, string>();
  let at = view.getUint32(end + 16, true);
  let left = LARGEST_ALL;
  try {
    for (let entry = 0; entry < count; entry += 1) {
      if (view.getUint32(at, true) !== ENTRY_OF_ZIP) throw broken();
      const method = view.getUint16(at + 10, true);
      const [packedSize, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
      const nameLength = view.getUint16(at + 28, true);
      const name = textOf(bytes.subarray(at + 46, at + 46 + nameLength));
      const local = view.getUint32(at + 42, true);
      at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
      if (name.endsWith('/') || size > LARGEST_FILE) continue;
      const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      const packed = bytes.subarray(from, from + packedSize);
      if (method !== 0 && method !== 8) throw broken();
      const content = method === 0 ? packed : await unpacked(packed, 'deflate-raw', left);
      left -= content.length;
      if (left < 0) throw tooLarge();
      files.set(name, textOf(content));
    }
  } catch (error) {
    // A RangeError means that an offset points outside the archive.
    throw error instanceof RangeError ? broken() : error;
  }
  return files;
}

const untilNull = (bytes: Uint8Array): string => textOf(bytes).split('\0', 1)[0]!;

function readTar(bytes: Uint8Array): Map<string, string> {
  const files = new Map<string, string>();
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= bytes.length;) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header[0] === 0) break;
    const size = Number.parseInt(untilNull(header.subarray(124, 136)).trim() || '0', 8);
    if (!(size >= 0)) throw broken();
    const kind = String.fromCharCode(header[156]!);
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    // A name that is too long for a header is in a separate entry before it, in the format of GNU or of POSIX.
    if (kind === 'L') longName = untilNull(content);
    else if (kind === 'x') longName = /\d+ path=(.+)\n/.exec(textOf(content))?.[1];
    else {
      const prefix = untilNull(header.subarray(345, 500));
      const name = longName ?? [prefix, untilNull(header.subarray(0, 100))].filter(Boolean).join('/');
      longName = undefined;
      if ((kind !== '0' && kind !== '\0') || size > LARGEST_FILE) continue;
      if (files.size >= MOST_FILES) throw tooLarge();
      files.set(name.replace(/^\.\//, ''), textOf(content));
    }
  }
  return files;
}
