/** A file of `/proc` that is read each second and stays open: opening it takes 0.25 ms, in which answers wait for the loop, reading it 0.01. */
import { closeSync, openSync, readSync } from 'node:fs';

export class ProcFile {
  private file: number | null;
  private readonly buffer: Buffer;

  /** `/proc/thread-self` is the thread that calls this, whoever reads. Of the file no more than its first `mostBytes` are read. */
  constructor(path: string, mostBytes: number) {
    this.buffer = Buffer.alloc(mostBytes);
    try {
      this.file = openSync(path, 'r');
    } catch {
      this.file = null;
    }
  }

  /** Null where the system has no such file, and after {@link close}. */
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
