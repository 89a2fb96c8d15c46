/**
 * Messages between the load and its seats, and between a seat and its threads. All are plain data. A seat is a process on this machine or
 * on another one, and its threads carry out one or more shares.
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

/** Results of one share of a task in one second. */
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
  /** Time since the last answer in ms; Infinity before the first answer. */
  sinceAnswerMs: number;
  /** Time in ms for which all nodes have only lost or refused connections; 0 if a node has not. */
  silentMs: number;
  /** Message of a recent error: a connection that was lost or refused. For example `connect ECONNREFUSED 127.0.0.1:9200`. */
  example: string;
}

export interface ShareOutcome {
  tasks: TaskOutcome[];
  /** End of this thread's measured phase, in ms since the epoch. */
  measureEndedAt: number;
  drainedAt: number;
  /** Delay of the share after the common start, in ms. */
  lateMs: number;
  delays: InstrumentDelays;
  refusedConnections: RefusedConnections[];
}

/** Orders of the load to all seats, and of each seat to its threads. */
export type Order =
  /** Requests an immediate answer, to measure how long messages take. */
  | { kind: 'ping' }
  /** Starts all shares at the same moment. */
  | { kind: 'begin'; start: LoadStart }
  /** Ends the load because its work is complete: all documents were answered, or the search for the highest rate has its result. */
  | { kind: 'finish' }
  /** Sets the next rate of a search for the highest rate. */
  | { kind: 'rate'; task: string; order: RateOrder }
  | { kind: 'stop' }
  | { kind: 'abort' };

export type ToShare =
  /**
   * Starts to prepare a share of the load.
   * - `parsers`: ports of the threads that parse raw lines, by task.
   * - `readers`: ports of the threads that read documents, by task.
   * - `fence`: time until which this thread may send; null for no limit.
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
  /** The share is built, and its sources have read their first documents. */
  | { kind: 'ready' }
  | { kind: 'pong' }
  /**
   * The port on 127.0.0.1 on which the thread receives messages. They measure how late the thread notices answers; see instrument/pulse.ts.
   */
  | { kind: 'listens'; port: number }
  /** Sign of life, once a second until the load begins. Afterwards, the reports of each second are the signs of life. */
  | { kind: 'alive' }
  | { kind: 'seconds'; seconds: TaskSecond[]; health: ThreadHealth; reach: Reach }
  /** In documents mode: all documents of this share have been answered. */
  | { kind: 'ingested' }
  | { kind: 'step'; task: string; report: StepReport }
  | { kind: 'outcome'; outcome: ShareOutcome }
  | { kind: 'failed'; problemKind: ProblemKind; problems: Problem[] };

export interface SeatOutcome extends ShareOutcome {
  /** Number of load threads. */
  workers: number;
}

/** Messages of a seat, with the results of its threads merged. */
export type FromSeat =
  /** All threads are ready. `leadMs`: how long before a start the threads must be notified, in ms. */
  | { kind: 'ready'; leadMs: number }
  | { kind: 'pong' }
  /** Sign of life of a thread. `reach`: how well the best-connected thread of the seat can reach the target. */
  | { kind: 'alive'; reach: Reach }
  /** Results of the next second, with one part per task. `machine`: CPU use of all processes on the machine of the worker. */
  | { kind: 'seconds'; seconds: TaskSecond[]; health: ThreadHealth; machine: MachineLoad | null }
  | { kind: 'ingested' }
  | { kind: 'step'; task: string; report: StepReport }
  | { kind: 'outcome'; outcome: SeatOutcome }
  | { kind: 'failed'; problemKind: ProblemKind; problems: Problem[] };
