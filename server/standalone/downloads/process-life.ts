/** Whether a process lives, known by its id alone. */
import { readFileSync } from 'node:fs';

/** Ended, but not yet collected by its parent; where that is a container's first process, perhaps never. */
function isZombie(pid: number): boolean {
  try {
    // The name in parentheses may hold anything; the state follows it.
    return /^.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Of this machine, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !isZombie(pid);
}
