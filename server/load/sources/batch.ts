/** The body of one bulk: a buffer that its client reuses, with the offset of each document. */

/** A batch in the form in which it is sent between threads. Both buffers are transferred, not copied. */
export interface PackedBatch {
  bytes: ArrayBuffer;
  length: number;
  starts: ArrayBuffer;
  count: number;
}

/** Documents one after the other, each with its action line: `{"index":{}}\n{...}\n`. */
export class Batch {
  bytes: Buffer = Buffer.allocUnsafeSlow(64 * 1024);
  /** View of the bytes, to write unaligned words. */
  view: DataView = viewOf(this.bytes);
  /** Number of used bytes. */
  length = 0;
  /** Number of documents. */
  count = 0;
  /** `starts[i]` is the offset of document i, its action line included. */
  starts: Uint32Array = new Uint32Array(1024);

  clear(): void {
    this.length = 0;
    this.count = 0;
  }

  /** Makes room for one more document of `bytes` bytes. */
  reserve(bytes: number): void {
    if (this.length + bytes > this.bytes.length) this.growBytes(this.length + bytes);
    if (this.count >= this.starts.length) {
      const starts = new Uint32Array(this.starts.length * 2);
      starts.set(this.starts);
      this.starts = starts;
    }
  }

  /** Starts the next document here. The caller then writes its bytes and sets `length`. */
  begin(): void {
    this.starts[this.count] = this.length;
    this.count += 1;
  }

  /** Appends `bytes`. There must be room for them. */
  append(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Removes the last document and returns a copy of it. */
  removeLast(): Uint8Array {
    this.count -= 1;
    const start = this.starts[this.count]!;
    const document = Uint8Array.prototype.slice.call(this.bytes, start, this.length);
    this.length = start;
    return document;
  }

  /** Keeps only the documents at the first `kept` of `positions`, which ascend. */
  keep(positions: ArrayLike<number>, kept: number): void {
    let length = 0;
    for (let i = 0; i < kept; i += 1) {
      const position = positions[i]!;
      const start = this.starts[position]!;
      const end = position + 1 < this.count ? this.starts[position + 1]! : this.length;
      this.bytes.copyWithin(length, start, end);
      // Positions ascend, so this overwrites only bytes that have been read already.
      this.starts[i] = length;
      length += end - start;
    }
    this.length = length;
    this.count = kept;
  }

  /** Returns the bytes to send. They are valid until the batch changes. */
  body(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  /** Gives its memory and content away. The batch continues with the memory of `spare`, or with new memory. */
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

  /** Takes the content of `packed` over. Returns its own memory; the old content is lost. */
  unpack(packed: PackedBatch): PackedBatch {
    const own = this.packed();
    this.take(packed);
    return own;
  }

  private packed(): PackedBatch {
    const { length, count } = this;
    // The memory is not part of a pool, so the whole buffers can be transferred: see allocUnsafeSlow.
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

/** A document that did not fit into the last batch, and becomes the first of the next one. */
export class HeldDocument {
  private bytes: Uint8Array | null = null;

  /** Adds the held document as the first of a batch. `most`: largest number of documents in the batch. */
  open(batch: Batch, most: number): void {
    if (this.bytes === null || batch.count >= most) return;
    batch.reserve(this.bytes.length);
    batch.begin();
    batch.append(this.bytes);
    this.bytes = null;
  }

  /** Takes the last document back if it made the batch longer than `most` bytes and is not the only one. Returns whether it did. */
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

/** Returns the buffers to transfer with a packed batch. */
export const memoryOf = ({ bytes, starts }: PackedBatch): ArrayBuffer[] => [bytes, starts];
