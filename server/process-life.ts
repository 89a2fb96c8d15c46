/**
 * Finds out whether a process of this machine is alive. This is needed for processes that execute runs, or that hold locks, ports or
 * folders.
 */
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** Identifies a process. A later process with the same id has another identity. */
export interface ProcessIdentity {
  /** Name of the machine on which the process runs. */
  host: string;
  pid: number;
  /** Distinguishes the process from later processes with the same pid: the pid and the start time of the process, such as `4711-83210`. */
  instance: string;
}

/**
 * Returns the state of a process, and the time of its start in clock ticks since the boot of the system. Both are '' if the system does not
 * report them. They are fields 3 and 22 of /proc/<pid>/stat (proc(5)). The fields are counted from the end of the command's name, which is
 * in parentheses and may contain any characters.
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
 * Returns whether a process with this id is alive, also if it belongs to another user. A zombie is not alive: it has ended, but its parent
 * has not collected it. In a container, a zombie may remain forever, because the first process may never collect its children.
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

/** Returns whether the process is still running on this machine. Returns false if it has ended and another process now has the same pid. */
export const isStillAlive = ({ pid, instance }: Pick<ProcessIdentity, 'pid' | 'instance'>): boolean =>
  isAlive(pid) && instance === instanceOf(pid);
