/**
 * The messages from the relaying thread to the writing thread. Frames are collected in buffers of fixed size. A buffer is transferred
 * without copying it, and comes back when its frames are read.
 *
 * A frame has one byte for its kind, four for the id of the exchange and four for the length of its content (little-endian), then the content.
 */
import type { TrafficKind } from '../../../common/traffic/kind';
import type { ExchangeEnd, RequestHead } from './connection-reader';

/** Size of a buffer, in bytes. The head of a request fits into it. */
export const BUFFER_BYTES = 64 * 1024;
/** Number of buffers. With the queue of the writer, they bound the memory of the recorder. */
export const BUFFERS = 72;
/** Number of buffers for a short time, while the spill file is slow. */
export const MOST_BUFFERS = 96;

export const FRAME = { begin: 1, requestBody: 2, answerBody: 3, end: 4 } as const;
export type FrameKind = (typeof FRAME)[keyof typeof FRAME];
export const FRAME_HEAD_BYTES = 9;

/** News that a batch brings besides its frames. */
export interface BatchNews {
  /** Ids of requests that will not end. */
  forgotten: number[];
  /** Requests that were dropped since the last batch. */
  dropped: number;
}

/** Message to the writing thread. Lengths and places are in bytes. */
export type ToWriting =
  | { as: 'batch'; buffer: ArrayBuffer; length: number; news: BatchNews }
  /** A batch in the spill file. `length` is 0 if it could not be written. */
  | { as: 'spilled'; offset: number; length: number; news: BatchNews }
  | { as: 'end'; news: BatchNews };

/** Counts of the writing thread so far. */
export interface WritingTotals {
  /** Records and bytes on disk. */
  records: number;
  bytes: number;
  dropped: number;
  /** Requests with a body that cannot be decoded. */
  unread: number;
  /** Records without facts of their answers, because an answer was too long or not readable. */
  withoutFacts: number;
  files: readonly string[];
}

/** Message from the writing thread. */
export type FromWriting =
  | { as: 'open' }
  /** The file cannot be created. */
  | { as: 'refused'; kind: 'input' | 'run'; code: string; path: string; message: string; allowed?: string }
  /** A batch was read: its buffer comes back, or its place in the spill file is free. */
  | { as: 'read'; buffer?: ArrayBuffer; isSpilled?: true; totals: WritingTotals; isFull: boolean }
  /** The disk has failed. The writer tries again. */
  | { as: 'disk'; message: string }
  | { as: 'ended'; totals: WritingTotals };

/** Settings of the writing thread. */
export interface WritingSettings {
  file: string;
  /** Start of the recording: in ms since the epoch, and in ms of `performance.now()` of the relaying thread. */
  startedAt: number;
  startedNow: number;
  share: number;
  rotateBytes: number;
  /** Size of all files at which the recording ends, in bytes. */
  mostBytes: number;
  /** Descriptor of the spill file. Null without one. */
  spill: number | null;
}

/** Returns the frames of a batch. Their contents are valid until the buffer is given back. */
export function* framesOf(
  bytes: Buffer,
): Generator<{ kind: FrameKind; id: number; content: Buffer }, void, undefined> {
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt32LE(at + 5);
    const from = at + FRAME_HEAD_BYTES;
    const content = bytes.subarray(from, from + length);
    yield { kind: bytes[at] as FrameKind, id: bytes.readUInt32LE(at + 1), content };
    at = from + length;
  }
}

/** Contents of the frames `begin` and `end`. */
export type BeginFrame = Omit<RequestHead, 'target'> & {
  path: string;
  query: string;
  client: string;
  kind: TrafficKind;
};
export type EndFrame = ExchangeEnd;
