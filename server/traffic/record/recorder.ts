/** Records traffic: relays connections to a cluster, and records the requests of a share of the connections. */
import { rm } from 'node:fs/promises';
import type { MessagePort, Worker } from 'node:worker_threads';
import { DynoError, messageOf, runError } from '../../../common/problem';
import { ConnectionReader } from './connection-reader';
import type { FromWriting, WritingSettings, WritingTotals } from './frames';
import { Outbox, type OutboxOptions } from './outbox';
import { SpillFile } from './spill-file';
import { Relay, type ConnectionObserver, type RelayCosts, type RelayListen, type RelayTarget } from './relay';

export interface RecordOptions {
  target: RelayTarget;
  listen: RelayListen;
  /** Path of the target's URL, without a slash at its end. */
  basePath: string;
  file: string;
  /** Share of all connections that is recorded, in (0, 1]. */
  share: number;
  rotateBytes: number;
  mostBytes: number;
  /** Maximum number of simultaneous connections of clients. */
  mostConnections?: number;
  /** Starts the writing thread. */
  startWriting(settings: WritingSettings): Worker | MessagePort;
  /** Called with each problem that does not end the recording. */
  onProblem(message: string): void;
}

export interface RecordCounts {
  /** Number of all connections of clients since the start. */
  connections: number;
  /** Number of connections since the start whose requests are recorded. */
  recordedConnections: number;
  /** Number of clients' connections that are open at the moment. */
  openConnections: number;
  /** Number of connections that could not be accepted, or that were closed because no connection to the target could be opened. */
  failedConnections: number;
  /** Last error of a failed connection. Null if no connection failed. */
  lastFailure: string | null;
  relayedBytes: number;
  /** Number of requests on disk. Each request of a recorded connection is counted exactly once: in `recorded`, `dropped` or `unread`. */
  recorded: number;
  /** Number of requests that were dropped, because there was no space in memory and on disk. */
  dropped: number;
  /** Number of requests that are not recorded, because they are incomplete, outside of the base path, or not valid HTTP. */
  unread: number;
  /** Number of requests from whose query a credential was removed. */
  redacted: number;
  /**
   * Number of recorded requests without facts about their responses, such as the number of hits. A replay compares these facts with the
   * responses that it receives.
   */
  withoutFacts: number;
  fileBytes: number;
  files: readonly string[];
  costs: RelayCosts;
  /** CPU time of this process since the start of the recording, divided by the elapsed time: 1 is one busy core. */
  cores: number;
}

export interface Recording {
  /** Host name or IP address on which the recorder listens. */
  host: string;
  port: number;
  readonly counts: RecordCounts;
  /**
   * Stops accepting connections, waits up to `graceMs` for requests in flight, and completes the file. Rejects with a DynoError
   * `record.ended` (run) if the file could not be completed.
   */
  stop(graceMs: number): Promise<RecordCounts>;
}

/** Minimum time between two messages about a failing disk, in ms. */
const DISK_EVERY_MS = 60_000;
const NOTHING: WritingTotals = { records: 0, bytes: 0, dropped: 0, unread: 0, withoutFacts: 0, files: [] };

/**
 * Returns a function that decides for each new connection whether it is recorded. With a share of 0.25, every fourth connection is
 * recorded; which of the first four is random. With an independent random decision for each of a few connections, the result could differ
 * much from the requested share.
 */
export function takesShare(share: number, random = Math.random()): () => boolean {
  let sum = random;
  return () => {
    sum += share;
    if (sum < 1) return false;
    sum -= 1;
    return true;
  };
}

/** The recorder's access to its writing thread. */
class Writing {
  totals = NOTHING;
  isFull = false;
  /** Error that ended the thread before the recorder requested its end. */
  failure: Error | undefined;
  readonly outbox: Outbox;
  private isEnded = false;
  private diskAt = -Infinity;
  private waiting: { resolve: () => void; reject: (error: Error) => void } | undefined;

  /**
   * `onOver`: called when nothing more can be recorded, because the recording has reached its maximum size or the writing thread has ended.
   */
  constructor(
    port: Worker | MessagePort,
    options: OutboxOptions,
    private readonly onOver: () => void,
    private readonly onProblem: (message: string) => void,
  ) {
    this.outbox = new Outbox(port, options);
    const events = port as NodeJS.EventEmitter;
    events.on('message', (message: FromWriting) => this.receive(message));
    events.on('error', (error: Error) => this.fail(error));
    for (const event of ['exit', 'close']) events.on(event, () => this.fail(new Error('its thread ended')));
  }

  /** Resolves when the file for the recording is open. Rejects with a DynoError if it cannot be created. */
  open(): Promise<void> {
    return this.answer();
  }

  /** Ends the writing. Resolves when all records are written. */
  async end(): Promise<void> {
    if (this.failure !== undefined) return;
    const ended = this.answer();
    await this.outbox.close();
    await ended;
  }

  private answer(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
  }

  private receive(message: FromWriting): void {
    switch (message.as) {
      case 'open':
        this.waiting?.resolve();
        break;
      case 'refused': {
        const { kind, code, path, message: text, allowed } = message;
        this.isEnded = true;
        this.waiting?.reject(new DynoError(kind, [{ code, path, message: text, allowed }]));
        break;
      }
      case 'read':
        this.totals = message.totals;
        if (message.buffer !== undefined) this.outbox.giveBack(message.buffer);
        if (message.isSpilled) this.outbox.spillRead();
        if (message.isFull && !this.isFull) {
          this.isFull = true;
          this.onOver();
        }
        break;
      case 'disk':
        this.reportDisk(message.message);
        break;
      case 'ended':
        this.totals = message.totals;
        this.isEnded = true;
        this.waiting?.resolve();
    }
  }

  /** Reports an error of the disk, at most once a minute. A full disk causes an error at every attempt to write. */
  private reportDisk(message: string): void {
    const now = performance.now();
    if (now - this.diskAt < DISK_EVERY_MS) return;
    this.diskAt = now;
    this.onProblem(
      `${message}; requests are passed on, and dropped from the recording until it can be written again`,
    );
  }

  /** Called when the writing thread has ended. If the recorder has not requested this, `error` becomes the failure of the recording. */
  private fail(error: Error): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.failure = error;
    this.outbox.abandon();
    this.waiting?.resolve();
    this.onOver();
  }
}

/**
 * Starts a recording. Rejects with a DynoError if the file cannot be created, and with the error of the system if it cannot listen on the
 * address.
 */
export async function startRecording(options: RecordOptions): Promise<Recording> {
  const { file, share, rotateBytes, mostBytes, basePath, target, listen, onProblem } = options;
  const startedNow = performance.now();
  const startedAt = Math.round(performance.timeOrigin + startedNow);
  const startedCpu = process.cpuUsage();
  let isOver = false;
  let recordedConnections = 0;
  let spill: SpillFile | null = null;
  let whyNoSpill = '';
  try {
    spill = await SpillFile.open(`${file}.spill`);
  } catch (error) {
    whyNoSpill = messageOf(error);
  }
  const settings: WritingSettings = {
    ...{ file, startedAt, startedNow, share, rotateBytes, mostBytes },
    spill: spill?.descriptor ?? null,
  };
  const endRecording = (): void => {
    if (isOver) return;
    isOver = true;
    relay.stopObserving();
    onProblem(
      writing.isFull
        ? 'the recording has reached its largest size: further requests are passed on, but not recorded'
        : `nothing more can be recorded, requests are only passed on: ${writing.failure?.message}`,
    );
  };
  const writing = new Writing(options.startWriting(settings), { basePath, spill }, endRecording, onProblem);
  const isTaken = takesShare(share);
  const relay = new Relay({
    target,
    listen,
    mostConnections: options.mostConnections,
    observe: (client): ConnectionObserver | null => {
      if (isOver || !isTaken()) return null;
      recordedConnections += 1;
      return new ConnectionReader(recordedConnections - 1, writing.outbox.sinkOf(client));
    },
  });
  let address;
  try {
    await writing.open();
    if (writing.failure !== undefined) throw runError('record.ended', file, writing.failure.message);
    try {
      address = await relay.listen();
    } catch (error) {
      isOver = true;
      await writing.end();
      // The file is removed, because the next try would otherwise refuse to overwrite it.
      await rm(file, { force: true });
      throw error;
    }
  } catch (error) {
    await spill?.close();
    throw error;
  }
  if (spill === null)
    onProblem(`without a temporary file, bursts of requests only wait in memory: ${whyNoSpill}`);
  const counts = (): RecordCounts => {
    const { records, bytes, dropped, unread, withoutFacts, files } = writing.totals;
    const { user, system } = process.cpuUsage(startedCpu);
    return {
      connections: relay.accepted,
      recordedConnections,
      openConnections: relay.open,
      failedConnections: relay.failedConnections,
      lastFailure: relay.failure?.message ?? null,
      relayedBytes: relay.bytes,
      recorded: records,
      dropped: dropped + writing.outbox.unreported,
      unread: unread + writing.outbox.unread,
      redacted: writing.outbox.redacted,
      withoutFacts,
      fileBytes: bytes,
      files,
      costs: relay.costs,
      cores: (user + system) / 1000 / (performance.now() - startedNow),
    };
  };
  return {
    host: address.address,
    port: address.port,
    get counts() {
      return counts();
    },
    async stop(graceMs) {
      await relay.close(graceMs);
      isOver = true;
      await writing.end();
      await spill?.close();
      const last = counts();
      if (writing.failure !== undefined)
        throw runError('record.ended', file, `the file is incomplete: ${writing.failure.message}`);
      return last;
    },
  };
}
