import { connect, type Socket } from 'node:net';
import { until } from '../../../test/support/until';
import { breakOff, Relay, type ConnectionObserver, type RelayOptions } from './relay';
import { answering, converse, jsonAnswer, rawTarget, type RawTarget } from './testing/raw-target';

let target: RawTarget | undefined;
afterEach(async () => {
  await target?.close();
  target = undefined;
});

const relayTo = async (
  port: number,
  observe: () => ConnectionObserver | null = () => null,
  more: Partial<RelayOptions> = {},
): Promise<{ relay: Relay; port: number }> => {
  const relay = new Relay({
    target: { host: '127.0.0.1', port },
    listen: { host: '127.0.0.1', port: 0 },
    observe,
    ...more,
  });
  return { relay, port: (await relay.listen()).port };
};

const dial = (port: number): Socket =>
  connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);

test.each(['client', 'target'] as const)(
  'a break by the %s reaches the other side as a break',
  async (by) => {
    const errors: string[] = [];
    const note = (error: NodeJS.ErrnoException): void => void errors.push(error.code!);
    target = await rawTarget((socket) => socket.on('error', note).on('data', () => socket.write('answer')));
    const { relay, port } = await relayTo(target.port);
    const client = dial(port).on('error', note);
    client.write('request');
    await until('the answer arrives', () => client.bytesRead > 0);
    breakOff(by === 'client' ? client : target.sockets[0]!);
    await until('the other side sees it', () => errors.length > 0);
    expect(errors).toEqual(['ECONNRESET']);
    await until('the connection is gone', () => relay.open === 0);
    await relay.close(0);
  },
);

test('one direction can end before the other', async () => {
  target = await rawTarget((socket) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('end', () => socket.end(`got ${text}`));
  });
  const { relay, port } = await relayTo(target.port);
  const client = dial(port);
  let answer = '';
  client.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  client.end('everything');
  await until('the answer ends', () => client.readableEnded);
  expect(answer).toBe('got everything');
  await relay.close(1000);
});

test('a receiver that does not read stops its sender', async () => {
  target = await rawTarget((socket) => socket.pause());
  const { relay, port } = await relayTo(target.port);
  const client = dial(port);
  const piece = Buffer.alloc(1024 ** 2);
  for (let sent = 0; sent < 64; sent += 1) client.write(piece);
  let before = -1;
  await until('nothing moves any more', async () => {
    const passed = relay.bytes;
    await new Promise((resolve) => setTimeout(resolve, 300));
    const isStill = passed > 0 && passed === before && relay.bytes === passed;
    before = passed;
    return isStill;
  });
  expect(relay.bytes).toBeLessThan(32 * 1024 ** 2);
  target.sockets[0]!.resume();
  await until('everything arrives', () => relay.bytes === 64 * 1024 ** 2);
  await until('the target has it', () => target!.sockets[0]!.bytesRead === 64 * 1024 ** 2);
  client.destroy();
  await relay.close(0);
});

test('a client is closed and counted if the target does not accept its connection', async () => {
  const gone = await rawTarget(() => undefined);
  await gone.close();
  const { relay, port } = await relayTo(gone.port);
  const client = dial(port);
  await until('the client is closed', () => client.closed || client.readableEnded);
  await until('it is counted', () => relay.failedConnections > 0);
  expect(relay.failedConnections).toBe(1);
  expect(relay.failure?.message).toContain('ECONNREFUSED');
  client.destroy();
  await relay.close(0);
});

test('an observer gets copies of both directions, and their ends', async () => {
  target = await rawTarget(answering(() => jsonAnswer('{}')));
  const chunks: string[] = [];
  const { relay, port } = await relayTo(target.port, () => ({
    isIdle: null,
    fromClient: (chunk) => void chunks.push(`> ${chunk.length}`),
    fromTarget: (chunk) => void chunks.push(`< ${chunk.length}`),
    targetEnded: () => void chunks.push('end'),
    closed: () => void chunks.push('closed'),
    stop: () => undefined,
  }));
  const request = 'GET / HTTP/1.1\r\n\r\n';
  expect(await converse(port, request, (text) => text.endsWith('{}'))).toBe(jsonAnswer('{}'));
  await until('it is closed', () => chunks.includes('closed'));
  expect(chunks).toEqual([`> ${request.length}`, `< ${jsonAnswer('{}').length}`, 'end', 'closed']);
  await relay.close(0);
});

test('idle connections that nothing observes are closed at the end', async () => {
  target = await rawTarget(answering(() => jsonAnswer('{}')));
  const { relay, port } = await relayTo(target.port);
  const client = dial(port);
  client.on('data', () => undefined).on('end', () => client.end());
  client.write('GET / HTTP/1.1\r\n\r\n');
  await until('the answer arrives', () => client.bytesRead > 0);
  await relay.close(60_000);
  await until('the client is closed', () => client.closed);
  expect(relay.open).toBe(0);
});

test('a handshake under way does not delay the end', async () => {
  target = await rawTarget(() => undefined);
  // A certificate is not needed, because the handshake never begins.
  const listen = { host: '127.0.0.1', port: 0, tls: { cert: '', key: '' } };
  const { relay, port } = await relayTo(target.port, () => null, { listen });
  const client = dial(port);
  await until(
    'the client is accepted',
    () =>
      new Promise<boolean>((resolve) => relay['server'].getConnections((_error, open) => resolve(open > 0))),
  );
  const began = performance.now();
  await relay.close(60_000);
  expect(performance.now() - began).toBeLessThan(30_000);
  client.destroy();
});

test('the cost of a piece includes the work before it', async () => {
  target = await rawTarget(answering(() => jsonAnswer('{}')));
  let isBusy = false;
  const { relay, port } = await relayTo(target.port, () => ({
    isIdle: null,
    fromClient: () => {
      // The event loop is busy here, so the answer may have been ready during this work.
      for (const end = performance.now() + 200; isBusy && performance.now() < end;);
    },
    fromTarget: () => undefined,
    targetEnded: () => undefined,
    closed: () => undefined,
    stop: () => undefined,
  }));
  isBusy = true;
  await converse(port, 'GET / HTTP/1.1\r\n\r\n', (text) => text.endsWith('{}'));
  expect(relay.costs.p99Us).toBeGreaterThan(100_000);
  await relay.close(0);
});

test('connections above the most are closed and counted, and the others continue', async () => {
  target = await rawTarget(answering(() => jsonAnswer('{}')));
  const { relay, port } = await relayTo(target.port, () => null, { mostConnections: 1 });
  const first = dial(port);
  await until('the first is accepted', () => relay.open === 1);
  const second = dial(port).resume();
  await until('the second is counted', () => relay.failedConnections === 1);
  expect(relay.failure?.message).toContain('more than 1 connections');
  await until('the second is closed', () => second.closed || second.readableEnded);
  first.write('GET / HTTP/1.1\r\n\r\n');
  await until('the first is answered', () => first.bytesRead > 0);
  first.destroy();
  second.destroy();
  await relay.close(0);
});
