/** The timeline of a run as a stream of events, until it ends. */
import type { RunDetail, RunStreamEvent } from '../../common/api/runs';
import { FINAL_STATES } from '../../common/experiment/run';
import type { RunService } from '../run/queue/queue';

/** How often the results are looked at for a run that is carried elsewhere, ms. */
const POLL_MS = 2000;

/** Without what changes though nothing happens. */
const essenceOf = (detail: RunDetail): string =>
  JSON.stringify({ ...detail, progress: null }, (key, value: unknown) =>
    key === 'heartbeat' ? undefined : value,
  );

/**
 * `run` first and at every change, `progress` once a second where the run is carried here, `end` as the last.
 * `read` gives the run as it is now; it rejects for one that is not, or not any more.
 */
export async function* streamRun(
  id: string,
  runs: Pick<RunService, 'follow' | 'progress' | 'queuedBehind'>,
  read: () => Promise<RunDetail>,
  signal: AbortSignal,
): AsyncGenerator<RunStreamEvent> {
  let documents = true;
  let progress = false;
  let wake = (): void => undefined;
  const unfollow = runs.follow(id, (change) => {
    if (change === 'documents') documents = true;
    else progress = true;
    wake();
  });
  const onAbort = (): void => wake();
  signal.addEventListener('abort', onAbort, { once: true });
  /** Resolves at the next change, at the end, or when it is time to look. */
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        // Also of a run that is carried here, lest a change that was not told is never seen.
        documents = true;
        resolve();
      }, POLL_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  let told = '';
  try {
    while (!signal.aborted) {
      if (documents) {
        documents = false;
        const detail = await read();
        const essence = essenceOf(detail);
        if (essence !== told) yield { type: 'run', detail };
        told = essence;
        const { state } = detail.run.run;
        if (FINAL_STATES.includes(state)) {
          yield { type: 'end', state };
          return;
        }
      }
      if (progress) {
        progress = false;
        const now = runs.progress(id);
        if (now) yield { type: 'progress', progress: now };
      }
      if (!documents && !progress && !signal.aborted) await change();
    }
  } finally {
    wake();
    unfollow();
    signal.removeEventListener('abort', onAbort);
  }
}
