/** A run as it goes on: server-sent events where they come through, else asked again and again. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { runEventSchema, type RunDetail, type RunStreamEvent } from '../../common/api/runs';
import { FINAL_STATES } from '../../common/experiment/run';
import { useApp } from '../app/context';
import { useApi, type ApiQuery } from './queries';

/** While no event stream is open, ms. */
const POLL_MS = 2000;
/** A stream that has told nothing for so long, of a run of which there may be nothing to tell, is asked beside, ms. */
const QUIET_MS = 10_000;
/** One that was quiet for so long may be dead without a word: it is opened anew, and tells the run as it is, ms. */
const STREAM_LOST_MS = 30_000;
/** Without an answer for longer a page is not live, ms. */
export const NEWS_LATE_MS = QUIET_MS + 5000;

function apply(before: RunDetail | undefined, event: RunStreamEvent): RunDetail | undefined {
  if (event.type === 'run') return event.detail;
  if (event.type === 'progress' && before) return { ...before, progress: event.progress };
  return before;
}

interface StreamListener {
  /** Whether events come through now. */
  onState: (open: boolean) => void;
  /** The text of an event; true where it was the last. */
  onEvent: (text: string) => boolean;
}

/**
 * Listens until the returned function is called. A browser opens a stream again that was cut, but not one that was refused
 * (a host that starts answers 503) and not one that is dead without a word: this does.
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

/** The run with its trials and progress, renewed until it has ended. */
export function useRun(id: string): ApiQuery<'getRun'> {
  const { client } = useApp();
  const queries = useQueryClient();
  const [streams, setStreams] = useState(false);
  const request = { params: { id } };
  const [over, setOver] = useState(false);
  // What the stream tells renews the answer too, and with it the time until it is asked for.
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
