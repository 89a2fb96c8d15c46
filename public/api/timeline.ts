/**
 * Fetches the metrics of a run over time for its charts. During a run, they are fetched every few seconds. Outdated responses are soon
 * removed from the cache, so that memory does not grow while the page is open.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RouteRequest } from '../../common/api/route';
import type { Api } from '../../common/api';
import { useApp } from '../app/context';
import type { ApiError } from './client';
import type { ApiQuery } from './queries';

/** Shortest refresh interval during a run, in ms. The interval is longer if each point of a chart covers more time. */
const LIVE_MS = 3000;
const SLOWEST_MS = 15_000;
/** Time until the next try after a failure, in ms. */
const TRY_AGAIN_MS = 3000;
/** Time for which a response that is no longer shown stays in the cache, in ms. */
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
  // `live` is part of the key. Otherwise, the last answer during the run would be used after the run, and the end of the run would be
  // missing in it.
  const query = useQuery<unknown, ApiError>({
    queryKey: [name, request, live],
    queryFn: ({ signal }) => client.call(name, request, signal),
    enabled,
    refetchInterval: ({ state: { data, error } }) =>
      error !== null && (error.status === 0 || error.status >= 502) ? TRY_AGAIN_MS : live && paceOf(data),
    // A finished run does not change any more.
    staleTime: live ? 0 : Infinity,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    gcTime: KEPT_MS,
  });
  return query as ApiQuery<N>;
}

export interface Stretch {
  /** Id of a trial, or '' for the whole run. */
  trial: string;
  /** Beginning of the time range in ISO 8601; '' if the range has no beginning. */
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

/** Fetches the heat map of a trial. Sends no request if `trial` or `task` is empty. */
export const useHeatmap = (run: string, trial: string, task: string, live: boolean): ApiQuery<'getHeatmap'> =>
  useTimelineRoute(
    'getHeatmap',
    { params: { id: run }, query: { trial, task } },
    { live, enabled: trial !== '' && task !== '' },
  );

export const useParts = (run: string, trial: string, task: string, live: boolean): ApiQuery<'getParts'> =>
  useTimelineRoute('getParts', { params: { id: run }, query: { trial, task } }, { live });
