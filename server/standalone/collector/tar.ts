/**
 * Creates entries of a tar archive (POSIX ustar) for files with short names.
 *
 * No library is used: the format needs one header block of 512 bytes per file, and the archive contains only four files.
 */

const BLOCK = 512;
const MOST_NAME = 100;

export interface TarEntry {
  /** Name of the file, at most 100 bytes. */
  name: string;
  /** Size of the content, in bytes. */
  size: number;
  /** Permissions of the file, as for `chmod`. */
  mode: number;
  at: Date;
}

/** End of an archive: two empty blocks. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/** Padding after `size` bytes of content. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

/** Returns the header of an entry. Throws if the name is longer than 100 bytes. */
export function tarHeader({ name, size, mode, at }: TarEntry): Buffer {
  if (Buffer.byteLength(name) > MOST_NAME) throw new Error(`the name is too long for tar: ${name}`);
  const block = Buffer.alloc(BLOCK);
  /**
   * Writes `value` as an octal number with `digits` digits. The block is filled with zeros, so the terminating zero byte exists already.
   */
  const number = (value: number, digits: number, offset: number): void =>
    void block.write(value.toString(8).padStart(digits, '0'), offset, 'ascii');
  block.write(name, 0, 'utf8');
  number(mode, 7, 100);
  number(0, 7, 108);
  number(0, 7, 116);
  number(size, 11, 124);
  number(Math.floor(at.getTime() / 1000), 11, 136);
  // The checksum is computed with spaces in its own field.
  block.write('        ', 148, 'ascii');
  block.write('0', 156, 'ascii');
  block.write('ustar\u000000', 257, 'ascii');
  block.write('root', 265, 'ascii');
  block.write('root', 297, 'ascii');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii');
  return block;
}
