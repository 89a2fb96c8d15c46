/** Brings records into the order of their times. Files contain them in the order in which their answers ended. */
import type { TrafficRecord } from '../../common/traffic/record';

const byTime = (a: TrafficRecord, b: TrafficRecord): number =>
  a.at - b.at || a.connection - b.connection || a.order - b.order;

/** Most memory of the records that wait for earlier ones, in bytes. */
const MOST_BYTES = 256 * 1024 ** 2;
/** Memory of a record without its body, about, in bytes. */
const RECORD_BYTES = 1000;

/** Records, and the earliest time of all records that follow in later batches, in µs after the start. */
export interface Batch {
  records: readonly TrafficRecord[];
  nextAt: number;
}

/**
 * Returns the records in ascending order of their times. The requests of one connection keep their order. If more than `mostBytes` of
 * records would have to wait, because one request took very long, the oldest records no longer wait; the slow request then comes too late.
 */
export async function* inTimeOrder(
  batches: AsyncIterable<Batch>,
  mostBytes = MOST_BYTES,
): AsyncGenerator<TrafficRecord> {
  let waiting: TrafficRecord[] = [];
  for await (const { records, nextAt } of batches) {
    waiting = [...waiting, ...records].sort(byTime);
    let bytes = waiting.reduce((sum, { body }) => sum + RECORD_BYTES + (body?.length ?? 0), 0);
    let ready = 0;
    while (ready < waiting.length && (waiting[ready]!.at < nextAt || bytes > mostBytes)) {
      bytes -= RECORD_BYTES + (waiting[ready]!.body?.length ?? 0);
      ready += 1;
    }
    yield* waiting.slice(0, ready);
    waiting = waiting.slice(ready);
  }
  yield* waiting;
}
