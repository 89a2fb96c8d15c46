/**
 * The lines of an uncompressed file. The file is read in large blocks into the same memory. Reads are synchronous and block the thread
 * while the disk is busy, so only threads that do nothing else may use this class.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { LONGEST_LINE, Line, type Lines, type NextLine } from './lines';

const BLOCK_BYTES = 512 * 1024;

const LINE_FEED = 10;

export class BlockLines extends Line implements Lines {
  /** File descriptor; -1 if the file is not open. */
  private file = -1;
  private block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  /** Offset of the first byte within the block that has not been returned yet. */
  private at = 0;
  private filled = 0;
  private over = false;

  constructor(private readonly path: string) {
    super();
  }

  next(): NextLine {
    for (let seen = this.at; ;) {
      // Bytes after the filled part belong to an earlier block, so a line feed there does not count.
      const feed = this.block.indexOf(LINE_FEED, seen);
      if (feed >= 0 && feed < this.filled) {
        this.found(this.block, this.at, feed);
        this.at = feed + 1;
        return 'line';
      }
      if (this.over) return this.last();
      seen = this.filled - this.at;
      this.readMore();
    }
  }

  whenMore(resume: () => void): void {
    setImmediate(resume);
  }

  close(): void {
    if (this.file >= 0) closeSync(this.file);
    this.file = -1;
  }

  private last(): NextLine {
    if (this.at === this.filled) return 'ended';
    this.found(this.block, this.at, this.filled);
    this.at = this.filled;
    return 'line';
  }

  /** Moves the unread bytes to the beginning of the block, and reads more bytes after them. */
  private readMore(): void {
    const left = this.filled - this.at;
    if (left > LONGEST_LINE) this.tooLong();
    if (left === this.block.length) {
      const larger = Buffer.allocUnsafeSlow(2 * left);
      this.block.copy(larger);
      this.block = larger;
    } else if (this.at > 0) this.block.copyWithin(0, this.at, this.filled);
    this.at = 0;
    if (this.file < 0) this.file = openSync(this.path, 'r');
    const read = readSync(this.file, this.block, left, this.block.length - left, null);
    this.filled = left + read;
    this.over = read === 0;
  }
}
