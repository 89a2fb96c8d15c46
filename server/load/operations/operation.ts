/** The interface between operations and executors: clients that carry out one request at a time. */
import type { MessagePort } from 'node:worker_threads';
import type { Destination } from '../../../common/elasticsearch/destination';
import type { IndexRoute } from '../../../common/experiment/definition';
import type { SenderTimes } from '../../../common/measurement/parse';
import type { ReplayAccount } from '../../../common/measurement/replay';
import type { AnswerAccount } from '../../../common/measurement/same-answers';
import type { DrawnSketch } from '../../../common/measurement/distinct';
import type { TrafficAccount } from '../../../common/measurement/traffic';
import type { WriteAccount } from '../../../common/measurement/writes';
import type { Random } from '../../../common/random';
import type { LoadClock } from '../timing/clock';
import type { DueTimes } from '../executors/due-times';
import type { Pacer } from '../timing/pacer';
import type { Phases } from '../timing/phases';
import type { TaskRecorder } from '../samples/recorder';
import type { Sender } from '../transport/transport';

/** `ended`: nothing was left to send. `unusable`: no usable response arrived, so the client should pause. */
export type RequestEnd = 'answered' | 'unusable' | 'ended';

/** One client. It carries out at most one logical request at a time, such as a search, or a bulk with its retries. */
export interface OperationClient {
  /**
   * Begins a request. `intended`: when the request was due, in ms since the start of the load; null if it is due now. When the request has
   * ended, `onDone` is called once, and never before this method has returned.
   */
  begin(intended: number | null): void;
  /** Ends the current request, if any, at once. Its outcome counts as unknown, with the reason `reason`. */
  cut(reason: string): void;
}

export interface ClientEvents {
  /**
   * Called once before `onDone`.
   * - `sent`: time at which the request was first written, in ms since the start.
   * - `ready`: only for replayed traffic, where a request may wait for the responses to earlier requests. Time of the last of these
   *   responses; absent or 0 if the request waited for none.
   */
  onSent(client: OperationClient, sent: number, ready?: number): void;
  onDone(client: OperationClient, end: RequestEnd, time: number): void;
}

export interface Operation {
  createClient(events: ClientEvents): OperationClient;
  /** Whether there is nothing left to send now or later. */
  readonly exhausted: boolean;
  close(): void;
  /**
   * Calls `onReady` once: when the first request can be sent, or when the source turns out to be empty. Only for operations that read a
   * source. Must not be called after the first request has begun.
   */
  whenReady?(onReady: () => void): void;
  /** For a log: returns the due times of its requests. `onReady` is called when an unknown due time may have become known. */
  recordedTimes?(speed: number, onReady: () => void): DueTimes;
  /** For a log of searches, after the load: returns the number of lines by outcome. */
  replayed?(): ReplayAccount;
  /** For recorded traffic, after the load: returns how its responses compare with the recorded ones. Undefined for other logs. */
  compared?(): AnswerAccount | undefined;
  /** For recorded traffic, after the load: returns the number of recorded requests by outcome. */
  trafficReplayed?(): TrafficAccount;
  /** Called when no new requests will begin. Clients that wait for documents stop waiting. */
  release?(): void;
  /**
   * For an ingest task whose lines are parsed in separate threads, after the load: returns how long its clients were busy, and how long
   * they waited for documents. Null for other tasks.
   */
  senderTimes?(): SenderTimes | null;
  /** For an ingest task with actions or ids, after the load: returns the counts of its bulk actions. Undefined for other tasks. */
  written?(): WriteAccount | undefined;
  /** Only for requests with random values, after the load: returns an estimate of the number of distinct requests. */
  drew?(): DrawnSketch;
}

/** Settings and objects that an operation receives from its load thread. */
export interface OperationSetting {
  clock: LoadClock;
  phases: Phases;
  recorder: TaskRecorder;
  transport: Sender;
  pacer: Pacer;
  /** Names of the trial's indices. The path of the base URL is not included, because the transport adds it to each request. */
  indices: readonly string[];
  /** Maximum size of a request that the target accepts, in bytes. Undefined if unknown. */
  maxContentBytes?: number | undefined;
  /** Indices in which documents should arrive; see {@link Destination}. */
  destination?: Destination | undefined;
  /** How the index of a document is chosen; see {@link IndexRoute}. */
  route: IndexRoute;
  /** Random numbers for choosing requests and for the jitter of retries. */
  random: Random;
  /** Seed of the documents. */
  seed: number;
  /**
   * Position of this load thread (`index`) among the `of` threads that have clients for the task. If `index` is at least `of`, this thread
   * has no clients.
   */
  share: { index: number; of: number };
  /** Values from which ids of documents are made. `place`: position of the task in the load. `seed`: the same in all load threads. */
  ids: { place: number; seed: number };
  /**
   * Documents that this load thread sends in the measured phase: the numbers from `from` to `until` (exclusive). `of`: number of documents
   * of all threads together. Null for no limit.
   */
  documents: { from: number; until: number; of: number } | null;
  /** Ports of this task's parsers. Null if nothing is parsed. */
  parsers: readonly MessagePort[] | null;
  /** Port of the thread that reads the documents of this task. Null if there is no such thread. */
  reader: MessagePort | null;
  /** Called when a source fails. The load cannot continue. */
  onBroken: (error: unknown) => void;
}

/** The part of {@link OperationSetting} with which requests are created, sent and judged. */
export type RequestSetting = Pick<
  OperationSetting,
  'clock' | 'recorder' | 'transport' | 'indices' | 'random' | 'seed' | 'share'
>;
