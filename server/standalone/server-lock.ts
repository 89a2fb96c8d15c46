/**
 * Allows only one server per data folder. Two servers on the same folder would measure at the same time and start the runs of schedules
 * twice.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { inputError } from '../../common/problem';
import { isStillAlive, thisProcess } from '../process-life';
import { writeWhole } from '../whole-file';
import { withFileLock } from './downloads/file-lock';

interface Serving {
  pid: number;
  /** Random id that distinguishes this process from a later process with the same process id. */
  instance: string;
  host: string;
  /** URL of the server; '' until it listens. */
  url: string;
}

export interface ServerLock {
  /** Stores the URL of the server. If a user starts a second server, the error message shows this URL. */
  publish(url: string): Promise<void>;
  release(): Promise<void>;
}

async function read(file: string): Promise<Serving | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Serving;
  } catch {
    return undefined;
  }
}

/**
 * Returns the URL of the server that serves `folder`; undefined if no server is running on this machine, or the server does not listen yet.
 */
export async function readServing(folder: string): Promise<string | undefined> {
  const serving = await read(path.join(folder, 'serving.json'));
  if (serving?.host !== thisProcess().host || !isStillAlive(serving)) return undefined;
  return serving.url === '' ? undefined : serving.url;
}

/**
 * Locks the data folder for this server. Rejects with an input error `serve.running` if another live process on this machine serves
 * `folder`.
 */
export async function lockDataFolder(folder: string): Promise<ServerLock> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'serving.json');
  const { pid, instance, host } = thisProcess();
  const write = async (url: string): Promise<void> => {
    const serving: Serving = { pid, instance, host, url };
    await writeWhole(file, `${JSON.stringify(serving)}\n`);
  };
  await withFileLock(path.join(folder, 'serving.lock'), async () => {
    const other = await read(file);
    if (other?.host === host && isStillAlive(other)) {
      throw inputError('serve.running', folder, alreadyServed(other), {
        allowed: 'that server, or another folder (DYNO_DATA)',
      });
    }
    await write('');
  });
  return {
    publish: write,
    async release() {
      if ((await read(file))?.instance === instance) await rm(file, { force: true });
    },
  };
}

const alreadyServed = ({ pid, url }: Serving): string =>
  `process ${pid} already serves this data folder${url === '' ? ' and is starting' : `, at ${url}`}`;
