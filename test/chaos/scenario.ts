/**
 * Reads the scenarios. Each is a small file with a fault, the moments at which it may begin, the permitted ends of the run, and the text
 * that must explain them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { HTTP_FAULTS } from './fault-proxy';

/**
 * Moments at which a fault begins: `start` when the process starts; `preflight` with its first request to the target; `prepare` when the
 * index of a trial is created; `load` with the first bulk of a trial; `check` when an index is counted; `remove` when it is deleted.
 */
export const MOMENTS = ['start', 'preflight', 'prepare', 'load', 'check', 'remove'] as const;
export type Moment = (typeof MOMENTS)[number];

/** Ends of a run. `killed`: the process had no time to print or store anything. */
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
 * Faults of the process other than signals: its output is closed; its data folder is full or read-only; it gets no more memory; its
 * clock jumps by an hour, forward or back.
 */
export const DEEDS = ['close-pipes', 'fill-disk', 'lock-disk', 'starve', 'jump-clock'] as const;

const pattern = z.string().transform((text) => new RegExp(text, 'i'));
const range = z.tuple([z.number().min(0), z.number().min(0)]);

const scenarioSchema = z.strictObject({
  /** A scenario has exactly one of the next four keys, which name its fault. */
  target: z.enum(HTTP_FAULTS).optional(),
  results: z.enum(HTTP_FAULTS).optional(),
  signal: z.enum(['SIGKILL', 'SIGSTOP', 'SIGHUP', 'SIGTERM', 'SIGINT']).optional(),
  does: z.enum(DEEDS).optional(),
  /** Details of a fault in HTTP. */
  path: pattern.optional(),
  share: z.number().gt(0).max(1).optional(),
  status: z.number().int().optional(),
  'delay-ms': z.number().int().optional(),
  /** The run has seats. A signal goes to one of its workers, or to the process that carries the run. */
  seats: z.enum(['worker', 'run']).optional(),
  /** The fault begins at one of these moments. */
  moments: z
    .array(z.enum(MOMENTS))
    .min(1)
    .default([...MOMENTS]),
  /** Shortest and longest duration of the fault, in s. Signals except SIGSTOP have no duration. */
  seconds: range.default([0, 0]),
  ends: z.array(z.enum(ENDS)).min(1),
  /** Explanation of a run that did not complete: the run's reason or the command's output must match it. */
  says: pattern.optional(),
  /** Whether the process cannot clean up. The next start of Dyno then removes what the process left behind. */
  'cleaned-by-next': z.boolean().default(false),
});

export type Scenario = z.output<typeof scenarioSchema> & { name: string };

const FOLDER = path.join(process.cwd(), 'test/chaos/scenarios');

/** Returns all scenarios, sorted by name. Throws an error with the name of the file if a scenario is invalid. */
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
