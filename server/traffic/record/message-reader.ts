/**
 * Finds HTTP/1.1 messages (RFC 9112) in the bytes that one end of a connection sends. Never changes, delays or stores the bytes. Accepts
 * only correct messages. In an incorrect message, it could find a wrong end, and then misread the rest of the connection.
 */

/** Thrown if the end of a message cannot be determined. The rest of the connection then cannot be read. */
export class FramingLost extends Error {}

type Framing = { as: 'none' | 'chunked' | 'until-close' } | { as: 'length'; bytes: number };

/**
 * The first line and those headers of a message that the recorder uses. Other headers, such as credentials and cookies, are never stored.
 */
export interface MessageHead {
  /** The first line: a request line or a status line. */
  start: string;
  contentType: string;
  contentEncoding: string;
  expectsContinue: boolean;
  /** Length of the body, if a header contains it. */
  contentLength?: number;
  /** Time at which the first byte of the message arrived, in ms of `performance.now()`. */
  begunAt: number;
}

export interface MessageListener {
  /** Called when the headers of a message were read. Returns false if no body follows, regardless of the headers. */
  onHead(head: MessageHead): boolean;
  /**
   * Called with each piece of the body. In a chunked body, the lines with sizes of chunks are left out. The bytes are valid only during the
   * call.
   */
  onBody(bytes: Buffer): void;
  /**
   * Called at the end of a message. `isLeftOut`: whether the client did not send the body of its request, because the response arrived
   * first.
   */
  onEnd(isLeftOut: boolean): void;
}

type Side = 'request' | 'answer';

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const CR = 13;
const LF = 10;
/** Maximum size of the first line and the headers, in bytes. Elasticsearch accepts 16 KB of headers by default (`http.max_header_size`). */
const MOST_HEAD_BYTES = 128 * 1024;
/** Maximum length, in bytes, of a line of a chunked body: the size of a chunk, or a trailer. */
const MOST_LINE_BYTES = 8 * 1024;
/**
 * Matches the name and the value of a header, without white space around the value. Does not match a line that continues the previous line.
 */
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*?)[ \t]*$/;
const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ [^\s\0]+ HTTP\/1\.[01]$/;
const STATUS_LINE = /^HTTP\/1\.[01] [1-5]\d\d(?: [^\r\n\0]*)?$/;
const CHUNK_SIZE = /^([0-9a-fA-F]{1,12})[ \t]*(?:;[^\r\n\0]*)?$/;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'].map((method) => `${method} `);

export class MessageReader {
  private state: 'head' | 'length' | 'until-close' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers' =
    'head';
  /** Incomplete headers or an incomplete line. The remaining bytes have not arrived yet. */
  private kept: Buffer = Buffer.alloc(0);
  private keptBytes = 0;
  private begunAt = 0;
  /** Number of bytes of the body, or of the current chunk, that have not arrived yet. */
  private left = 0;
  private trailerBytes = 0;
  private mayBeLeftOut = false;

  constructor(
    private readonly side: Side,
    private readonly listener: MessageListener,
  ) {}

  /** Whether a message has begun but not ended. */
  get isWithin(): boolean {
    return this.state !== 'head' || this.keptBytes > 0;
  }

  /** Reads bytes that arrived at the time `now`. Throws {@link FramingLost}. */
  read(chunk: Buffer, now: number): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.mayBeLeftOut) this.skipBodyBefore(chunk, at);
      switch (this.state) {
        case 'head':
          at = this.readHead(chunk, at, now);
          break;
        case 'length':
        case 'chunk':
          at = this.readBody(chunk, at);
          break;
        case 'until-close':
          this.listener.onBody(chunk.subarray(at));
          at = chunk.length;
          break;
        default:
          at = this.readLine(chunk, at);
      }
    }
  }

  /** Must be called when this end of the connection has sent its last byte. Returns false if a message is incomplete. */
  end(): boolean {
    if (this.state === 'until-close') this.endMessage();
    return !this.isWithin;
  }

  /**
   * Must be called if the target responds to a request that waits for `100 Continue`. The client may then leave out the body and send its
   * next request. The next bytes show whether it does.
   */
  allowNoBody(): void {
    this.mayBeLeftOut = true;
  }

  private skipBodyBefore(chunk: Buffer, at: number): void {
    this.mayBeLeftOut = false;
    if (this.state !== 'length' && this.state !== 'chunk-size') return;
    const text = chunk.toString('latin1', at, at + 8);
    // JSON, compressed data and the size of a chunk cannot begin like this.
    if (METHODS.some((method) => text.startsWith(method))) this.endMessage(true);
  }

  private readHead(chunk: Buffer, from: number, now: number): number {
    let at = from;
    if (this.keptBytes === 0) {
      // A request may follow empty lines (RFC 9112, 2.2).
      if (this.side === 'request') while (chunk[at] === CR || chunk[at] === LF) at += 1;
      if (at === chunk.length) return at;
      this.begunAt = now;
      const end = chunk.indexOf(END_OF_HEAD, at);
      if (end >= 0) {
        this.takeHead(chunk.toString('latin1', at, end));
        return end + END_OF_HEAD.length;
      }
    }
    const before = this.keptBytes;
    this.keep(chunk.subarray(at), MOST_HEAD_BYTES);
    const found = this.kept
      .subarray(0, this.keptBytes)
      .indexOf(END_OF_HEAD, Math.max(0, before - END_OF_HEAD.length + 1));
    if (found < 0) {
      if (this.keptBytes === MOST_HEAD_BYTES) throw new FramingLost('the head is too long');
      return chunk.length;
    }
    const text = this.kept.toString('latin1', 0, found);
    this.keptBytes = 0;
    this.kept = Buffer.alloc(0);
    this.takeHead(text);
    return at + found + END_OF_HEAD.length - before;
  }

  /** Appends bytes to incomplete headers or an incomplete line. Stores at most `most` bytes in total, and ignores all others. */
  private keep(bytes: Buffer, most: number): void {
    const length = Math.min(most, this.keptBytes + bytes.length);
    if (length > this.kept.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, Math.min(most, 2 * this.kept.length)));
      this.kept.copy(larger, 0, 0, this.keptBytes);
      this.kept = larger;
    }
    bytes.copy(this.kept, this.keptBytes, 0, length - this.keptBytes);
    this.keptBytes = length;
  }

  private takeHead(text: string): void {
    const lines = text.split('\r\n');
    const [start = ''] = lines;
    if (!(this.side === 'request' ? REQUEST_LINE : STATUS_LINE).test(start))
      throw new FramingLost('not a message of HTTP/1.1');
    const head: MessageHead = {
      start,
      contentType: '',
      contentEncoding: '',
      expectsContinue: false,
      begunAt: this.begunAt,
    };
    let coding: string | undefined;
    for (let place = 1; place < lines.length; place += 1) {
      const [, name = '', value = ''] = HEADER.exec(lines[place]!) ?? [];
      switch (name.toLowerCase()) {
        case '':
          throw new FramingLost('malformed header');
        case 'content-type':
          head.contentType = value;
          break;
        case 'content-encoding':
          head.contentEncoding = head.contentEncoding === '' ? value : `${head.contentEncoding}, ${value}`;
          break;
        case 'content-length':
          if (!/^\d{1,15}$/.test(value) || Number(value) !== (head.contentLength ?? Number(value)))
            throw new FramingLost('malformed content-length');
          head.contentLength = Number(value);
          break;
        case 'transfer-encoding':
          coding = coding === undefined ? value.toLowerCase() : `${coding}, ${value.toLowerCase()}`;
          break;
        case 'expect':
          head.expectsContinue = value.toLowerCase() === '100-continue';
      }
    }
    const framing = this.framingOf(head, coding);
    const hasBody = this.listener.onHead(head);
    if (!hasBody || framing.as === 'none' || (framing.as === 'length' && framing.bytes === 0)) {
      this.endMessage();
      return;
    }
    this.left = framing.as === 'length' ? framing.bytes : 0;
    this.state = framing.as === 'chunked' ? 'chunk-size' : framing.as;
  }

  /**
   * Determines how the end of the body is found (RFC 9112, 6.3). Throws {@link FramingLost} for a message with both a length and a transfer
   * coding, because such a message may be an attempt to hide a request.
   */
  private framingOf({ start, contentLength }: MessageHead, coding: string | undefined): Framing {
    if (coding !== undefined) {
      if (coding !== 'chunked' || contentLength !== undefined || !start.includes('HTTP/1.1'))
        throw new FramingLost('unusual transfer-encoding');
      return { as: 'chunked' };
    }
    if (contentLength !== undefined) return { as: 'length', bytes: contentLength };
    return { as: this.side === 'request' ? 'none' : 'until-close' };
  }

  private readBody(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + this.left);
    this.left -= end - at;
    this.listener.onBody(chunk.subarray(at, end));
    if (this.left === 0) {
      if (this.state === 'length') this.endMessage();
      else this.state = 'chunk-end';
    }
    return end;
  }

  /** Reads a line of a chunked body: the size of a chunk, or a trailer. Returns the position in `chunk` after the bytes that were read. */
  private readLine(chunk: Buffer, at: number): number {
    const end = chunk.indexOf(LF, at);
    this.keep(chunk.subarray(at, end < 0 ? undefined : end + 1), MOST_LINE_BYTES);
    if (this.keptBytes === MOST_LINE_BYTES) throw new FramingLost('a line of the chunked coding is too long');
    if (end < 0) return chunk.length;
    const line = this.kept.toString('latin1', 0, this.keptBytes);
    this.keptBytes = 0;
    if (!line.endsWith('\r\n'))
      throw new FramingLost('a line of the chunked coding ends without a carriage return');
    this.takeLine(line.slice(0, -2));
    return end + 1;
  }

  private takeLine(line: string): void {
    if (this.state === 'chunk-size') {
      const [, size] = CHUNK_SIZE.exec(line) ?? [];
      if (size === undefined) throw new FramingLost('malformed size of a chunk');
      this.left = Number.parseInt(size, 16);
      this.state = this.left === 0 ? 'trailers' : 'chunk';
      this.trailerBytes = 0;
    } else if (this.state === 'chunk-end') {
      if (line !== '') throw new FramingLost('a chunk is longer than its size');
      this.state = 'chunk-size';
    } else if (line === '') this.endMessage();
    else {
      this.trailerBytes += line.length;
      if (!HEADER.test(line) || this.trailerBytes > MOST_HEAD_BYTES)
        throw new FramingLost('malformed trailer');
    }
  }

  private endMessage(isLeftOut = false): void {
    this.state = 'head';
    this.keptBytes = 0;
    this.mayBeLeftOut = false;
    this.listener.onEnd(isLeftOut);
  }
}
