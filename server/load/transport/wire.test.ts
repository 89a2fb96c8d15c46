import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { until } from '../../../test/support/until';
import { LoopDelay } from '../loop-delay';
import { unused, Wires, type WireTimes } from './wire';

let server: Server;
let far: Socket[];
let near: Socket[];

beforeEach(async () => {
  far = [];
  server = createServer((socket) => far.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  near = [0, 1].map(() => connect((server.address() as AddressInfo).port, '127.0.0.1'));
  await Promise.all(near.map((socket) => once(socket, 'connect')));
  await until('both connections', () => far.length === 2);
});
afterEach(() => {
  for (const socket of [...near, ...far]) socket.destroy();
  server.close();
});

const BUSY_MS = 30;
function work(): void {
  const end = performance.now() + BUSY_MS;
  while (performance.now() < end);
}

test('answers that arrive together are all heard before the first is worked on', async () => {
  const wires = new Wires(() => performance.now(), new LoopDelay());
  const times: WireTimes[] = near.map(() => unused());
  const read: string[] = [];
  near.forEach((socket, place) => {
    wires.listen(socket, times[place]!);
    socket.on('readable', () => {
      const text = (socket.read() as Buffer | null)?.toString();
      if (text === undefined) return;
      read.push(text);
      work();
    });
  });
  for (const socket of far) socket.write('answer');
  // Until both have arrived, nobody asks for them.
  work();
  await until('both answers', () => read.length === 2);
  expect(read).toEqual(['answer', 'answer']);
  expect(Math.abs(times[0]!.heardAt - times[1]!.heardAt)).toBeLessThan(BUSY_MS);
});

test('what arrived before the connection ended is read before its end', async () => {
  const wires = new Wires(() => performance.now(), new LoopDelay());
  const events: string[] = [];
  const [socket] = near as [Socket];
  wires.listen(socket, unused());
  socket.on('readable', () => {
    const text = (socket.read() as Buffer | null)?.toString();
    if (text !== undefined) events.push(text);
  });
  for (const event of ['error', 'close']) socket.on(event, () => events.push(event));
  for (const other of far) {
    other.write('answer');
    other.resetAndDestroy();
  }
  await until('the end', () => events.includes('close'));
  // A reset may overtake what was written before it: nothing is heard after the end, in any case.
  expect(events.at(-1)).toBe('close');
  expect(events.indexOf('answer')).toBeLessThan(1);
});

test('a request is sent when it is written, and only the first of its parts says when', () => {
  let now = 5;
  const times = unused();
  const [socket] = near as [Socket];
  new Wires(() => now, new LoopDelay()).listen(socket, times);
  expect(times.sentAt).toBeNaN();
  socket.write('head');
  now = 7;
  socket.write('body');
  expect(times.sentAt).toBe(5);
});

/** What arrives at the other end, once all of `length` bytes have. */
async function arrived(socket: Socket, length: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    bytes += piece.length;
  });
  await until('all bytes', () => bytes >= length);
  return Buffer.concat(pieces).toString('latin1');
}

test('a head and its body arrive whole and in order, whatever their sizes, and as one piece where they are small', async () => {
  const [socket] = near as [Socket];
  const [other] = far as [Socket];
  const written: unknown[] = [];
  const write = socket.write.bind(socket) as (...values: unknown[]) => boolean;
  socket.write = (...values: unknown[]) => {
    written.push(values[0]);
    return write(...values);
  };
  new Wires(() => 0, new LoopDelay()).listen(socket, unused());
  const sizes = [0, 1, 1000, 16 * 1024, 16 * 1024 + 1, 300_000];
  let expected = '';
  for (const size of sizes) {
    const head = `POST /${size}-é HTTP/1.1\r\n\r\n`;
    const body = Buffer.alloc(size, 'b');
    expected += head + body.toString('latin1');
    socket.cork();
    socket.write(head, 'latin1');
    socket.write(body);
    socket.uncork();
  }
  for (const head of ['GET / HTTP/1.1\r\n\r\n', 'HEAD / HTTP/1.1\r\n\r\n']) {
    socket.write(head, 'latin1');
    expected += head;
  }
  // As a body that comes as a stream is written.
  for (const pieces of [
    ['head', '\r\n1\r\n', 'b'],
    ['2\r\n', 'cc'],
  ]) {
    socket.cork();
    for (const piece of pieces) socket.write(piece.length < 3 ? Buffer.from(piece) : piece, 'latin1');
    socket.uncork();
    expected += pieces.join('');
  }
  // A head without a body.
  socket.cork();
  socket.write('alone', 'latin1');
  socket.uncork();
  expected += 'alone';
  expect(await arrived(other, expected.length)).toBe(expected);
  const requests = sizes.slice(0, 4).map((size) => `POST /${size}-é HTTP/1.1\r\n\r\n${'b'.repeat(size)}`);
  expect(written.slice(0, 4).map((piece) => (piece as Buffer).toString('latin1'))).toEqual(requests);
});
