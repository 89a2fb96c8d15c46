/** The body of one bulk: a buffer that its client uses again and again, with the place where each document begins. */

/** A batch as it passes between threads: both buffers are transferred, not copied. */
export interface PackedBatch {
  bytes: ArrayBuffer;
  length: number;
  starts: ArrayBuffer;
  count: number;
}

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

  /** Gives its memory away with what it holds, and goes on with that of `spare`, or with new one. */
  pack(spare: PackedBatch | null): PackedBatch {
    const packed = this.packed();
    if (spare !== null) this.take(spare);
    else {
      this.bytes = Buffer.allocUnsafeSlow(Math.max(64 * 1024, packed.length));
      this.view = viewOf(this.bytes);
      this.starts = new Uint32Array(this.starts.length);
    }
    this.clear();
    return packed;
  }

  /** Holds what `packed` holds; what it held is lost, and its memory returned. */
  unpack(packed: PackedBatch): PackedBatch {
    const own = this.packed();
    this.take(packed);
    return own;
  }

  private packed(): PackedBatch {
    const { length, count } = this;
    // Memory of its own, so the buffers are whole: see allocUnsafeSlow.
    return {
      bytes: this.bytes.buffer as ArrayBuffer,
      length,
      starts: this.starts.buffer as ArrayBuffer,
      count,
    };
  }

  private take({ bytes, length, starts, count }: PackedBatch): void {
    this.bytes = Buffer.from(bytes);
    this.view = viewOf(this.bytes);
    this.starts = new Uint32Array(starts);
    this.length = length;
    this.count = count;
  }

  private growBytes(needed: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
    bytes.set(this.bytes.subarray(0, this.length));
    this.bytes = bytes;
    this.view = viewOf(bytes);
  }
}

/** A document that did not fit into the last batch: it opens the next one. */
export class HeldDocument {
  private bytes: Uint8Array | null = null;

  /** Before any other document of a batch; `most`: documents that it may hold. */
  open(batch: Batch, most: number): void {
    if (this.bytes === null || batch.count >= most) return;
    batch.reserve(this.bytes.length);
    batch.begin();
    batch.append(this.bytes);
    this.bytes = null;
  }

  /** Takes the last document back where it made the batch longer than `most` bytes and is not alone; whether it did. */
  takeBack(batch: Batch, most: number): boolean {
    if (batch.length <= most || batch.count <= 1) return false;
    this.bytes = batch.removeLast();
    return true;
  }

  drop(): void {
    this.bytes = null;
  }
}

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** What is transferred with it. */
export const memoryOf = ({ bytes, starts }: PackedBatch): ArrayBuffer[] => [bytes, starts];
