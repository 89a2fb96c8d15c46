/** A corpus as a stream of plain bytes: `.gz` and `.zst` are unpacked while they are read, never as a whole. */
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { pipeline, Transform, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';

const CHUNK_BYTES = 256 * 1024;
/** Compressions that people have, and that we do not read. */
const UNREADABLE = new Set(['.bz2', '.xz', '.zip', '.7z', '.lz4', '.lzma', '.br', '.snappy', '.tar', '.tgz']);

/** Whether the file's name says that it is packed in a way that is not read here. */
export const isUnknownCompression = (file: string): boolean => UNREADABLE.has(extname(file).toLowerCase());

function createUnzstd(): Transform {
  let out: Transform | null = null;
  let pushed = false;
  const decompress = new Decompress((data) => {
    // fzstd goes on to use its memory, the stream keeps what it is given.
    if (data.length > 0) out!.push(Buffer.from(data));
  });
  out = new Transform({
    readableHighWaterMark: CHUNK_BYTES,
    transform(chunk: Buffer, _encoding, done) {
      pushed = true;
      attempt(done, () => {
        decompress.push(chunk);
      });
    },
    flush(done) {
      attempt(done, () => {
        if (pushed) decompress.push(new Uint8Array(0), true);
      });
    },
  });
  return out;
}

function attempt(done: (error?: Error) => void, act: () => void): void {
  try {
    act();
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  done();
}

/** Emits an error when the file cannot be read or is corrupt; destroy it to stop early. */
export function readUnpacked(file: string): Readable {
  const raw = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  const kind = extname(file).toLowerCase();
  const unpack =
    kind === '.gz' ? createGunzip({ chunkSize: CHUNK_BYTES }) : kind === '.zst' ? createUnzstd() : null;
  // An error of either destroys both and is emitted by the last.
  return unpack === null ? raw : pipeline(raw, unpack, () => undefined);
}
