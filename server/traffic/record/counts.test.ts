/**
 * Tests that the recorder counts every request exactly once. Random conversations pass through the recorder's reader, its queue with a
 * spill file that sometimes fails, and the code that creates records.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createRandom, deriveSeed, type Random } from '../../../common/random';
import { Assembler } from './assembler';
import { ConnectionReader } from './connection-reader';
import type { ToWriting } from './frames';
import { Outbox } from './outbox';

const CONNECTIONS = 60;

interface Step {
  by: 'client' | 'target';
  bytes: Buffer;
  /** Position of the first byte of each request in `bytes`. */
  starts: number[];
  /** True if all bytes arrive in one piece. Otherwise, they may be split at random. */
  isWhole?: true;
}

const OK = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');

/**
 * Returns a request with a plain or compressed body, with an unknown encoding, or with a body that is not compressed although its header
 * says so.
 */
function requestOf(random: Random): Buffer {
  const target = random.below(10) === 0 ? 'outside' : '/shop/_search';
  const text = Buffer.from('text '.repeat(random.below(4) === 0 ? random.below(30_000) : random.below(20)));
  const encoding = ['', '', 'gzip', 'gzip', 'compress'][random.below(5)]!;
  const body = encoding === 'gzip' && random.below(3) > 0 ? gzipSync(text) : text;
  const head = `POST ${target} HTTP/1.1\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

const client = (...requests: Buffer[]): Step => {
  const starts: number[] = [];
  let at = 0;
  for (const request of requests) {
    starts.push(at);
    at += request.length;
  }
  return { by: 'client', bytes: Buffer.concat(requests), starts };
};
const target = (...bytes: Buffer[]): Step => ({ by: 'target', bytes: Buffer.concat(bytes), starts: [] });

const EXCHANGES: readonly ((random: Random) => Step[])[] = [
  (random) => [client(requestOf(random)), target(OK)],
  // Pipelined requests.
  (random) => [client(requestOf(random), requestOf(random)), target(OK, OK)],
  // The target begins its answer before the request is complete.
  (random) => {
    const asked = requestOf(random);
    const cut = asked.indexOf('\r\n\r\n') + 4;
    const [head, rest] = [asked.subarray(0, cut), asked.subarray(cut)];
    return [client(head), target(OK), { by: 'client', bytes: rest, starts: [] }];
  },
  // The client does not send the body, and sends the next request before the answer ends.
  (random) => [
    client(Buffer.from('PUT /a/_doc/1 HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n')),
    target(Buffer.from('HTTP/1.1 413 Too Large\r\ncontent-length: 4\r\n\r\nno')),
    { ...client(requestOf(random)), isWhole: true },
    target(Buffer.from('no'), OK),
  ],
];

/** Returns a conversation in which the target sends an answer that is not HTTP. The bytes after it cannot be interpreted. */
const malformed = (random: Random): Step[] => [
  client(requestOf(random), requestOf(random)),
  target(OK),
  target(Buffer.from('no HTTP\r\n\r\n')),
];

/**
 * Passes a conversation to the reader, up to its end or to a random position. Returns the number of requests of which at least one byte was
 * passed.
 */
async function feed(reader: ConnectionReader, random: Random): Promise<number> {
  const steps = Array.from({ length: 1 + random.below(5) }, () =>
    EXCHANGES[random.below(EXCHANGES.length)]!(random),
  ).flat();
  if (random.below(3) === 0) steps.push(...malformed(random));
  let pieces = random.below(3) === 0 ? Infinity : random.below(4 * steps.length);
  let begun = 0;
  for (const { by, bytes, starts, isWhole = false } of steps)
    for (let at = 0; at < bytes.length && pieces > 0; pieces -= 1) {
      const end = isWhole ? bytes.length : Math.min(bytes.length, at + 1 + random.below(bytes.length));
      begun += starts.filter((start) => start >= at && start < end).length;
      if (by === 'client') reader.fromClient(bytes.subarray(at, end), 1);
      else reader.fromTarget(bytes.subarray(at, end), 1);
      at = end;
      if (random.below(2) === 0) await turn();
    }
  if (random.below(3) === 0) reader.stop();
  reader.closed(2);
  return begun;
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])('each request is in exactly one count (seed %i)', async (seed) => {
  const random = createRandom(deriveSeed(seed, 'counts'));
  let recorded = 0;
  const assembler = new Assembler(
    {
      append: () => (recorded += 1) > 0,
      appendPart: () => true,
      forget: () => undefined,
      untilQueued: () => Promise.resolve(),
    },
    () => null,
    { startedNow: 0 },
  );
  const spilled: Buffer[] = [];
  const spill = {
    reserve: () => (random.below(4) === 0 ? undefined : spilled.push(Buffer.alloc(0)) - 1),
    write: async (bytes: Buffer, offset: number) => {
      for (let turns = random.below(4); turns > 0; turns -= 1) await turn();
      spilled[offset] = Buffer.from(bytes);
      return random.below(4) > 0;
    },
    release: () => undefined,
  };
  let reported = 0;
  const carryOut = async (message: ToWriting): Promise<void> => {
    for (let turns = random.below(4); turns > 0; turns -= 1) await turn();
    reported += message.news.dropped;
    if (message.as === 'end') return;
    const bytes = message.as === 'batch' ? Buffer.from(message.buffer) : spilled[message.offset]!;
    await assembler.take(bytes.subarray(0, message.length));
    for (const id of message.news.forgotten) assembler.forget(id);
    if (message.as === 'batch') outbox.giveBack(message.buffer);
    else outbox.spillRead();
  };
  let work = Promise.resolve();
  const outbox = new Outbox(
    { postMessage: (message) => void (work = work.then(() => carryOut(message))) },
    { basePath: '', spill, buffers: 4, mostBuffers: 6 },
  );
  const begun = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, connection) =>
      feed(new ConnectionReader(connection, outbox.sinkOf('127.0.0.1')), random),
    ),
  );
  await outbox.close();
  await work;
  expect(reported).toBe(outbox.dropped);
  const counts = { recorded, dropped: outbox.dropped, unread: outbox.unread + assembler.unread };
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
  expect(recorded + counts.dropped + counts.unread).toBe(begun.reduce((sum, count) => sum + count, 0));
});
