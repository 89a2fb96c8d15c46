/** Scenarios as small files: which fault, at which moment, what may become of the run, and in which words it is told. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { HTTP_FAULTS } from './fault-proxy';

/**
 * When a fault begins, by what the run asks of the target: `start` with the process; `preflight` with its first request;
 * `prepare` when an index of a trial is created; `load` with the first bulk of a trial; `check` when an index is counted;
 * `remove` when an index of a trial is deleted.
 */
export const MOMENTS = ['start', 'preflight', 'prepare', 'load', 'check', 'remove'] as const;
export type Moment = (typeof MOMENTS)[number];

/** What may become of a run; `killed` where the process had no time to say anything. */
const ENDS = [
  'completed',
  'completed-with-failures',
  'failed',
  'cancelled',
  'interrupted',
  'killed',
  'refused',
] as const;

/**
 * What is done to the process beside signals: nobody reads what it says; its data folder is full, or cannot be written to; it
 * gets no more memory; its clock jumps by an hour, forth or back.
 */
export const DEEDS = ['close-pipes', 'fill-disk', 'lock-disk', 'starve', 'jump-clock'] as const;

const pattern = z.string().transform((text) => new RegExp(text, 'i'));
const range = z.tuple([z.number().min(0), z.number().min(0)]);

const scenarioSchema = z.strictObject({
  /** One of these four. */
  target: z.enum(HTTP_FAULTS).optional(),
  results: z.enum(HTTP_FAULTS).optional(),
  signal: z.enum(['SIGKILL', 'SIGSTOP', 'SIGHUP', 'SIGTERM', 'SIGINT']).optional(),
  does: z.enum(DEEDS).optional(),
  /** Of a fault in HTTP. */
  path: pattern.optional(),
  share: z.number().gt(0).max(1).optional(),
  status: z.number().int().optional(),
  'delay-ms': z.number().int().optional(),
  /** The run is carried in seats; a signal is for one of its workers, or for the process that carries it. */
  seats: z.enum(['worker', 'run']).optional(),
  /** The fault begins at one of these; at any without. */
  moments: z
    .array(z.enum(MOMENTS))
    .min(1)
    .default([...MOMENTS]),
  /** How long it lasts, from and to, s. A signal but SIGSTOP has no length. */
  seconds: range.default([0, 0]),
  ends: z.array(z.enum(ENDS)).min(1),
  /** What is said of a run that did not complete: found in its reason or on standard error. */
  says: pattern.optional(),
  /** True where the process could not clean up: what it left is removed by the next start. */
  'cleaned-by-next': z.boolean().default(false),
});

export type Scenario = z.output<typeof scenarioSchema> & { name: string };

const FOLDER = path.join(process.cwd(), 'test/chaos/scenarios');

/** All, by name. Throws with the file's name where one is wrong. */
export const readScenarios = (): Scenario[] =>
  readdirSync(FOLDER)
    .sort()
    .map((file) => {
      const read = scenarioSchema.safeParse(parse(readFileSync(path.join(FOLDER, file), 'utf8')));
      if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
      const kinds = [read.data.target, read.data.results, read.data.signal, read.data.does].filter(Boolean);
      if (kinds.length !== 1)
        throw new Error(`${file}: exactly one of target, results, signal and does is needed`);
      return { ...read.data, name: path.parse(file).name };
    });
