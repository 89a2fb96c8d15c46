import type { RunDetail } from '../../common/api/runs';
import type { RunState } from '../../common/experiment/run';
import type { RunService } from '../run/queue/queue';
import { streamRun } from './run-stream';

type Change = Parameters<Parameters<RunService['follow']>[1]>[0];

/** Returns the events of a run. The test sets the state of the run and its progress. */
function carried() {
  let state: RunState = 'running';
  let heartbeat = 0;
  const listeners = new Set<(change: Change) => void>();
  const abort = new AbortController();
  const events = streamRun(
    'a',
    {
      follow(_, listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      progress: () => ({ runId: 'a' }) as never,
      queuedBehind: () => null,
    },
    () =>
      Promise.resolve({ run: { run: { id: 'a', state, heartbeat: heartbeat++ } } } as unknown as RunDetail),
    abort.signal,
  );
  const notify = (change: Change): void => listeners.forEach((listener) => listener(change));
  return { events, notify, abort, listeners, become: (next: RunState) => (state = next) };
}

const typeOf = async (events: AsyncGenerator<{ type: string }>): Promise<string | undefined> =>
  ((await events.next()).value as { type: string } | undefined)?.type;

test('the run is sent first, then its progress, and its end last', async () => {
  const { events, notify, become, listeners } = carried();
  expect(await typeOf(events)).toBe('run');
  notify('progress');
  expect(await typeOf(events)).toBe('progress');
  become('completed');
  notify('documents');
  expect(await typeOf(events)).toBe('run');
  expect((await events.next()).value).toEqual({ type: 'end', state: 'completed' });
  expect((await events.next()).done).toBe(true);
  expect(listeners.size).toBe(0);
});

test('a heartbeat alone sends no event', async () => {
  const { events, notify } = carried();
  await events.next();
  notify('documents');
  notify('progress');
  expect(await typeOf(events)).toBe('progress');
  await events.return(undefined);
});

test('a run of another process is read again periodically', async () => {
  const { events, become } = carried();
  await events.next();
  become('cancelled');
  expect(await typeOf(events)).toBe('run');
  expect(await typeOf(events)).toBe('end');
});

test('it ends when the reader disconnects', async () => {
  const { events, abort, listeners } = carried();
  await events.next();
  const next = events.next();
  abort.abort();
  expect((await next).done).toBe(true);
  expect(listeners.size).toBe(0);
});
