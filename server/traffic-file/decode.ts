/** Decodes bodies that were compressed for the transfer (header `content-encoding`; RFC 9110, 8.4.1). */
import { once } from 'node:events';
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib';
import type { Transform } from 'node:stream';

interface Decoder {
  whole: (bytes: Uint8Array, options: ZlibOptions) => Buffer;
  stream: () => Transform;
}

const GZIP: Decoder = { whole: gunzipSync, stream: createGunzip };

/** Decoders by the name of the encoding. Null for an encoding that leaves bodies unchanged. */
const DECODERS: ReadonlyMap<string, Decoder | null> = new Map<string, Decoder | null>([
  ['', null],
  ['identity', null],
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['deflate', { whole: inflateAny, stream: createInflate }],
  ['br', { whole: brotliDecompressSync, stream: createBrotliDecompress }],
]);

/**
 * Decodes the content encoding `deflate`. By definition, it is the zlib format, but some clients send the compressed data without the zlib
 * header.
 */
function inflateAny(bytes: Uint8Array, options: ZlibOptions): Buffer {
  try {
    return inflateSync(bytes, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw error;
    return inflateRawSync(bytes, options);
  }
}

const decoderOf = (encoding: string): Decoder | null | undefined =>
  DECODERS.get(encoding.trim().toLowerCase());

/**
 * Returns whether this `content-encoding` leaves a body unchanged, as `identity` does. False for compression, and for unknown encodings.
 */
export const isPlain = (encoding: string): boolean => decoderOf(encoding) === null;

export const isKnown = (encoding: string): boolean => decoderOf(encoding) !== undefined;

/** Returns the decoded body. Throws if it is malformed, longer than `most` bytes, or in an unknown encoding. */
export function decodeWhole(bytes: Uint8Array, encoding: string, most: number): Uint8Array {
  const decoder = decoderOf(encoding);
  if (decoder === null) return bytes;
  if (decoder === undefined) throw new Error(`unknown content-encoding ${encoding}`);
  return decoder.whole(bytes, { maxOutputLength: most });
}

/**
 * Decodes a body piece by piece. A few compressed bytes can become many megabytes. The decoder therefore waits until each decoded piece has
 * been processed.
 */
export class PieceDecoder {
  private readonly stream: Transform;
  /** Settles when all pieces that were decoded so far have been processed. */
  private taken = Promise.resolve();
  private failure: unknown;

  /**
   * Throws if the encoding is unknown or leaves bodies unchanged. `onPiece`: processes a decoded piece, and resolves when it can process
   * the next one.
   */
  constructor(encoding: string, onPiece: (bytes: Buffer) => Promise<void>) {
    const decoder = decoderOf(encoding);
    if (decoder === null || decoder === undefined) throw new Error(`unknown content-encoding ${encoding}`);
    const stream = decoder.stream();
    stream.on('data', (piece: Buffer) => {
      stream.pause();
      this.taken = onPiece(piece).then(() => void stream.resume());
    });
    stream.on('error', (error) => (this.failure = error));
    this.stream = stream;
  }

  /** Decodes a piece. Resolves when its decoded pieces have been processed. Rejects if the piece is malformed. */
  async add(bytes: Uint8Array): Promise<void> {
    if (this.failure === undefined)
      await new Promise<void>((resolve) => {
        this.stream.once('close', resolve);
        this.stream.write(bytes, () => {
          this.stream.off('close', resolve);
          resolve();
        });
      });
    await this.taken;
    if (this.failure !== undefined) throw this.failure as Error;
  }

  /** Ends the decoding. Resolves when the last decoded piece has been processed. Rejects if the body is malformed or incomplete. */
  async end(): Promise<void> {
    if (this.failure === undefined) {
      const ended = once(this.stream, 'end');
      this.stream.end();
      // An error is thrown below, after the last piece was processed.
      await ended.catch(() => undefined);
    }
    await this.taken;
    if (this.failure !== undefined) throw this.failure as Error;
  }

  close(): void {
    this.stream.destroy();
  }
}
