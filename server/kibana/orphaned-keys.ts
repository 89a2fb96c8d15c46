/**
 * The keys that runs act by, noted on the disk for as long as they are in use: those of a Kibana that was killed before it
 * could give them back are invalidated by the next that starts with its data.
 */
import { rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../common/problem';
import { adoptOrphans, ownFolder, releaseFolder } from '../results/spool-folders';
import type { KibanaServices } from './kibana-services';
import { invalidateKey } from './keys';

/** Each note is an empty file that is named by the key's id; nothing secret is kept. */
const ENDING = '.key';
/** Kibana learns only after its start that its licence knows security, and a dead process of another host is known after a minute. */
const LOOKS = 10;
const BETWEEN_LOOKS_MS = 15_000;

const notesOf = ({ dataFolder }: KibanaServices): string => path.join(dataFolder, 'keys');

export interface KeyNote {
  /** The key is given back. */
  strike(): Promise<void>;
  /** It is not: the next start is to try. */
  leave(): Promise<void>;
}

/** Never rejects: without a note the key ends by its expiration. */
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

/** Invalidates what dead processes have noted; resolves to how many keys. Never rejects. */
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
      // Not where a key is left: its folder is an orphan again, for the next look.
      await rmdir(from).catch(() => undefined);
    }
  } catch (error) {
    kibana.log.warn(`API keys of killed runs could not be searched: ${messageOf(error)}`);
  }
  return given;
}

/** For the first minutes of a process. Never rejects. */
export async function giveBackAtStart(kibana: KibanaServices, closing: AbortSignal): Promise<void> {
  if (!kibana.apiKeys) return;
  for (let look = 0; look < LOOKS && !closing.aborted; look++) {
    await sleep(BETWEEN_LOOKS_MS, undefined, { signal: closing, ref: false }).catch(() => undefined);
    if (!closing.aborted) await giveBackOrphanedKeys(kibana);
  }
}
