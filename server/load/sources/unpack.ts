/** A corpus as a stream of plain bytes: `.gz` and `.zst` are unpacked while they are read, never as a whole. */
import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { pipeline, Transform, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';
import { DynoError, inputError, messageOf } from '../../../common/problem';

const CHUNK_BYTES = 256 * 1024;
/** Compressions that people have, and that we do not read. */
const UNREADABLE = new Set(['.bz2', '.xz', '.zip', '.7z', '.lz4', '.lzma', '.br', '.snappy', '.tar', '.tgz']);

/** Its own size, bytes. Rejects with a DynoError (input) when it is no file, cannot be read or is packed in another way. */
export async function checkReadable(file: string): Promise<number> {
  const size = await sizeOf(file);
  if (UNREADABLE.has(extname(file).toLowerCase())) {
    throw inputError('source.unknown-compression', file, 'has a compression that Dyno cannot read', {
      allowed: 'a plain file, .gz or .zst',
    });
  }
  return size;
}

async function sizeOf(file: string): Promise<number> {
  try {
    const facts = await stat(file);
    if (!facts.isFile()) throw inputError('source.unreadable', file, 'is not a file');
    await access(file, constants.R_OK);
    return facts.size;
  } catch (error) {
    if (error instanceof DynoError) throw error;
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw missing
      ? inputError('source.missing', file, 'does not exist')
      : inputError('source.unreadable', file, `cannot be read: ${messageOf(error)}`);
  }
}

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

/** Whether its bytes are other than those that are read of it. */
export const isPacked = (file: string): boolean => ['.gz', '.zst'].includes(extname(file).toLowerCase());

/** Emits an error when the file cannot be read or is corrupt; destroy it to stop early. */
export function readUnpacked(file: string): Readable {
  const raw = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  const kind = extname(file).toLowerCase();
  const unpack =
    kind === '.gz' ? createGunzip({ chunkSize: CHUNK_BYTES }) : kind === '.zst' ? createUnzstd() : null;
  // An error of either destroys both and is emitted by the last.
  return unpack === null ? raw : pipeline(raw, unpack, () => undefined);
}
