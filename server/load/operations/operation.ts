/** The interface between operations and executors: clients that carry out one request at a time. */
import type { MessagePort } from 'node:worker_threads';
import type { Destination } from '../../../common/elasticsearch/destination';
import type { IndexRoute } from '../../../common/experiment/definition';
import type { SenderTimes } from '../../../common/measurement/parse';
import type { ReplayAccount } from '../../../common/measurement/replay';
import type { DrawnSketch } from '../../../common/measurement/distinct';
import type { WriteAccount } from '../../../common/measurement/writes';
import type { Random } from '../../../common/random';
import type { LoadClock } from '../timing/clock';
import type { DueTimes } from '../executors/due-times';
import type { Pacer } from '../timing/pacer';
import type { Phases } from '../timing/phases';
import type { TaskRecorder } from '../samples/recorder';
import type { Sender } from '../transport/transport';

/** `ended`: there was nothing left to send. `unanswered`: no usable answer came, so the client should pause. */
export type RequestEnd = 'answered' | 'unanswered' | 'ended';

/** One client: at most one logical request (a bulk with its retries, a search) at a time. */
export interface OperationClient {
  /**
   * Begins a request. `intended`: when it should have started, in ms; null for the time at which it is sent.
   * Calls `done` once, but not before this returns.
   */
  begin(intended: number | null): void;
  /** Ends the current request, if any, at once. Its outcome counts as unknown, with `reason`. */
  cut(reason: string): void;
}

export interface ClientEvents {
  /** Called once before `onDone`, with the time at which the request was first written, in ms since the start. */
  onSent(client: OperationClient, sent: number): void;
  onDone(client: OperationClient, end: RequestEnd, time: number): void;
}

export interface Operation {
  createClient(events: ClientEvents): OperationClient;
  /** Whether nothing is left to send, now and later. */
  readonly exhausted: boolean;
  close(): void;
  /**
   * For requests from a source: calls back once when the first of them can be sent, or if there are no requests. Must not be called after the
   * first request has begun.
   */
  whenReady?(onReady: () => void): void;
  /** For a log: returns the due times of its requests. `onReady` is called when an unknown due time may be known. */
  recordedTimes?(speed: number, onReady: () => void): DueTimes;
  /** For a log, after the load: returns what happened to its lines. */
  replayed?(): ReplayAccount;
  /** Called when no new requests will begin. Clients that wait for documents stop waiting. */
  release?(): void;
  /** For an ingest task whose lines are parsed in threads, after the load: returns the times of its senders. */
  senderTimes?(): SenderTimes | null;
  /** For an ingest task with actions or ids, after the load: returns the results of its writes; otherwise undefined. */
  written?(): WriteAccount | undefined;
  /** For requests that are drawn, after the load: returns a sketch of the distinct ones. */
  drew?(): DrawnSketch;
}

/** Dependencies of an operation. */
export interface OperationSetting {
  clock: LoadClock;
  phases: Phases;
  recorder: TaskRecorder;
  transport: Sender;
  pacer: Pacer;
  /** Indices of the trial. The transport adds the path of the base URL to each request. */
  indices: readonly string[];
  /** Largest request that the target accepts, in bytes; undefined if unknown. */
  maxContentBytes?: number | undefined;
  /** See {@link Destination}. */
  destination?: Destination | undefined;
  /** How the index of a document is chosen. */
  route: IndexRoute;
  /** Random numbers for choices and jitter. */
  random: Random;
  /** Seed of the documents. */
  seed: number;
  /** Its place among the shares that have clients of the task. For a share without clients, `index` is `of` or more. */
  share: { index: number; of: number };
  /** Source of document ids: place of the task in the load, and a seed that all shares have in common. */
  ids: { place: number; seed: number };
  /** Documents of the measured phase, by their numbers over all shares; null: no limit. */
  documents: { from: number; until: number; of: number } | null;
  /** Ports of this task's parsers; null if nothing is parsed. */
  parsers: readonly MessagePort[] | null;
  /** Port of the thread that reads the documents of this task; null if there is no such thread. */
  reader: MessagePort | null;
  /** Called when a source fails. The load cannot continue. */
  onBroken: (error: unknown) => void;
}

/** The part of the dependencies that draws, renders, sends and judges requests. */
export type RequestSetting = Pick<
  OperationSetting,
  'clock' | 'recorder' | 'transport' | 'indices' | 'random' | 'seed' | 'share'
>;
