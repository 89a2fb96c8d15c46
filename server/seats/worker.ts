/** A worker: a process that generates a part of a run's load. It does so for every trial until the run ends. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { DynoError, messageOf, runError } from '../../common/problem';
import { tick } from '../load/timing/clock';
import type { LoadTarget } from '../load/contract';
import { createFence, type Fence } from '../load/timing/fence';
import type { FromSeat, Order } from '../load/messages';
import { Seat } from '../load/threads/seat';
import type { ProcessIdentity } from '../process-life';
import { BEAT, busOn, calls, cardOf, type Beat, type Bus, type Call, type WorkerCard } from './bus';
import { orders, reports } from './codec';
import { CommonClock } from './common-clock';
import { withOwnFiles } from './files';
import { Inbox, isOver, Outbox } from './mailbox';
import {
  BEAT_MS,
  boxFrom,
  boxTo,
  LEASE_MS,
  LEAVE_MS,
  LOOK_MS,
  LOOK_UNDER_LOAD_MS,
  type FromSeatProcess,
  type ToSeat,
} from './protocol';

export interface WorkerSetting {
  results: ElasticsearchClient;
  process: ProcessIdentity;
  /** Unique id of the machine. */
  machine: string;
  cores: number;
  version: string;
  labels: Readonly<Record<string, string>>;
  /** Returns the credentials of this machine for the target. The run does not send credentials. */
  credentials: (nodes: readonly string[]) => Pick<LoadTarget, 'headers' | 'ca' | 'verifyCertificates'>;
  /** Path of the built entry file of the load threads. */
  workerFile: string;
  /** Folder on this machine to which the files of a definition are relative. */
  folder: string;
  onNote: (message: string) => void;
}

/** Interval in ms at which a worker looks for runs that need workers. */
const SEARCH_MS = 2000;
/** Time in ms after which a worker offers itself again to a run that declined the worker. */
const AGAIN_MS = 10_000;

/** Reason why a worker left a run, or was not accepted. `hadSeat`: whether it had been accepted before. */
export type Left = { why: string; hadSeat: boolean };

/** The load in progress. */
interface RunningLoad {
  number: number;
  seat: Seat | null;
  begun: boolean;
  /** Orders that arrived before the threads of this load were ready. */
  early: Order[];
}

/**
 * Offers this process to a run, and generates load for the run if the process is accepted. Resolves, with the reason, when the process no
 * longer works for the run or was not accepted. Rejects only if Dyno has a bug. If `signal` aborts, the process leaves the run.
 */
export async function serveRun(
  setting: WorkerSetting,
  { index, call }: { index: string; call: Call },
  signal: AbortSignal,
): Promise<Left> {
  return await serveOn(setting, busOn(setting.results, index), call, signal);
}

/**
 * Like {@link serveRun}: offers this process to a run, and generates load for the run if the process is accepted. `bus`: the run's index
 * for messages.
 */
export async function serveOn(
  setting: Omit<WorkerSetting, 'results'>,
  bus: Bus,
  call: Call,
  signal: AbortSignal,
): Promise<Left> {
  const card: WorkerCard = {
    kind: 'worker',
    offer: randomUUID(),
    process: setting.process,
    machine: setting.machine,
    cores: setting.cores,
    version: setting.version,
    labels: { ...setting.labels },
  };
  try {
    const free = await bus.create(cardOf(call.shareMachine ? card.offer : setting.machine), card);
    if (!free) return { why: 'a worker of this machine has offered itself already', hadSeat: false };
  } catch (error) {
    return { why: messageOf(error), hadSeat: false };
  }
  return await new SeatHolder(setting, bus, call, card.offer).serve(signal);
}

export interface WorkOptions {
  /** Id of the only run for which this worker generates load. By default, it works for any run. */
  run?: string;
  /** Whether the worker ends after the first run that has accepted it. */
  once?: boolean;
}

/** Generates load for one run after the other, until the signal is aborted. Rejects only if Dyno has a bug. */
export async function work(
  setting: WorkerSetting,
  { run, once }: WorkOptions,
  signal: AbortSignal,
): Promise<void> {
  /**
   * Earliest time at which this worker may offer itself to a run again, by the name of the run's index for messages. Times are in ms on the
   * clock {@link tick}.
   */
  const notBefore = new Map<string, number>();
  let away = '';
  while (!signal.aborted) {
    let found: Awaited<ReturnType<typeof calls>> = [];
    try {
      found = await calls(setting.results);
      if (away !== '') setting.onNote('the results cluster answers again');
      away = '';
    } catch (error) {
      if (away === '') setting.onNote(messageOf(error));
      away = messageOf(error);
    }
    for (const calling of found) {
      if (signal.aborted || (run !== undefined && calling.call.run.id !== run)) continue;
      if (tick() < (notBefore.get(calling.index) ?? 0)) continue;
      const { why, hadSeat } = await serveRun(setting, calling, signal);
      notBefore.set(calling.index, tick() + AGAIN_MS);
      if (!hadSeat) continue;
      setting.onNote(`gave its seat of run ${calling.call.run.id} back: ${why}`);
      if (once) return;
    }
    await sleep(SEARCH_MS, undefined, { signal }).catch(() => undefined);
  }
}

class SeatHolder {
  private readonly inbox: Inbox<ToSeat>;
  private readonly outbox: Outbox<FromSeatProcess>;
  private readonly clock: CommonClock;
  private readonly fence: Fence = createFence();
  /**
   * Whether the run has ever listed this worker in a sign of life. Only after that does a missing entry mean that the run has removed the
   * worker.
   */
  private leased = false;
  private place: { seat: number; of: number } | null = null;
  private load: RunningLoad | null = null;
  /** Resolves once the threads of the most recent load have ended. */
  private ending: Promise<void> = Promise.resolve();
  private beat = -1;
  private beatAt = tick();
  private sentAt = -Infinity;
  private left: string | null = null;
  private broken: DynoError | null = null;

  constructor(
    private readonly setting: Omit<WorkerSetting, 'results'>,
    private readonly bus: Bus,
    private readonly call: Call,
    private readonly offer: string,
  ) {
    this.inbox = new Inbox(boxTo(offer), orders);
    this.outbox = new Outbox(bus, boxFrom(offer), reports, (error) => {
      this.broken = error;
    });
    this.clock = new CommonClock(bus);
  }

  async serve(signal: AbortSignal): Promise<Left> {
    try {
      while (this.left === null) {
        if (signal.aborted) this.leave(messageOf(signal.reason));
        else await this.look();
        if (this.left !== null) break;
        this.checkLease();
        this.sendHere();
        const wait = this.load?.begun ? LOOK_UNDER_LOAD_MS : LOOK_MS;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    } finally {
      this.endLoad();
      // The last messages need time to be sent.
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      this.outbox.close();
    }
    return { why: this.left, hadSeat: this.place !== null };
  }

  /** Reads the messages of the run once. */
  private async look(): Promise<void> {
    if (this.broken) return void (this.left = this.broken.message);
    const asked = tick();
    let messages: ToSeat[];
    try {
      const read = await this.bus.read([BEAT, ...this.inbox.wanted()]);
      this.receiveBeat(read.get(BEAT) as Beat | undefined, asked);
      messages = this.inbox.take(read);
    } catch (error) {
      // An unreachable cluster may come back. Until then, the worker stops its load when it is no longer allowed to send requests.
      if (isOver(error)) this.left = messageOf(error);
      return;
    }
    for (const message of messages) this.receive(message);
  }

  /**
   * Processes a sign of life of the run. If it is new and lists this worker, the worker may send requests for another {@link LEASE_MS}.
   * This period begins at `asked`: the time just before the sign of life was requested.
   */
  private receiveBeat(beat: Beat | undefined, asked: number): void {
    if (beat === undefined || beat.number === this.beat) return;
    this.beat = beat.number;
    this.beatAt = asked;
    if (beat.seats.includes(this.offer)) {
      this.leased = true;
      this.fence.until(asked + LEASE_MS);
    } else if (this.leased) this.left = 'the run has given its seat to another worker';
  }

  private checkLease(): void {
    if (this.left !== null) return;
    if (this.load !== null && this.leased && this.fence.isPassed()) {
      this.failLoad(
        runError(
          'seat.lease-lost',
          '',
          `it has received no sign of life of the run for ${LEASE_MS / 1000} s, and has stopped its load`,
        ),
      );
    }
    if (tick() - this.beatAt > LEAVE_MS) this.left = `no sign of life of the run for ${LEAVE_MS / 1000} s`;
  }

  private sendHere(): void {
    const now = tick();
    if (now - this.sentAt < BEAT_MS || this.left !== null) return;
    this.outbox.withdraw(({ kind }) => kind === 'here');
    this.post({ kind: 'here' });
  }

  private receive(message: ToSeat): void {
    switch (message.kind) {
      case 'appointed':
        this.place = message;
        // The worker may send requests after the next sign of life that lists it.
        this.setting.onNote(
          `has seat ${message.seat + 1} of ${message.of} of run ${this.call.run.id} (${this.call.run.experiment})`,
        );
        break;
      case 'declined':
      case 'leave':
        this.left = message.why;
        break;
      case 'prepare':
        this.endLoad();
        this.load = { number: message.load, seat: null, begun: false, early: [] };
        // The preparation is not awaited, because reading files may take minutes, and this process must continue to send signs of life.
        void this.prepare(message, this.load);
        break;
      case 'order':
      case 'begin':
      case 'end':
        this.order(message);
        break;
    }
  }

  private async prepare(message: Extract<ToSeat, { kind: 'prepare' }>, load: RunningLoad): Promise<void> {
    try {
      const { target } = message.job;
      const job = await withOwnFiles(message.job, message.files, this.setting.folder);
      const clock = await this.clock.measure();
      if (this.load !== load) return;
      this.post({ kind: 'clock', load: load.number, clock });
      load.seat = new Seat({
        job: { ...job, target: { ...target, ...this.setting.credentials(target.nodes) } },
        shares: message.shares,
        workerFile: this.setting.workerFile,
        fence: this.fence,
        send: (message) => {
          this.send(load, message);
        },
      });
      for (const order of load.early) load.seat.order(order);
    } catch (error) {
      if (this.load !== load) return;
      this.failLoad(
        error instanceof DynoError ? error : runError('seat.failed', '', messageOf(error), error),
      );
    }
  }

  private order(message: Extract<ToSeat, { kind: 'order' | 'begin' | 'end' }>): void {
    const { load } = this;
    if (message.kind === 'end') {
      if (load?.number === message.load) this.endLoad();
      void this.ending.then(() => {
        this.post({ kind: 'ended', load: message.load });
      });
      return;
    }
    if (load === null || load.number !== message.load) return;
    if (message.kind === 'begin') load.begun = true;
    const order: Order =
      message.kind === 'order'
        ? message.order
        : { kind: 'begin', start: { at: message.at, tick: this.clock.tickAt(message.reference) } };
    if (load.seat === null) load.early.push(order);
    else load.seat.order(order);
  }

  private send(load: RunningLoad, message: FromSeat): void {
    if (this.load !== load) return;
    // Older waiting messages of the same kind are removed, because the reader needs only the newest one.
    if (message.kind === 'alive')
      this.outbox.withdraw((other) => other.kind === 'report' && other.message.kind === 'alive');
    this.post({ kind: 'report', load: load.number, message });
  }

  private post(message: FromSeatProcess): void {
    this.sentAt = tick();
    this.outbox.post(message);
  }

  private failLoad({ kind, problems }: DynoError): void {
    const { load } = this;
    if (load === null) return;
    this.send(load, { kind: 'failed', problemKind: kind, problems: [...problems] });
    this.endLoad();
  }

  private endLoad(): void {
    if (this.load?.seat) this.ending = this.load.seat.end();
    this.load = null;
  }

  private leave(why: string): void {
    this.post({ kind: 'leaving', why });
    this.left = why;
  }
}
