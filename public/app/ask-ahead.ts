/** Asks for what the first page shows while its code is still on its way and not yet drawn. */
import type { QueryClient } from '@tanstack/react-query';
import type { ApiClient } from '../api/client';
import { apiQuery } from '../api/queries';
import { ALL, FIRST, listRequest } from '../pages/experiments/list-request';

/** `search`: the query of the address, with its `?`. The page finds the answer, or what goes on, under the same key. */
export function askAhead(
  queries: QueryClient,
  client: ApiClient,
  { pathname, search }: { pathname: string; search: string },
): void {
  if (pathname !== '/' && pathname !== '/experiments') return;
  const address = Object.fromEntries(new URLSearchParams(search));
  // The language of the search bar is known to the page alone.
  if ((address['q'] ?? '') !== '') return;
  const query = listRequest({ ...FIRST, ...address }, ALL);
  void queries.prefetchQuery(apiQuery(client, 'listExperiments', { query }));
}
