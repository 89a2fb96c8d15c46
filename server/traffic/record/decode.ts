/** Decodes bodies that were compressed for the transfer (RFC 9110, 8.4.1). */
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

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: GZIP,
  'x-gzip': GZIP,
  deflate: { whole: inflateAny, stream: createInflate },
  br: { whole: brotliDecompressSync, stream: createBrotliDecompress },
};

/** `deflate` means the format of zlib, but some clients send the compressed data alone. */
function inflateAny(bytes: Uint8Array, options: ZlibOptions): Buffer {
  try {
    return inflateSync(bytes, options);
  } catch {
    return inflateRawSync(bytes, options);
  }
}

const decoderOf = (encoding: string): Decoder | null | undefined => {
  const name = encoding.trim().toLowerCase();
  return name === '' || name === 'identity' ? null : DECODERS[name];
};

/** Whether a body with this `content-encoding` is sent as it is. */
export const isPlain = (encoding: string): boolean => decoderOf(encoding) === null;

export const isKnown = (encoding: string): boolean => decoderOf(encoding) !== undefined;

/** Returns the decoded body. Throws if it is malformed, longer than `most` bytes, or in an unknown encoding. */
export function decodeWhole(bytes: Buffer, encoding: string, most: number): Buffer {
  const decoder = decoderOf(encoding);
  if (decoder === null) return bytes;
  if (decoder === undefined) throw new Error(`unknown content-encoding ${encoding}`);
  return decoder.whole(bytes, { maxOutputLength: most });
}

/** Decodes a body piece by piece. */
export class PieceDecoder {
  private readonly stream: Transform;
  private failure: unknown;

  /** Throws if the encoding is unknown or none. `onPiece` receives the decoded pieces. */
  constructor(encoding: string, onPiece: (bytes: Buffer) => void) {
    const decoder = decoderOf(encoding);
    if (decoder === null || decoder === undefined) throw new Error(`unknown content-encoding ${encoding}`);
    this.stream = decoder.stream();
    this.stream.on('data', onPiece);
    this.stream.on('error', (error) => (this.failure = error));
  }

  /** Resolves when the piece is decoded. Rejects if it is malformed. */
  async add(bytes: Buffer): Promise<void> {
    if (this.failure === undefined)
      await new Promise<void>((resolve) => {
        this.stream.once('close', resolve);
        this.stream.write(bytes, () => {
          this.stream.off('close', resolve);
          resolve();
        });
      });
    if (this.failure !== undefined) throw this.failure as Error;
  }

  /** Resolves when everything is decoded. Rejects if the body is malformed or incomplete. */
  async end(): Promise<void> {
    if (this.failure === undefined) {
      const ended = once(this.stream, 'end');
      this.stream.end();
      await ended;
    }
    if (this.failure !== undefined) throw this.failure as Error;
  }

  close(): void {
    this.stream.destroy();
  }
}
