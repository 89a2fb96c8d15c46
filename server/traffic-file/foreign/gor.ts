/**
 * Reads files of GoReplay (`gor --output-file`), also compressed ones. Sources: `output_file.go`, `protocol.go` and `tcp/tcp_message.go` of
 * github.com/buger/goreplay.
 *
 * A file is a sequence of payloads. Each payload is followed by a line feed, 🐵🙈🙉 and a line feed. A payload consists of a line `TYPE ID
 * TIMESTAMP [LATENCY]`, in which the times are in ns, and an HTTP message as it was captured. Types: 1 is a request, 2 its response, 3 the
 * response to a replayed request. A request and its response have the same id. Files contain responses only if they were recorded with
 * `--input-raw-track-response`.
 */
import { messageOf } from '../../../common/problem';
import { trafficKind } from '../../../common/traffic/kind';
import type { Losses } from '../../../common/traffic/loss';
import { readUnpacked } from '../../load/sources/unpack';
import { splitTarget } from '../target';
import { parseHttp } from './http-message';
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
  request?: Observed;
  answer?: Answer;
  bytes: number;
}

export const gor: ForeignReader<'gor'> = {
  format: 'gor',
  async *read(file, losses) {
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
    const [timeUs, message] = [microseconds(time), payload.subarray(lineEnd + 1)];
    // The payload may contain only an interim answer.
    if (type === '2' && withoutInterim(message).length === 0) return undefined;
    if (type === '3') {
      this.losses.add('replayed-answer', 1);
      return undefined;
    }
    const found = this.waiting.get(id) ?? { bytes: 0 };
    if (type === '2') {
      found.answer ??= { message, timeUs, latencyUs: Math.max(0, microseconds(latency)) };
    } else {
      if (found.request !== undefined) return `its id ${id} occurs twice`;
      const request = this.requestOf(message, id, time);
      if (typeof request === 'string') return request;
      found.request = request ?? undefined;
      if (request === null) return undefined;
    }
    this.waiting.set(id, found);
    found.bytes += payload.length;
    this.bytes += payload.length;
    if (found.request !== undefined && found.answer !== undefined) this.finish(id, found);
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

  private finish(id: string, { request, answer, bytes }: Waiting): void {
    this.waiting.delete(id);
    this.bytes -= bytes;
    if (request === undefined) this.losses.add('other-answer', 1);
    else this.complete.push(answer === undefined ? request : withAnswer(request, answer));
  }

  /** Returns a request, or the reason why it is malformed. Returns null and counts a loss if its body is missing or cannot be decoded. */
  private requestOf(message: Buffer, id: string, time: string): Observed | string | null {
    const http = parseHttp(message);
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
      ...{ timeUs: microseconds(time), connection: connectionOf(id, time), answer: null },
    };
  }
}

const microseconds = (nanoseconds: string): number => Math.floor(Number(nanoseconds.slice(0, -3) || '0'));

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

function withAnswer(request: Observed, { message, timeUs, latencyUs }: Answer): Observed {
  const http = parseHttp(withoutInterim(message), request.method !== 'HEAD');
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
