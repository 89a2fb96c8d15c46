/** Routes that export runs to one file and import them. */
import type { RUN_FILE_ROUTES } from '../../common/api/run-files';
import type { HandlersOf } from './handler';
import type { Services } from './services';

export const runFileHandlers = ({
  runFiles,
}: Pick<Services, 'runFiles'>): HandlersOf<typeof RUN_FILE_ROUTES> => ({
  exportRuns: ({ query: { run } }) => runFiles.export(run),
  importRuns: async ({ query: { replace, name }, file }) => ({
    runs: await runFiles.import(file, { replace: replace === 'true', name }),
  }),
  getImportProgress: ({ query: { name } }) => Promise.resolve({ progress: runFiles.progress(name) }),
});
