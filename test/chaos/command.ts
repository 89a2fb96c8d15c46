/** Starts processes of the built `dyno` command, each in its own folder. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const COMMAND = path.join(process.cwd(), 'build/dyno.js');

const CLOCK = 'clock.cjs';
/**
 * Writes a module that shifts the time of day. The offset in ms is in the file `offset` in `folder`. The module is loaded before the
 * command and in each of its threads.
 */
export const writeClock = (folder: string): void =>
  writeFileSync(
    path.join(folder, CLOCK),
    `const { readFileSync } = require('node:fs');
let offset = 0;
setInterval(() => {
  try {
    offset = Number(readFileSync(${JSON.stringify(path.join(folder, 'offset'))}, 'utf8'));
  } catch {}
}, 50).unref();
const Truth = Date;
const now = () => Truth.now() + offset;
globalThis.Date = class extends Truth {
  constructor(...args) {
    super(...(args.length === 0 ? [now()] : args));
  }
  static now() {
    return now();
  }
};
`,
  );

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running process of the `dyno` command, and its output so far. */
export class Command {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  output = '';

  /** Starts the command. `environment`: variables in addition to the environment of this process. */
  constructor(folder: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const own = existsSync(path.join(folder, CLOCK)) ? ['--require', path.join(folder, CLOCK)] : [];
    this.child = spawn(process.execPath, ['--enable-source-maps', ...own, COMMAND, ...args], {
      cwd: folder,
      env: {
        ...process.env,
        DYNO_DATA: path.join(folder, 'data'),
        TMPDIR: path.join(folder, 'tmp'),
        NO_COLOR: '1',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
      stream.on('error', () => undefined);
    }
    this.ended = new Promise((resolve) =>
      this.child.once('exit', (code, signal) => {
        // The delay leaves time to read the end of the output.
        setTimeout(() => resolve({ code, signal }), 50);
      }),
    );
  }
}

/** Returns the id of the run from the output of the command; undefined if the command printed none. */
export const idPrinted = ({ output }: Command): string | undefined =>
  /\brun (\d{8}-\d{6}-[0-9a-f]{4})\b/.exec(output)?.[1];

/**
 * Returns the ids of the processes that use the data folder in `folder`, as their environment shows: the command and the processes that it
 * started.
 */
export function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DYNO_DATA=${folder}/`);
      } catch {
        return false;
      }
    });
}
