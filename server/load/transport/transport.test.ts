import { LoadClock, loadStart } from '../timing/clock';
import { LoopDelay } from '../instrument/loop-delay';
import { answerText, FOUND, loopback, type Loopback } from '../testing/loopback';
import type { Ending } from './exchange';
import { Transport } from './transport';

const HELD_MS = 40;
let target: Loopback;
let transport: Transport;
let clock: LoadClock;
let held: number[];

beforeEach(async () => {
  target = await loopback((socket) => socket.write(answerText(FOUND)));
  held = [];
  clock = new LoadClock();
  clock.begin(loadStart(Date.now()));
  transport = new Transport({
    target: { nodes: [target.url], headers: {}, verifyCertificates: true, requestTimeoutMs: 5000 },
    clock,
    turn: 0,
    delay: new LoopDelay(),
    onAnswer: (_time, heldMs) => held.push(heldMs),
    fence: null,
    onFenced: () => undefined,
  });
});
afterEach(async () => {
  await transport.close();
  await target.close();
});

const send = (): Promise<Ending> =>
  new Promise((onEnd) => {
    transport.send({ method: 'GET', path: '/', body: null, headers: [], readHead: () => 'well', onEnd });
  });

const hold = (): void => {
  const end = performance.now() + HELD_MS;
  while (performance.now() < end);
};

test('a request counts from when it was written, which on an idle connection is a turn of the loop later', async () => {
  await send();
  const ending = send();
  hold();
  const released = clock.now();
  expect((await ending).sentAt).toBeGreaterThanOrEqual(released);
});

test('to make its connection is a part of its time', async () => {
  const ending = send();
  const asked = clock.now();
  hold();
  const { sentAt, time } = await ending;
  expect(sentAt).toBeLessThanOrEqual(asked);
  expect(time - sentAt).toBeGreaterThanOrEqual(HELD_MS);
});

test('the wait for a connection may be the instrument’s own, and an open connection has none', async () => {
  const first = send();
  hold();
  await first;
  await send();
  expect(held[0]).toBeGreaterThanOrEqual(HELD_MS);
  expect(held[1]).toBeLessThan(HELD_MS);
});
