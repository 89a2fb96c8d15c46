/** Hooks with which the pages fetch, cache, refresh and change data of Dyno's server. */
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
import { useEffect, useRef } from 'react';
import type { Api, RouteName } from '../../common/api';
import type { RouteRequest, RouteResponse } from '../../common/api/route';
import { useApp } from '../app/context';
import { ApiError, type ApiClient } from './client';

/** Returns whether the cause of a failure may be temporary: the server is restarting, or cannot reach a cluster. */
const passes = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 502);

/** Returns whether a request was refused because Dyno's server, or Kibana's plugin, is still starting. */
export const isStarting = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'server.starting';

/** Time between two tries after a failure, in ms. */
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
  /** Whether the request may be sent. If `false`, the request waits until the value becomes `true`. */
  enabled?: boolean;
  /**
   * Time from one request to its repetition, in ms, or a function that calculates this time from the newest response. `false`: the request
   * is not repeated.
   */
  every?: number | false | ((answer: unknown) => number | false);
  /** Whether the previous response stays visible until the next one arrives. */
  keep?: boolean;
}

/** Returns the key under which a route's response is cached, and the function that fetches the response. */
export const apiQuery = <N extends RouteName>(client: ApiClient, name: N, request: RouteRequest<Api[N]>) => ({
  queryKey: [name, request] as const,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<RouteResponse<Api[N]>> =>
    client.call(name, request, signal),
});

/** Fetches the response of a route. The response is fetched again after changes and after temporary failures. */
export function useApi<N extends RouteName>(
  name: N,
  request: RouteRequest<Api[N]>,
  { enabled = true, every = false, keep = false }: QueryOptions = {},
): ApiQuery<N> {
  const { client } = useApp();
  return useQuery<RouteResponse<Api[N]>, ApiError, RouteResponse<Api[N]>, readonly unknown[]>({
    ...apiQuery(client, name, request),
    enabled,
    refetchInterval: ({ state: { data, error } }) =>
      passes(error) ? TRY_AGAIN_MS : typeof every === 'function' ? every(data) : every,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
  });
}

/**
 * Sends several requests to a route. `answers` has the responses in the order of the requests. A response that has not arrived yet is
 * undefined.
 */
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

/** Fetches the responses of routes again that the page shows, each time that `of` changes. While `of` is undefined, nothing is fetched. */
export function useRenewal(names: readonly RouteName[], of: string | undefined): void {
  const queries = useQueryClient();
  const known = useRef(of);
  useEffect(() => {
    const before = known.current;
    known.current = of;
    if (before === undefined || of === undefined || before === of) return;
    for (const name of names) void queries.invalidateQueries({ queryKey: [name] });
  }, [queries, names, of]);
}

export type ApiMutation<N extends RouteName> = UseMutationResult<
  RouteResponse<Api[N]>,
  ApiError,
  RouteRequest<Api[N]>
>;

/**
 * Returns a function that sends a change to a route. After the change, the responses of the routes in `renews` are fetched again. While a
 * change is being sent, the same change is not sent again, for example after a double click.
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
