/**
 * A server for benchmarks that accepts and discards every request as fast as possible, in a separate process. It is a separate bundle. The
 * bundle of all benchmarks would need a large heap, whose garbage collection would affect the results.
 */
import { createServer, type Socket } from 'node:net';

const answer = (body: string): Buffer =>
  Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );

/** Returns a response to a bulk, with a minimal item for each document. The load generator skips the items of most responses. */
const bulkAnswer = (documents: number): Buffer =>
  answer(
    JSON.stringify({
      errors: false,
      took: 1,
      items: Array.from({ length: documents }, () => ({ index: { status: 201 } })),
    }),
  );
const LINE_FEED = 10;
const LINES_OF_A_DOCUMENT = 2;

const SEARCH = answer(
  '{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},"hits":{"hits":[]}}',
);

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}

/**
 * Responds to the requests of a connection. To be fast, reads only the end of the path and the length of each request. Counts lines only in
 * the first bulk of a connection, because all its bulks have the same number of lines.
 */
function serve(socket: Socket): void {
  let left = 0;
  let head = '';
  socket.setNoDelay(true);
  socket.on('error', () => {
    socket.destroy();
  });
  let lines = 0;
  let bulk: Buffer | null = null;
  let reply: Buffer | null = null;
  socket.on('data', (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (left === 0) {
        head += chunk.toString('latin1', at, Math.min(chunk.length, at + 2048));
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        const before = head.length - Math.min(chunk.length - at, 2048);
        left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        reply = head.includes('_search') ? SEARCH : bulk;
        at += end + 4 - before;
        head = '';
      }
      const taken = Math.min(left, chunk.length - at);
      if (reply === null) lines += linesIn(chunk.subarray(at, at + taken));
      left -= taken;
      at += taken;
      if (left === 0) {
        if (reply === SEARCH) note();
        reply ??= bulk = bulkAnswer(lines / LINES_OF_A_DOCUMENT);
        socket.write(reply);
      }
    }
  });
}

/** Number and times of the requests that have arrived. */
export interface Arrivals {
  /** Number of searches whose request has been read completely. */
  count: number;
  /** Time from the first to the last search, in ms. */
  spanMs: number;
  /** Number of searches in each second since the first search. */
  perSecond: number[];
}

const arrivals: Arrivals = { count: 0, spanMs: 0, perSecond: [] };
let firstAt = 0;

function note(): void {
  const now = performance.now();
  if (arrivals.count === 0) firstAt = now;
  arrivals.count += 1;
  arrivals.spanMs = now - firstAt;
  const second = Math.floor(arrivals.spanMs / 1000);
  while (arrivals.perSecond.length <= second) arrivals.perSecond.push(0);
  arrivals.perSecond[second]! += 1;
}

// Listens on a free port and sends its number to the parent process.
const server = createServer(serve);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.(address.port);
});
process.on('message', () => process.send?.(arrivals));
process.on('disconnect', () => process.exit(0));
