/** The body of one bulk request: a buffer that its client reuses, with the offset of each document. */

/** A batch in the form in which it is sent between threads. Both buffers are transferred, not copied. */
export interface PackedBatch {
  bytes: ArrayBuffer;
  length: number;
  starts: ArrayBuffer;
  count: number;
}

/** Documents in sequence, each with its action line: `{"index":{}}\n{...}\n`. */
export class Batch {
  bytes: Buffer = Buffer.allocUnsafeSlow(64 * 1024);
  /** `bytes` as a view, which can write numbers at any offset. */
  view: DataView = viewOf(this.bytes);
  /** Number of bytes that are in use. */
  length = 0;
  /** Number of documents. */
  count = 0;
  /** `starts[i]` is the offset of the action line of document i. */
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

  /** Starts the next document at the end of the batch. The caller then writes its bytes and sets `length`. */
  begin(): void {
    this.starts[this.count] = this.length;
    this.count += 1;
  }

  /** Appends `bytes`. The caller must have reserved room for them. */
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

  /**
   * Keeps only some documents, and removes all others. The first `kept` elements of `positions` are the positions of the documents to keep,
   * in ascending order.
   */
  keep(positions: ArrayLike<number>, kept: number): void {
    let length = 0;
    for (let i = 0; i < kept; i += 1) {
      const position = positions[i]!;
      const start = this.starts[position]!;
      const end = position + 1 < this.count ? this.starts[position + 1]! : this.length;
      this.bytes.copyWithin(length, start, end);
      // The positions are ascending, so this overwrites only bytes that have already been read.
      this.starts[i] = length;
      length += end - start;
    }
    this.length = length;
    this.count = kept;
  }

  /** Returns the bytes to send. They are valid only until the batch changes. */
  body(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  /**
   * Returns the content and its memory, so that they can be transferred. The batch continues with the memory of `spare`, or with new
   * memory.
   */
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

  /** Replaces the content by that of `packed`. Returns the batch's previous memory. */
  unpack(packed: PackedBatch): PackedBatch {
    const own = this.packed();
    this.take(packed);
    return own;
  }

  private packed(): PackedBatch {
    const { length, count } = this;
    // `allocUnsafeSlow` allocates memory that is not part of a pool, so the whole buffers can be transferred.
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

/** A document that did not fit into the previous batch. It becomes the first document of the next batch. */
export class HeldDocument {
  private bytes: Uint8Array | null = null;

  /** Adds the held document to a batch, as its first one. `most`: maximum number of documents in the batch. */
  open(batch: Batch, most: number): void {
    if (this.bytes === null || batch.count >= most) return;
    batch.reserve(this.bytes.length);
    batch.begin();
    batch.append(this.bytes);
    this.bytes = null;
  }

  /**
   * If the batch exceeds `most` bytes and contains several documents, removes the last document and holds it. Returns whether it did so.
   */
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

/** Returns the buffers that are transferred with a packed batch. */
export const memoryOf = ({ bytes, starts }: PackedBatch): ArrayBuffer[] => [bytes, starts];
