/** Runs the built `dyno` command as a user would, with a separate data folder. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const COMMAND = path.resolve(__dirname, '../../../build/dyno.js');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** Resolves when standard error matches `pattern`. Rejects if the command ends before that. */
  says(pattern: RegExp): Promise<void>;
}

export interface Workplace {
  folder: string;
  /** Writes a definition (or any text) and returns its path. */
  write(name: string, content: unknown): string;
  start(...args: string[]): Running;
  dyno(...args: string[]): Promise<Ended>;
  /** Kills commands that are still running, and removes the folder. */
  remove(): void;
}

/** Creates a folder for definitions, reports and data. `environment`: variables that are added to those of this process. */
export function workplace(environment: Record<string, string> = {}): Workplace {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-run-'));
  const children = new Set<ChildProcess>();
  const start = (...args: string[]): Running => {
    const child = spawn(process.execPath, ['--enable-source-maps', COMMAND, ...args], {
      cwd: folder,
      env: { ...process.env, DYNO_DATA: path.join(folder, 'data'), NO_COLOR: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    let stdout = '';
    let stderr = '';
    const watchers = new Set<() => void>();
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      watchers.forEach((watch) => watch());
    });
    const ended = new Promise<Ended>((resolve) => {
      child.once('close', (code) => resolve({ code, stdout, stderr }));
    });
    return {
      child,
      ended,
      says: (pattern) =>
        new Promise((resolve, reject) => {
          const watch = (): void => {
            if (!pattern.test(stderr)) return;
            watchers.delete(watch);
            resolve();
          };
          watchers.add(watch);
          watch();
          void ended.then(() =>
            reject(new Error(`ended without output that matches ${String(pattern)}:\n${stdout}\n${stderr}`)),
          );
        }),
    };
  };
  return {
    folder,
    write(name, content) {
      const file = path.join(folder, name);
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return file;
    },
    start,
    dyno: (...args) => start(...args).ended,
    remove() {
      // A failed test may not have ended its command.
      for (const child of children)
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
