/**
 * Messages of a load, all plain data. The process that executes the run sends orders to each process that generates load, here or on other
 * machines. In the code, such a process is a *seat*. A seat passes the orders on to its load threads. Each thread executes one part of the
 * load, its *share*.
 */
import type { MessagePort } from 'node:worker_threads';
import type { Counts } from '../../common/measurement/counts';
import type { CountedValues } from '../../common/measurement/histogram';
import type { InstrumentDelays, MachineLoad } from '../../common/measurement/instrument';
import type { Failures } from '../../common/measurement/failures';
import type { GeneratorHealth, Phase, RequestRecord } from '../../common/measurement/sample';
import type { Problem, ProblemKind } from '../../common/problem';
import type { LoadStart } from './timing/clock';
import type { FenceMemory } from './timing/fence';
import type { ShareJob, TaskOutcome } from './contract';
import type { RefusedConnections } from './transport/nodes';
import type { RateOrder, StepReport } from './highest-rate/orders';

/** Results of one task in one load thread in one second. */
export interface TaskSecond {
  task: string;
  /** Position of the second since the start of the load, from 0. */
  second: number;
  phase: Phase;
  counts: Counts;
  service: CountedValues;
  latency: CountedValues;
  clients: number;
  offered: number | null;
  backlog: number;
  scheduleLagMs: number;
  failures: Failures;
  requests: Record<string, RequestRecord<CountedValues>>;
}

export type ThreadHealth = Omit<GeneratorHealth, 'scheduleLagMs' | 'machine'>;

/** How well a thread can reach the target. */
export interface Reach {
  /** Time since the last response in ms; Infinity before the first response. */
  sinceAnswerMs: number;
  /** Time in ms for which no node has been reachable: every node lost or refused its connections. 0 if at least one node is reachable. */
  silentMs: number;
  /** Message of a recent error: a connection that was lost or refused. For example `connect ECONNREFUSED 127.0.0.1:9200`. */
  example: string;
}

/** Results of one load thread. */
export interface ShareOutcome {
  tasks: TaskOutcome[];
  /** End of this thread's measured phase, in ms since the epoch. */
  measureEndedAt: number;
  drainedAt: number;
  /** Delay of this thread: its start minus the start of the load, in ms. */
  lateMs: number;
  delays: InstrumentDelays;
  refusedConnections: RefusedConnections[];
}

/** Orders to all processes that generate load. Each of them passes the orders on to its load threads. */
export type Order =
  /** Requests an immediate `pong`, to measure how long messages take. */
  | { kind: 'ping' }
  /** Starts all load threads at the same moment. */
  | { kind: 'begin'; start: LoadStart }
  /**
   * Ends the load because its work is complete: the target has answered all documents, or the search for the highest rate has its result.
   */
  | { kind: 'finish' }
  /** Sets the next rate of a search for the highest rate. */
  | { kind: 'rate'; task: string; order: RateOrder }
  | { kind: 'stop' }
  | { kind: 'abort' };

export type ToShare =
  /**
   * Lets a thread prepare its part of the load.
   * - `parsers`: ports of the threads that parse raw lines, by task.
   * - `readers`: ports of the threads that read documents, by task.
   * - `fence`: memory with the time until which this thread may send. Null if there is no limit.
   */
  | {
      kind: 'prepare';
      job: ShareJob;
      parsers: Record<string, MessagePort[]>;
      readers: Record<string, MessagePort>;
      fence: FenceMemory | null;
    }
  | Order;

export type FromShare =
  /** The thread has prepared its part of the load, and its sources of documents have read the first documents. */
  | { kind: 'ready' }
  | { kind: 'pong' }
  /**
   * The port on 127.0.0.1 on which the thread receives messages. They measure how late the thread notices responses; see
   * instrument/pulse.ts.
   */
  | { kind: 'listens'; port: number }
  /** Sign of life, once a second until the load begins. Afterwards, the reports of each second are the signs of life. */
  | { kind: 'alive' }
  | { kind: 'seconds'; seconds: TaskSecond[]; health: ThreadHealth; reach: Reach }
  /** All documents of this thread have been answered. Only if the job has a fixed number of documents. */
  | { kind: 'ingested' }
  | { kind: 'step'; task: string; report: StepReport }
  | { kind: 'outcome'; outcome: ShareOutcome }
  | { kind: 'failed'; problemKind: ProblemKind; problems: Problem[] };

export interface SeatOutcome extends ShareOutcome {
  /** Number of load threads. */
  workers: number;
}

/** Messages of a process that generates load, with the results of its threads merged. */
export type FromSeat =
  /** All threads are ready. `leadMs`: how long before a start the threads must be notified, in ms. */
  | { kind: 'ready'; leadMs: number }
  | { kind: 'pong' }
  /** At least one thread of this process is alive. `reach`: how well the best-connected thread of the process can reach the target. */
  | { kind: 'alive'; reach: Reach }
  /**
   * Results of the next second. `seconds` contains one element per task. `machine`: CPU use of all processes on the machine that generates
   * this load. Null if unknown.
   */
  | { kind: 'seconds'; seconds: TaskSecond[]; health: ThreadHealth; machine: MachineLoad | null }
  | { kind: 'ingested' }
  | { kind: 'step'; task: string; report: StepReport }
  | { kind: 'outcome'; outcome: SeatOutcome }
  | { kind: 'failed'; problemKind: ProblemKind; problems: Problem[] };
