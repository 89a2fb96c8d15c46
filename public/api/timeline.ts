/** The timeline of a run for its charts: only the newest answer is kept, so that hours of live data weigh as much as minutes. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RouteRequest } from '../../common/api/route';
import type { Api } from '../../common/api';
import { useApp } from '../app/context';
import type { ApiError } from './client';
import type { ApiQuery } from './queries';

/** While the run goes on, ms: the longer a point lasts, the later there is anything new to see. */
const LIVE_MS = 3000;
const SLOWEST_MS = 15_000;
/** After a failure, ms. */
const TRY_AGAIN_MS = 3000;
/** Stretches that were looked at before stay so long, ms. */
const KEPT_MS = 10_000;

function paceOf(timeline: unknown): number {
  const { bucketMs = 0, columnMs = 0 } = (timeline ?? {}) as { bucketMs?: number; columnMs?: number };
  return Math.min(SLOWEST_MS, Math.max(LIVE_MS, bucketMs / 2, columnMs / 2));
}

interface TimelineOptions {
  live: boolean;
  enabled?: boolean;
}

function useTimelineRoute<N extends 'getTimeline' | 'getHeatmap' | 'getParts'>(
  name: N,
  request: RouteRequest<Api[N]>,
  { live, enabled = true }: TimelineOptions,
): ApiQuery<N> {
  const { client } = useApp();
  // `live` belongs to the key: what was asked for last while the run went on lacks its end.
  const query = useQuery<unknown, ApiError>({
    queryKey: [name, request, live],
    queryFn: ({ signal }) => client.call(name, request, signal),
    enabled,
    refetchInterval: ({ state: { data, error } }) =>
      error !== null && (error.status === 0 || error.status >= 502) ? TRY_AGAIN_MS : live && paceOf(data),
    // What has ended changes no more.
    staleTime: live ? 0 : Infinity,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    gcTime: KEPT_MS,
  });
  return query as ApiQuery<N>;
}

export interface Stretch {
  /** Trial id, or '' for the whole run. */
  trial: string;
  /** ISO 8601, or ''. */
  from: string;
  to: string;
}

export const useTimeline = (
  run: string,
  { trial, from, to }: Stretch,
  live: boolean,
): ApiQuery<'getTimeline'> =>
  useTimelineRoute(
    'getTimeline',
    {
      params: { id: run },
      query: {
        ...(trial === '' ? {} : { trial }),
        ...(from === '' ? {} : { from }),
        ...(to === '' ? {} : { to }),
      },
    },
    { live },
  );

/** `trial` '' asks for nothing. */
export const useHeatmap = (run: string, trial: string, task: string, live: boolean): ApiQuery<'getHeatmap'> =>
  useTimelineRoute(
    'getHeatmap',
    { params: { id: run }, query: { trial, task } },
    { live, enabled: trial !== '' && task !== '' },
  );

export const useParts = (run: string, trial: string, task: string, live: boolean): ApiQuery<'getParts'> =>
  useTimelineRoute('getParts', { params: { id: run }, query: { trial, task } }, { live });
