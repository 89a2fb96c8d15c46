/** The interface of all executors. An executor decides when its clients begin their requests. All times are in ms since the start. */
import type { LoadClock } from '../timing/clock';
import type { Operation } from '../operations/operation';
import type { RateOrder, StepReport } from '../highest-rate/orders';
import type { Pacer } from '../timing/pacer';
import type { Phases } from '../timing/phases';
import type { Pace, TaskRecorder } from '../samples/recorder';
import type { Share } from '../threads/shares';

/** Numbers of requests in the measured phase of an open executor. */
export interface Offering {
  /** Requests due in the phase. */
  offered: number;
  /** Requests that were first sent in the phase, no matter when they were due. */
  sent: number;
  /** Requests that were due but not sent by the end of the phase. */
  unsent: number;
}

export interface Executor {
  start(): void;
  /** Begins no new requests. Requests in flight continue. */
  stop(): void;
  /** Begins no new requests, and ends the requests in flight at once; see {@link OperationClient.cut}. */
  cut(reason: string): void;
  /** Whether no request is in flight, and none will begin. */
  readonly ended: boolean;
  /** Whether the executor ended because there was nothing left to send. */
  readonly ranOut: boolean;
  /** Time at which the last request ended, in ms since the start of the load. */
  readonly lastEnd: number;
  /** Returns the numbers of active clients, due requests and waiting requests in the second `[from, until)`. */
  pace(from: number, until: number): Pace;
  /** Returns how many requests were due, sent and not sent in the measured phase; null for closed executors. */
  offering(): Offering | null;
  /**
   * Records the requests that were due in the measured phase and never sent. Called only after the load, because recording so many requests
   * during the load would delay the drain.
   */
  noteUnsent?(): void;
  /** Sets the next rate. Only for a search for the highest rate. */
  follow?(order: RateOrder): void;
}

/** Settings and objects that an executor receives from its load thread. */
export interface ExecutorSetting {
  clock: LoadClock;
  phases: Phases;
  share: Share;
  operation: Operation;
  recorder: TaskRecorder;
  pacer: Pacer;
  /** Called when {@link Executor.ended} has become true. */
  onEnded: () => void;
  /**
   * Called with the results of a step. Only in a search for the highest rate. By then, each request that counts for the step has been
   * answered or given up. Requests in the first seconds of a step do not count, because the load must settle.
   */
  onStep: (report: StepReport) => void;
}
