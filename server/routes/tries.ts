/** Routes of what is tried before a run. */
import type { TRY_ROUTES } from '../../common/api/tries';
import { filesIn } from '../../common/parameters/registry';
import type { HandlersOf } from './handler';
import type { Services } from './services';

export function tryHandlers({ runs, targets, checkRead }: Services): HandlersOf<typeof TRY_ROUTES> {
  return {
    async tryRequest({ params: { id }, body }, { signal }) {
      await targets.get(id);
      await checkRead(filesIn(body.parameters, 'parameters'));
      return runs.tryRequest({ target: id, ...body }, signal);
    },

    listTargetFields: async ({ params: { id }, query: { index } }) => ({
      fields: await targets.fields(id, index),
    }),

    listTargetIndices: async ({ params: { id } }) => ({ names: await targets.indices(id) }),
  };
}
