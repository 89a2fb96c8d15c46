/**
 * An executor decides when the requests of a task are sent, for example at a constant rate.
 *
 * Each executor has a file in this folder, and an entry in registry.ts. The file contains everything that other modules need to know about
 * the executor. The requests themselves are sent by one of a few loops in `server/load/executors`. An executor only names its loop and
 * provides the input for it.
 */
import type { Condition } from '../measurement/condition';
import type * as z from 'zod';
import type { FormRow, Text } from '../fields/form';

/** Due times of the requests 0, 1, 2, ... of an open loop. The numbers count the requests of all load threads together. */
export interface Schedule {
  /**
   * Returns the time at which request `number` is due, in ms since the start; Infinity if the request is never due. A request with a higher
   * number is never due earlier.
   */
  due(number: number): number;
  /**
   * Returns approximately how many requests are due before `time`, in ms since the start. The result differs from the exact number by at
   * most one.
   */
  about(time: number): number;
}

/** Input of each loop, by the name of the loop. It is the same for all load threads. */
export interface Drives {
  /**
   * Input of the closed loop. In this loop, each client sends its next request after the response to the previous one and the think time.
   */
  closed: {
    /** Returns the number of clients of all load threads together at `time`, in ms since the start. */
    clientsAt: (time: number) => number;
    /** Whether the number of clients changes over time. */
    changes: boolean;
    thinkTimeMs: number;
  };
  /** Input of the open loop. In this loop, requests are sent on a schedule, independent of the responses. */
  open: Schedule;
  /** Input of the recorded loop: requests at the times in a log. `speed`: factor by which the log is replayed faster. */
  recorded: { speed: number };
  /** Input of the stepped loop. This loop sends requests at a series of rates, to find the highest rate that the target sustains. */
  stepped: { /** Limits that a sustained rate must meet. */ limits: Condition[] };
}
export type LoopName = keyof Drives;

/** The keys of a definition that an executor may read, apart from the keys of the executor itself. */
export interface Surroundings {
  index: { settings: Record<string, unknown> };
  measure?: { documents?: number | undefined; duration?: string | undefined };
}

/** A definition with tasks and their executors. */
export interface Paced extends Surroundings {
  tasks: readonly { executor: object }[];
  measure: { documents?: number; duration?: string };
}

/**
 * Describes an executor. `Job` is the data that load threads need for the executor. It must be plain data, because Dyno sends it to threads
 * and other machines.
 */
export interface ExecutorDescription<
  Name extends string = string,
  Schema extends z.ZodType = z.ZodType,
  Job extends object = object,
  Loop extends LoopName = LoopName,
> {
  /** Name of the executor in definitions. */
  readonly name: Name;
  /** Schema of the value below the executor's name. */
  readonly schema: Schema;
  /** Groups of keys of which only one can be set. Setting a key removes the other keys of its group. */
  readonly exclusive?: readonly (readonly string[])[];

  /** Label and description of the executor for people. */
  readonly label: Text;
  readonly text: Text;
  /** Value that the form writes when the executor is chosen. */
  readonly first: z.input<Schema>;
  readonly form: readonly FormRow[];
  /** A key of the executor that the editor suggests to vary, with levels for it. */
  readonly vary?: { readonly key: string; readonly title: string; readonly levels: readonly unknown[] };

  /**
   * Kinds of tasks that can use the executor. `why`: the reason for the restriction, for the error message. Absent if all kinds of tasks
   * can use it.
   */
  readonly onlyFor?: { readonly kinds: readonly string[]; readonly why: string };
  /** Returns a problem in the executor's value that the schema cannot find. Undefined if there is no problem. */
  problem?(given: z.output<Schema>): { code: string; message: string } | undefined;
  /** Adds validation problems about other keys of the definition that do not fit the executor. `uses`: all tasks with this executor. */
  fits?(
    uses: readonly { at: number; given: z.output<Schema> }[],
    definition: Paced,
    context: z.RefinementCtx,
  ): void;
  /** Default of `measure.duration` in definitions with this executor. If this property is absent, the default is 5m. */
  readonly usualDuration?: string;
  /**
   * Returns the executor for the burn-in, in the form in which definitions contain it. The burn-in is a load before the first trial; its
   * results are discarded. Absent if the burn-in uses the same executor.
   */
  burnIn?(given: z.output<Schema>): Record<string, unknown>;

  /** Returns a phrase about the executor for the plan, without a full stop. In the plan, the phrase follows a colon. */
  sentence(given: z.output<Schema>): string;
  /** Assumption about the executor on which the plan's estimate of time and documents is based, as text. */
  readonly assumption?: string;
  /** Returns the maximum rate, in requests per second. Absent if the rate depends on the responses of the target. */
  mostPerSecond?(given: z.output<Schema>): number;

  /** Whether the throughput is expected to become steady. It is false for ramps. */
  readonly settles: boolean;
  /** Returns the time after which the load no longer changes, in ms since the start. Returns 0 for a constant load. */
  rampMs?(given: z.output<Schema>): number;
  /** True if the executor overloads the target on purpose, in order to find its limit. */
  readonly provokesRejections?: true;

  readonly loop: Loop;
  job(given: z.output<Schema>, surroundings: Surroundings): Job;
  /** Returns the maximum number of clients (closed loops) or of requests in flight (open loops), of all load threads together. */
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
