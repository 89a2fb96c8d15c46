/**
 * The messages from the relaying thread to the writing thread. Frames are collected in buffers of fixed size. A buffer is transferred
 * without copying it, and comes back when its frames are read.
 *
 * A frame has one byte for its kind, four for the id of the exchange and four for the length of its content (little-endian), then the content.
 */
import type { ExchangeEnd, RequestHead } from './connection-reader';

/** Size of a buffer, in bytes. The head of a request fits into it. */
export const BUFFER_BYTES = 256 * 1024;
/**
 * Number of buffers. With the queue of the writer, they bound the memory of the recorder. If the disk is slow, the traffic of all buffers
 * waits, and further requests are dropped.
 */
export const BUFFERS = 64;

export const FRAME = { begin: 1, requestBody: 2, answerBody: 3, end: 4 } as const;
export type FrameKind = (typeof FRAME)[keyof typeof FRAME];
export const FRAME_HEAD_BYTES = 9;

export interface TrafficBatch {
  buffer: ArrayBuffer;
  /** Length of the frames in it, in bytes. */
  length: number;
  /** Ids of requests that will not end. */
  forgotten: number[];
  /** Requests that were dropped since the last batch. */
  dropped: number;
}

/** Message to the writing thread. */
export type ToWriting = TrafficBatch | { end: true; dropped: number };

/** What the writing thread has done so far. */
export interface WritingTotals {
  /** Records and bytes on disk. */
  records: number;
  bytes: number;
  dropped: number;
  /** Requests with a body that cannot be decoded, or with a path outside the base path of the target. */
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
  | { as: 'read'; buffer: ArrayBuffer; totals: WritingTotals; isFull: boolean }
  /** The disk has failed. The writer tries again. */
  | { as: 'disk'; message: string }
  | { as: 'ended'; totals: WritingTotals };

/** What the writing thread needs at its start. */
export interface WritingSettings {
  file: string;
  /** Start of the recording: in ms since the epoch, and in ms of `performance.now()` of the relaying thread. */
  startedAt: number;
  startedNow: number;
  share: number;
  rotateBytes: number;
  /** Size of all files at which the recording ends, in bytes. */
  mostBytes: number;
  /** Path of the target's URL, without a slash at its end. */
  basePath: string;
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
export type BeginFrame = RequestHead & { client: string };
export type EndFrame = ExchangeEnd;
