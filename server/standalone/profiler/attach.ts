/**
 * Loads a native agent into a running JVM with HotSpot's attach protocol, which `jcmd` also uses. Sources: `attachListener_posix.cpp` and
 * `VirtualMachineImpl.java` of OpenJDK, and jattach (https://github.com/jattach/jattach).
 *
 * A JVM only answers root and the user as which it runs. Dyno is one of these for all nodes that it starts.
 */
import { readFileSync } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, runError } from '../../../common/problem';
import { isAlive } from '../../process-life';

/** Maximum time, in ms, in which a JVM must open its socket. An idle JVM needs about 20 ms. */
const OPEN_TIMEOUT_MS = 15_000;
/** Pause between two checks for the socket, in ms. */
const LOOK_MS = 20;
/** Maximum time, in ms, in which a JVM must answer a command. To answer the last command of a long profile takes a few seconds. */
const ANSWER_TIMEOUT_MS = 120_000;

/** Folder for the files of the protocol. On Linux, HotSpot always uses `/tmp`, regardless of `TMPDIR` and `java.io.tmpdir`. */
const folder = (): string => (process.platform === 'linux' ? '/tmp' : tmpdir());

/** Path of the socket of a JVM. It exists from the first use of the protocol until the JVM ends. */
export const socketOf = (pid: number): string => `${folder()}/.java_pid${pid}`;

/** Path of the file that asks a JVM to open its socket. */
const requestOf = (pid: number): string => `${folder()}/.attach_pid${pid}`;

/** SIGQUIT is signal 3, so it is bit 2 of a mask of signals. */
const SIGQUIT_BIT = 2n;

/**
 * Returns whether the process handles SIGQUIT, as every JVM with this protocol does. The signal would end any other process. On systems
 * without /proc, returns true.
 */
function handlesQuit(pid: number): boolean {
  try {
    const mask = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return mask === undefined || ((BigInt(`0x${mask}`) >> SIGQUIT_BIT) & 1n) === 1n;
  } catch {
    return true;
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Makes the JVM open its socket. Rejects with an Error. */
async function openSocket(pid: number): Promise<void> {
  if (!isAlive(pid)) throw new Error('the process has ended');
  if (!handlesQuit(pid)) throw new Error('the process is no JVM, or a JVM that refuses agents');
  const request = requestOf(pid);
  try {
    // In /tmp, another user could have placed a link here. `wx` follows no link.
    await rm(request, { force: true });
    await writeFile(request, '', { mode: 0o600, flag: 'wx' });
    process.kill(pid, 'SIGQUIT');
    const deadline = performance.now() + OPEN_TIMEOUT_MS;
    while (!(await isThere(socketOf(pid)))) {
      if (!isAlive(pid)) throw new Error('the process has ended');
      if (performance.now() > deadline) throw new Error(`no answer within ${OPEN_TIMEOUT_MS / 1000} s`);
      await sleep(LOOK_MS);
    }
  } finally {
    await rm(request, { force: true });
  }
}

/** Sends a command with its three arguments in version 1 of the protocol. Resolves to the whole answer. Rejects with an Error. */
function send(pid: number, command: readonly [string, string, string, string]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketOf(pid));
    let answer = '';
    socket.setEncoding('utf8');
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => {
      socket.destroy(new Error(`no answer within ${ANSWER_TIMEOUT_MS / 1000} s`));
    });
    socket.on('connect', () => socket.write(['1', ...command, ''].join('\0')));
    socket.on('data', (text: string) => (answer += text));
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

/**
 * Returns the reason in a JVM's answer to `load`; '' if the agent was loaded and accepted its options. The first line is the status of the
 * command. Then Java 9 and later write `return code: N` of the agent. Java 21 and later write an error message instead if the agent could
 * not be loaded.
 */
export function refusalIn(answer: string): string {
  const [status = '', ...rest] = answer.split('\n');
  const text = rest.join('\n').trim();
  if (status.trim() !== '0') return text || `status ${status.trim() || 'missing'}`;
  return text === '' || text === 'return code: 0' ? '' : text;
}

/**
 * Loads the agent `library` into the JVM with this process id, or calls the loaded one again, with `options`. Resolves when the agent has
 * carried them out. Rejects with a DynoError `profiler.refused`.
 */
export async function loadAgent(pid: number, library: string, options: string): Promise<void> {
  let refusal: string;
  try {
    if (!(await isThere(socketOf(pid)))) await openSocket(pid);
    refusal = refusalIn(await send(pid, ['load', library, 'true', options]));
  } catch (error) {
    throw runError(
      'profiler.refused',
      '',
      `process ${pid} did not load ${library}: ${messageOf(error)}`,
      error,
    );
  }
  if (refusal !== '')
    throw runError('profiler.refused', '', `process ${pid} did not load ${library}: ${refusal}`);
}
