/** When the browser opens a page, requests the data of the page while its code is still being loaded. */
import type { QueryClient } from '@tanstack/react-query';
import type { Api, RouteName } from '../../common/api';
import type { RouteRequest } from '../../common/api/route';
import type { ApiClient } from '../api/client';
import { apiQuery } from '../api/queries';
import { ALL, FIRST, listRequest } from '../pages/experiments/list-request';
import { historyRequest } from '../pages/history/request';
import { courseRequest, distributionsRequest, reportRequest } from '../pages/result/requests';
import { tabOf } from '../pages/result/tabs';

/** Sends a request to a route and stores the answer in the cache of the pages. */
type Ask = <N extends RouteName>(name: N, request: RouteRequest<Api[N]>) => void;

function askForList(ask: Ask, search: string): void {
  const address = Object.fromEntries(new URLSearchParams(search));
  // If the URL contains a search text, nothing is requested here, because only the page can parse the text.
  if ((address['q'] ?? '') !== '') return;
  ask('listExperiments', { query: listRequest({ ...FIRST, ...address }, ALL) });
}

const idIn = (pathname: string, pattern: RegExp): string | undefined => {
  const [, id] = pattern.exec(pathname) ?? [];
  try {
    return id && decodeURIComponent(id);
  } catch {
    // Nothing is requested for an invalid id. The page reports it.
    return undefined;
  }
};

/** Requests the data of the page at `path`, so that the page finds the responses in the cache. `search`: query string with its `?`. */
export function askAhead(
  queries: QueryClient,
  client: ApiClient,
  { pathname, search, hash = '' }: { pathname: string; search: string; hash?: string },
): void {
  const ask: Ask = (name, request) => void queries.prefetchQuery(apiQuery(client, name, request));
  if (pathname === '/' || pathname === '/experiments') askForList(ask, search);
  const run = idIn(pathname, /^\/runs\/([^/]+)\/result$/);
  if (run !== undefined) {
    ask('getReport', reportRequest(run));
    const tab = tabOf({ search, hash });
    if (tab === 'trials') ask('getTimeline', courseRequest(run));
    if (tab === 'latency') ask('getDistributions', distributionsRequest(run));
  }
  const experiment = idIn(pathname, /^\/experiments\/([^/]+)\/history$/);
  if (experiment !== undefined) ask('getHistory', historyRequest(experiment));
}
