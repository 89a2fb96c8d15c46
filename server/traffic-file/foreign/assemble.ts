/**
 * Converts the requests in files of other tools to records of traffic: sorts them by time, assigns them to connections, and makes their
 * times relative to the start.
 */
import type { Losses } from '../../../common/traffic/loss';
import type { TrafficRecord } from '../../../common/traffic/record';
import { inTimeOrder } from '../time-order';
import type { Observed } from './observed';

/**
 * Maximum size of the buffer in which requests are sorted by time, in bytes. A request that is farther than this from its correct position
 * in the file keeps a wrong position.
 */
const MOST_BYTES = 64 * 1024 ** 2;
/** Assumed duration of a request whose response is not in the file, in µs. */
const ASSUMED_US = 1_000_000;

/**
 * Yields the requests in ascending order of their times. If a request is earlier than a request that was already yielded, it gets the time
 * of that request, and counts as a loss `out-of-order`.
 */
async function* sorted(
  batches: AsyncIterable<readonly Observed[]>,
  losses: Losses,
  mostBytes: number,
): AsyncGenerator<Observed> {
  // A later batch may contain requests with any time.
  const withTimes = (async function* () {
    for await (const records of batches) yield { records, nextTime: -Infinity };
  })();
  let last = -Infinity;
  for await (const request of inTimeOrder(withTimes, ({ timeUs }) => timeUs, mostBytes)) {
    if (request.timeUs < last) losses.add('out-of-order', 1, `${request.method} ${request.path}`);
    last = Math.max(last, request.timeUs);
    yield { ...request, timeUs: last };
  }
}

interface Connection {
  number: number;
  next: number;
  /**
   * Time at which the last response on the connection ends, in µs since the epoch. From then on, another request can use the connection.
   */
  freeAt: number;
}

/**
 * Assigns requests to connections. This is necessary if the file does not name the connection of a request, or if HTTP/2 sent requests in
 * parallel. In HTTP/1.1, a connection has only one request at a time. A request that begins before the last response on a connection has
 * ended gets another connection.
 */
class Connections {
  private readonly known = new Map<string, Connection[]>();
  private count = 0;

  assign(
    { connection, timeUs }: Observed,
    durationUs: number | undefined,
  ): { connection: number; order: number } {
    const lanes = this.known.get(connection) ?? [];
    this.known.set(connection, lanes);
    let lane = lanes.find(({ freeAt }) => freeAt <= timeUs);
    if (lane === undefined) {
      lane = { number: (this.count += 1), next: 0, freeAt: 0 };
      lanes.push(lane);
    }
    // If the connection is known, requests without a duration do not overlap.
    lane.freeAt = timeUs + (durationUs ?? (connection === '' ? ASSUMED_US : 0));
    const order = lane.next;
    lane.next += 1;
    return { connection: lane.number, order };
  }
}

export interface Assembled {
  /** Start of the recording, in ms since the epoch. */
  startedAt: number;
  records: AsyncIterable<TrafficRecord>;
}

/** Returns the records of a file and the start of the recording. Returns null if the file contains no requests. */
export async function assemble(
  batches: AsyncIterable<readonly Observed[]>,
  losses: Losses,
  mostBytes = MOST_BYTES,
): Promise<Assembled | null> {
  const requests = sorted(batches, losses, mostBytes);
  const first = await requests.next();
  if (first.done === true) return null;
  const startedAt = Math.floor(first.value.timeUs / 1000);
  const connections = new Connections();
  const recordOf = (request: Observed): TrafficRecord => {
    const { durationUs, timeUs, ...record } = request;
    const at = Math.round(timeUs - startedAt * 1000);
    return { ...record, ...connections.assign(request, durationUs), at };
  };
  return {
    startedAt,
    records: (async function* () {
      yield recordOf(first.value);
      for await (const request of requests) yield recordOf(request);
    })(),
  };
}
