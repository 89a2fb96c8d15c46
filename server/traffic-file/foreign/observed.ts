/** Types and functions that several readers of other tools' files share. */
import { endOfValue } from '../../../common/json/source';
import { factsOf } from '../../../common/traffic/facts';
import { trafficKind, type TrafficKind } from '../../../common/traffic/kind';
import type { Losses } from '../../../common/traffic/loss';
import type { RecordedAnswer, TrafficRecord } from '../../../common/traffic/record';
import { parseTime } from '../../../common/units/time';
import { decodeWhole } from '../decode';

/** A request in a file of another tool. */
export interface Observed extends Omit<TrafficRecord, 'connection' | 'order' | 'at'> {
  /** Time of the request, in µs since the epoch. */
  timeUs: number;
  /** Name of the connection in the file; '' if the file does not name it. */
  connection: string;
  /** Time from the request to the end of the response, in µs. Undefined if the file does not contain it. */
  durationUs?: number | undefined;
}

export interface ForeignReader<Format extends string = string> {
  readonly format: Format;
  /**
   * Reads the requests of a file, in any order. Leaves out requests that cannot be replayed, and counts them in `losses`. Rejects with a
   * DynoError.
   */
  read(file: string, losses: Losses): AsyncIterable<readonly Observed[]>;
}

/** Maximum size of a decoded body, in bytes. */
const MOST_BODY_BYTES = 256 * 1024 ** 2;

/** Returns a body without its content encoding; null if the encoding is unknown or the body is damaged. */
export function decoded(bytes: Uint8Array, encoding: string): Uint8Array | null {
  if (bytes.length === 0) return bytes;
  try {
    return decodeWhole(bytes, encoding, MOST_BODY_BYTES);
  } catch {
    return null;
  }
}

/** Kinds of requests that fail without a body. If a file lacks the body of such a request, the request cannot be replayed. */
const NEEDS_BODY: ReadonlySet<string> = new Set([
  ...['bulk', 'msearch', 'msearch-template', 'mget', 'index', 'update', 'delete-by-query'],
  ...['esql', 'sql', 'eql', 'terms-enum', 'knn-search'],
]);

/** Kinds of requests with a JSON value on each line of the body. */
const OF_LINES: ReadonlySet<string> = new Set(['bulk', 'msearch', 'msearch-template']);

export const hasLines = ({ name }: TrafficKind): boolean => OF_LINES.has(name);

/** Returns whether a body in JSON ends within an object. Some tools export only the beginning of long bodies. */
export function isCutOff(kind: TrafficKind, body: Uint8Array): boolean {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8').trim();
  const begin = hasLines(kind) ? text.lastIndexOf('\n') + 1 : 0;
  return text.charAt(begin) === '{' && endOfValue(text, begin) < 0;
}

export const needsBody = ({ name }: TrafficKind): boolean => NEEDS_BODY.has(name);

/** Converts a time in ISO 8601 to µs since the epoch. Returns NaN for other texts. */
export function timeUsOf(text: string): number {
  const micros = /[.,]\d{3}(\d{1,3})/.exec(text)?.[1] ?? '0';
  return parseTime(text) * 1000 + Number(micros.padEnd(3, '0'));
}

/** Returns an address without its port. `address`: for example `10.0.0.1:51000`, `[::1]:51000` or `::1`. */
export function withoutPort(address: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1];
  return bracketed ?? (/^[^:]+:\d+$/.test(address) ? address.slice(0, address.indexOf(':')) : address);
}

/**
 * Returns the recorded response to a request. `body`: decoded body of the response; undefined if the file does not contain it, null if it
 * cannot be decoded.
 */
export function answerOf(
  { method, path, body: request }: Pick<TrafficRecord, 'method' | 'path' | 'body'>,
  {
    status,
    durationUs,
    bytes,
    body,
  }: Omit<RecordedAnswer, 'facts'> & { body: Uint8Array | null | undefined },
): RecordedAnswer {
  const facts =
    body === undefined
      ? {}
      : { facts: body === null ? null : factsOf(trafficKind(method, path), status, body, request) };
  return { status, durationUs, bytes, ...facts };
}
