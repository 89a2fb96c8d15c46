/** Routes that export runs to a file, and import runs from such a file. */
import * as z from 'zod';
import { route } from './route';

const id = z.string().min(1).max(200);

/** Content type of a run file: gzip of NDJSON. */
export const RUN_FILE_TYPE = 'application/gzip';
/** Ending of the name of a run file. */
export const RUN_FILE_ENDING = '.dyno-runs.gz';
/** Maximum size of a file that is uploaded, in bytes. The command line imports larger files. */
export const MOST_UPLOADED = 100 * 1024 ** 2;

const whole = z.number().int().nonnegative();

export const importedRunSchema = z.object({
  id,
  experiment: z.object({ id, name: z.string() }),
  /** Result of the import for the run. `unchanged`: the same run was already stored. */
  outcome: z.enum(['stored', 'replaced', 'unchanged']),
  samples: whole,
  trials: whole,
  /** Number of events of Dyno's collector (dynobeat) that were stored. */
  metrics: whole,
  /** Number of events of Dyno's collector (dynobeat) that were not stored, because their index template is missing. */
  metricsLeftOut: whole,
});
export type ImportedRun = z.output<typeof importedRunSchema>;

/** Steps of an import after the upload. First the whole file is checked, then its runs are stored. */
export const IMPORT_STEPS = ['checking', 'storing'] as const;

export const importProgressSchema = z.object({
  step: z.enum(IMPORT_STEPS),
  /** Completed part of the step, from 0 to 1. */
  share: z.number().min(0).max(1),
});
export type ImportProgress = z.output<typeof importProgressSchema>;

export const RUN_FILE_ROUTES = {
  exportRuns: route({
    method: 'GET',
    path: '/api/dyno/run-files',
    summary: 'Export runs that have ended, with all their documents, as one file',
    privilege: 'read',
    query: z.object({
      run: z.union([id.transform((one) => [one]), z.array(id).min(1).max(1000)]),
    }),
    answer: 'file',
    contentTypes: [RUN_FILE_TYPE],
    response: z.unknown(),
  }),
  importRuns: route({
    method: 'POST',
    path: '/api/dyno/run-files',
    summary: 'Import the runs of an exported file; the whole file is checked before anything is stored',
    privilege: 'manage',
    query: z.object({
      /** Whether to replace stored runs that differ from those in the file. By default, the server rejects an import with such runs. */
      replace: z.enum(['true', 'false']).default('false'),
      /** Name of this import, chosen by the caller. Another route returns the progress of the import with this name. */
      name: id.optional(),
    }),
    upload: { contentType: RUN_FILE_TYPE, mostBytes: MOST_UPLOADED },
    answer: 'json',
    response: z.object({ runs: z.array(importedRunSchema) }),
  }),
  getImportProgress: route({
    method: 'GET',
    path: '/api/dyno/run-files/progress',
    summary:
      'Progress of the import with this name; null while the file is being sent, or if the import does not run in the responding process',
    privilege: 'manage',
    query: z.object({ name: id }),
    answer: 'json',
    response: z.object({ progress: importProgressSchema.nullable() }),
  }),
};
