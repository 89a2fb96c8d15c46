/**
 * Brings one file of known content onto this disk, whatever the network does meanwhile: resumable, verified, atomic.
 *
 * By hand: undici fetches; no package at hand resumes by range, verifies and replaces the file at once.
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

/** How a file is recognised as the one that is wanted. */
export interface Checksum {
  /** Name of the algorithm, such as SHA-512. */
  name: string;
  expected: string;
  /** Computes the checksum of a file, in the form of `expected`. */
  of(file: string): Promise<string>;
}

export interface Download {
  url: string;
  /** Sent to the server of `url`, such as credentials. */
  headers?: Readonly<Record<string, string>>;
  /** The file to make; `<to>.part` and `<to>.lock` stand beside it meanwhile. */
  to: string;
  checksum: Checksum;
  /** Environment variable that names another server with the same files; messages about the network quote it. */
  mirror: string;
  /** Told often: bytes on disk, and bytes altogether where the server says so. */
  onProgress?: (doneBytes: number, totalBytes: number | undefined) => void;
  /** Told once if another process is at the same file. */
  onWait?: () => void;
  /** Aborted to give up: rejects with its reason; what has arrived is kept for the next attempt. */
  signal?: AbortSignal;
  /** The pause before the first repetition, ms; doubles with each. For tests. */
  retryDelayMs?: number;
}

/** Connections that bring nothing new, in a row, before giving up. */
const FRUITLESS_ATTEMPTS = 5;
/** A server that says nothing for so long is gone, ms. */
const SILENCE_MS = 30_000;

/** The connection, or the server for a moment: worth another attempt. */
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

/** The innermost sentence: undici wraps `connect ECONNREFUSED …` into `fetch failed`. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : messageOf(error);

/** Bytes of the whole file, where the answer tells. */
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
      `${formatBytes(neededBytes)} are needed, ${formatBytes(bavail * bsize)} are free; DYNO_CACHE names another folder`,
    );
  }
}

/** The body; an error of the network, and only that, as Interrupted. */
async function* arriving({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body ?? []) yield chunk as Uint8Array;
  } catch (error) {
    throw new Interrupted(reasonOf(error), { cause: error });
  }
}

/** Largest file where the server does not tell its size, bytes: a distribution of Elasticsearch has less than 1 GB. */
const LARGEST_FILE = 4 * 1024 ** 3;

/** Largest text that {@link fetchText} takes, bytes. */
const LONGEST_TEXT = 4096;

const hint = (mirror: string): string =>
  `Is the network there? HTTPS_PROXY names a proxy, ${mirror} a mirror of the server`;

/** Time that a server gets to answer before it counts as out of reach, ms. */
const REACH_MS = 3000;

/** Whether a server answers at `url` within 3 s, whatever it answers. */
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
 * A short text; undefined where the server has none (404). `mirror` is as in {@link Download}. Rejects with a DynoError (run) `download.unreachable` or
 * `download.refused`, or with the signal's reason.
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
      // Leaving the loop ends the answer.
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

/** One connection: continues `part` where it ends. Throws Interrupted when another attempt may help. */
async function receive(part: string, { url, headers, onProgress, signal }: Download): Promise<void> {
  const have = await sizeOf(part);
  const agent = dispatcher();
  try {
    const response = await fetch(url, {
      dispatcher: agent,
      signal,
      // Offsets count the bytes of the file, not those of a compressed answer.
      headers: {
        ...headers,
        'accept-encoding': 'identity',
        ...(have > 0 ? { range: `bytes=${have}-` } : {}),
      },
    }).catch((error: unknown) => {
      throw new Interrupted(reasonOf(error), { cause: error });
    });
    if (response.status === 416) return; // nothing after what we have: the checksum decides
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
          const told = total === undefined ? 'of any that Dyno downloads' : 'that the server had announced';
          throw runError(
            'download.refused',
            url,
            `the answer goes on beyond ${formatBytes(most)}, the size ${told}`,
          );
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

/** Attempts until the server has no more to give; each that brings something new is followed by another. */
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
            'What has arrived is kept for the next attempt',
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
    // What was left from before may have been wrong; a whole file that is wrong will not get better.
    if (!resumed) {
      throw runError(
        'download.checksum',
        url,
        `the file that arrived is not the one that Dyno knows: its ${checksum.name} is ${found}, expected ${checksum.expected}`,
      );
    }
  }
}

/**
 * Resolves to `to` once its content has the checksum; downloads only if it does not. Several processes may ask at once.
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
