/** The request for the list of experiments. It is derived from the URL of the page. */
import type { Api } from '../../../common/api';
import { EXPERIMENT_ORDERS } from '../../../common/api/experiments';
import type { RouteRequest } from '../../../common/api/route';

type ListQuery = RouteRequest<Api['listExperiments']>['query'];

export const PAGE_SIZES = [20, 50, 100] as const;

/** Values that the parameters in the URL of the page have if they are absent. */
export const FIRST = { q: '', sort: 'name', page: '1', size: String(PAGE_SIZES[0]) } as const;

/** Filters that were read from the text in the search bar. Without such a text, all filters are empty. */
export type Asked = Pick<ListQuery, 'search' | 'state' | 'answer' | 'tag' | 'target'>;

export const ALL: Asked = { search: '', state: [], answer: [], tag: [], target: [] };

export const isOneOf = <T extends string>(all: readonly T[], text: string): text is T =>
  all.some((one) => one === text);

/** Returns the request for the list of experiments. Invalid values in the URL of the page are ignored. */
export function listRequest(
  { sort, page, size }: { sort: string; page: string; size: string },
  asked: Asked,
) {
  const order = sort.replace(/^-/, '');
  return {
    ...asked,
    sort: isOneOf(EXPERIMENT_ORDERS, order) ? order : ('name' as const),
    direction: sort.startsWith('-') ? ('desc' as const) : ('asc' as const),
    page: Math.max(1, Math.floor(Number(page)) || 1),
    perPage: PAGE_SIZES.find((one) => one === Number(size)) ?? PAGE_SIZES[0],
    // Experiments of tunings are excluded, because they have a separate list.
    tunings: 'without' as const,
  } satisfies ListQuery;
}
