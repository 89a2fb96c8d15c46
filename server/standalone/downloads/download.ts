/**
 * Downloads one file with a known checksum. The download resumes after network errors, verifies the file, and creates it atomically. No
 * package does all of this.
 */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetch, interceptors, type Dispatcher, type Response } from 'undici';
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
  /** Computes the checksum of a file in the same form as `expected`. */
  of(file: string): Promise<string>;
}

export interface Download {
  url: string;
  /** Request headers, such as credentials. */
  headers?: Readonly<Record<string, string>>;
  /** Path of the downloaded file. During the download, `<to>.part` and `<to>.lock` exist next to it. */
  to: string;
  checksum: Checksum;
  /** Name of the environment variable with the URL of a mirror. Messages about network errors mention this variable. */
  mirror: string;
  /** Called repeatedly with the number of bytes on disk, and with the total if the server sends it. */
  onProgress?: (doneBytes: number, totalBytes: number | undefined) => void;
  /** Called once if another process is downloading the same file. */
  onWait?: () => void;
  /** If this signal aborts, the download rejects with the signal's reason. The partial file is kept for the next attempt. */
  signal?: AbortSignal;
  /** Pause before the first retry, in ms; doubles with each retry. For tests. */
  retryDelayMs?: number;
}

/** Number of consecutive connections without new bytes after which the download fails. */
const FRUITLESS_ATTEMPTS = 5;
/** Maximum number of redirects that are followed. */
const MOST_REDIRECTS = 5;
/** Time in ms without data from the server after which a connection is closed. */
const SILENCE_MS = 30_000;

/** A temporary failure of the connection or of the server. The download is then tried again. */
class Interrupted extends Error {}

const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => undefined))?.size ?? 0;

async function hashOf(algorithm: string, file: string): Promise<string> {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Returns a SHA-512 checksum. `expected` is in hex. */
export const sha512 = (expected: string): Checksum => ({
  name: 'SHA-512',
  expected,
  of: (file) => hashOf('sha512', file),
});

/** Returns a SHA-256 checksum. `expected` is in hex. */
export const sha256 = (expected: string): Checksum => ({
  name: 'SHA-256',
  expected,
  of: (file) => hashOf('sha256', file),
});

const dispatcher = (): Dispatcher =>
  outgoing({ connect: { timeout: 15_000 }, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS });

/**
 * Returns the message of the innermost cause. undici, for example, reports `connect ECONNREFUSED …` only as the cause of `fetch failed`.
 */
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : messageOf(error);

/** Returns the size of the whole file in bytes; undefined if the headers of the response do not contain this size. */
function totalOf({ headers }: Head, offset: number): number | undefined {
  const total = /\/(\d+)$/.exec(String(headers['content-range'] ?? ''))?.[1];
  if (total !== undefined) return Number(total);
  const length = headers['content-length'];
  return length === undefined ? undefined : offset + Number(length);
}

function assertSpace(folder: string, neededBytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < neededBytes) {
    throw runError(
      'disk.full',
      folder,
      `${formatBytes(neededBytes)} are needed, ${formatBytes(bavail * bsize)} are free; set DYNO_CACHE to use another folder`,
    );
  }
}

/** Yields the chunks of the response body. Throws an Interrupted for a network error. */
async function* arriving({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body ?? []) yield chunk as Uint8Array;
  } catch (error) {
    throw new Interrupted(reasonOf(error), { cause: error });
  }
}

/** Maximum size of a file, in bytes, if the server does not send the file's size. A distribution of Elasticsearch is smaller than 1 GB. */
const LARGEST_FILE = 4 * 1024 ** 3;

/** Maximum size of the text that {@link fetchText} reads, in bytes. */
const LONGEST_TEXT = 4096;

const hint = (mirror: string): string =>
  `Check the network, or set HTTPS_PROXY to a proxy or ${mirror} to a mirror of the server`;

/** Timeout of {@link isReachable}, in ms. */
const REACH_MS = 3000;

/** Returns whether a server responds at `url` within 3 s, with any status. */
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
 * Downloads a short text. Undefined if the text does not exist (404). `mirror` has the same meaning as in {@link Download}. Rejects with a
 * DynoError `download.unreachable` or `download.refused`, or with the signal's reason.
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

interface Head {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Sends a GET request and follows redirects. `begin`: receives the status and headers of the response, and returns a function that receives
 * the chunks of the body. Rejects with Interrupted for network errors, with the signal's reason, or with an error thrown by `begin` or the
 * returned function.
 */
function receiveBody(
  agent: Dispatcher,
  { url, headers, signal }: Pick<Download, 'url' | 'headers' | 'signal'>,
  begin: (head: Head) => (chunk: Uint8Array) => void,
): Promise<void> {
  const { origin, pathname, search } = new URL(url);
  const following = agent.compose(interceptors.redirect({ maxRedirections: MOST_REDIRECTS }));
  return new Promise((resolve, reject) => {
    let take: (chunk: Uint8Array) => void;
    let own: { error: unknown } | undefined;
    let onAbort = (): void => undefined;
    const carefully = (controller: Dispatcher.DispatchController, work: () => void): void => {
      try {
        work();
      } catch (error) {
        own = { error };
        controller.abort(error as Error);
      }
    };
    following.dispatch(
      { origin, path: pathname + search, method: 'GET', headers },
      {
        onRequestStart(controller) {
          signal?.removeEventListener('abort', onAbort);
          onAbort = () => controller.abort(signal!.reason as Error);
          if (signal?.aborted) onAbort();
          else signal?.addEventListener('abort', onAbort);
        },
        onResponseStart(controller, status, answered) {
          carefully(controller, () => (take = begin({ status, headers: answered })));
        },
        onResponseData(controller, chunk) {
          carefully(controller, () => take(chunk));
        },
        onResponseEnd() {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        onResponseError(_controller, error) {
          signal?.removeEventListener('abort', onAbort);
          if (own) reject(own.error as Error);
          else
            reject(
              signal?.aborted ? (signal.reason as Error) : new Interrupted(reasonOf(error), { cause: error }),
            );
        },
      },
    );
  });
}

/**
 * Opens one connection and appends the missing bytes to the partial file `part`. Resolves if the file is then complete. Throws an
 * Interrupted if another attempt may succeed.
 */
async function receive(part: string, { url, headers, onProgress, signal }: Download): Promise<void> {
  const have = await sizeOf(part);
  const agent = dispatcher();
  let file: number | undefined;
  let done = have;
  let total: number | undefined;
  try {
    await receiveBody(
      agent,
      {
        url,
        signal,
        // Compression is disabled, because the requested ranges refer to the uncompressed file.
        headers: {
          ...headers,
          'accept-encoding': 'identity',
          ...(have > 0 ? { range: `bytes=${have}-` } : {}),
        },
      },
      (head) => {
        const { status } = head;
        // The partial file is complete; its checksum is verified next.
        if (status === 416) return () => undefined;
        if (status === 429 || status >= 500) throw new Interrupted(`the server answers ${status}`);
        if (status !== 200 && status !== 206)
          throw runError(
            'download.refused',
            url,
            `the server answers ${status} ${STATUS_CODES[status] ?? ''}`.trim(),
          );
        const continues =
          status === 206 && String(head.headers['content-range']).startsWith(`bytes ${have}-`);
        if (status === 206 && !continues) {
          rmSync(part, { force: true });
          throw new Interrupted('the server answered with a different range than requested');
        }
        if (!continues) done = 0;
        total = totalOf(head, done);
        if (total !== undefined) assertSpace(dirname(part), total - done);
        const most = total ?? LARGEST_FILE;
        const opened = openSync(part, continues ? 'a' : 'w');
        file = opened;
        onProgress?.(done, total);
        return (chunk) => {
          if (done + chunk.byteLength > most) {
            const limit =
              total === undefined ? 'the limit for downloads' : 'the size that the server announced';
            throw runError('download.refused', url, `the file is larger than ${formatBytes(most)}, ${limit}`);
          }
          // Each chunk is written immediately, because data in memory would be lost if the connection broke.
          writeFileSync(opened, chunk);
          done += chunk.byteLength;
          onProgress?.(done, total);
        };
      },
    );
    if (total !== undefined && done < total) throw new Interrupted('the connection ended early');
  } finally {
    if (file !== undefined) closeSync(file);
    await agent.destroy();
  }
}

/** Opens connections until the file is complete. Fails after {@link FRUITLESS_ATTEMPTS} consecutive connections without new bytes. */
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
    // If the download was resumed, the old part may be wrong, so the whole file is downloaded again. Otherwise the server's file is wrong.
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
 * Resolves to the path `to` once the file exists with the right checksum. Downloads the file if necessary. Several processes may call this
 * function at the same time. Rejects with a DynoError: `download.unreachable`, `.interrupted`, `.refused`, `.checksum`, `disk.full`,
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
