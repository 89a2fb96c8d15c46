/**
 * What an executor is: it decides when the requests of a task are sent. Each has a file of its own beside this one with all
 * that anything else needs to know of it, and a line in registry.ts. Which loop of `server/load/executors` carries it out is
 * a part of it; the loops themselves know nothing of executors.
 */
import type { Condition } from '../measurement/condition';
import type * as z from 'zod';
import type { FormRow, Text } from '../fields/form';

/** When the requests of an open loop are due, of all shares together: numbers 0, 1, 2, ... */
export interface Schedule {
  /** When request `number` is due, ms since the start; Infinity if never. Does not fall with `number`. */
  due(number: number): number;
  /** How many requests are due before `time`, ms, roughly: the exact count differs by one at most. */
  about(time: number): number;
}

/** What each loop is told: what follows from the job and not from the thread that it runs in. */
export interface Drives {
  /** Clients that send their next request when the last one is answered and their think time is over. */
  closed: {
    /** Clients of all shares at `time`, ms since the start. */
    clientsAt: (time: number) => number;
    /** False where that number stays. */
    changes: boolean;
    thinkTimeMs: number;
  };
  /** Requests on a schedule, however slow the answers are. */
  open: Schedule;
  /** The same, on the times that a recorded log has, divided by the speed. */
  recorded: { speed: number };
  /** The same, at one rate after the other, as a search orders them. */
  stepped: { /** What a rate must keep to be held. */ limits: Condition[] };
}
export type LoopName = keyof Drives;

/** What an executor may look at beside what is written below its name. */
export interface Surroundings {
  index: { settings: Record<string, unknown> };
  measure?: { documents?: number | undefined; duration?: string | undefined };
}

/** A definition that names executors. */
export interface Paced extends Surroundings {
  tasks: readonly { executor: object }[];
  measure: { documents?: number; duration?: string };
}

/** `Job`: the plain data that a load thread gets. */
export interface ExecutorDescription<
  Name extends string = string,
  Schema extends z.ZodType = z.ZodType,
  Job extends object = object,
  Loop extends LoopName = LoopName,
> {
  /** As definitions write it. */
  readonly name: Name;
  /** What may stand below its name: keys, defaults, and what is wrong within it. */
  readonly schema: Schema;
  /** Keys of which one is given: setting one takes the others away. */
  readonly exclusive?: readonly (readonly string[])[];

  /** As people call it, and what it is good for. */
  readonly label: Text;
  readonly text: Text;
  /** What the form writes when it is chosen. */
  readonly first: z.input<Schema>;
  readonly form: readonly FormRow[];
  /** What varies the load: a factor that the editor suggests. */
  readonly vary?: { readonly key: string; readonly title: string; readonly levels: readonly unknown[] };

  /** It paces tasks of these kinds and no others; `why` for the message. */
  readonly onlyFor?: { readonly kinds: readonly string[]; readonly why: string };
  /** What is wrong though the schema takes it; undefined for nothing. At the executor itself. */
  problem?(given: z.output<Schema>): { code: string; message: string } | undefined;
  /** What it asks of the rest of the definition; `uses` are all tasks that it paces. */
  fits?(
    uses: readonly { at: number; given: z.output<Schema> }[],
    definition: Paced,
    context: z.RefinementCtx,
  ): void;
  /** `measure.duration` of a definition that gives neither that nor a number of documents; 5m unless given. */
  readonly usualDuration?: string;
  /** For the burn-in, of which nothing is measured: another executor, as definitions write it. */
  burnIn?(given: z.output<Schema>): Record<string, unknown>;

  /** For the plan: what it does, as it follows a colon, without a full stop. */
  sentence(given: z.output<Schema>): string;
  /** For the plan's estimate: what has to be assumed for it. */
  readonly assumption?: string;
  /** Requests per second that it never goes beyond, where its loop does not say so. */
  mostPerSecond?(given: z.output<Schema>): number;

  /** Whether its throughput is meant to become steady: a ramp's is not. */
  readonly settles: boolean;
  /** Of an executor that changes its load on purpose: how long it does so from the start, ms; 0 if the load never changes. */
  rampMs?(given: z.output<Schema>): number;
  /** It goes beyond what the target takes in order to find it. */
  readonly provokesRejections?: true;

  readonly loop: Loop;
  job(given: z.output<Schema>, surroundings: Surroundings): Job;
  /** Clients (closed loops) or requests in flight (open ones) at most, over all shares. */
  mostClients(job: Job): number;
  drive(job: Job): Drives[Loop];
}

/** An executor, its types told by what it holds. */
export const defineExecutor = <
  const Name extends string,
  Schema extends z.ZodType,
  Job extends object,
  Loop extends LoopName,
>(
  description: ExecutorDescription<Name, Schema, Job, Loop>,
): ExecutorDescription<Name, Schema, Job, Loop> => description;
