/**
 * Ends a server process when this process ends. Node.js cannot make the kernel kill a child together with its parent. Therefore, a small
 * shell script starts the server in its own process group and waits until a pipe is closed. Only this process has the other end of the pipe
 * open. When this process ends, even by SIGKILL, the pipe is closed, and the script ends the process group.
 */
import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { messageOf, runError } from '../../../common/problem';

/** User id and group id with which a server process runs. */
export interface Identity {
  uid: number;
  gid: number;
}

/**
 * Shell script that starts a server and ends it when the pipe on its standard input is closed. `$1`: time for an orderly shutdown, in
 * seconds. All further arguments are the command of the server. The last line of the script kills all remaining processes of the process
 * group, including its own shell.
 */
export const SUPERVISOR_SCRIPT = `
grace=$1; shift
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(
  while read -r _; do :; done
  kill -TERM "$server" 2>/dev/null
  sleep "$grace"
  kill -KILL 0
) <&3 &
exec 3<&-
wait "$server"
echo "dyno: the server ended with code $?"
kill -KILL 0
`;

export interface ServerProcess {
  readonly exited: boolean;
  /** Resolves when the server and all its children have ended. Never rejects. */
  readonly exit: Promise<void>;
  /** Sends SIGTERM to the server. Resolves when the server has ended. */
  stop(): Promise<void>;
  /** Sends SIGKILL to the server. Resolves when the server has ended. */
  kill(): Promise<void>;
}

export interface ServerCommand {
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Path of the file for stdout and stderr. An existing file is truncated. */
  logFile: string;
  /** User as which the server runs; undefined for the user as which Dyno runs. */
  identity: Identity | undefined;
  /** Time in s for an orderly shutdown, after which the server is killed. */
  graceS: number;
}

/** Starts a server. Rejects with a DynoError `process.not-started` if the process cannot be created. */
export async function startServer({
  command,
  cwd,
  env,
  logFile,
  identity,
  graceS,
}: ServerCommand): Promise<ServerProcess> {
  const log = await open(logFile, 'w');
  const child = spawn('/bin/sh', ['-c', SUPERVISOR_SCRIPT, 'dyno-supervisor', String(graceS), ...command], {
    cwd,
    env,
    // The server gets a separate process group, so that Ctrl-C reaches only this process.
    detached: true,
    stdio: ['pipe', log.fd, log.fd],
    ...identity,
  });
  const pipe = child.stdin!;
  // Nothing is written to the pipe, so an error only means that the server has already ended.
  pipe.on('error', () => undefined);
  let exited = false;
  const exit = new Promise<void>((resolve) => {
    child.once('exit', () => {
      exited = true;
      resolve();
    });
  });
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
  } catch (error) {
    const as = identity ? ` as uid ${identity.uid}` : '';
    throw runError('process.not-started', '', `no process${as} could be started: ${messageOf(error)}`, error);
  } finally {
    await log.close();
  }
  return {
    get exited() {
      return exited;
    },
    exit,
    stop() {
      pipe.end();
      return exit;
    },
    kill() {
      if (!exited && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      return exit;
    },
  };
}
