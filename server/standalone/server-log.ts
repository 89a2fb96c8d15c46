/** The log of the server: what it says on the console, kept in its data folder for those who look later. */
import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { withoutAddressSecrets } from '../../common/secrets/redact';
import { printable } from '../../common/text/printable';
import { TaskChain } from '../waiting';
import type { Console } from './terminal/console';

/** Of the file that is written, and of the one before it, bytes. */
const LARGEST = 5 * 1024 ** 2;

export const logsFolder = (dataFolder: string): string => path.join(dataFolder, 'logs');
export const serverLogOf = (dataFolder: string): string => path.join(logsFolder(dataFolder), 'server.log');

export interface ServerLog {
  /** Says everything on the console that was given, too. */
  console: Console;
  /** In the file alone. */
  note(level: 'INFO' | 'ERROR', text: string): void;
  /** Resolves when everything is in the file. */
  close(): Promise<void>;
}

/** Never rejects: a log that no disk takes is no reason not to serve. `largest`: less for tests. */
export async function openServerLog(
  console: Console,
  dataFolder: string,
  largest = LARGEST,
): Promise<ServerLog> {
  const file = serverLogOf(dataFolder);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 }).catch(() => undefined);
  let bytes = (await stat(file).catch(() => ({ size: 0 }))).size;
  const writes = new TaskChain();

  async function write(text: string): Promise<void> {
    if (bytes > largest) {
      await rename(file, `${file}.1`);
      bytes = 0;
    }
    await appendFile(file, text, { mode: 0o600 });
    bytes += Buffer.byteLength(text);
  }
  const keep = (level: string, text: string): void => {
    const line = `${new Date().toISOString()} ${level} ${withoutAddressSecrets(printable(text).trim())}\n`;
    writes.add(() => write(line)).catch(() => undefined);
  };
  return {
    console: {
      ...console,
      print: (text) => {
        keep('INFO', text);
        console.print(text);
      },
      say: (text) => {
        keep('INFO', text);
        console.say(text);
      },
      warn: (text) => {
        keep('WARN', text);
        console.warn(text);
      },
    },
    note: keep,
    close: () => writes.settled(),
  };
}
