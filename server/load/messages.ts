/**
 * What passes between the load and its seats, and between a seat and its threads: plain data. A seat is one process with the
 * threads of one or more shares: this one, or one on another machine.
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
import type { RefusedRequests } from './transport/nodes';
import type { RateOrder, StepReport } from './highest-rate/orders';

/** What one share of a task did in one second. */
export interface TaskSecond {
  task: string;
  /** The second's number since the start of the load. */
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

/** Whether the target answers: `silentMs` is how long nothing but lost connections came, over all nodes; 0 else. */
export interface Reach {
  /** Infinity before the first answer. */
  sinceAnswerMs: number;
  silentMs: number;
  example: string;
}

export interface ShareOutcome {
  tasks: TaskOutcome[];
  /** ms since the epoch. */
  measureEndedAt: number;
  drainedAt: number;
  /** How long after the common start it began, ms. */
  lateMs: number;
  delays: InstrumentDelays;
  refusals: RefusedRequests[];
}

/** What the load tells all of its seats, and each seat its threads. */
export type Order =
  /** To be answered at once: how long messages take. */
  | { kind: 'ping' }
  /** All shares start at once. */
  | { kind: 'begin'; start: LoadStart }
  /** All that was to be done has been: the ingest tasks of all shares have been answered, or a search has its answer. */
  | { kind: 'finish' }
  /** A search for the highest rate goes on with this one. */
  | { kind: 'rate'; task: string; order: RateOrder }
  | { kind: 'stop' }
  | { kind: 'abort' };

export type ToShare =
  /** `parsers`: by task, a port of each parser of its lines. `readers`: likewise, of who reads its documents. `fence`: until when it may send; null without end. */
  | {
      kind: 'prepare';
      job: ShareJob;
      parsers: Record<string, MessagePort[]>;
      readers: Record<string, MessagePort>;
      fence: FenceMemory | null;
    }
  | Order;

export type FromShare =
  /** It is built, and what its sources give first is there. */
  | { kind: 'ready' }
  | { kind: 'pong' }
  /** For messages that tell how long it takes to notice one: a port of 127.0.0.1. */
  | { kind: 'listens'; port: number }
  /** Once a second until the load begins; from then on it tells of its seconds. */
  | { kind: 'alive' }
  | { kind: 'seconds'; seconds: TaskSecond[]; health: ThreadHealth; reach: Reach }
  /** Documents mode: this share's part of the documents has been answered. */
  | { kind: 'ingested' }
  | { kind: 'step'; task: string; report: StepReport }
  | { kind: 'outcome'; outcome: ShareOutcome }
  | { kind: 'failed'; problemKind: ProblemKind; problems: Problem[] };

export interface SeatOutcome extends ShareOutcome {
  /** Load threads. */
  workers: number;
}

/** What a seat tells of all its threads together. */
export type FromSeat =
  /** All could send at once; `leadMs`: how long before a start its threads must be told of it, ms. */
  | { kind: 'ready'; leadMs: number }
  | { kind: 'pong' }
  /** A sign of life of a thread. `reach`: the best of all threads. */
  | { kind: 'alive'; reach: Reach }
  /** The next second, a part for each task; `machine`: what all processes of its machine did. */
  | { kind: 'seconds'; seconds: TaskSecond[]; health: ThreadHealth; machine: MachineLoad | null }
  | { kind: 'ingested' }
  | { kind: 'step'; task: string; report: StepReport }
  | { kind: 'outcome'; outcome: SeatOutcome }
  | { kind: 'failed'; problemKind: ProblemKind; problems: Problem[] };
