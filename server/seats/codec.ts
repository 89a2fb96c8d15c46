/**
 * Packs messages into documents, for the index through which the processes of a run exchange messages. Reports are packed into little
 * space, because each process that generates load sends one per second.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { CountedValues } from '../../common/measurement/histogram';
import type { RequestRecord } from '../../common/measurement/sample';
import type { FromSeat, TaskSecond } from '../load/messages';
import type { FromSeatProcess, ToSeat } from './protocol';

/** Packs messages into the text of a document, and unpacks them. */
export interface Codec<T> {
  pack(messages: readonly T[]): string;
  /** Returns the messages in a packed text. Throws if the text is not a result of `pack`. */
  unpack(text: string): T[];
}

/** Maximum unpacked size of a document, in bytes. The outcome of a load with many requests has a few MB. */
const MOST_BYTES = 256 * 2 ** 20;

const deflate = (value: unknown): string => deflateRawSync(JSON.stringify(value)).toString('base64');
const inflate = (text: string): unknown =>
  JSON.parse(inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: MOST_BYTES }).toString());

/** Represents Infinity, which JSON does not have. */
const ENDLESS = { endless: true };
const isEndless = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as typeof ENDLESS).endless === true;

/** Packs and unpacks messages to a process that generates load: few messages of any shape. */
export const orders: Codec<ToSeat> = {
  pack: (messages) =>
    deflateRawSync(
      JSON.stringify(messages, (_, value: unknown) => (value === Infinity ? ENDLESS : value)),
    ).toString('base64'),
  unpack: (text) =>
    JSON.parse(
      inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: MOST_BYTES }).toString(),
      (_, value: unknown) => (isEndless(value) ? Infinity : value),
    ) as ToSeat[],
};

/**
 * Packs a list of values with their counts, as recorded in a histogram. Each position in the histogram is replaced by its distance from the
 * previous position, because this is a shorter number.
 */
export function packCounted(counted: CountedValues): number[] {
  const packed = Array.from(counted);
  for (let at = packed.length - 2; at >= 2; at -= 2) packed[at]! -= packed[at - 2]!;
  return packed;
}

export function unpackCounted(packed: readonly number[]): CountedValues {
  const counted = Uint32Array.from(packed);
  for (let at = 2; at < counted.length; at += 2) counted[at]! += counted[at - 2]!;
  return counted;
}

type Requests<Times> = Record<string, RequestRecord<Times>>;

function mapRequests<From, To>(requests: Requests<From>, map: (times: From) => To): Requests<To> {
  const mapped: Requests<To> = {};
  for (const [name, request] of Object.entries(requests)) {
    const { service, latency } = request;
    mapped[name] = { ...request, service: map(service), latency: latency === null ? null : map(latency) };
  }
  return mapped;
}

type PackedSecond = Omit<TaskSecond, 'service' | 'latency' | 'requests'> & {
  service: number[];
  latency: number[];
  requests: Requests<number[]>;
};

const packSecond = (second: TaskSecond): PackedSecond => ({
  ...second,
  service: packCounted(second.service),
  latency: packCounted(second.latency),
  requests: mapRequests(second.requests, packCounted),
});

const unpackSecond = (second: PackedSecond): TaskSecond => ({
  ...second,
  service: unpackCounted(second.service),
  latency: unpackCounted(second.latency),
  requests: mapRequests(second.requests, unpackCounted),
});

/**
 * Prepares a report for JSON. If the target has never answered, the time since its last response is Infinity, for which JSON would write
 * null. It is stored as -1.
 */
const packReport = (message: FromSeat): unknown => {
  if (message.kind === 'seconds') return { ...message, seconds: message.seconds.map(packSecond) };
  if (message.kind !== 'alive' || message.reach.sinceAnswerMs < Infinity) return message;
  return { ...message, reach: { ...message.reach, sinceAnswerMs: -1 } };
};

const unpackReport = (packed: FromSeat): FromSeat => {
  if (packed.kind === 'seconds')
    return { ...packed, seconds: (packed.seconds as unknown as PackedSecond[]).map(unpackSecond) };
  if (packed.kind !== 'alive' || packed.reach.sinceAnswerMs >= 0) return packed;
  return { ...packed, reach: { ...packed.reach, sinceAnswerMs: Infinity } };
};

/** Packs and unpacks reports of a process that generates load: large messages, one per second, that only one process reads. */
export const reports: Codec<FromSeatProcess> = {
  pack: (messages) =>
    deflate(
      messages.map((one) => (one.kind === 'report' ? { ...one, message: packReport(one.message) } : one)),
    ),
  unpack: (text) =>
    (inflate(text) as FromSeatProcess[]).map((one) =>
      one.kind === 'report' ? { ...one, message: unpackReport(one.message) } : one,
    ),
};
