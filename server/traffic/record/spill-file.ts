/**
 * A temporary file of the recorder for buffers that the writing thread has not read yet. It is needed for bursts that do not fit into
 * memory, such as a body of 100 MB in half a second. The file is deleted from its folder while it is open. Therefore, nothing of it remains
 * after a crash.
 */
import { open, unlink, type FileHandle } from 'node:fs/promises';

/** Maximum size of the file, in bytes. */
const MOST_BYTES = 1024 ** 3;

interface Place {
  offset: number;
  bytes: number;
}

export class SpillFile {
  /**
   * Areas of the file that are in use, in the order in which they were reserved. After the end of the file, the beginning is used again.
   */
  private readonly places: Place[] = [];

  private constructor(
    private readonly handle: FileHandle,
    private readonly mostBytes: number,
  ) {}

  /** Creates the file. Rejects with the error of the file system, such as `EEXIST`. */
  static async open(file: string, mostBytes = MOST_BYTES): Promise<SpillFile> {
    const handle = await open(file, 'wx+', 0o600);
    try {
      await unlink(file);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new SpillFile(handle, mostBytes);
  }

  get descriptor(): number {
    return this.handle.fd;
  }

  /** Reserves an area of the file. Returns its offset in bytes; undefined if the file is full. */
  reserve(bytes: number): number | undefined {
    const offset = this.freeOffset(bytes);
    if (offset !== undefined) this.places.push({ offset, bytes });
    return offset;
  }

  private freeOffset(bytes: number): number | undefined {
    const [first] = this.places;
    const last = this.places.at(-1);
    if (first === undefined || last === undefined) return bytes <= this.mostBytes ? 0 : undefined;
    const end = last.offset + last.bytes;
    if (last.offset < first.offset) return end + bytes <= first.offset ? end : undefined;
    if (end + bytes <= this.mostBytes) return end;
    return bytes <= first.offset ? 0 : undefined;
  }

  /** Writes to a reserved area. Resolves to false if the bytes could not be written. */
  async write(bytes: Buffer, offset: number): Promise<boolean> {
    try {
      const { bytesWritten } = await this.handle.write(bytes, 0, bytes.length, offset);
      return bytesWritten === bytes.length;
    } catch {
      return false;
    }
  }

  /**
   * Releases the area that was reserved first. The file is not truncated: truncating it would delay the next burst, or remove data that is
   * being written.
   */
  release(): void {
    this.places.shift();
  }

  /** Closes the file. Call this after all data was written. */
  async close(): Promise<void> {
    await this.handle.close();
  }
}
