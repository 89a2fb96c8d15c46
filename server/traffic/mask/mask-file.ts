/** Writes a masked copy of a file with traffic. */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { inputError, messageOf } from '../../../common/problem';
import type { Loss } from '../../../common/traffic/loss';
import type { MaskAccount } from '../../../common/traffic/mask/account';
import type { Digest } from '../../../common/traffic/mask/keyed';
import { Masking, NotUnderstood, type MaskOptions } from '../../../common/traffic/mask/masking';
import { maskedRecord, maskedStart } from '../../../common/traffic/mask/request';
import type { TrafficRecord } from '../../../common/traffic/record';
import { readTraffic } from '../../traffic-file/read-traffic';
import { partName } from '../../traffic-file/part-names';
import { checkFree, exists, TrafficWriter, type WriterTotals } from '../../traffic-file/writer';
import { newDraft, publish, syncFolder } from '../../whole-file';

/** Length in bytes of a random key. The next constant is the minimum length of a user's key. */
const RANDOM_BYTES = 32;
const SHORTEST_KEY = 16;

export interface MaskFileOptions extends MaskOptions {
  /** The secret key with which values are masked. It is never stored. */
  key: Uint8Array;
  /**
   * Called about every five seconds, in each of the two passes over the file. `requests`: number of requests that this pass has processed
   * so far.
   */
  onProgress?: (phase: 'learn' | 'mask', requests: number) => void;
  signal?: AbortSignal;
}

export interface MaskResult extends MaskAccount {
  /** Parts of the file that could not be read. */
  lost: readonly Loss[];
  written: WriterTotals;
}

const PROGRESS_MS = 5000;

/** Returns a function that calculates the HMAC-SHA-256 of a text with `key`. */
export function digestWith(key: Uint8Array): Digest {
  const secret = createSecretKey(key);
  return (text) => createHmac('sha256', secret).update(text).digest();
}

/**
 * Returns the key from `file`, or otherwise from the environment variable `variable`. Removes white space at the end of the key. Without
 * `file` and `variable`, returns a random key. Rejects with an input error `mask.key`.
 */
export async function maskingKey(given: { file?: string; variable?: string }): Promise<Uint8Array> {
  const { file, variable } = given;
  if (file === undefined && variable === undefined) return randomBytes(RANDOM_BYTES);
  const [option, name] = file === undefined ? ['--key-env', variable!] : ['--key-file', file];
  const key = withoutEnd(
    file === undefined ? Buffer.from(process.env[variable!] ?? '') : await keyBytes(file),
  );
  if (key.length < SHORTEST_KEY)
    throw inputError('mask.key', option, key.length === 0 ? 'has no key' : 'has a key that is too short', {
      found: name,
      allowed: `at least ${SHORTEST_KEY} bytes, for example from: openssl rand -hex 32`,
    });
  return key;
}

const keyBytes = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: unknown) => {
    throw inputError('mask.key', '--key-file', `cannot be read: ${messageOf(error)}`, { found: file });
  });

const SPACES = new Set(Buffer.from(' \t\r\n'));

function withoutEnd(key: Buffer): Buffer {
  let end = key.length;
  while (end > 0 && SPACES.has(key[end - 1]!)) end -= 1;
  return key.subarray(0, end);
}

/**
 * Masks a file. Rejects with a DynoError (input) if the file cannot be read or `to` already exists. Writes a draft, which gets the name `to`
 * when it is complete. Removes the draft in case of an error, and also if this process exits before the end, for example at a second
 * Ctrl-C. If the process is killed, the next masking with the same `to` removes the draft.
 */
export async function maskFile(file: string, to: string, options: MaskFileOptions): Promise<MaskResult> {
  const masking = new Masking(digestWith(options.key), options);
  const { header } = await readTraffic(file);
  await checkFree(to);
  const draft = await newDraft(to);
  const writer = await TrafficWriter.open(draft, { ...maskedStart(masking, header), origin: 'mask' });
  const removeAtExit = (): void => {
    for (const part of writer.totals.files) rmSync(part, { force: true });
  };
  process.on('exit', removeAtExit);
  try {
    await eachRecord(file, 'learn', options, (record) => void masked(masking, record));
    masking.learned();
    const { account } = masking;
    const lost = await eachRecord(file, 'mask', options, async (record) => {
      const result = masked(masking, record);
      if (typeof result === 'string') account.droppedRequest(result);
      else {
        account.written(sizeOf(record), sizeOf(result));
        await writer.write(result);
      }
    });
    const written = await writer.close();
    const files = await publishParts(written.files, to);
    return { ...masking.account.result(), lost, written: { ...written, files } };
  } catch (error) {
    await writer.close().catch(() => undefined);
    for (const part of writer.totals.files) await rm(part, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    process.off('exit', removeAtExit);
  }
}

/**
 * Gives the files of a complete draft their final names, the first file last. Returns these names. If one of them exists, removes the files
 * that already have their final names, and rejects with a DynoError `traffic.exists` (input).
 */
async function publishParts(drafts: readonly string[], to: string): Promise<string[]> {
  const published: string[] = [];
  try {
    for (let part = drafts.length; part > 0; part -= 1) {
      const name = partName(to, part);
      await publish(drafts[part - 1]!, name, true);
      published.unshift(name);
    }
  } catch (error) {
    for (const name of published) await rm(name, { force: true }).catch(() => undefined);
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? exists(to) : error;
  }
  await syncFolder(path.dirname(to));
  return published;
}

/** Returns a masked request, or the reason why it is dropped. */
function masked(masking: Masking, record: TrafficRecord): TrafficRecord | string {
  try {
    return maskedRecord(masking, record);
  } catch (error) {
    if (error instanceof NotUnderstood) return error.message;
    // The body is nested too deeply for the stack.
    if (error instanceof RangeError) return 'its body is nested too deeply';
    throw error;
  }
}

const sizeOf = ({ path, query, body }: TrafficRecord): number =>
  path.length + query.length + (body?.length ?? 0);

async function eachRecord(
  file: string,
  phase: 'learn' | 'mask',
  { onProgress, signal }: MaskFileOptions,
  take: (record: TrafficRecord) => void | Promise<void>,
): Promise<readonly Loss[]> {
  const traffic = await readTraffic(file);
  let count = 0;
  let reported = Date.now();
  for await (const record of traffic.records) {
    signal?.throwIfAborted();
    await take(record);
    count += 1;
    if (Date.now() - reported < PROGRESS_MS) continue;
    reported = Date.now();
    onProgress?.(phase, count);
  }
  return traffic.lost();
}
