/** The body of one bulk: a buffer that its client uses again and again, with the place where each document begins. */

/** Documents back to back, each with its action line: `{"index":{}}\n{...}\n`. */
export class Batch {
  bytes: Buffer = Buffer.allocUnsafeSlow(64 * 1024);
  /** Unaligned words are written through it. */
  view: DataView = viewOf(this.bytes);
  /** Used bytes. */
  length = 0;
  /** Documents. */
  count = 0;
  /** `starts[i]` is where document i begins, its action line included. */
  starts: Uint32Array = new Uint32Array(1024);

  clear(): void {
    this.length = 0;
    this.count = 0;
  }

  /** Makes room for `bytes` more and one more document. */
  reserve(bytes: number): void {
    if (this.length + bytes > this.bytes.length) this.growBytes(this.length + bytes);
    if (this.count >= this.starts.length) {
      const starts = new Uint32Array(this.starts.length * 2);
      starts.set(this.starts);
      this.starts = starts;
    }
  }

  /** Notes that the next document begins here; follow it with the bytes and `length`. */
  begin(): void {
    this.starts[this.count] = this.length;
    this.count += 1;
  }

  /** Appends `bytes`; there must be room. */
  append(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Takes the last document away and returns a copy of it. */
  removeLast(): Uint8Array {
    this.count -= 1;
    const start = this.starts[this.count]!;
    const document = Uint8Array.prototype.slice.call(this.bytes, start, this.length);
    this.length = start;
    return document;
  }

  /** Keeps only the documents whose positions are the first `kept` of `positions`, which ascend. */
  keep(positions: ArrayLike<number>, kept: number): void {
    let length = 0;
    for (let i = 0; i < kept; i += 1) {
      const position = positions[i]!;
      const start = this.starts[position]!;
      const end = position + 1 < this.count ? this.starts[position + 1]! : this.length;
      this.bytes.copyWithin(length, start, end);
      // Positions ascend, so this writes only below what is still to be read.
      this.starts[i] = length;
      length += end - start;
    }
    this.length = length;
    this.count = kept;
  }

  /** What goes over the wire; valid until the batch changes. */
  body(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  private growBytes(needed: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
    bytes.set(this.bytes.subarray(0, this.length));
    this.bytes = bytes;
    this.view = viewOf(bytes);
  }
}

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
