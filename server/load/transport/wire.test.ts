import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { until } from '../../../test/support/until';
import { LoopDelay } from '../instrument/loop-delay';
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

test('answers that arrive together are all noticed before the first is processed', async () => {
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
  // Both answers arrive before the event loop reads either of them.
  work();
  await until('both answers', () => read.length === 2);
  expect(read).toEqual(['answer', 'answer']);
  expect(Math.abs(times[0]!.noticedAt - times[1]!.noticedAt)).toBeLessThan(BUSY_MS);
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
  // A reset may overtake bytes that were written before it. In any case, no event may follow the end.
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
