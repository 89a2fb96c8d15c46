/** What the list of experiments asks of the server, by the state that its address carries. */
import type { Api } from '../../../common/api';
import { EXPERIMENT_ORDERS } from '../../../common/api/experiments';
import type { RouteRequest } from '../../../common/api/route';

type ListQuery = RouteRequest<Api['listExperiments']>['query'];

export const PAGE_SIZES = [20, 50, 100] as const;

/** Of the address, where it does not say otherwise. */
export const FIRST = { q: '', sort: 'name', page: '1', size: String(PAGE_SIZES[0]) } as const;

/** What the text of the search bar asks; nothing where it is empty. */
export type Asked = Pick<ListQuery, 'search' | 'state' | 'answer' | 'tag' | 'target'>;

export const ALL: Asked = { search: '', state: [], answer: [], tag: [], target: [] };

export const isOneOf = <T extends string>(all: readonly T[], text: string): text is T =>
  all.some((one) => one === text);

/** Whatever the address says that cannot be is left out. */
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
    // Those of tunings have a list of their own.
    tunings: 'without' as const,
  } satisfies ListQuery;
}
