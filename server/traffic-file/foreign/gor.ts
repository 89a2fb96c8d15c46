/**
 * Reads files of GoReplay (`gor --output-file`), also compressed ones. Sources: `output_file.go`, `protocol.go` and `tcp/tcp_message.go` of
 * github.com/buger/goreplay.
 *
 * A file is a sequence of payloads. Each payload is followed by a line feed, 🐵🙈🙉 and a line feed. A payload consists of a line `TYPE ID
 * TIMESTAMP [LATENCY]`, in which the times are in ns, and an HTTP message as it was captured. Types: 1 is a request, 2 its response, 3 the
 * response to a replayed request. A request and its response have the same id. Files contain responses only if they were recorded with
 * `--input-raw-track-response`. If a client sends several requests without waiting for the responses (pipelining), they are in one payload.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../../common/problem';
import { trafficKind } from '../../../common/traffic/kind';
import type { Losses } from '../../../common/traffic/loss';
import { readUnpacked } from '../../load/sources/unpack';
import { splitTarget } from '../target';
import { parseHttp, type HttpMessage } from './http-message';
import { answerOf, decoded, needsBody, withoutPort, type ForeignReader, type Observed } from './observed';

const MONKEYS = Buffer.from('🐵🙈🙉');
/** Maximum size of a payload, in bytes. GoReplay itself cuts messages off, by default after 5 MB. */
const MOST_PAYLOAD_BYTES = 128 * 1024 ** 2;
const HEAD = /^([123]) (\S{1,100}) (\d{1,19})(?: (-?\d{1,19}))?\s*$/;
/** Maximum number of messages that wait in memory: requests for their response, and responses for their request. */
const MOST_WAITING = 10_000;
/** Maximum size, in bytes, of the messages that wait in memory for their response or request. */
const MOST_WAITING_BYTES = 32 * 1024 ** 2;

interface Answer {
  message: Buffer;
  timeUs: number;
  latencyUs: number;
}

interface Waiting {
  /** The requests of a payload. Null for a request that cannot be read. */
  requests?: (Observed | null)[];
  answer?: Answer;
  bytes: number;
}

export const gor: ForeignReader<'gor'> = {
  format: 'gor',
  async *read(file, losses) {
    for (const part of await otherParts(file)) losses.add('further-part', 1, part);
    const pairs = new Pairs(losses);
    let number = 0;
    try {
      for await (const payload of payloads(file, losses)) {
        number += 1;
        const problem = pairs.add(payload);
        if (problem !== undefined) losses.add('malformed', 1, `payload ${number}: ${problem}`);
        yield pairs.ready();
      }
    } catch (error) {
      // The requests before the damaged part still wait for their answers.
      losses.add('cut', 1, messageOf(error));
    }
    yield pairs.rest();
  },
};

/** Returns the names of the other files of a recording. GoReplay numbers its files: `shop_0.gor`, `shop_1.gor`. */
async function otherParts(file: string): Promise<string[]> {
  const { dir, base } = path.parse(file);
  const [, stem, ending] = /^(.*_)\d+(\.gor(?:\.gz)?)$/.exec(base) ?? [];
  if (stem === undefined || ending === undefined) return [];
  return (await readdir(dir || '.'))
    .filter((name) => name !== base && name.startsWith(stem) && name.endsWith(ending))
    .filter((name) => /^\d+$/.test(name.slice(stem.length, name.length - ending.length)))
    .sort();
}

/** Yields the payloads of a file. */
async function* payloads(file: string, losses: Losses): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  let isTooLong = false;
  const take = (last: Buffer): Buffer | null => {
    const payload = isTooLong ? null : trimmed(Buffer.concat([...held, last]));
    held = [];
    length = 0;
    isTooLong = false;
    return payload;
  };
  for await (const chunk of readUnpacked(file) as AsyncIterable<Buffer>) {
    // The separator may begin in one chunk and end in the next.
    const before = held.pop() ?? Buffer.alloc(0);
    length -= before.length;
    let bytes = before.length === 0 ? chunk : Buffer.concat([before, chunk]);
    for (let at = bytes.indexOf(MONKEYS); at >= 0; at = bytes.indexOf(MONKEYS)) {
      const payload = take(bytes.subarray(0, at));
      if (payload !== null && payload.length > 0) yield payload;
      bytes = bytes.subarray(at + MONKEYS.length);
    }
    const keep = Math.max(0, bytes.length - MONKEYS.length);
    held.push(bytes.subarray(0, keep), bytes.subarray(keep));
    length += bytes.length;
    if (length > MOST_PAYLOAD_BYTES) {
      if (!isTooLong) losses.add('too-large', 1);
      isTooLong = true;
      held = [bytes.subarray(keep)];
      length = bytes.length - keep;
    }
  }
  const last = take(Buffer.alloc(0));
  // GoReplay ends each payload with a separator.
  if (last !== null && last.length > 0) losses.add('cut', 1, 'the last payload has no end');
}

/** Returns a payload without the line feeds at its ends, which belong to the separators. */
function trimmed(bytes: Buffer): Buffer {
  let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (bytes[start] === 13 || bytes[start] === 10) start += 1;
  let end = bytes.length;
  if (bytes[end - 1] === 10) end -= 1;
  if (bytes[end - 1] === 13 && bytes[end - 2] !== 10) end -= 1;
  return bytes.subarray(start, Math.max(start, end));
}

/** Finds the response to each request. */
class Pairs {
  private readonly waiting = new Map<string, Waiting>();
  private bytes = 0;
  private complete: Observed[] = [];

  constructor(private readonly losses: Losses) {}

  /** Adds a payload. Returns the reason if it is malformed; otherwise undefined. */
  add(payload: Buffer): string | undefined {
    const lineEnd = payload.indexOf(10);
    const head = HEAD.exec(payload.toString('latin1', 0, lineEnd < 0 ? payload.length : lineEnd));
    if (head === null || lineEnd < 0) return 'its first line is not TYPE ID TIMESTAMP';
    const [, type, id, time, latency = '0'] = head as unknown as [string, string, string, string, string?];
    const unit = unitOf(time);
    const [timeUs, message] = [microseconds(time, unit), payload.subarray(lineEnd + 1)];
    // The payload may contain only an interim answer.
    if (type === '2' && withoutInterim(message).length === 0) return undefined;
    if (type === '3') {
      this.losses.add('replayed-answer', 1);
      return undefined;
    }
    const found = this.waiting.get(id) ?? { bytes: 0 };
    if (type === '2') {
      found.answer ??= { message, timeUs, latencyUs: Math.max(0, microseconds(latency, unit)) };
    } else {
      if (found.requests !== undefined) return `its id ${id} occurs twice`;
      const requests = this.requestsOf(message, { timeUs, connection: connectionOf(id, time) });
      if (typeof requests === 'string') return requests;
      if (requests.every((request) => request === null)) return undefined;
      found.requests = requests;
    }
    this.waiting.set(id, found);
    found.bytes += payload.length;
    this.bytes += payload.length;
    if (found.requests !== undefined && found.answer !== undefined) this.finish(id, found);
    return undefined;
  }

  /** Returns the requests whose responses have arrived. If too many messages wait, also returns the oldest requests, without responses. */
  ready(): Observed[] {
    for (const [id, oldest] of this.waiting) {
      if (this.waiting.size <= MOST_WAITING && this.bytes <= MOST_WAITING_BYTES) break;
      this.finish(id, oldest);
    }
    return this.take();
  }

  /** Returns all remaining requests, with a response if one has arrived. */
  rest(): Observed[] {
    for (const [id, each] of this.waiting) this.finish(id, each);
    return this.take();
  }

  private take(): Observed[] {
    const { complete } = this;
    this.complete = [];
    return complete;
  }

  private finish(id: string, { requests, answer, bytes }: Waiting): void {
    this.waiting.delete(id);
    this.bytes -= bytes;
    if (requests === undefined) {
      this.losses.add('other-answer', 1);
      return;
    }
    let rest = answer?.message ?? Buffer.alloc(0);
    for (const request of requests) {
      const http = rest.length === 0 ? null : parseHttp(withoutInterim(rest), request?.method !== 'HEAD');
      if (request !== null)
        this.complete.push(
          answer === undefined || rest.length === 0 ? request : withAnswer(request, answer, http),
        );
      rest = withoutLineEnds(http?.rest ?? Buffer.alloc(0));
    }
    if (rest.length > 0) this.losses.add('other-answer', 1);
  }

  /**
   * Returns the requests in a message, or the reason why the message is malformed. A request is null, and counts as a loss, if its body is
   * missing or cannot be decoded.
   */
  private requestsOf(
    message: Buffer,
    about: Pick<Observed, 'timeUs' | 'connection'>,
  ): (Observed | null)[] | string {
    const requests: (Observed | null)[] = [];
    for (let rest = message; requests.length === 0 || rest.length > 0;) {
      const http = parseHttp(rest);
      const request = this.requestOf(http, about);
      if (typeof request === 'string') return requests.length === 0 ? request : TOO_LONG;
      if (isConverted(http!)) return TOO_LONG;
      requests.push(request);
      rest = withoutLineEnds(http!.rest);
    }
    return requests;
  }

  /** Returns a request, or the reason why it is malformed. Returns null and counts a loss if its body is missing or cannot be decoded. */
  private requestOf(
    http: HttpMessage | null,
    about: Pick<Observed, 'timeUs' | 'connection'>,
  ): Observed | string | null {
    const [, method, target] = /^([A-Z]+) (\S+)/.exec(http?.first ?? '') ?? [];
    const parts = target === undefined ? null : splitTarget(target);
    if (http === null || method === undefined || parts === null) return 'it is not an HTTP request';
    const { headers } = http;
    const encoding = (headers.get('content-encoding') ?? '').toLowerCase();
    const body = http.isWhole ? decoded(http.body, encoding) : null;
    if (body === null || (body.length === 0 && needsBody(trafficKind(method, parts.path)))) {
      this.losses.add('no-body', 1, `${method} ${parts.path}`);
      return null;
    }
    const forwarded = (headers.get('x-real-ip') ?? headers.get('x-forwarded-for') ?? '')
      .split(',')[0]!
      .trim();
    return {
      ...parts,
      ...{ method, contentType: headers.get('content-type') ?? '' },
      ...(encoding === '' || body.length === 0 ? {} : { encoding }),
      body: body.length === 0 ? null : body,
      ...(forwarded === '' ? {} : { client: withoutPort(forwarded) }),
      ...about,
      answer: null,
    };
  }
}

const TOO_LONG = 'its body is longer than its headers say; a tool may have converted its line feeds to CRLF';

/**
 * Returns whether a tool converted the line feeds of a message to CRLF. The length in the headers then ends within the body, so that a
 * bulk request would lose its end.
 */
const isConverted = ({ body, rest }: HttpMessage): boolean =>
  (rest[0] === 13 || rest[0] === 10) && body.includes(13);

type Unit = 'ns' | 'µs' | 'ms';

/** Returns the unit of a timestamp. GoReplay writes ns, but other tools that write its format also write µs or ms. */
const unitOf = ({ length }: string): Unit => (length > 16 ? 'ns' : length > 13 ? 'µs' : 'ms');

const microseconds = (time: string, unit: Unit): number =>
  unit === 'ns' ? Math.floor(Number(time.slice(0, -3) || '0')) : Number(time) * (unit === 'ms' ? 1000 : 1);

/** Returns bytes without the line feeds at their beginning, which a server ignores before a message (RFC 9112, 2.2). */
function withoutLineEnds(bytes: Buffer): Buffer {
  let start = 0;
  while (bytes[start] === 13 || bytes[start] === 10) start += 1;
  return bytes.subarray(start);
}

const HOUR_NS = 3_600_000_000_000n;

/**
 * Returns the name of the client's connection, from the id of a request; '' if the id contains no connection. Since GoReplay 1.2, an id
 * begins with both ports and the address of the client. In other versions, an id contains the time of the request or is a hash.
 */
function connectionOf(id: string, time: string): string {
  if (!/^[\da-f]{24}$/.test(id)) return '';
  const apart = BigInt(`0x${id.slice(8)}`) - BigInt(time);
  return apart < HOUR_NS && apart > -HOUR_NS ? '' : id.slice(0, 16);
}

/**
 * Returns a response without the interim responses that precede it, such as `100 Continue`. Empty if the message contains only interim
 * responses.
 */
function withoutInterim(message: Buffer): Buffer {
  let rest = message;
  while (/^HTTP\/\S+ 1\d\d\b/.test(rest.toString('latin1', 0, 20))) {
    const after = parseHttp(rest)?.body;
    if (after === undefined || after.length === rest.length) break;
    rest = after;
  }
  return rest;
}

function withAnswer(
  request: Observed,
  { timeUs, latencyUs }: Pick<Answer, 'timeUs' | 'latencyUs'>,
  http: HttpMessage | null,
): Observed {
  const status = Number(/^HTTP\/\S+ (\d{3})/.exec(http?.first ?? '')?.[1] ?? 0);
  const waited = Math.max(0, timeUs - request.timeUs);
  // In some versions, the latency is the time from the beginning of the answer to its end; in others, it also includes the time before.
  const durationUs = latencyUs >= waited ? latencyUs : waited + latencyUs;
  const body = http?.isWhole
    ? decoded(http.body, (http.headers.get('content-encoding') ?? '').toLowerCase())
    : null;
  const bytes = http?.body.length ?? 0;
  return { ...request, durationUs, answer: answerOf(request, { status, durationUs, bytes, body }) };
}
