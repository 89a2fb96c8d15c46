/** Builds the binary of dynobeat, Dyno's collector, while Dyno starts. `npm start` requests this. */
import { spawn } from 'node:child_process';
import type { Steps } from './steps';

/**
 * Executes `script`, a Node.js script that builds the binary of dynobeat. Does nothing if `script` is null. Shows only the script's output
 * on stderr. Rejects if the script fails. If `signal` aborts, kills the script with all its children and rejects with the signal's reason.
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
    // The script gets a separate process group, so that the processes that the compiler starts can be killed too.
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
