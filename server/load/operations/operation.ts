/** What every operation offers to the executors: clients that carry out one request at a time. */
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

/** `ended`: there was nothing left to send. `unanswered`: no usable answer came, the client should pause. */
export type RequestEnd = 'answered' | 'unanswered' | 'ended';

/** One client: at most one logical request (a bulk with its retries, a search) at a time. */
export interface OperationClient {
  /**
   * Begins a request that should have started at `intended`, ms; null: whenever it is sent.
   * `done` is called once, never before this returns.
   */
  begin(intended: number | null): void;
  /** Ends the request, if there is one, without waiting any longer; what was sent counts as unknown, for `reason`. */
  cut(reason: string): void;
}

export interface ClientEvents {
  /** Called once before `onDone`, when it is known that the request was first written at `sent`, ms since the start. */
  onSent(client: OperationClient, sent: number): void;
  onDone(client: OperationClient, end: RequestEnd, time: number): void;
}

export interface Operation {
  createClient(events: ClientEvents): OperationClient;
  /** Nothing is left to send, and nothing will be. */
  readonly exhausted: boolean;
  close(): void;
  /**
   * Where its requests come from somewhere: calls back once when the first of them could be sent, or there is none. Not
   * to be asked any more once requests are asked for.
   */
  whenReady?(onReady: () => void): void;
  /** Of a recorded log: when its requests are due; see {@link DueTimes}. `onReady` is called when one that was not known may be. */
  recordedTimes?(speed: number, onReady: () => void): DueTimes;
  /** Of a recorded log, once the load has ended: what became of its lines. */
  replayed?(): ReplayAccount;
  /** No new requests will be asked for: clients that wait for documents need not wait any longer. */
  release?(): void;
  /** Of an ingestion whose lines are parsed by threads, once the load has ended. */
  senderTimes?(): SenderTimes | null;
  /** Of an ingestion with actions or ids, once the load has ended: what its writes did; undefined of others. */
  written?(): WriteAccount | undefined;
  /** Of requests that are drawn, once the load has ended. */
  drew?(): DrawnSketch;
}

/** What operations are built with. */
export interface OperationSetting {
  clock: LoadClock;
  phases: Phases;
  recorder: TaskRecorder;
  transport: Sender;
  pacer: Pacer;
  /** Base URL's path is put before them by the transport. */
  indices: readonly string[];
  /** The largest request that the target takes, bytes; undefined where that is not known. */
  maxContentBytes?: number | undefined;
  /** See {@link Destination}. */
  destination?: Destination | undefined;
  /** Which of the indices a document goes to. */
  route: IndexRoute;
  /** For choices and jitter. */
  random: Random;
  /** Documents seed. */
  seed: number;
  /** Its place among those that have clients of the task; `index` is `of` or more for one without. */
  share: { index: number; of: number };
  /** What ids of documents are made of: the task's place among those of the load, and a seed that all of its shares have. */
  ids: { place: number; seed: number };
  /** Documents that the measured phase is made of, by their numbers among those of all shares; null without limit. */
  documents: { from: number; until: number; of: number } | null;
  /** From each of the parsers of this task; null where nothing is parsed. */
  parsers: readonly MessagePort[] | null;
  /** From the thread that reads the documents of this task; null where none does. */
  reader: MessagePort | null;
  /** A source broke: the load cannot go on. */
  onBroken: (error: unknown) => void;
}

/** What requests are drawn, rendered, sent and judged with. */
export type RequestSetting = Pick<
  OperationSetting,
  'clock' | 'recorder' | 'transport' | 'indices' | 'random' | 'seed' | 'share'
>;
