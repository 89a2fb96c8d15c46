/** Builds the collector while Dyno starts, where `npm start` says that it is to be built. */
import { spawn } from 'node:child_process';
import type { Steps } from './steps';

/**
 * `script`: for Node.js; null builds nothing. What it says goes to stderr. Rejects with an Error where it fails, or with the
 * reason of `signal`, which ends it with all that it has started.
 */
export async function buildCollector(
  script: string | null,
  steps: Steps,
  signal: AbortSignal,
): Promise<void> {
  if (script === null) return;
  await steps.carry(
    { doing: 'Building the collector (some minutes, once)', done: 'The collector is built' },
    () => carryOut(script, signal),
  );
}

const carryOut = (script: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    // In a group of its own: the compiler starts others.
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 2, 2], detached: true });
    const end = (): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    child.once('error', reject);
    child.once('exit', (code) => {
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason as Error);
      else if (code === 0) resolve();
      else reject(new Error('see above'));
    });
  });
