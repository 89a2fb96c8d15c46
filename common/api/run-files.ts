/** Routes of runs as one file, which go from one place to another. */
import * as z from 'zod';
import { route } from './route';

const id = z.string().min(1).max(200);

/** gzip of NDJSON. */
export const RUN_FILE_TYPE = 'application/gzip';
/** How such a file ends. */
export const RUN_FILE_ENDING = '.dyno-runs.gz';
/** Of a file that comes by HTTP, bytes; the command takes larger ones. */
export const MOST_UPLOADED = 100 * 1024 ** 2;

const whole = z.number().int().nonnegative();

export const importedRunSchema = z.object({
  id,
  experiment: z.object({ id, name: z.string() }),
  /** `unchanged`: it was there already, as it is in the file. */
  outcome: z.enum(['stored', 'replaced', 'unchanged']),
  samples: whole,
  trials: whole,
  /** Events of the collector that were stored, and that were not for want of their template. */
  metrics: whole,
  metricsLeftOut: whole,
});
export type ImportedRun = z.output<typeof importedRunSchema>;

/** What the server does with a file once it has all of it, one after the other. */
export const IMPORT_STEPS = ['checking', 'storing'] as const;

export const importProgressSchema = z.object({
  step: z.enum(IMPORT_STEPS),
  /** Of the step, in [0, 1]. */
  share: z.number().min(0).max(1),
});
export type ImportProgress = z.output<typeof importProgressSchema>;

export const RUN_FILE_ROUTES = {
  exportRuns: route({
    method: 'GET',
    path: '/api/dyno/run-files',
    summary: 'Runs that have ended, with all that is kept of them, as one file',
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
    summary: 'Store the runs of such a file; all of it is checked before anything is stored',
    privilege: 'manage',
    query: z.object({
      /** Replace runs that are there with another content; without, they are refused. */
      replace: z.enum(['true', 'false']).default('false'),
      /** Any name, by which its progress is asked for. */
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
      'How far the import of that name is; null where it does not go on in the process that answers, or is being sent',
    privilege: 'manage',
    query: z.object({ name: id }),
    answer: 'json',
    response: z.object({ progress: importProgressSchema.nullable() }),
  }),
};
