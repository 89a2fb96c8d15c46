/**
 * A temporary file for traffic that waits for the writing thread. It takes bursts, such as a body of 100 MB in half a second, which would
 * need too much memory. It is removed as soon as it is open, so nothing of it remains after a crash.
 */
import { closeSync, ftruncateSync, openSync, unlinkSync, write } from 'node:fs';

/** Largest size, in bytes. */
const MOST_BYTES = 1024 ** 3;

export class SpillFile {
  private length = 0;
  /** Bytes that were reserved and not released. */
  private waiting = 0;

  private constructor(readonly descriptor: number) {}

  /** Creates the file. Returns null if that fails: bursts are dropped then. */
  static open(file: string): SpillFile | null {
    try {
      const descriptor = openSync(file, 'wx+', 0o600);
      unlinkSync(file);
      return new SpillFile(descriptor);
    } catch {
      return null;
    }
  }

  /** Returns the place for so many bytes; undefined if the file is full. */
  reserve(bytes: number): number | undefined {
    if (this.length + bytes > MOST_BYTES) return undefined;
    const offset = this.length;
    this.length += bytes;
    this.waiting += bytes;
    return offset;
  }

  /** Resolves to false if the bytes could not be written. */
  write(bytes: Buffer, offset: number): Promise<boolean> {
    return new Promise((resolve) => {
      write(this.descriptor, bytes, 0, bytes.length, offset, (error, written) =>
        resolve(error === null && written === bytes.length),
      );
    });
  }

  /** The bytes were read. Gives the space back to the disk once nothing waits. */
  release(bytes: number): void {
    this.waiting -= bytes;
    if (this.waiting > 0) return;
    this.length = 0;
    try {
      ftruncateSync(this.descriptor);
    } catch {
      // The space is used again anyway.
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
