/** Routes of what is tried before a run. */
import type { TRY_ROUTES } from '../../common/api/tries';
import { columnsIn } from '../../common/parameters/registry';
import type { HandlersOf } from './handler';
import type { Services } from './services';

export function tryHandlers({ runs, targets, checkRead }: Services): HandlersOf<typeof TRY_ROUTES> {
  return {
    async tryRequest({ params: { id }, body }, { signal }) {
      await targets.get(id);
      await checkRead(
        columnsIn(body.parameters, 'parameters').map(({ at, file }) => ({ path: at, file: file.path })),
      );
      return runs.tryRequest({ target: id, ...body }, signal);
    },

    listTargetFields: async ({ params: { id }, query: { index } }) => ({
      fields: await targets.fields(id, index),
    }),

    listTargetIndices: async ({ params: { id } }) => ({ names: await targets.indices(id) }),
  };
}
