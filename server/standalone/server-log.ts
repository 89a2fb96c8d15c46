/** Log file of the server, in its data folder. It contains everything that the server prints on the console. */
import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { withoutAddressSecrets } from '../../common/secrets/redact';
import { printable } from '../../common/text/printable';
import { TaskChain } from '../waiting';
import type { Console } from './terminal/console';

/** Maximum size of the log file, in bytes. One older file stays on disk. */
const LARGEST = 5 * 1024 ** 2;

export const logsFolder = (dataFolder: string): string => path.join(dataFolder, 'logs');
export const serverLogOf = (dataFolder: string): string => path.join(logsFolder(dataFolder), 'server.log');

export interface ServerLog {
  /** Console that writes to the log file and also to the console that was passed to {@link openServerLog}. */
  console: Console;
  /** Writes only to the log file. */
  note(level: 'INFO' | 'ERROR', text: string): void;
  /** Resolves when all lines are written to the file. */
  close(): Promise<void>;
}

/**
 * Opens the log file. Never rejects, because the server also works if it cannot write the log. `largest`: maximum size of the file in
 * bytes; smaller in tests.
 */
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
