/**
 * Packs messages into parcels, the documents of the bus. The reports of seats are written compactly, because each seat sends one report per
 * second.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { CountedValues } from '../../common/measurement/histogram';
import type { RequestRecord } from '../../common/measurement/sample';
import type { FromSeat, TaskSecond } from '../load/messages';
import type { FromSeatProcess, ToSeat } from './protocol';

export interface Codec<T> {
  pack(messages: readonly T[]): string;
  /** Returns the messages of a parcel. Throws if the text is not a result of `pack`. */
  unpack(text: string): T[];
}

/** Maximum unpacked size of a parcel, in bytes. The outcome of a load with many requests has a few MB. */
const MOST_BYTES = 256 * 2 ** 20;

const deflate = (value: unknown): string => deflateRawSync(JSON.stringify(value)).toString('base64');
const inflate = (text: string): unknown =>
  JSON.parse(inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: MOST_BYTES }).toString());

/** Represents Infinity, which JSON does not have. */
const ENDLESS = { endless: true };
const isEndless = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as typeof ENDLESS).endless === true;

/** Codec of the messages to seats: few messages of any shape. */
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

/** Packs counted values. Each position is replaced by its distance from the previous position, because this is a shorter number. */
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

/** Packs a report. A time of Infinity, which means never, becomes -1, because JSON would write null. */
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

/** Codec of the reports of seats: large messages, one per second, that only one process reads. */
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
