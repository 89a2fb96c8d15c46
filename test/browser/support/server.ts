/** Starts Dyno as `npm start` does, with a separate data folder, for tests in a browser. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
/** Timeout in ms for the first start of the embedded Elasticsearch. It is long enough for a busy machine. */
export const START_TIMEOUT_MS = 240_000;

export interface DynoServer {
  url: string;
  folder: string;
  log(): string;
  /** Ends the server as Ctrl-C does. Resolves to its exit code. */
  stop(): Promise<number | null>;
  /** Starts the server again with the same data and port. */
  restart(): Promise<void>;
  /** Ends the server in any state, and removes its data. */
  remove(): Promise<void>;
}

interface Going {
  child: ChildProcess;
  url: string;
  ended: Promise<number | null>;
}

/** Starts Dyno. `elasticsearch`: URL of the target. Default: the embedded Elasticsearch. */
export async function startDyno({ elasticsearch }: { elasticsearch?: string } = {}): Promise<DynoServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-browser-'));
  let log = '';
  const start = (port: string): Promise<Going> => {
    const child = spawn(
      process.execPath,
      [
        '--enable-source-maps',
        path.join(ROOT, 'build', 'dyno.js'),
        'start',
        '--port',
        port,
        ...(elasticsearch === undefined ? [] : ['--elasticsearch', elasticsearch]),
      ],
      {
        cwd: ROOT,
        env: { ...process.env, DYNO_DATA: path.join(folder, 'data'), NO_COLOR: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return new Promise((resolve, reject) => {
      const watch = (chunk: Buffer): void => {
        log += chunk.toString();
        const url = /Dyno is at (http:\S+)/.exec(log.slice(log.lastIndexOf('Dyno is at')))?.[1];
        if (url !== undefined) resolve({ child, url, ended });
      };
      child.stdout.on('data', watch);
      child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
      void ended.then((code) => reject(new Error(`dyno start ended with ${code}:\n${log}`)));
    });
  };
  let going = await start('0');
  const { url } = going;
  return {
    url,
    folder,
    log: () => log,
    stop() {
      going.child.kill('SIGINT');
      return going.ended;
    },
    async restart() {
      log = '';
      going = await start(new URL(url).port);
    },
    async remove() {
      if (going.child.exitCode === null && going.child.signalCode === null) {
        going.child.kill('SIGTERM');
        const timer = setTimeout(() => going.child.kill('SIGKILL'), 60_000);
        await going.ended;
        clearTimeout(timer);
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
