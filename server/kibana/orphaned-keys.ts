/**
 * Records the API keys of runs on disk while they are in use. If Kibana is killed before it invalidates a key, the next Kibana with the
 * same data folder invalidates the key at its start.
 */
import { rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../common/problem';
import { adoptOrphans, ownFolder, releaseFolder } from '../results/spool-folders';
import type { KibanaServices } from './kibana-services';
import { invalidateKey } from './keys';

/**
 * Suffix of the files that record keys in use. The name of such a file is the id of the key. The file itself is empty, so it contains no
 * secrets.
 */
const ENDING = '.key';
/**
 * Number of checks for keys of dead processes after the start of Kibana. The first checks may be too early, for two reasons. Kibana can
 * only invalidate keys after it has read its licence. A dead process of another machine only counts as dead after a minute.
 */
const LOOKS = 10;
const BETWEEN_LOOKS_MS = 15_000;

const notesOf = ({ dataFolder }: KibanaServices): string => path.join(dataFolder, 'keys');

export interface KeyNote {
  /** Removes the file that records the key. Called after the key was invalidated. */
  strike(): Promise<void>;
  /**
   * Leaves the file that records the key, because the key could not be invalidated. The next start of Kibana tries to invalidate it again.
   */
  leave(): Promise<void>;
}

/** Writes a file that records a key. Never rejects: a run may start without this file, because its key expires in any case. */
export async function noteKey(kibana: KibanaServices, id: string): Promise<KeyNote> {
  try {
    const folder = await ownFolder(notesOf(kibana));
    await writeFile(path.join(folder, `${id}${ENDING}`), '');
    return { strike: () => releaseFolder(folder, true), leave: () => releaseFolder(folder, false) };
  } catch (error) {
    kibana.log.warn(`if Kibana is killed, the API key ${id} will outlive its run: ${messageOf(error)}`);
    return { strike: () => Promise.resolve(), leave: () => Promise.resolve() };
  }
}

/**
 * Invalidates the keys of runs whose Kibana process has ended without invalidating them. Resolves to the number of invalidated keys. Never
 * rejects.
 */
export async function giveBackOrphanedKeys(kibana: KibanaServices): Promise<number> {
  let given = 0;
  try {
    for (const { from, names } of await adoptOrphans(notesOf(kibana), ENDING)) {
      for (const name of names) {
        const id = name.slice(0, -ENDING.length);
        if (!(await invalidateKey(kibana, id))) continue;
        await rm(path.join(from, name), { force: true });
        kibana.log.info(`the API key ${id} of a run whose Kibana was killed is invalidated`);
        given++;
      }
      // The folder cannot be removed while it contains the file of a key. In this case, it is found again at the next attempt.
      await rmdir(from).catch(() => undefined);
    }
  } catch (error) {
    kibana.log.warn(`API keys of killed runs could not be searched for: ${messageOf(error)}`);
  }
  return given;
}

/** Invalidates the keys of dead Kibana processes. Repeats this several times in the first minutes of this process. Never rejects. */
export async function giveBackAtStart(kibana: KibanaServices, closing: AbortSignal): Promise<void> {
  if (!kibana.apiKeys) return;
  for (let look = 0; look < LOOKS && !closing.aborted; look++) {
    await sleep(BETWEEN_LOOKS_MS, undefined, { signal: closing, ref: false }).catch(() => undefined);
    if (!closing.aborted) await giveBackOrphanedKeys(kibana);
  }
}
