/** Data of the pages: the one place where they are fetched, kept, renewed and changed. */
import {
  keepPreviousData,
  QueryClient,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useRef } from 'react';
import type { Api, RouteName } from '../../common/api';
import type { RouteRequest, RouteResponse } from '../../common/api/route';
import { useApp } from '../app/context';
import { ApiError, type ApiClient } from './client';

/** Failures that pass by themselves: the server restarts, a cluster is away. */
const passes = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 502);

/** Refused because the host has not started yet: it passes, and the page says so above. */
export const isStarting = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'server.starting';

/** How often a page that cannot have its data tries again, ms. */
const TRY_AGAIN_MS = 3000;

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: 2000, retry: false, refetchOnWindowFocus: true, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });

export type ApiQuery<N extends RouteName> = UseQueryResult<RouteResponse<Api[N]>, ApiError>;

export interface QueryOptions {
  /** False asks nothing yet. */
  enabled?: boolean;
  /** Asks again after so long, ms. */
  every?: number | false;
  /** Shows the last answer while another request's comes. */
  keep?: boolean;
}

/** By which the answer of a route is kept, and how it is fetched. */
export const apiQuery = <N extends RouteName>(client: ApiClient, name: N, request: RouteRequest<Api[N]>) => ({
  queryKey: [name, request] as const,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<RouteResponse<Api[N]>> =>
    client.call(name, request, signal),
});

/** What a route answers; renewed when something changes it, and by itself after a failure that passes. */
export function useApi<N extends RouteName>(
  name: N,
  request: RouteRequest<Api[N]>,
  { enabled = true, every = false, keep = false }: QueryOptions = {},
): ApiQuery<N> {
  const { client } = useApp();
  return useQuery<RouteResponse<Api[N]>, ApiError, RouteResponse<Api[N]>, readonly unknown[]>({
    ...apiQuery(client, name, request),
    enabled,
    refetchInterval: ({ state: { error } }) => (passes(error) ? TRY_AGAIN_MS : every),
    ...(keep ? { placeholderData: keepPreviousData } : {}),
  });
}

/** What a route answers to several requests, in their order; undefined for an answer that is not there yet. */
export function useApis<N extends RouteName>(
  name: N,
  requests: readonly RouteRequest<Api[N]>[],
): { answers: readonly (RouteResponse<Api[N]> | undefined)[]; isPending: boolean; error: ApiError | null } {
  const { client } = useApp();
  const results = useQueries({ queries: requests.map((request) => apiQuery(client, name, request)) });
  return {
    answers: results.map(({ data }) => data as RouteResponse<Api[N]> | undefined),
    isPending: results.some(({ isPending }) => isPending),
    error: (results.find(({ error }) => error !== null)?.error as ApiError | undefined) ?? null,
  };
}

export type ApiMutation<N extends RouteName> = UseMutationResult<
  RouteResponse<Api[N]>,
  ApiError,
  RouteRequest<Api[N]>
>;

/**
 * Changes something by a route; the answers of `renews` are asked for again afterwards. What is asked for again while it is under way,
 * as by a double click, is done once: a button shows that it waits only after the click.
 */
export function useApiChange<N extends RouteName>(
  name: N,
  renews: readonly RouteName[] = [],
): ApiMutation<N> {
  const { client } = useApp();
  const queries = useQueryClient();
  const underWay = useRef(new Map<string, Promise<RouteResponse<Api[N]>>>());
  return useMutation<RouteResponse<Api[N]>, ApiError, RouteRequest<Api[N]>>({
    mutationFn: (request) => {
      const key = JSON.stringify(request);
      const same = underWay.current.get(key);
      if (same !== undefined) return same;
      const answer = client.call(name, request).finally(() => underWay.current.delete(key));
      underWay.current.set(key, answer);
      return answer;
    },
    onSettled: () =>
      Promise.all(renews.map((queryKey) => queries.invalidateQueries({ queryKey: [queryKey] }))),
  });
}
