/** One process of the built `dyno` command, in a folder of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const COMMAND = path.join(process.cwd(), 'build/dyno.js');

const CLOCK = 'clock.cjs';
/** Loaded before the command, by its threads too: the time of day is as far off as a file says, the other clocks go on. */
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

/** One start of `dyno` with what it says; its output can be closed as by a reader that has gone. */
export class Command {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  said = '';

  /** `environment` is laid over the process's own. */
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
      stream.on('data', (chunk: Buffer) => (this.said += chunk.toString()));
      stream.on('error', () => undefined);
    }
    this.ended = new Promise((resolve) =>
      this.child.once('exit', (code, signal) => {
        // What it said last is read before it is looked at.
        setTimeout(() => resolve({ code, signal }), 50);
      }),
    );
  }
}

export const idSaid = ({ said }: Command): string | undefined =>
  /\brun (\d{8}-\d{6}-[0-9a-f]{4})\b/.exec(said)?.[1];

/** Processes whose environment names the folder: what the command started, and itself. */
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
