/**
 * Reads a file as a stream of unpacked bytes. gzip and zstd are unpacked while they are read, never as a whole. The compression is detected
 * from the first bytes of the file, not from its name.
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
/** Names of compressed files that cannot be recognised by their first bytes, and of archives with several files. */
const UNREADABLE = /\.(?:lzma|br|snappy|tar|tgz|tar\.(?:gz|zst))$/i;

const NAMED: Readonly<Record<string, Packing>> = { '.gz': 'gzip', '.zst': 'zstd' };

/**
 * Returns the size of the file, in bytes. Rejects with a DynoError if the path is not a file, the file cannot be read, or its compression
 * is not supported.
 */
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
    // The stream keeps the bytes for a while, but fzstd reuses its buffer. So the bytes are copied.
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

/** Returns the first bytes of a file. Returns an empty buffer if the file cannot be read; a later attempt to read it reports the error. */
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

/** Returns the compression of a file; null for an uncompressed file. */
export const packingOfFile = (file: string): Packing | null => packingOf(firstBytes(file));

/** Whether the file is compressed. */
export const isPacked = (file: string): boolean => packingOfFile(file) !== null;

/** Returns the whole content of a file, unpacked. Throws if the content is corrupt or larger than `most` bytes. */
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

/** Opens a stream of the unpacked bytes. It emits an error if the file cannot be read or is corrupt. To stop early, destroy the stream. */
export function readUnpacked(file: string): Readable {
  const raw = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  const packing = packingOfFile(file);
  const unpack =
    packing === 'gzip'
      ? createGunzip({ chunkSize: CHUNK_BYTES })
      : packing === 'zstd'
        ? createUnzstd()
        : null;
  // An error of either stream destroys both streams. The second one emits the error.
  return unpack === null ? raw : pipeline(raw, unpack, () => undefined);
}
