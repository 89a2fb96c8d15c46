/**
 * Reads the entries of a log. It skips blank lines, removes the wrapping that container runtimes add, and joins the lines of an entry. Most
 * logs have one entry per line, whose bytes are passed on without a copy.
 */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import {
  BEGINNING,
  criWrapping,
  dockerLine,
  mayBeDocker,
  type Wrapping,
} from '../../../common/replay/formats/containers';
import { logFormat, type LogFormat } from '../../../common/replay/formats/registry';
import { LineReader, type NextLine } from './lines';

/**
 * Maximum size of an entry that consists of several lines, in bytes. After that, the next line begins a new entry. Without a limit, a file
 * in another format could become a single entry.
 */
const LONGEST_ENTRY = 8 * 1024 * 1024;

const LINE_FEED = Buffer.from('\n');
const BLANK = 32;
const QUOTE = 34;
const HYPHEN = 45;
const LETTER_T = 84;
const OPEN = 123;

/** The bytes of an entry, or of a part of an entry. */
interface Piece {
  bytes: Buffer;
  /** Number of the first line, from 1. */
  number: number;
}

export class LogEntries {
  /** Bytes that contain the entry found last, in `[start, end)`. */
  bytes: Buffer = Buffer.alloc(0);
  start = 0;
  end = 0;
  /** Number of the first line of this entry in the file, from 1. */
  number = 0;
  private readonly lines: LineReader;
  private readonly begins: ((line: string) => boolean) | undefined;
  /**
   * Lines that a container runtime has split, and whose last part has not been read yet. The key is the stream of the container (stdout or
   * stderr).
   */
  private readonly parts = new Map<string, { pieces: Buffer[]; length: number; number: number }>();
  /** The entry that the next line may continue. */
  private open: { pieces: Buffer[]; length: number; number: number } | null = null;
  private over = false;

  constructor(stream: Readable, format: LogFormat) {
    this.lines = new LineReader(stream);
    this.begins = logFormat(format).begins;
  }

  /** Number of the line that was read last, from 1. */
  get line(): number {
    return this.lines.number;
  }

  /** Finds the next entry if one is available. Throws the error of the stream. */
  next(): NextLine {
    for (;;) {
      const next = this.over ? 'ended' : this.lines.next();
      if (next === 'none') return 'none';
      if (next === 'ended') {
        this.over = true;
        return this.last();
      }
      if (this.lines.start === this.lines.end) continue;
      const piece = this.lineFound();
      if (piece === null) continue;
      if (this.begins === undefined) return this.give(piece);
      const whole = this.join(piece);
      if (whole !== null) return this.give(whole);
    }
  }

  /** The bytes of the entry found last. */
  get entry(): Buffer {
    return this.bytes.subarray(this.start, this.end);
  }

  whenMore(resume: () => void): void {
    this.lines.whenMore(resume);
  }

  close(): void {
    this.lines.close();
  }

  private give({ bytes, number }: Piece): 'line' {
    this.bytes = bytes;
    this.start = 0;
    this.end = bytes.length;
    this.number = number;
    return 'line';
  }

  /** Returns the line that was read last, without the text that a container runtime has added. Returns null if the line is incomplete. */
  private lineFound(): Piece | null {
    const { bytes, start, end, until, number } = this.lines;
    const beginning = mayBeWrapped(bytes, start)
      ? bytes.toString('latin1', start, Math.min(end, start + BEGINNING))
      : '';
    const cri = criWrapping(beginning);
    // Spaces at the end of a part are kept, because they are inside the complete line.
    if (cri !== null)
      return this.wholeLine(
        cri,
        bytes.subarray(Math.min(until, start + cri.length), cri.isPart ? until : end),
        number,
      );
    if (mayBeDocker(beginning) && isUtf8(bytes.subarray(start, end))) {
      const docker = dockerLine(bytes.toString('utf8', start, end));
      if (docker !== null) return this.wholeLine(docker, Buffer.from(docker.text), number);
    }
    // Spaces at the beginning of a line are kept if the line continues an entry.
    return { bytes: bytes.subarray(this.open === null ? start : this.lines.from, end), number };
  }

  private wholeLine({ stream, isPart }: Wrapping, text: Buffer, number: number): Piece | null {
    const held = this.parts.get(stream);
    if (held === undefined && !isPart) return text.length === 0 ? null : { bytes: text, number };
    const line = held ?? { pieces: [], length: 0, number };
    line.pieces.push(text);
    line.length += text.length;
    if (isPart && line.length < LONGEST_ENTRY) {
      this.parts.set(stream, line);
      return null;
    }
    this.parts.delete(stream);
    return { bytes: Buffer.concat(line.pieces), number: line.number };
  }

  /** Adds a line to the open entry. If the line begins another entry, returns the previous one. */
  private join({ bytes, number }: Piece): Piece | null {
    const { open } = this;
    const continues =
      open !== null && open.length < LONGEST_ENTRY && !this.begins!(bytes.toString('utf8', 0, 100));
    if (continues) {
      open.pieces.push(LINE_FEED, bytes);
      open.length += bytes.length + 1;
      return null;
    }
    this.open = { pieces: [bytes], length: bytes.length, number };
    return open === null ? null : whole(open);
  }

  /** Called at the end of the log. Finds the last entry, which is still open. Returns `ended` if no entry is left. */
  private last(): NextLine {
    for (const [stream, { pieces, number }] of this.parts) {
      this.parts.delete(stream);
      const piece = { bytes: Buffer.concat(pieces), number };
      if (this.begins === undefined) return this.give(piece);
      const before = this.join(piece);
      if (before !== null) return this.give(before);
    }
    const { open } = this;
    this.open = null;
    return open === null ? 'ended' : this.give(whole(open));
  }
}

const whole = ({ pieces, number }: { pieces: Buffer[]; number: number }): Piece => ({
  bytes: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces),
  number,
});

/**
 * Returns whether a line may be wrapped by Docker or CRI, by its first bytes. The check is cheap and allocates nothing, because most lines
 * are not wrapped.
 */
function mayBeWrapped(bytes: Buffer, at: number): boolean {
  const first = bytes[at]!;
  if (first !== OPEN) return isDigit(first) && bytes[at + 4] === HYPHEN && bytes[at + 10] === LETTER_T;
  let next = at + 1;
  while (bytes[next] === BLANK) next += 1;
  // Compares with the first two letters of log, stream, time and attrs.
  return bytes[next] === QUOTE && DOCKER_KEYS.includes(bytes[next + 1]! * 256 + bytes[next + 2]!);
}

const DOCKER_KEYS = ['lo', 'st', 'ti', 'at'].map((key) => key.charCodeAt(0) * 256 + key.charCodeAt(1));

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;
