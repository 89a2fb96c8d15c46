/**
 * Parses the output of `server/import/rally-expand.py`, a script in which Rally executes the Python code of a track. The output has one
 * JSON object per line. Bodies and parameters are JSON in a text, so that their numbers keep Rally's notation.
 */
import * as z from 'zod';
import { parsePlain } from '../../json/exact';

const texts = z.record(z.string(), z.string());

const requestSchema = z.object({
  method: z.string(),
  path: z.string(),
  params: texts,
  headers: texts,
  /** Content type of the body. */
  type: z.string().nullable(),
  body: z.string().nullable(),
});
export type RecordedRequest = z.output<typeof requestSchema>;

const taskSchema = z.object({
  challenge: z.string(),
  task: z.string(),
  /** The parameters of the operation as JSON, if the code of the track has changed them. */
  params: z.string().optional(),
  /** Whether the track has a runner for the type of the operation. */
  runner: z.boolean().optional(),
  /** For each call of the operation, the requests that it sends. */
  calls: z.array(z.array(requestSchema)).optional(),
  /** Why the requests cannot be converted, as the end of a sentence about the operation. */
  left: z.string().optional(),
  /** Error that the Python code of the operation has thrown. */
  error: z.string().optional(),
});
/** A task whose operation depends on Python code. */
export type ExpandedTask = z.output<typeof taskSchema>;

const scheduleSchema = z.object({
  challenge: z.string(),
  tasks: z.array(z.string()),
  /** Corpora that the code of the track has added. */
  corpora: z.array(z.string()),
  /** Error of the code that changes the track. */
  failure: z.string().optional(),
});
export type ExpandedSchedule = z.output<typeof scheduleSchema>;

const refusalSchema = z.object({ refused: z.enum(['esrally', 'version', 'track']), message: z.string() });
export type Refusal = z.output<typeof refusalSchema>;

const lineSchema = z.union([refusalSchema, taskSchema, scheduleSchema, z.object({ done: z.literal(true) })]);

/** Reads the output line by line. */
export class Expansion {
  private readonly tasks = new Map<string, Map<string, ExpandedTask>>();
  private readonly schedules = new Map<string, ExpandedSchedule>();
  /** Reason why nothing was expanded. */
  refusal?: Refusal;
  /** Whether the output is complete. */
  isWhole = false;

  /** Parses a line. Throws if it is not from the script. */
  add(line: string): void {
    const read = lineSchema.parse(parsePlain(line));
    if ('done' in read) this.isWhole = true;
    else if ('refused' in read) this.refusal = read;
    else if ('task' in read) {
      const own = this.tasks.get(read.challenge) ?? new Map<string, ExpandedTask>();
      this.tasks.set(read.challenge, own.set(read.task, read));
    } else this.schedules.set(read.challenge, read);
  }

  /** Returns the expanded task. Undefined if the task does not depend on Python code. */
  task(challenge: string, name: string): ExpandedTask | undefined {
    return this.tasks.get(challenge)?.get(name);
  }

  schedule(challenge: string): ExpandedSchedule | undefined {
    return this.schedules.get(challenge);
  }
}
