/**
 * Downloads one file with a known checksum. Resumes after network errors, verifies the file, and creates it atomically.
 *
 * Own code on top of undici, because no package at hand resumes by range, verifies and replaces atomically.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Agent, type EnvHttpProxyAgent, fetch, type Response } from 'undici';
import { DynoError, messageOf, runError } from '../../../common/problem';
import { formatBytes } from '../../../common/units/format';
import { outgoing } from '../proxies';
import { asDiskError } from '../disk-error';
import { withFileLock } from './file-lock';

/** The expected checksum of a file. */
export interface Checksum {
  /** Name of the algorithm, such as SHA-512. */
  name: string;
  expected: string;
  /** Computes the checksum of a file, in the form of `expected`. */
  of(file: string): Promise<string>;
}

export interface Download {
  url: string;
  /** Request headers, such as credentials. */
  headers?: Readonly<Record<string, string>>;
  /** Path of the file. During the download, `<to>.part` and `<to>.lock` exist next to it. */
  to: string;
  checksum: Checksum;
  /** Environment variable that names another server with the same files; messages about the network quote it. */
  mirror: string;
  /** Called often with the bytes on disk, and the total if the server sends it. */
  onProgress?: (doneBytes: number, totalBytes: number | undefined) => void;
  /** Called once if another process is downloading the same file. */
  onWait?: () => void;
  /** Aborting it rejects with its reason. The partial file is kept for the next attempt. */
  signal?: AbortSignal;
  /** Pause before the first retry, in ms; doubles with each retry. For tests. */
  retryDelayMs?: number;
}

/** Number of consecutive connections without new bytes before giving up. */
const FRUITLESS_ATTEMPTS = 5;
/** Timeout for a silent server, in ms. */
const SILENCE_MS = 30_000;

/** A temporary failure of the connection or the server, which is retried. */
class Interrupted extends Error {}

const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => undefined))?.size ?? 0;

async function hashOf(algorithm: string, file: string): Promise<string> {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** `expected` in hex. */
export const sha512 = (expected: string): Checksum => ({
  name: 'SHA-512',
  expected,
  of: (file) => hashOf('sha512', file),
});

/** `expected` in hex. */
export const sha256 = (expected: string): Checksum => ({
  name: 'SHA-256',
  expected,
  of: (file) => hashOf('sha256', file),
});

const dispatcher = (): Agent | EnvHttpProxyAgent =>
  outgoing({ connect: { timeout: 15_000 }, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS });

/** Returns the message of the innermost cause: undici wraps `connect ECONNREFUSED …` into `fetch failed`. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : messageOf(error);

/** Returns the size of the whole file in bytes, if the response contains it. */
function totalOf(response: Response, offset: number): number | undefined {
  const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  if (total !== undefined) return Number(total);
  const length = response.headers.get('content-length');
  return length === null ? undefined : offset + Number(length);
}

async function assertSpace(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < neededBytes) {
    throw runError(
      'disk.full',
      folder,
      `${formatBytes(neededBytes)} are needed, ${formatBytes(bavail * bsize)} are free; set DYNO_CACHE to use another folder`,
    );
  }
}

/** Yields the body. Converts network errors to Interrupted. */
async function* arriving({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body ?? []) yield chunk as Uint8Array;
  } catch (error) {
    throw new Interrupted(reasonOf(error), { cause: error });
  }
}

/** Size limit if the server does not send the size, in bytes. A distribution of Elasticsearch is smaller than 1 GB. */
const LARGEST_FILE = 4 * 1024 ** 3;

/** Size limit of {@link fetchText}, in bytes. */
const LONGEST_TEXT = 4096;

const hint = (mirror: string): string =>
  `Check the network, or set HTTPS_PROXY to a proxy or ${mirror} to a mirror of the server`;

/** Timeout of {@link isReachable}, in ms. */
const REACH_MS = 3000;

/** Returns whether a server answers at `url` within 3 s, with any status. */
export async function isReachable(url: string, signal?: AbortSignal): Promise<boolean> {
  const agent = dispatcher();
  const limit = AbortSignal.timeout(REACH_MS);
  try {
    await fetch(url, {
      dispatcher: agent,
      method: 'HEAD',
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    return true;
  } catch {
    signal?.throwIfAborted();
    return false;
  } finally {
    await agent.destroy();
  }
}

/**
 * Downloads a short text; undefined if it does not exist (404). `mirror` as in {@link Download}. Rejects with a DynoError (run)
 * `download.unreachable` or `download.refused`, or with the signal's reason.
 */
export async function fetchText(
  url: string,
  mirror: string,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const agent = dispatcher();
  try {
    const response = await fetch(url, { dispatcher: agent, signal, headers });
    if (response.status === 404) return undefined;
    if (response.status !== 200)
      throw runError('download.refused', url, `the server answers ${response.status}`);
    let text = '';
    for await (const chunk of arriving(response)) {
      text += Buffer.from(chunk).toString('latin1');
      // Leaving the loop cancels the response.
      if (text.length >= LONGEST_TEXT) break;
    }
    return text.slice(0, LONGEST_TEXT);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof DynoError) throw error;
    throw runError('download.unreachable', url, `cannot be read: ${reasonOf(error)}. ${hint(mirror)}`, error);
  } finally {
    await agent.destroy();
  }
}

/** Uses one connection to continue `part`. Throws Interrupted if a retry may help. */
async function receive(part: string, { url, headers, onProgress, signal }: Download): Promise<void> {
  const have = await sizeOf(part);
  const agent = dispatcher();
  try {
    const response = await fetch(url, {
      dispatcher: agent,
      signal,
      // No compression: ranges count bytes of the file.
      headers: {
        ...headers,
        'accept-encoding': 'identity',
        ...(have > 0 ? { range: `bytes=${have}-` } : {}),
      },
    }).catch((error: unknown) => {
      throw new Interrupted(reasonOf(error), { cause: error });
    });
    if (response.status === 416) return; // The partial file is complete; its checksum is verified next.
    if (response.status === 429 || response.status >= 500) {
      throw new Interrupted(`the server answers ${response.status}`);
    }
    if (response.status !== 200 && response.status !== 206) {
      throw runError(
        'download.refused',
        url,
        `the server answers ${response.status} ${response.statusText}`.trim(),
      );
    }
    const continues =
      response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${have}-`) === true;
    if (response.status === 206 && !continues) {
      await rm(part, { force: true });
      throw new Interrupted('the server answered with a different range than requested');
    }
    const offset = continues ? have : 0;
    const total = totalOf(response, offset);
    if (total !== undefined) await assertSpace(dirname(part), total - offset);
    const file = await open(part, continues ? 'a' : 'w');
    let done = offset;
    const most = total ?? LARGEST_FILE;
    try {
      onProgress?.(done, total);
      for await (const chunk of arriving(response)) {
        if (done + chunk.byteLength > most) {
          const limit =
            total === undefined ? 'the limit for downloads' : 'the size that the server announced';
          throw runError('download.refused', url, `the file is larger than ${formatBytes(most)}, ${limit}`);
        }
        await file.writeFile(chunk);
        done += chunk.byteLength;
        onProgress?.(done, total);
      }
    } finally {
      await file.close();
    }
    if (total !== undefined && done < total) throw new Interrupted('the connection ended early');
  } finally {
    await agent.destroy();
  }
}

/** Retries until the file is complete. Gives up after {@link FRUITLESS_ATTEMPTS} connections in a row without new bytes. */
async function receiveAll(part: string, download: Download): Promise<void> {
  const { url, retryDelayMs = 500 } = download;
  for (let fruitless = 0; ;) {
    const before = await sizeOf(part);
    try {
      return await receive(part, download);
    } catch (error) {
      download.signal?.throwIfAborted();
      if (!(error instanceof Interrupted)) throw error;
      fruitless = (await sizeOf(part)) > before ? 0 : fruitless + 1;
      if (fruitless >= FRUITLESS_ATTEMPTS) {
        throw runError(
          (await sizeOf(part)) > 0 ? 'download.interrupted' : 'download.unreachable',
          url,
          `cannot be downloaded: ${error.message}. ${hint(download.mirror)}. ` +
            'The next attempt continues this download',
          error,
        );
      }
      await sleep(retryDelayMs * 2 ** fruitless);
    }
  }
}

async function fetchVerified(download: Download): Promise<void> {
  const { url, to, checksum } = download;
  const part = `${to}.part`;
  for (;;) {
    const resumed = (await sizeOf(part)) > 0;
    await receiveAll(part, download);
    const found = await checksum.of(part);
    if (found === checksum.expected) return rename(part, to);
    await rm(part, { force: true });
    // A wrong checksum after resuming may come from the old part, so download everything again. Otherwise the file itself is wrong.
    if (!resumed) {
      throw runError(
        'download.checksum',
        url,
        `the downloaded file has the wrong checksum: its ${checksum.name} is ${found}, expected ${checksum.expected}`,
      );
    }
  }
}

/**
 * Resolves to `to` when the file exists with the checksum. Downloads it if necessary. Several processes may call this at the same time.
 * Rejects with a DynoError (run): `download.unreachable`, `.interrupted`, `.refused`, `.checksum`, `disk.full`,
 * `disk.not-writable`.
 */
export async function download(wanted: Download): Promise<string> {
  const { to, checksum, onWait } = wanted;
  try {
    await mkdir(dirname(to), { recursive: true });
    await withFileLock(
      `${to}.lock`,
      async () => {
        if ((await sizeOf(to)) > 0) {
          if ((await checksum.of(to)) === checksum.expected) return;
          await rm(to);
        }
        await fetchVerified(wanted);
      },
      onWait,
    );
    return to;
  } catch (error) {
    if (error instanceof DynoError || wanted.signal?.aborted) throw error;
    throw asDiskError(error, dirname(to));
  }
}
