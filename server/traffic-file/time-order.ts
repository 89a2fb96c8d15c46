/** Sorts records by their times. Files contain records in the order in which the responses ended, or in any order. */

/** Estimated memory of a record without its body, in bytes. */
const RECORD_BYTES = 1000;

export interface Sortable {
  body: Uint8Array | null;
}

export interface Batch<T> {
  records: readonly T[];
  /** Earliest time of the records in all later batches. */
  nextTime: number;
}

/**
 * Yields records in ascending order of their times. Records with the same time keep their order. A record waits as long as a later batch
 * may contain an earlier record. If more than `mostBytes` of records wait, the earliest ones are yielded until half of `mostBytes` remain.
 * Later records may then be out of order.
 */
export async function* inTimeOrder<T extends Sortable>(
  batches: AsyncIterable<Batch<T>>,
  timeOf: (record: T) => number,
  mostBytes: number,
): AsyncGenerator<T> {
  const sizeOf = ({ body }: T): number => RECORD_BYTES + (body?.length ?? 0);
  const sort = (records: T[]): T[] => records.sort((a, b) => timeOf(a) - timeOf(b));
  let waiting: T[] = [];
  let earliest = Infinity;
  let bytes = 0;
  for await (const { records, nextTime } of batches) {
    for (const record of records) {
      waiting.push(record);
      earliest = Math.min(earliest, timeOf(record));
      bytes += sizeOf(record);
    }
    const isFull = bytes > mostBytes;
    if (earliest > nextTime && !isFull) continue;
    sort(waiting);
    let ready = 0;
    while (
      ready < waiting.length &&
      (timeOf(waiting[ready]!) < nextTime || (isFull && bytes > mostBytes / 2))
    ) {
      bytes -= sizeOf(waiting[ready]!);
      ready += 1;
    }
    yield* waiting.slice(0, ready);
    waiting = waiting.slice(ready);
    earliest = waiting.length === 0 ? Infinity : timeOf(waiting[0]!);
  }
  yield* sort(waiting);
}
