/** Routes that try out parts of a definition, such as a search, on a target before a run. */
import type { TRY_ROUTES } from '../../common/api/tries';
import { readForTrying } from '../../common/experiment/read';
import { filesIn } from '../../common/parameters/registry';
import { fileOfSource } from '../../common/tasks/source';
import type { HandlersOf } from './handler';
import type { Services } from './services';

export function tryHandlers({
  runs,
  targets,
  checkRead,
  checkFiles,
  previewDocuments,
}: Services): HandlersOf<typeof TRY_ROUTES> {
  return {
    async tryRequest({ params: { id }, body: { definition: written, ...body } }, { signal }) {
      await targets.get(id);
      await checkRead(filesIn(body.parameters, 'parameters'));
      if (written === undefined) return runs.tryRequest({ target: id, ...body }, signal);
      const definition = readForTrying(written);
      await checkFiles(definition);
      return runs.tryRequest({ target: id, ...body, definition }, signal);
    },

    async previewDocuments({ body }, { signal }) {
      const read = fileOfSource(body.source);
      await checkRead(read === undefined ? [] : [{ path: `source.${read.key}`, file: read.file }]);
      return previewDocuments(body, signal);
    },

    listTargetFields: async ({ params: { id }, query: { index } }) => ({
      fields: await targets.fields(id, index),
    }),

    listTargetIndices: async ({ params: { id } }) => ({ names: await targets.indices(id) }),
  };
}
