/** The bytes of a document, which is put together of texts that are mostly prepared before the first one. */

/** Bytes that are copied at once. Calling `set` for each short text takes four times as long. */
const WORD = 8;

/** V8 moves floating-point numbers without allocating. Only the bits of a NaN might change, and those are never UTF-8. */
function copyWords(from: DataView, start: number, to: DataView, at: number, length: number): void {
  for (let done = 0; done < length; done += WORD)
    to.setFloat64(at + done, from.getFloat64(start + done, true), true);
}

/** A text whose bytes are in the output's store. */
export class Prepared {
  constructor(
    private readonly output: Output,
    private readonly start: number,
    private readonly length: number,
  ) {}

  write(): void {
    this.output.copy(this.start, this.length);
  }
}

/** UTF-8 that can grow. Its last word is never used, so that whole words can be copied to the end. */
class Growing {
  bytes = new Uint8Array(64 * 1024);
  view = new DataView(this.bytes.buffer);
  length = 0;
  private readonly encoder = new TextEncoder();

  reserve(more: number): void {
    if (this.length + more + WORD <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.length + more + WORD, 2 * this.bytes.length));
    larger.set(this.bytes);
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  add(text: string): void {
    // A character of a string takes at most three bytes.
    this.reserve(3 * text.length);
    const { bytes, length } = this;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code > 127) {
        this.length = length + this.encoder.encodeInto(text, bytes.subarray(length)).written;
        return;
      }
      bytes[length + at] = code;
    }
    this.length = length + text.length;
  }
}

export class Output {
  private readonly document = new Growing();
  private readonly store = new Growing();
  /** Number of documents that were taken. */
  taken = 0;

  prepare(text: string): Prepared {
    const start = this.store.length;
    this.store.add(text);
    return new Prepared(this, start, this.store.length - start);
  }

  add(text: string): void {
    this.document.add(text);
  }

  /** Adds a character of ASCII by its code. */
  addCode(code: number): void {
    const { document } = this;
    document.reserve(1);
    document.bytes[document.length] = code;
    document.length += 1;
  }

  /** Copies from the store. */
  copy(start: number, length: number): void {
    const { document } = this;
    document.reserve(length);
    copyWords(this.store.view, start, document.view, document.length, length);
    document.length += length;
  }

  /** Copies from the document itself. */
  repeat(start: number, length: number): void {
    const { document } = this;
    document.reserve(length);
    copyWords(document.view, start, document.view, document.length, length);
    document.length += length;
  }

  /** Bytes of the document so far. */
  get length(): number {
    return this.document.length;
  }

  /** Returns the bytes that were written since the last call; valid until more are written. */
  take(): Uint8Array {
    const { document } = this;
    const bytes = document.bytes.subarray(0, document.length);
    document.length = 0;
    this.taken += 1;
    return bytes;
  }
}
