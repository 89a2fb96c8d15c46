/** Streams the progress of a run as events until the run ends. */
import type { RunDetail, RunStreamEvent } from '../../common/api/runs';
import { FINAL_STATES } from '../../common/experiment/run';
import type { RunService } from '../run/queue/queue';

/** Interval in ms at which the results of a run are read if another process executes the run. */
const POLL_MS = 2000;

/**
 * Returns the run as text, to detect changes. The text leaves out the progress and the heartbeat, because they change even if nothing else
 * happens.
 */
const essenceOf = (detail: RunDetail): string =>
  JSON.stringify({ ...detail, progress: null }, (key, value: unknown) =>
    key === 'heartbeat' ? undefined : value,
  );

/**
 * Yields events: `run` at the beginning and after every change, `progress` once a second if this process executes the run, and `end` last.
 * `read` returns the current state of the run. It rejects if the run does not exist or was deleted.
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
  /** Resolves at the next change of the run, at its end, or when the next poll is due. */
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        // Runs of this process are polled too, so that a missed notification only delays a change.
        documents = true;
        resolve();
      }, POLL_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  let sent = '';
  try {
    while (!signal.aborted) {
      if (documents) {
        documents = false;
        const detail = await read();
        const essence = essenceOf(detail);
        if (essence !== sent) yield { type: 'run', detail };
        sent = essence;
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
