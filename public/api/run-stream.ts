/** Follows a run while it is running: with server-sent events if they arrive, otherwise by polling. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { runEventSchema, type RunDetail, type RunStreamEvent } from '../../common/api/runs';
import { FINAL_STATES } from '../../common/experiment/run';
import { useApp } from '../app/context';
import { useApi, type ApiQuery } from './queries';

/** Polling interval without an open event stream, in ms. */
const POLL_MS = 2000;
/** If no event arrives for this time, in ms, the run is also polled. The silence may only mean that nothing has changed. */
const QUIET_MS = 10_000;
/** If no event arrives for this time, in ms, the stream may be dead. It is opened again, and the server then sends the current state. */
const STREAM_LOST_MS = 30_000;
/** The page is no longer shown as live if neither an event nor a response has arrived for this time, in ms. */
export const NEWS_LATE_MS = QUIET_MS + 5000;

function apply(before: RunDetail | undefined, event: RunStreamEvent): RunDetail | undefined {
  if (event.type === 'run') return event.detail;
  if (event.type === 'progress' && before) return { ...before, progress: event.progress };
  return before;
}

interface StreamListener {
  /** Called with true when the stream opens, and with false when it is interrupted. */
  onState: (open: boolean) => void;
  /** Called with the text of each event. Returns true if this was the last event; the stream is then closed. */
  onEvent: (text: string) => boolean;
}

/**
 * Opens an event stream and listens to it until the returned function is called. If an open connection is lost, the browser opens the
 * stream again. This function opens it again if the server refused it, as a starting server does (status 503). It also does so if no events
 * arrive and no error is reported.
 */
export function listen(url: string, { onState, onEvent }: StreamListener): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const again = (afterMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(open, afterMs);
  };
  function open(): void {
    source?.close();
    const opened = new EventSource(url, { withCredentials: true });
    source = opened;
    again(STREAM_LOST_MS);
    opened.onopen = () => onState(true);
    opened.onerror = () => {
      onState(false);
      if (opened.readyState === EventSource.CLOSED) again(POLL_MS);
    };
    opened.onmessage = ({ data }: MessageEvent<string>) => {
      again(STREAM_LOST_MS);
      if (onEvent(data)) end();
    };
  }
  function end(): void {
    clearTimeout(timer);
    source?.close();
  }
  open();
  return end;
}

/** Fetches the run with its trials and progress, and keeps it up to date until it has ended. */
export function useRun(id: string): ApiQuery<'getRun'> {
  const { client } = useApp();
  const queries = useQueryClient();
  const [streams, setStreams] = useState(false);
  const request = { params: { id } };
  const [over, setOver] = useState(false);
  // Events of the stream also update the answer, which postpones the next poll.
  const query = useApi('getRun', request, { every: over ? false : streams ? QUIET_MS : POLL_MS });
  const state = query.data?.run.run.state;
  const ended = state !== undefined && FINAL_STATES.includes(state);
  const known = state !== undefined;
  useEffect(() => setOver(ended), [ended]);
  useEffect(() => {
    if (!known || ended) return undefined;
    const end = listen(client.urlOf('streamRun', { params: { id } }), {
      onState: setStreams,
      onEvent(text) {
        const parsed = runEventSchema.safeParse(JSON.parse(text));
        if (!parsed.success) return false;
        queries.setQueryData<RunDetail>(['getRun', { params: { id } }], (before) =>
          apply(before, parsed.data),
        );
        if (parsed.data.type !== 'end') return false;
        void queries.invalidateQueries({ queryKey: ['getRun'] });
        return true;
      },
    });
    return () => {
      end();
      setStreams(false);
    };
  }, [client, queries, id, known, ended]);
  return query;
}
