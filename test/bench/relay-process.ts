/**
 * Two servers for the benchmark of `dyno record`. `target` responds to every request with the same search response. `relay PORT` forwards
 * bytes to another port.
 */
import { connect, createServer, type Socket } from 'node:net';

const HITS = JSON.stringify({
  took: 1,
  timed_out: false,
  _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
  hits: {
    total: { value: 10, relation: 'eq' },
    hits: Array.from({ length: 10 }, (_, number) => ({
      _index: 'shop',
      _id: String(number),
      _score: 1,
      _source: { title: `product ${number}`, price: number * 1.5, text: 'x'.repeat(180) },
    })),
  },
});
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${HITS.length}\r\n\r\n${HITS}`,
);

/** Reads requests that have a content length, and responds to each. */
function answer(socket: Socket): void {
  let left = 0;
  socket.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length;) {
      if (left === 0) {
        const end = chunk.indexOf('\r\n\r\n', at);
        if (end < 0) return;
        left = Number(/content-length: (\d+)/i.exec(chunk.toString('latin1', at, end))?.[1] ?? 0);
        at = end + 4;
      }
      const taken = Math.min(left, chunk.length - at);
      left -= taken;
      at += taken;
      if (left === 0) socket.write(ANSWER);
    }
  });
}

function pass(socket: Socket, port: number): void {
  const target = connect({ port, host: '127.0.0.1', noDelay: true });
  target.on('error', () => socket.destroy());
  socket.pipe(target);
  target.pipe(socket);
}

const [role, port] = process.argv.slice(2);
const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => socket.destroy());
  if (role === 'relay') pass(socket, Number(port));
  else answer(socket);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.(address.port);
});
process.on('disconnect', () => process.exit(0));
