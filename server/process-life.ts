/** Finds out whether a process of this machine is alive, for carriers of runs, and holders of locks, ports and folders. */
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** Identifies a process, and distinguishes it from a later one with the same id. */
export interface ProcessIdentity {
  /** Name of its machine. */
  host: string;
  pid: number;
  /** Unique text for each process. */
  instance: string;
}

/**
 * Returns the state of a process and its start, in clock ticks since boot; both '' if the system does not report them. They are fields 3
 * and 22 of /proc/<pid>/stat (proc(5)). Fields are counted after the command's name, which is in parentheses and may contain anything.
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
 * Whether a process with this id is alive, also of another user. A zombie, which has ended but was not collected by its parent, is not alive.
 * The first process of a container may never collect its children.
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

/** Whether the process is alive, as opposed to a later one with its id. Only for processes of this machine. */
export const isStillAlive = ({ pid, instance }: Pick<ProcessIdentity, 'pid' | 'instance'>): boolean =>
  isAlive(pid) && instance === instanceOf(pid);
