/**
 * Tests `dyno record` with random conversations of HTTP and other bytes. Client and target follow the same script. The test therefore knows
 * each byte that must arrive. Scripts contain chunked and compressed bodies, HEAD, 100-continue, pipelining, upgrades, slow clients, and
 * half-closed and broken connections.
 */
import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { readTraffic } from '../../server/traffic-file/read-traffic';
import { breakOff } from '../../server/traffic/record/relay';
import { rawTarget, recordTo } from '../../server/traffic/record/testing/raw-target';
import { oneOf, wholeBetween, type Random } from './random';

type Side = 'client' | 'target';

/**
 * A step of a conversation. `by` sends `bytes` in `pieces` separate writes, or ends the connection. `end`: closes its own direction.
 * `reset`: breaks the connection.
 */
type Step = { by: Side } & ({ bytes: Buffer; pieces: number } | { ends: 'end' | 'reset' });

export interface Conversation {
  id: number;
  steps: Step[];
  /** Hashes of the decoded bodies of the requests that must be recorded, by position of the request on the connection. */
  bodies: Map<number, string>;
  /** Number of requests that were added to the conversation so far. */
  requests: number;
  isBroken: boolean;
  /** Whether the client reads slowly. */
  isSlow: boolean;
}

const digest = (body: string | Uint8Array): string => createHash('sha1').update(body).digest('base64');

const textOf = (random: Random, bytes: number): string => {
  const word = random.next().toString(36);
  return word.repeat(Math.ceil(bytes / word.length)).slice(0, bytes);
};

const sizeOf = (random: Random): number =>
  random.below(200) === 0
    ? wholeBetween(random, 200_000, 1_500_000)
    : random.below(random.below(4) === 0 ? 20_000 : 300);

const binary = (random: Random, bytes: number): Buffer =>
  Buffer.from(Array.from({ length: bytes }, () => random.below(256)));

function chunked(random: Random, body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const end = Math.min(body.length, at + wholeBetween(random, 1, Math.max(1, body.length)));
    const size = (end - at).toString(16);
    parts.push(
      Buffer.from(
        `${oneOf(random, [size, size.toUpperCase(), `0${size}`])}${oneOf(random, ['', ';a=b', ' ;x'])}\r\n`,
      ),
      body.subarray(at, end),
      Buffer.from('\r\n'),
    );
    at = end;
  }
  return Buffer.concat([
    ...parts,
    Buffer.from(oneOf(random, ['0\r\n\r\n', '0\r\nx-sum: 1\r\n\r\n', '000\r\n\r\n'])),
  ]);
}

/**
 * Returns the bytes of an HTTP message with random headers. Some bodies are compressed. Some are chunked, and the others have a content
 * length.
 */
function message(random: Random, start: string, body: string, headers = ''): Buffer {
  const isPacked = random.below(4) === 0;
  const bytes = isPacked ? gzipSync(body) : Buffer.from(body);
  const noise = `X-Noise: ${textOf(random, random.below(40))}\r\nCookie: sid=${random.next()}\r\n`;
  const coding = isPacked ? oneOf(random, ['Content-Encoding: gzip\r\n', 'content-encoding:gzip\r\n']) : '';
  const head = `${start}\r\n${noise}${headers}${coding}`;
  return random.below(3) === 0
    ? Buffer.concat([Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`), chunked(random, bytes)])
    : Buffer.concat([Buffer.from(`${head}Content-Length: ${bytes.length}\r\n\r\n`), bytes]);
}

const answer = (random: Random): Buffer =>
  message(
    random,
    oneOf(random, ['HTTP/1.1 200 OK', 'HTTP/1.1 201 Created', 'HTTP/1.1 404 Not Found', 'HTTP/1.1 429']),
    `{"took":1,"hits":{"total":{"value":${random.below(99)},"relation":"eq"},"hits":[]},"x":"${textOf(random, sizeOf(random))}"}`,
  );

const send = (random: Random, by: Side, bytes: Buffer): Step => ({
  by,
  bytes,
  pieces: random.below(3) === 0 ? wholeBetween(random, 2, 8) : 1,
});

/** Returns the bytes of a random request. Adds the request to `talk`; the test then checks that the request was recorded. */
function request(random: Random, talk: Conversation, headers = ''): Buffer {
  const path = `/c${String(talk.id).padStart(7, '0')}/_search?n=${talk.requests}`;
  const body = random.below(5) === 0 ? '' : `{"q":"${textOf(random, sizeOf(random))}"}`;
  talk.bodies.set(talk.requests, digest(body));
  talk.requests += 1;
  return body === ''
    ? Buffer.from(`GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)
    : message(random, `POST ${path} HTTP/1.1`, body, `Host: x\r\n${headers}`);
}

type Exchange = (random: Random, talk: Conversation) => void;

const cutAfterHead = (bytes: Buffer): number => bytes.indexOf('\r\n\r\n') + 4;

/** Functions that add a request and its response to a conversation. Afterwards, the connection can be used again. */
const EXCHANGES: readonly Exchange[] = [
  (random, talk) => {
    talk.steps.push(send(random, 'client', request(random, talk)), send(random, 'target', answer(random)));
  },
  // Pipelined requests.
  (random, talk) => {
    const count = wholeBetween(random, 2, 5);
    const asked = Array.from({ length: count }, () => request(random, talk));
    const answered = Array.from({ length: count }, () => answer(random));
    talk.steps.push(
      send(random, 'client', Buffer.concat(asked)),
      send(random, 'target', Buffer.concat(answered)),
    );
  },
  // Answers without a body.
  (random, talk) => {
    const path = `/c${String(talk.id).padStart(7, '0')}/_search?n=${talk.requests}`;
    const isHead = random.below(2) === 0;
    talk.bodies.set(talk.requests, digest(''));
    talk.requests += 1;
    const start = isHead
      ? 'HTTP/1.1 200 OK'
      : oneOf(random, ['HTTP/1.1 204 No Content', 'HTTP/1.1 304 Not Modified']);
    talk.steps.push(
      send(random, 'client', Buffer.from(`${isHead ? 'HEAD' : 'GET'} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)),
      send(
        random,
        'target',
        Buffer.from(`${start}\r\n${isHead ? 'Content-Length: 1234\r\nContent-Encoding: gzip\r\n' : ''}\r\n`),
      ),
    );
  },
  // 100-continue: accepted or refused. After a refusal, the client leaves the body out.
  (random, talk) => {
    const asked = request(random, talk, 'Expect: 100-continue\r\n');
    const at = cutAfterHead(asked);
    const isAccepted = at === asked.length || random.below(2) === 0;
    talk.steps.push(send(random, 'client', asked.subarray(0, at)));
    if (isAccepted) {
      talk.steps.push(send(random, 'target', Buffer.from('HTTP/1.1 100 Continue\r\n\r\n')));
      if (at < asked.length) talk.steps.push(send(random, 'client', asked.subarray(at)));
      talk.steps.push(send(random, 'target', answer(random)));
    } else {
      talk.bodies.delete(talk.requests - 1);
      talk.steps.push(
        send(random, 'target', Buffer.from('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n')),
        send(random, 'client', request(random, talk)),
        send(random, 'target', answer(random)),
      );
    }
  },
  // A refused upgrade.
  (random, talk) => {
    const asked = request(random, talk, 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n');
    talk.steps.push(send(random, 'client', asked), send(random, 'target', answer(random)));
  },
  // The answer comes before the end of the request.
  (random, talk) => {
    const asked = request(random, talk);
    const at = wholeBetween(random, cutAfterHead(asked), asked.length);
    talk.steps.push(send(random, 'client', asked.subarray(0, at)), send(random, 'target', answer(random)));
    if (at < asked.length) talk.steps.push(send(random, 'client', asked.subarray(at)));
  },
];

/** Functions that add the last step of a conversation. Afterwards, the connection ends. */
const ENDINGS: readonly Exchange[] = [
  (_random, talk) => talk.steps.push({ by: 'client', ends: 'end' }),
  (_random, talk) => talk.steps.push({ by: 'target', ends: 'end' }),
  // The client sends no more, but waits for its answer.
  (random, talk) => {
    talk.steps.push(
      send(random, 'client', request(random, talk)),
      { by: 'client', ends: 'end' },
      send(random, 'target', answer(random)),
      { by: 'target', ends: 'end' },
    );
  },
  // An answer without a length.
  (random, talk) => {
    talk.steps.push(
      send(random, 'client', request(random, talk)),
      send(random, 'target', Buffer.from(`HTTP/1.1 200 OK\r\n\r\n${textOf(random, sizeOf(random))}`)),
      { by: 'target', ends: 'end' },
    );
  },
  // Another protocol: after an upgrade, or from the beginning of a request.
  (random, talk) => {
    if (random.below(2) === 0) {
      talk.steps.push(
        send(random, 'client', request(random, talk, 'Upgrade: websocket\r\n')),
        send(random, 'target', Buffer.from('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n')),
      );
      talk.bodies.delete(talk.requests - 1);
    }
    for (const by of ['client', 'target', 'client', 'target'] as const)
      talk.steps.push(
        send(random, by, Buffer.concat([Buffer.from([0]), binary(random, random.below(3000))])),
      );
    talk.steps.push({ by: oneOf(random, ['client', 'target']), ends: 'end' });
  },
  // The client breaks off in its request.
  (random, talk) => {
    const asked = request(random, talk);
    talk.bodies.delete(talk.requests - 1);
    talk.steps.push(send(random, 'client', asked.subarray(0, random.below(asked.length))), {
      by: 'client',
      ends: 'reset',
    });
    talk.isBroken = true;
  },
  // The target breaks off in its answer.
  (random, talk) => {
    const answered = answer(random);
    talk.steps.push(
      send(random, 'client', request(random, talk)),
      send(random, 'target', answered.subarray(0, random.below(answered.length))),
      { by: 'target', ends: 'reset' },
    );
    talk.isBroken = true;
  },
];

/** Creates a conversation of one or more requests. */
export function makeConversation(random: Random, id: number): Conversation {
  const talk: Conversation = {
    id,
    steps: [],
    bodies: new Map(),
    requests: 0,
    isBroken: false,
    isSlow: random.below(20) === 0,
  };
  for (let count = wholeBetween(random, 1, 6); count > 0; count -= 1) oneOf(random, EXCHANGES)(random, talk);
  oneOf(random, ENDINGS)(random, talk);
  return talk;
}

const sentBy = (steps: readonly Step[], by: Side): Buffer =>
  Buffer.concat(steps.flatMap((step) => (step.by === by && 'bytes' in step ? [step.bytes] : [])));

/** One end of a conversation's connection: the client or the target. */
class Talker {
  readonly received: Buffer[] = [];
  receivedBytes = 0;
  error: Error | undefined;
  private wake = (): void => undefined;
  private isEnded = false;
  readonly closed: Promise<void>;

  constructor(
    readonly socket: Socket,
    private readonly side: Side,
  ) {
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('end', () => {
      this.isEnded = true;
      this.wake();
    });
    socket.on('error', (error) => (this.error = error));
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.isEnded = true;
        this.wake();
        resolve();
      });
    });
  }

  take(chunk: Buffer): void {
    this.received.push(chunk);
    this.receivedBytes += chunk.length;
    this.wake();
  }

  /** Sends and receives as the steps of the conversation require, until the connection is closed. */
  async follow({ steps, isSlow }: Conversation): Promise<void> {
    let awaited = 0;
    for (const step of steps) {
      if (step.by !== this.side) {
        awaited += 'bytes' in step ? step.bytes.length : 0;
        continue;
      }
      await this.until(awaited);
      if (this.socket.destroyed) return;
      if ('bytes' in step) await this.send(step, isSlow);
      else if (step.ends === 'end') this.socket.end();
      else {
        breakOff(this.socket);
        return;
      }
    }
    await this.until(Infinity);
    this.socket.end();
    await this.closed;
  }

  private async until(bytes: number): Promise<void> {
    while (this.receivedBytes < bytes && !this.isEnded)
      await new Promise<void>((resolve) => (this.wake = resolve));
  }

  private async send({ bytes, pieces }: { bytes: Buffer; pieces: number }, isSlow: boolean): Promise<void> {
    const size = Math.ceil(bytes.length / pieces);
    for (let at = 0; at < bytes.length; at += size) {
      if (at > 0) await pause(isSlow ? 3 : 0);
      this.socket.write(bytes.subarray(at, at + size));
    }
    if (!isSlow || this.side === 'target') return;
    this.socket.pause();
    await pause(5);
    this.socket.resume();
  }
}

const ID = /\/c(\d{7})\//;

export interface RelayedTraffic {
  /** Executes a conversation. Rejects if a byte did not arrive as it was sent. */
  hold(talk: Conversation): Promise<void>;
  /** Ends the recording and compares it with the conversations. Rejects at the first difference. */
  check(): Promise<{ requests: number; unread: number }>;
}

/** Starts a target, and in front of it a recorder that writes `file`. */
export async function relayedTraffic(file: string): Promise<RelayedTraffic> {
  const talks = new Map<number, Conversation>();
  const onTarget = new Map<number, (talker: Talker) => void>();
  const target = await rawTarget((socket) => {
    let text = Buffer.alloc(0);
    const find = (chunk: Buffer): void => {
      text = Buffer.concat([text, chunk]);
      const found = ID.exec(text.toString('latin1', 0, 4000));
      if (found === null) return;
      socket.off('data', find);
      const talker = new Talker(socket, 'target');
      talker.take(text);
      onTarget.get(Number(found[1]))!(talker);
    };
    socket.on('data', find);
  });
  const recording = await recordTo(file, target.port);
  return {
    async hold(talk) {
      talks.set(talk.id, talk);
      const accepted = new Promise<Talker>((resolve) => onTarget.set(talk.id, resolve));
      const client = new Talker(
        connect({ port: recording.port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true }),
        'client',
      );
      const asking = client.follow(talk);
      const answering = await accepted;
      await Promise.all([asking, answering.follow(talk)]);
      await Promise.all([client.closed, answering.closed]);
      onTarget.delete(talk.id);
      compare(talk, 'client', answering, client);
      compare(talk, 'target', client, answering);
      talk.steps = [];
    },
    async check() {
      const { recorded, unread, dropped } = await recording.stop(5000);
      await target.close();
      if (dropped > 0) throw new Error(`${dropped} requests were dropped`);
      const read = new Map<number, Map<number, string>>();
      const { records } = await readTraffic(file);
      for await (const record of records) {
        const id = Number(ID.exec(record.path)![1]);
        if (!read.has(id)) read.set(id, new Map());
        read.get(id)!.set(record.order, digest(record.body ?? ''));
      }
      for (const talk of talks.values()) compareRecords(talk, read.get(talk.id) ?? new Map<number, string>());
      return { requests: recorded, unread };
    },
  };
}

/**
 * Compares the bytes that `by` sent with those that the other end received. If the connection was broken, only the first bytes must have
 * arrived.
 */
function compare(talk: Conversation, by: Side, other: Talker, own: Talker): void {
  const sent = sentBy(talk.steps, by);
  const received = Buffer.concat(other.received);
  const isWhole = received.length === sent.length;
  if (!received.equals(sent.subarray(0, received.length)) || (!isWhole && !talk.isBroken))
    throw new Error(
      `conversation ${talk.id}: the ${by} sent ${sent.length} bytes, of which ${received.length} arrived`,
    );
  if (own.error !== undefined && !talk.isBroken)
    throw new Error(`conversation ${talk.id}: the ${by} saw ${own.error.message}`);
}

function compareRecords({ id, bodies, isBroken }: Conversation, records: Map<number, string>): void {
  const extra = [...records.keys()].filter((order) => !bodies.has(order));
  if (extra.length > 0)
    throw new Error(`conversation ${id}: request ${extra.join(', ')} must not be recorded`);
  for (const [order, body] of bodies) {
    const record = records.get(order);
    // The operating system may discard the last bytes that a client sent before it broke the connection off.
    if (record === undefined && isBroken && order === Math.max(...bodies.keys())) continue;
    if (record === undefined) throw new Error(`conversation ${id}: request ${order} is not recorded`);
    if (record !== body) throw new Error(`conversation ${id}: request ${order} has another body`);
  }
}
