/**
 * Messages from the relaying thread, which passes requests and responses on, to the writing thread, which writes them to disk. The data is
 * collected as frames in buffers of fixed size. A buffer is transferred to the writing thread without copying, and returned after its
 * frames were read.
 *
 * A frame contains in this order (numbers are little-endian):
 * - one byte for its kind,
 * - four bytes for the id of the exchange (a request with its response),
 * - four bytes for the length of its content,
 * - the content.
 */
import type { TrafficKind } from '../../../common/traffic/kind';
import type { ExchangeEnd, RequestHead } from './connection-reader';

/** Size of a buffer, in bytes. The first line and headers of a request fit into it. */
export const BUFFER_BYTES = 64 * 1024;
/**
 * Usual number of buffers. With 64 KB each, they limit the memory of the recorder to 4.5 MB. The writer's queue needs additional memory.
 */
export const BUFFERS = 72;
/** Maximum number of buffers. There may be more than {@link BUFFERS} for a short time, while the spill file is slow. */
export const MOST_BUFFERS = 96;

export const FRAME = { begin: 1, requestBody: 2, answerBody: 3, end: 4 } as const;
export type FrameKind = (typeof FRAME)[keyof typeof FRAME];
export const FRAME_HEAD_BYTES = 9;

/** Information that is sent together with each buffer of frames. */
export interface BatchNews {
  /** Ids of requests that the writing thread must remove: they were dropped or could not be read, and their end will not arrive. */
  forgotten: number[];
  /** Number of requests that were dropped since the last buffer was sent. */
  dropped: number;
}

/** Message to the writing thread. A batch is the content of one buffer. Lengths and offsets are in bytes. */
export type ToWriting =
  | { as: 'batch'; buffer: ArrayBuffer; length: number; news: BatchNews }
  /** A batch in the spill file (a temporary file). `length` is 0 if it could not be written. */
  | { as: 'spilled'; offset: number; length: number; news: BatchNews }
  | { as: 'end'; news: BatchNews };

/** Counts of the writing thread since the start of the recording. */
export interface WritingTotals {
  /** Number of records on disk. */
  records: number;
  /** Size of all files, in bytes. */
  bytes: number;
  dropped: number;
  /** Number of requests that are not recorded, because their bodies cannot be decoded. */
  unread: number;
  /** Number of records without facts about the response, because a response was too long or not readable. */
  withoutFacts: number;
  files: readonly string[];
}

/** Message from the writing thread to the relaying thread. */
export type FromWriting =
  | { as: 'open' }
  /** The file for the recording cannot be created, or exists already. */
  | { as: 'refused'; kind: 'input' | 'run'; code: string; path: string; message: string; allowed?: string }
  /**
   * A batch was read. Its buffer is returned, or its space in the spill file is free again. `isFull`: whether the recording has reached its
   * maximum size.
   */
  | { as: 'read'; buffer?: ArrayBuffer; isSpilled?: true; totals: WritingTotals; isFull: boolean }
  /** Writing to the disk has failed. The writer tries again. */
  | { as: 'disk'; message: string }
  | { as: 'ended'; totals: WritingTotals };

/** Settings of the writing thread. */
export interface WritingSettings {
  file: string;
  /** Start of the recording, in ms since the epoch. */
  startedAt: number;
  /** Start of the recording, in ms of `performance.now()` of the relaying thread. */
  startedNow: number;
  share: number;
  rotateBytes: number;
  /** Size of all files, in bytes, at which the recording ends. */
  mostBytes: number;
  /** File descriptor of the spill file. Null if the spill file does not exist. */
  spill: number | null;
}

/** Yields the frames in the content of a buffer. The frames are valid until the buffer is returned. */
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

/** Content of a frame of the kind `begin`: facts about the request. */
export type BeginFrame = Omit<RequestHead, 'target'> & {
  path: string;
  query: string;
  client: string;
  kind: TrafficKind;
};
/** Content of a frame of the kind `end`: facts about the response. */
export type EndFrame = ExchangeEnd;
