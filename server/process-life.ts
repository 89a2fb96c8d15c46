/**
 * Finds out whether a process of this machine is alive. Dyno needs this for processes that execute runs, or that hold locks, ports or
 * folders.
 */
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** Identity of a process. A later process with the same pid has another identity. */
export interface ProcessIdentity {
  /** Name of the machine on which the process runs. */
  host: string;
  pid: number;
  /**
   * Text that distinguishes the process from later processes with the same pid. It consists of the pid and the start time of the process,
   * such as `4711-83210`.
   */
  instance: string;
}

/**
 * Returns the state of a process, and its start time in clock ticks since the boot of the system. Both are '' if the system does not report
 * them. They are fields 3 and 22 of /proc/<pid>/stat (proc(5)). Field 2 is the name of the command in parentheses, which may contain any
 * characters. Therefore, the fields are counted from the last closing parenthesis.
 */
function statOf(pid: number): { state: string; start: string } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', start: fields[19] ?? '' };
  } catch {
    return { state: '', start: '' };
  }
}

/**
 * Returns whether a process with this id is alive, even if it belongs to another user. A zombie is not alive: it has ended, but its parent
 * has not collected its exit code. In a container, zombies may remain forever, because the first process may never do this.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !/^[ZX]$/.test(statOf(pid).state);
}

const instanceOf = (pid: number): string => `${pid}-${statOf(pid).start}`;

export const thisProcess = (): ProcessIdentity => ({
  host: os.hostname(),
  pid: process.pid,
  instance: instanceOf(process.pid),
});

/** Returns whether this process is still running on this machine. Returns false if another process now has its pid. */
export const isStillAlive = ({ pid, instance }: Pick<ProcessIdentity, 'pid' | 'instance'>): boolean =>
  isAlive(pid) && instance === instanceOf(pid);
