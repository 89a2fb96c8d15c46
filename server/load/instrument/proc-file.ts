/**
 * A file of `/proc` that is read every second and stays open. Opening a file would delay the processing of responses by 0.25 ms each time.
 * Reading takes only 0.01 ms.
 */
import { closeSync, openSync, readSync } from 'node:fs';

export class ProcFile {
  private file: number | null;
  private readonly buffer: Buffer;

  /**
   * Opens the file. `/proc/thread-self` refers to the thread that opens the file, even if another thread reads it later. `mostBytes`: only
   * this many bytes are read.
   */
  constructor(path: string, mostBytes: number) {
    this.buffer = Buffer.alloc(mostBytes);
    try {
      this.file = openSync(path, 'r');
    } catch {
      this.file = null;
    }
  }

  /** Returns the contents; null if the system has no such file, or after {@link close}. */
  read(): string | null {
    if (this.file === null) return null;
    try {
      return this.buffer.toString('latin1', 0, readSync(this.file, this.buffer, 0, this.buffer.length, 0));
    } catch {
      return null;
    }
  }

  close(): void {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
  }
}
