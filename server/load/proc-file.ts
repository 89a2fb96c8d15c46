/** A file of `/proc` that is read again and again: open once, for opening it anew costs 0.25 ms of a loop that may hold up answers. */
import { closeSync, openSync, readSync } from 'node:fs';

export class ProcFile {
  private file: number | null;

  /** What is named after a thread is that of the thread that calls this; as many of its first bytes are read as `buffer` holds. */
  constructor(
    path: string,
    private readonly buffer: Buffer,
  ) {
    try {
      this.file = openSync(path, 'r');
    } catch {
      this.file = null;
    }
  }

  /** Null where the system has no such file, and once it is closed. */
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
