/** Builds the collector while Dyno starts, if `npm start` requests it. */
import { spawn } from 'node:child_process';
import type { Steps } from './steps';

/**
 * Runs `script` with Node.js to build the collector; does nothing if it is null. Only its output on stderr is shown. Rejects if it fails.
 * Aborting `signal` kills the script with all its children and rejects with the signal's reason.
 */
export async function buildCollector(
  script: string | null,
  steps: Steps,
  signal: AbortSignal,
): Promise<void> {
  if (script === null) return;
  await steps.carry(
    { doing: 'Building the collector (only once, takes a few minutes)', done: 'The collector is built' },
    () => carryOut(script, signal),
  );
}

const carryOut = (script: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    // A separate process group, because the compiler starts other processes.
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 2], detached: true });
    const end = (): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The error is ignored, because it means that the process has already ended.
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
