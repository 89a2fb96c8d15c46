/**
 * Reads the scenarios of the chaos tests. Each scenario is a small YAML file with a fault, the points of a run at which the fault may
 * begin, and the permitted ends of the run. It may also contain a pattern for the explanation that a run must give if it does not complete.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { HTTP_FAULTS } from './fault-proxy';

/**
 * Points of a run at which a fault can begin.
 * - `start`: when the process starts.
 * - `preflight`: with its first request to the target.
 * - `prepare`: when the index of a trial is created.
 * - `load`: with the first bulk of a trial.
 * - `check`: when the documents of an index are counted.
 * - `remove`: when the index is deleted.
 */
export const MOMENTS = ['start', 'preflight', 'prepare', 'load', 'check', 'remove'] as const;
export type Moment = (typeof MOMENTS)[number];

/** How a run may end. `killed`: the process had no time to print or store anything. */
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
 * Faults of the process other than signals: its output is closed; its data folder is full; its data folder is read-only; it gets no more
 * memory; its clock jumps by an hour, forward or back.
 */
export const DEEDS = ['close-pipes', 'fill-disk', 'lock-disk', 'starve', 'jump-clock'] as const;

const pattern = z.string().transform((text) => new RegExp(text, 'i'));
const range = z.tuple([z.number().min(0), z.number().min(0)]);

const scenarioSchema = z.strictObject({
  /** Fault in the HTTP traffic with the target. A scenario has exactly one of `target`, `results`, `signal` and `does`. */
  target: z.enum(HTTP_FAULTS).optional(),
  /** Fault in the HTTP traffic with the cluster for results. */
  results: z.enum(HTTP_FAULTS).optional(),
  /** Signal that is sent to a process of the run. */
  signal: z.enum(['SIGKILL', 'SIGSTOP', 'SIGHUP', 'SIGTERM', 'SIGINT']).optional(),
  /** Other fault of the run's process, such as a full disk. */
  does: z.enum(DEEDS).optional(),
  /** Pattern of the requests (`METHOD /path`) that a fault in the HTTP traffic affects. Default: all requests. */
  path: pattern.optional(),
  /** Share of the requests that match `path` and that a fault in the HTTP traffic affects, in (0, 1]. */
  share: z.number().gt(0).max(1).optional(),
  /** HTTP status of the affected responses. Only for the fault `status`. */
  status: z.number().int().optional(),
  /** Delay of the affected responses, in ms. Only for the fault `slow`. */
  'delay-ms': z.number().int().optional(),
  /**
   * If set, two worker processes generate the load of the run. The fault affects a worker (`worker`) or the main process of the run
   * (`run`).
   */
  seats: z.enum(['worker', 'run']).optional(),
  /** Points of a run at which the fault may begin. One of them is drawn at random. */
  moments: z
    .array(z.enum(MOMENTS))
    .min(1)
    .default([...MOMENTS]),
  /** Shortest and longest duration of the fault, in s. Signals except SIGSTOP have no duration. */
  seconds: range.default([0, 0]),
  ends: z.array(z.enum(ENDS)).min(1),
  /** Pattern that must occur in the stored reason or in the output of the command, if the run did not complete. */
  says: pattern.optional(),
  /** Whether the fault prevents the process from removing what it created. In this case, the next start of Dyno must remove it. */
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
