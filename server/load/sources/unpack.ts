/**
 * A corpus as a stream of plain bytes: gzip and zstd are unpacked while they are read, never as a whole. The first bytes of a file say how
 * it is compressed, whatever its name.
 */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { pipeline, Transform, type Readable } from 'node:stream';
import { createGunzip, gunzipSync } from 'node:zlib';
import { decompress, Decompress } from 'fzstd';
import { compressionOf, MAGIC_BYTES, packingOf, type Packing } from '../../../common/files/bytes';
import { DynoError, inputError, messageOf } from '../../../common/problem';

const CHUNK_BYTES = 256 * 1024;
/** Compressions and archives that no first bytes tell from text, or that hold several files. */
const UNREADABLE = /\.(?:lzma|br|snappy|tar|tgz|tar\.(?:gz|zst))$/i;

const NAMED: Readonly<Record<string, Packing>> = { '.gz': 'gzip', '.zst': 'zstd' };

/** Its own size, bytes. Rejects with a DynoError (input) when it is no file, cannot be read or is packed in another way. */
export async function checkReadable(file: string): Promise<number> {
  const size = await sizeOf(file);
  const bytes = firstBytes(file);
  const compression = compressionOf(bytes);
  if (compression !== null || UNREADABLE.test(file)) {
    const next =
      compression === null ? '' : `: ${compression.name}; unpack it first, with ${compression.command}`;
    throw inputError('source.unknown-compression', file, `has a compression that Dyno cannot read${next}`, {
      allowed: 'a plain file, gzip or zstd',
    });
  }
  const named = NAMED[extname(file).toLowerCase()];
  if (named !== undefined && bytes.length > 0 && packingOf(bytes) !== named)
    throw inputError('source.unreadable', file, `is not ${named}, though its name says so; rename it`);
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

/** None for a file that cannot be read, which fails where it is read. */
function firstBytes(file: string): Buffer {
  try {
    const opened = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(MAGIC_BYTES);
      return bytes.subarray(0, readSync(opened, bytes, 0, MAGIC_BYTES, 0));
    } finally {
      closeSync(opened);
    }
  } catch {
    return Buffer.alloc(0);
  }
}

/** How it is compressed; null for a plain file. */
export const packingOfFile = (file: string): Packing | null => packingOf(firstBytes(file));

/** Whether its bytes are other than those that are read of it. */
export const isPacked = (file: string): boolean => packingOfFile(file) !== null;

/** The whole content of a file of at most `most` bytes, unpacked. Throws where it is corrupt or larger. */
export function unpackWhole(bytes: Buffer, most: number): Buffer {
  switch (packingOf(bytes)) {
    case 'gzip':
      return gunzipSync(bytes, { maxOutputLength: most });
    case 'zstd':
      return Buffer.from(decompress(bytes));
    case null:
      return bytes;
  }
}

/** Emits an error when the file cannot be read or is corrupt; destroy it to stop early. */
export function readUnpacked(file: string): Readable {
  const raw = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  const packing = packingOfFile(file);
  const unpack =
    packing === 'gzip'
      ? createGunzip({ chunkSize: CHUNK_BYTES })
      : packing === 'zstd'
        ? createUnzstd()
        : null;
  // An error of either destroys both and is emitted by the last.
  return unpack === null ? raw : pipeline(raw, unpack, () => undefined);
}
