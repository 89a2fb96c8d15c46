/**
 * Divides a stream of bytes into lines, and reads ahead up to a limit.
 *
 * Lines remain bytes. `node:readline` would convert every line to a string.
 */
import type { Readable } from 'node:stream';

/** Maximum number of bytes that are read ahead. */
const READ_AHEAD = 4 * 1024 * 1024;
/** Maximum length of a line, in bytes. */
export const LONGEST_LINE = 100 * 1024 * 1024;

const LINE_FEED = 10;

/**
 * Result of looking for a line. `line`: a line was found. `none`: no line is available at the moment. `ended`: no more lines will follow.
 */
export type NextLine = 'line' | 'none' | 'ended';

/** The error for a line that is longer than {@link LONGEST_LINE}. */
export class LineTooLong extends Error {}

/** The line that was found last. */
export class Line {
  /** Bytes that contain the line. */
  bytes: Buffer = Buffer.alloc(0);
  /** Offset of the line's first character that is not blank. */
  start = 0;
  /** Offset after the line's last character that is not blank. */
  end = 0;
  /** Offset of the line's first byte. Unlike {@link start}, blanks are included. */
  from = 0;
  /** Offset after the line's last byte, without the line feed. Unlike {@link end}, blanks are included. */
  until = 0;
  /** Line number, from 1. */
  number = 0;

  protected found(bytes: Buffer, from: number, until: number): void {
    this.number += 1;
    let start = from;
    let end = until;
    // The first line may begin with a byte order mark.
    if (this.number === 1 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf)
      start += 3;
    while (start < end && isBlank(bytes[end - 1]!)) end -= 1;
    while (start < end && isBlank(bytes[start]!)) start += 1;
    this.bytes = bytes;
    this.from = from;
    this.until = until;
    this.start = start;
    this.end = end;
  }

  /** Throws the error for a line that is longer than {@link LONGEST_LINE}. */
  protected tooLong(): never {
    this.number += 1;
    throw new LineTooLong(`a line is longer than ${LONGEST_LINE / 1024 / 1024} MB`);
  }
}

/** A sequence of lines. The properties of the object itself describe the line that was found last. */
export interface Lines extends Line {
  /** Finds the next line if one is available. Throws the error of the file. */
  next(): NextLine;
  /** Calls `resume` once when more lines may be available, but never before this method returns. */
  whenMore(resume: () => void): void;
  close(): void;
}

export class LineReader extends Line implements Lines {
  private readonly chunks: Buffer[] = [];
  private at = 0;
  private queued = 0;
  private pieces: Buffer[] = [];
  private pieceBytes = 0;
  private over = false;
  private failure: Error | null = null;
  private waiter: (() => void) | null = null;

  constructor(private readonly stream: Readable) {
    super();
    stream.on('data', (chunk: Buffer) => {
      this.chunks.push(chunk);
      this.queued += chunk.length;
      if (this.queued > READ_AHEAD) stream.pause();
      this.wake();
    });
    stream.on('end', () => {
      this.over = true;
      this.wake();
    });
    stream.on('error', (error) => {
      this.failure = error;
      this.wake();
    });
  }

  /** Finds the next line if one is available. Throws the error of the stream. */
  next(): NextLine {
    for (;;) {
      if (this.failure !== null) throw this.failure;
      const chunk = this.chunks[0];
      if (chunk === undefined) return this.over ? this.last() : 'none';
      const feed = chunk.indexOf(LINE_FEED, this.at);
      if (feed >= 0) {
        if (this.pieces.length === 0) this.found(chunk, this.at, feed);
        else {
          this.keep(chunk.subarray(this.at, feed));
          this.foundPieces();
        }
        this.at = feed + 1;
        return 'line';
      }
      if (this.at < chunk.length) this.keep(chunk.subarray(this.at));
      this.chunks.shift();
      this.at = 0;
      this.queued -= chunk.length;
      if (this.queued < READ_AHEAD / 2) this.stream.resume();
    }
  }

  /** Calls `resume` once when more lines may be available. */
  whenMore(resume: () => void): void {
    if (this.chunks.length > 0 || this.over || this.failure !== null) setImmediate(resume);
    else this.waiter = resume;
  }

  close(): void {
    this.waiter = null;
    this.stream.on('error', () => undefined);
    this.stream.destroy();
  }

  private wake(): void {
    const { waiter } = this;
    this.waiter = null;
    waiter?.();
  }

  private keep(piece: Buffer): void {
    this.pieces.push(piece);
    this.pieceBytes += piece.length;
    if (this.pieceBytes > LONGEST_LINE) this.tooLong();
  }

  private last(): NextLine {
    if (this.pieces.length === 0) return 'ended';
    this.foundPieces();
    return 'line';
  }

  private foundPieces(): void {
    const whole = this.pieces.length === 1 ? this.pieces[0]! : Buffer.concat(this.pieces);
    this.pieces = [];
    this.pieceBytes = 0;
    this.found(whole, 0, whole.length);
  }
}

const isBlank = (byte: number): boolean => byte === 32 || byte === 9 || byte === 13;
