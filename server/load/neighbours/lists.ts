/** For each query of a list: the positions of its true neighbours among the documents, in ascending order. */

export class NeighbourLists {
  private constructor(
    /** Index in `numbers` at which each query's list starts. The last element is the end of the last list. */
    private readonly starts: Int32Array,
    private readonly numbers: Int32Array,
  ) {}

  static from(lists: readonly (readonly number[])[]): NeighbourLists {
    const starts = new Int32Array(lists.length + 1);
    lists.forEach((list, query) => (starts[query + 1] = starts[query]! + list.length));
    const numbers = new Int32Array(starts.at(-1)!);
    lists.forEach((list, query) =>
      numbers.set(
        [...list].sort((one, other) => one - other),
        starts[query],
      ),
    );
    return new NeighbourLists(starts, numbers);
  }

  /** Reads the result of {@link pack}. */
  static unpack(packed: string): NeighbourLists {
    const bytes = Buffer.from(packed, 'base64');
    const all = Int32Array.from({ length: bytes.length / 4 }, (_, place) => bytes.readInt32LE(place * 4));
    const queries = all[0] ?? 0;
    return new NeighbourLists(all.subarray(1, queries + 2), all.subarray(queries + 2));
  }

  get queries(): number {
    return this.starts.length - 1;
  }

  /**
   * Packs the lists into base64. The bytes are little-endian 32-bit numbers: first the number of queries, then the starts, then the numbers
   * of the documents.
   */
  pack(): string {
    const all = [this.queries, ...this.starts, ...this.numbers];
    const bytes = Buffer.allocUnsafe(all.length * 4);
    all.forEach((value, place) => bytes.writeInt32LE(value, place * 4));
    return bytes.toString('base64');
  }

  length(query: number): number {
    return this.starts[query + 1]! - this.starts[query]!;
  }

  of(query: number): Int32Array {
    return this.numbers.subarray(this.starts[query], this.starts[query + 1]);
  }

  has(query: number, number: number): boolean {
    const { numbers } = this;
    let low = this.starts[query]!;
    let high = this.starts[query + 1]! - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const seen = numbers[middle]!;
      if (seen === number) return true;
      if (seen < number) low = middle + 1;
      else high = middle - 1;
    }
    return false;
  }
}
