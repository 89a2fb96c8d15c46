/**
 * Ties a server to the life of this process. Node.js cannot ask the kernel to end a child with its parent, so a small
 * shell stands between them: it leads a process group of its own, and waits for the end of a pipe whose other end only
 * this process holds. However this process ends, SIGKILL included, the pipe ends with it and the group follows.
 */
import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { messageOf, runError } from '../../../common/problem';

/** Whose rights a server runs with. */
export interface Identity {
  uid: number;
  gid: number;
}

/**
 * `$1` is the grace in seconds, the rest the command. Stopping has one way for all reasons: the pipe ends. The last line
 * takes along whatever the command left in the group, this shell included.
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
  /** Settles when the server and everything that it started is gone; never rejects. */
  readonly exit: Promise<void>;
  /** Ends it as an operator would; resolves when it is gone. */
  stop(): Promise<void>;
  /** Ends it as a power cut would; resolves when it is gone. */
  kill(): Promise<void>;
}

export interface ServerCommand {
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Takes stdout and stderr; emptied first. */
  logFile: string;
  /** Undefined for the user who runs Dyno. */
  identity: Identity | undefined;
  /** What it gets to end in order before it is killed, s. */
  graceS: number;
}

/** Rejects with a DynoError `process.not-started` if the process cannot be made at all. */
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
    // A group of its own: Ctrl-C is ours to answer.
    detached: true,
    stdio: ['pipe', log.fd, log.fd],
    ...identity,
  });
  const pipe = child.stdin!;
  // Writing to it is not the point; that it may be gone already is no error.
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
