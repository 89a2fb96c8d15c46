/**
 * An executor decides when the requests of a task are sent. Each has a separate file in this folder with everything that others need to
 * know, and an entry in registry.ts. It also names the loop of `server/load/executors` that executes it. The loops do not depend on
 * executors.
 */
import type { Condition } from '../measurement/condition';
import type * as z from 'zod';
import type { FormRow, Text } from '../fields/form';

/** Due times of the requests 0, 1, 2, ... of an open loop, over all shares together. */
export interface Schedule {
  /** Returns when request `number` is due, in ms since the start; Infinity if never. Never decreases with `number`. */
  due(number: number): number;
  /** Returns about how many requests are due before `time` (in ms). The exact number differs by at most one. */
  about(time: number): number;
}

/** Input of each loop that depends on the job, but not on the load thread. */
export interface Drives {
  /** Clients that send their next request when the last one is answered and their think time is over. */
  closed: {
    /** Returns the number of clients of all shares at `time`, in ms since the start. */
    clientsAt: (time: number) => number;
    /** Whether the number changes over time. */
    changes: boolean;
    thinkTimeMs: number;
  };
  /** Requests on a schedule, independent of the answers. */
  open: Schedule;
  /** Requests at the times of a recorded log, divided by the speed. */
  recorded: { speed: number };
  /** Requests at a series of rates that a search chooses. */
  stepped: { /** Limits that a sustained rate must meet. */ limits: Condition[] };
}
export type LoopName = keyof Drives;

/** Parts of the definition that an executor may read in addition to its own keys. */
export interface Surroundings {
  index: { settings: Record<string, unknown> };
  measure?: { documents?: number | undefined; duration?: string | undefined };
}

/** A definition with tasks and their executors. */
export interface Paced extends Surroundings {
  tasks: readonly { executor: object }[];
  measure: { documents?: number; duration?: string };
}

/** `Job` is the plain data for a load thread. */
export interface ExecutorDescription<
  Name extends string = string,
  Schema extends z.ZodType = z.ZodType,
  Job extends object = object,
  Loop extends LoopName = LoopName,
> {
  /** Name in definitions. */
  readonly name: Name;
  /** Schema of the value below this key. */
  readonly schema: Schema;
  /** Groups of keys that exclude each other: setting one removes the others. */
  readonly exclusive?: readonly (readonly string[])[];

  /** Label and description for people. */
  readonly label: Text;
  readonly text: Text;
  /** Value that the form writes when the executor is chosen. */
  readonly first: z.input<Schema>;
  readonly form: readonly FormRow[];
  /** A factor that the editor suggests. */
  readonly vary?: { readonly key: string; readonly title: string; readonly levels: readonly unknown[] };

  /** The executor only works for tasks of these kinds. `why` is for the message. */
  readonly onlyFor?: { readonly kinds: readonly string[]; readonly why: string };
  /** Returns a problem that the schema cannot find, of the executor alone; undefined if it is valid. */
  problem?(given: z.output<Schema>): { code: string; message: string } | undefined;
  /** Adds issues about the rest of the definition. `uses` are all tasks with this executor. */
  fits?(
    uses: readonly { at: number; given: z.output<Schema> }[],
    definition: Paced,
    context: z.RefinementCtx,
  ): void;
  /** `measure.duration` of a definition with neither a duration nor a number of documents; absent for 5m. */
  readonly usualDuration?: string;
  /** Returns an executor for the burn-in, as definitions write it. */
  burnIn?(given: z.output<Schema>): Record<string, unknown>;

  /** Returns a phrase for the plan, without a full stop. It follows a colon. */
  sentence(given: z.output<Schema>): string;
  /** Assumption of the plan's estimate. */
  readonly assumption?: string;
  /** Returns the largest number of requests per second, if the loop does not imply it. */
  mostPerSecond?(given: z.output<Schema>): number;

  /** Whether the throughput should become steady. That of a ramp should not. */
  readonly settles: boolean;
  /** Returns how long the load changes from the start, in ms; 0 if it never does. */
  rampMs?(given: z.output<Schema>): number;
  /** The executor exceeds what the target accepts, in order to find its limit. */
  readonly provokesRejections?: true;

  readonly loop: Loop;
  job(given: z.output<Schema>, surroundings: Surroundings): Job;
  /** Returns the largest number of clients (closed loops) or requests in flight (open loops), over all shares. */
  mostClients(job: Job): number;
  drive(job: Job): Drives[Loop];
}

/** Defines an executor and infers its types. */
export const defineExecutor = <
  const Name extends string,
  Schema extends z.ZodType,
  Job extends object,
  Loop extends LoopName,
>(
  description: ExecutorDescription<Name, Schema, Job, Loop>,
): ExecutorDescription<Name, Schema, Job, Loop> => description;
