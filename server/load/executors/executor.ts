/** What every executor offers: it decides when its clients begin their requests. All times are ms since the start. */
import type { LoadClock } from '../timing/clock';
import type { Operation } from '../operations/operation';
import type { RateOrder, StepReport } from '../highest-rate/orders';
import type { Pacer } from '../timing/pacer';
import type { Phases } from '../timing/phases';
import type { Pace, TaskRecorder } from '../samples/recorder';
import type { Share } from '../threads/shares';

/** An open executor's measured phase, in requests. */
export interface Offering {
  /** Due in it. */
  offered: number;
  /** First sent in it, whenever they were due. */
  sent: number;
  /** Due, and not sent when it ended. */
  unsent: number;
}

export interface Executor {
  start(): void;
  /** No new requests from now on; those in flight go on. */
  stop(): void;
  /** Ends requests in flight too; see {@link OperationClient.cut}. */
  cut(reason: string): void;
  /** Nothing is in flight, and nothing will be. */
  readonly ended: boolean;
  /** It ended because there was nothing left to send. */
  readonly ranOut: boolean;
  /** When the last request ended. */
  readonly lastEnd: number;
  /** Of the second `[from, until)`. */
  pace(from: number, until: number): Pace;
  /** Null for closed executors. */
  offering(): Offering | null;
  /** Notes what was due in the measured phase and never sent, once the load has ended: it is no work for the drain. */
  noteUnsent?(): void;
  /** Of a search for the highest rate: the next rate. */
  follow?(order: RateOrder): void;
}

/** What executors are built with. */
export interface ExecutorSetting {
  clock: LoadClock;
  phases: Phases;
  share: Share;
  operation: Operation;
  recorder: TaskRecorder;
  pacer: Pacer;
  /** Called when `ended` has become true. */
  onEnded: () => void;
  /** Of a search for the highest rate: called when what was due in a step's judged time is known. */
  onStep: (report: StepReport) => void;
}
