/** Whether a process of this machine lives: the one answer for who carries runs, holds locks, serves, and owns folders. */
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** A process, known from a later one that was given the same id. */
export interface ProcessIdentity {
  /** Name of its machine. */
  host: string;
  pid: number;
  /** New with every process. */
  instance: string;
}

/**
 * Its state and when it started, in clock ticks since boot; both '' where the system does not tell. They are fields 3 and
 * 22 of /proc/<pid>/stat (proc(5)), counted from behind the command's name, which stands in parentheses and may hold
 * anything.
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
 * Whether a process of this id lives, whoever owns it. One that has ended and was not collected by its parent yet does not;
 * where the parent is a container's first process, it is perhaps never collected.
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

/** Whether the process lives, and not a later one of its id. Only of processes of this machine. */
export const isStillAlive = ({ pid, instance }: Pick<ProcessIdentity, 'pid' | 'instance'>): boolean =>
  isAlive(pid) && instance === instanceOf(pid);
