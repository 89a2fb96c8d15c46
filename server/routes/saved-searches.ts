/** Routes of saved searches and dashboards. On a host without saved searches, these routes return an error. */
import type { SAVED_SEARCH_ROUTES } from '../../common/api/saved-searches';
import { inputError } from '../../common/problem';
import type { HandlersOf } from './handler';
import type { Services } from './services';

export const savedSearchHandlers = ({
  savedSearches,
}: Pick<Services, 'savedSearches'>): HandlersOf<typeof SAVED_SEARCH_ROUTES> => ({
  listSavedSearches: async () => ({ objects: savedSearches ? await savedSearches.list() : [] }),

  async getSavedSearches({ params: { type, id } }) {
    if (savedSearches) return savedSearches.get(type, id);
    throw inputError('saved-searches.none', '', 'there are no saved searches here: they are part of Kibana');
  },
});
