/** A run as it goes on: server-sent events where they come through, else asked again and again. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { runEventSchema, type RunDetail, type RunStreamEvent } from '../../common/api/runs';
import { FINAL_STATES } from '../../common/experiment/run';
import { useApp } from '../app/context';
import { useApi, type ApiQuery } from './queries';

/** While no event stream is open, ms. */
const POLL_MS = 2000;

function apply(before: RunDetail | undefined, event: RunStreamEvent): RunDetail | undefined {
  if (event.type === 'run') return event.detail;
  if (event.type === 'progress' && before) return { ...before, progress: event.progress };
  return before;
}

/** The run with its trials and progress, renewed until it has ended; a lost stream is opened again by the browser. */
export function useRun(id: string): ApiQuery<'getRun'> {
  const { client } = useApp();
  const queries = useQueryClient();
  const [streams, setStreams] = useState(false);
  const request = { params: { id } };
  const [over, setOver] = useState(false);
  const query = useApi('getRun', request, { every: streams || over ? false : POLL_MS });
  const state = query.data?.run.run.state;
  const ended = state !== undefined && FINAL_STATES.includes(state);
  const known = state !== undefined;
  useEffect(() => setOver(ended), [ended]);
  useEffect(() => {
    if (!known || ended) return undefined;
    const source = new EventSource(client.urlOf('streamRun', { params: { id } }), { withCredentials: true });
    source.onopen = () => setStreams(true);
    source.onerror = () => setStreams(false);
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const parsed = runEventSchema.safeParse(JSON.parse(data));
      if (!parsed.success) return;
      queries.setQueryData<RunDetail>(['getRun', { params: { id } }], (before) => apply(before, parsed.data));
      if (parsed.data.type === 'end') {
        source.close();
        void queries.invalidateQueries({ queryKey: ['getRun'] });
      }
    };
    return () => {
      source.close();
      setStreams(false);
    };
  }, [client, queries, id, known, ended]);
  return query;
}
