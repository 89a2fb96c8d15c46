/**
 * Parses the output of `server/import/rally-expand.py`. In this script, Rally executes the Python code of a track. Each line of the output
 * is a JSON object. Bodies and parameters are JSON inside a text, which preserves the notation of their numbers.
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
  /** The parameters of the operation as JSON text. Absent if the Python code did not change them. */
  params: z.string().optional(),
  /** Whether the track has its own Python code (a *runner*) for the type of the operation. */
  runner: z.boolean().optional(),
  /** The requests that Rally recorded, one list for each execution of the operation. Absent if they could not be recorded. */
  calls: z.array(z.array(requestSchema)).optional(),
  /** Why the requests cannot be converted. The text continues a sentence that begins with the name of the operation. */
  left: z.string().optional(),
  /** Message of the error that the Python code of the operation has thrown. */
  error: z.string().optional(),
});
/** A task whose operation depends on Python code. */
export type ExpandedTask = z.output<typeof taskSchema>;

const scheduleSchema = z.object({
  challenge: z.string(),
  tasks: z.array(z.string()),
  /** Names of the corpora (sets of documents) that the Python code has added. */
  corpora: z.array(z.string()),
  /** Message of the error in the Python code that changes the track. */
  failure: z.string().optional(),
});
export type ExpandedSchedule = z.output<typeof scheduleSchema>;

const refusalSchema = z.object({ refused: z.enum(['esrally', 'version', 'track']), message: z.string() });
export type Refusal = z.output<typeof refusalSchema>;

const lineSchema = z.union([refusalSchema, taskSchema, scheduleSchema, z.object({ done: z.literal(true) })]);

/** Collects the lines that `rally-expand.py` prints. */
export class Expansion {
  private readonly tasks = new Map<string, Map<string, ExpandedTask>>();
  private readonly schedules = new Map<string, ExpandedSchedule>();
  /** Reason why the script could not execute the code. */
  refusal?: Refusal;
  /** Whether the last line of the output has arrived. */
  isWhole = false;

  /** Parses one line. Throws if the line is not in the format of the script. */
  add(line: string): void {
    const read = lineSchema.parse(parsePlain(line));
    if ('done' in read) this.isWhole = true;
    else if ('refused' in read) this.refusal = read;
    else if ('task' in read) {
      const own = this.tasks.get(read.challenge) ?? new Map<string, ExpandedTask>();
      this.tasks.set(read.challenge, own.set(read.task, read));
    } else this.schedules.set(read.challenge, read);
  }

  /** Returns what the script reported about a task, such as its requests. Returns undefined if the task does not depend on Python code. */
  task(challenge: string, name: string): ExpandedTask | undefined {
    return this.tasks.get(challenge)?.get(name);
  }

  schedule(challenge: string): ExpandedSchedule | undefined {
    return this.schedules.get(challenge);
  }
}
