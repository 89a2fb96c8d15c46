/**
 * Controls the *workers* of a run: the processes that generate its load. Asks for workers, gives each of them a part of the load (a
 * numbered *seat*), and detects workers that are lost. Runs in the process that executes the run.
 */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { messageOf, runError, type DynoError } from '../../common/problem';
import { plural } from '../../common/units/format';
import { tick } from '../load/timing/clock';
import type { LoadJob } from '../load/contract';
import type { FromSeat, Order } from '../load/messages';
import type { SeatLink, Seating } from '../load/threads/seating';
import { defaultWorkers } from '../load/threads/shares';
import type { ProcessIdentity } from '../process-life';
import { BEAT, cardOf, openBus, type Beat, type Bus, type Call, type WorkerCard } from './bus';
import { orders, reports } from './codec';
import { CommonClock } from './common-clock';
import { Inbox, isOver, Outbox } from './mailbox';
import {
  BEAT_MS,
  boxFrom,
  boxTo,
  LEASE_MS,
  LOOK_MS,
  LOOK_UNDER_LOAD_MS,
  LOST_MS,
  type ClockFigures,
  type FileProof,
  type FromSeatProcess,
  type ToSeat,
} from './protocol';

/** Interval in ms at which the coordinator looks for new workers while it needs more of them. */
const RECRUIT_MS = 1000;
/**
 * Interval in ms at which the coordinator removes messages that their receivers have read. Otherwise a long run would leave millions of
 * messages.
 */
const SWEEP_MS = 30_000;

export interface SeatsSetting {
  run: { id: string; experiment: string };
  coordinator: ProcessIdentity;
  version: string;
  /** Number of workers that the run needs. */
  seats: number;
  /** Number of load threads of each worker. By default, the number depends on the job and on the smallest machine. */
  workers?: number;
  shareMachine: boolean;
  onNote: (message: string) => void;
}

/** A worker that belongs to the run. */
interface Member {
  card: WorkerCard;
  /** Number of the worker's part of the load, from 0. */
  seat: number;
  inbox: Inbox<FromSeatProcess>;
  outbox: Outbox<ToSeat>;
  /** Time in ms for which this worker has been silent. Time in which its messages could not be read does not count. */
  silentMs: number;
  clock: ClockFigures | null;
  /** For each load that this worker was ordered to end, by number of the load: a function to call when the worker confirms the end. */
  ending: Map<number, () => void>;
}

/** The load in progress. */
interface RunningLoad {
  number: number;
  send: (seat: number, message: FromSeat) => void;
  begun: boolean;
  /** Numbers of the workers that have reported their results. */
  ended: Set<number>;
}

/** A worker that belongs to the run, in a form for users. */
export interface SeatState {
  seat: number;
  host: string;
  pid: number;
  cores: number;
  labels: Record<string, string>;
  clock: ClockFigures | null;
}

const nameOf = ({ seat, card }: Member, of: number): string =>
  `seat ${seat + 1} of ${of} (process ${card.process.pid} on ${card.process.host})`;

/**
 * Orders a worker to end a load. Resolves when the worker confirms that it sends no more requests of this load. If it does not confirm,
 * resolves when its right to send requests has certainly expired.
 */
const endOf = (member: Member, load: number): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      member.ending.delete(load);
      resolve();
    };
    const timer = setTimeout(end, LEASE_MS + BEAT_MS);
    member.ending.set(load, end);
    member.outbox.post({ kind: 'end', load });
  });

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class Seats {
  /** Workers that belong to the run, by the id with which they offered themselves. */
  private readonly members = new Map<string, Member>();
  /** Ids of workers' offers that this run does not accept any more. */
  private readonly declined = new Set<string>();
  private readonly clock: CommonClock;
  private load: RunningLoad | null = null;
  private loads = 0;
  private beats = 0;
  private beatAt = -Infinity;
  private sweptAt = tick();
  /** Time until which a lost worker may still send requests, in ms of {@link tick}. -Infinity if no worker was lost. */
  private quietFrom = -Infinity;
  /**
   * Reason why the last access to the results cluster failed; '' if it succeeded. While this is not '', messages do not reach the workers.
   */
  private away = '';
  private closed = false;
  private readonly done: Promise<void>;

  /** Called only by {@link openSeats}, which also creates the index for messages and asks for workers. */
  constructor(
    private readonly setting: SeatsSetting,
    private readonly bus: Bus,
  ) {
    this.clock = new CommonClock(bus);
    this.done = this.serve();
  }

  /** Name of the index through which the processes of the run exchange messages. */
  get index(): string {
    return this.bus.index;
  }

  /** Workers that belong to the run, in the order of their parts of the load. */
  get taken(): SeatState[] {
    return [...this.members.values()]
      .sort((a, b) => a.seat - b.seat)
      .map(({ card, seat, clock }) => ({
        seat,
        host: card.process.host,
        pid: card.process.pid,
        cores: card.cores,
        labels: card.labels,
        clock,
      }));
  }

  /** Whether workers cannot be reached, because the results cluster does not answer. */
  get isAway(): boolean {
    return this.away !== '';
  }

  /**
   * Resolves when the run has all its workers, the results cluster answers, and no lost worker can still send requests. `onChange`: called
   * with the current workers whenever their number changes. Rejects with the signal's reason, or after `withinMs` with a DynoError
   * `seats.away` or `seats.missing`. The message of `seats.missing` ends with `advice`.
   */
  async complete(
    {
      withinMs,
      onChange,
      advice,
    }: { withinMs: number; onChange: (taken: SeatState[]) => void; advice?: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { seats } = this.setting;
    const until = tick() + withinMs;
    let reported = -1;
    for (;;) {
      signal.throwIfAborted();
      if (this.members.size !== reported) onChange(this.taken);
      reported = this.members.size;
      if (reported === seats && this.away === '' && tick() >= this.quietFrom) return;
      if ((reported < seats || this.away !== '') && tick() >= until) throw this.missing(withinMs, advice);
      if (reported < seats) {
        try {
          this.appoint(await this.bus.workers());
        } catch (error) {
          if (isOver(error)) throw error;
          // If the results cluster is unreachable, it may answer again before the time limit.
        }
        if (this.members.size > reported) continue;
      }
      await pause(reported === seats ? LOOK_MS : RECRUIT_MS);
    }
  }

  /**
   * Returns the function that gives each worker its part of a load. Call {@link complete} before, so that no worker is missing. `files`:
   * files that the load reads, with the checksums that the workers' copies must have.
   */
  seating(files: readonly FileProof[]): Seating {
    return (job, send) => {
      const members = [...this.members.values()].sort((a, b) => a.seat - b.seat);
      this.loads += 1;
      const load: RunningLoad = { number: this.loads, send, begun: false, ended: new Set() };
      this.load = load;
      const count = this.workersOf(job, members);
      const of = count * this.setting.seats;
      const measured = this.clock.measure().catch(() => null);
      const bare: LoadJob = { ...job, target: { ...job.target, headers: {}, ca: undefined } };
      return Array.from({ length: this.setting.seats }, (_, seat): SeatLink => {
        const member = members.find((one) => one.seat === seat);
        if (member === undefined) {
          // The worker was lost after `complete` had resolved.
          setImmediate(() => {
            send(
              seat,
              failure(runError('seat.lost', '', `seat ${seat + 1} of ${this.setting.seats} is lost`)),
            );
          });
          return { order: () => undefined, end: () => Promise.resolve() };
        }
        const shares = { first: seat * count, count, of };
        member.outbox.post({
          kind: 'prepare',
          load: load.number,
          job: bare,
          shares,
          files: [...files],
        });
        return {
          order: (order) => {
            this.order(member, load, order, measured);
          },
          end: () => {
            if (this.load === load) this.load = null;
            return load.ended.has(seat) ? Promise.resolve() : endOf(member, load.number);
          },
        };
      });
    };
  }

  /**
   * Releases all workers and removes the index for messages from the results cluster. `why`: the reason that the workers receive. Never
   * rejects.
   */
  async close(why: string): Promise<void> {
    if (this.closed) return;
    for (const { outbox } of this.members.values()) outbox.post({ kind: 'leave', why });
    // The workers need time to read this message. A worker that does not read the message in time finds that the index no longer exists.
    if (this.members.size > 0) await pause(LOOK_UNDER_LOAD_MS * 2);
    this.closed = true;
    await this.done;
    for (const { outbox } of this.members.values()) outbox.close();
    await this.bus.close().catch((error: unknown) => {
      this.setting.onNote(`${this.bus.index} could not be removed: ${messageOf(error)}`);
    });
  }

  private order(member: Member, load: RunningLoad, order: Order, measured: Promise<unknown>): void {
    if (this.load !== load) return;
    if (order.kind !== 'begin') {
      member.outbox.post({ kind: 'order', load: load.number, order });
      return;
    }
    load.begun = true;
    const { at, tick: startTick } = order.start;
    void measured.then((known) => {
      // Without the common clock, the workers would not know the start time.
      if (known === null) {
        this.failAway('the common clock could not be read');
        return;
      }
      const reference = this.clock.timeAt(startTick);
      member.outbox.post({ kind: 'begin', load: load.number, at, reference });
    });
  }

  private workersOf(job: LoadJob, members: readonly Member[]): number {
    const { workers, seats } = this.setting;
    if (workers !== undefined) return workers;
    const cores = Math.min(...members.map(({ card }) => card.cores));
    return Math.max(1, Math.floor(defaultWorkers(job, cores * seats) / seats));
  }

  private appoint(cards: readonly WorkerCard[]): void {
    const { seats, version } = this.setting;
    for (const card of cards) {
      const { offer } = card;
      const { host, pid } = card.process;
      if (this.members.has(offer) || this.declined.has(offer)) continue;
      const free = Array.from({ length: seats }, (_, seat) => seat).find((seat) =>
        [...this.members.values()].every((member) => member.seat !== seat),
      );
      const outbox = new Outbox(this.bus, boxTo(offer), orders, () => undefined);
      if (card.version !== version) {
        this.declined.add(offer);
        const why = `its Dyno is version ${card.version}, but the run needs version ${version}`;
        this.setting.onNote(`the worker of process ${pid} on ${host} gets no seat: ${why}`);
        outbox.post({ kind: 'declined', why });
      } else if (free !== undefined) {
        this.members.set(offer, {
          card,
          seat: free,
          inbox: new Inbox(boxFrom(offer), reports),
          outbox,
          silentMs: 0,
          clock: null,
          ending: new Map(),
        });
        // The next sign of life is due immediately, because it contains the id of the new worker.
        this.beatAt = -Infinity;
        outbox.post({ kind: 'appointed', seat: free, of: seats });
      }
    }
  }

  /** Writes signs of life and reads the messages of the workers, until the coordinator is closed. */
  private async serve(): Promise<void> {
    let looked = tick();
    let answered = tick();
    while (!this.closed) {
      try {
        await this.giveBeat();
        await this.receiveAll(tick() - looked);
        await this.sweep();
        answered = tick();
        this.away = '';
      } catch (error) {
        this.away = messageOf(error);
        // Once the results cluster answers again, a sign of life is due immediately.
        this.beatAt = -Infinity;
        if (isOver(error) && !this.closed) this.loseAll('somebody removed the index of the seats');
        // After this time, no worker is allowed to send requests any more.
        else if (tick() - answered > LOST_MS)
          this.failAway(
            `it has not answered for ${LOST_MS / 1000} s, so the seats have stopped their load: ${messageOf(error)}`,
          );
      }
      looked = tick();
      await pause(this.load?.begun ? LOOK_UNDER_LOAD_MS : LOOK_MS);
    }
  }

  private async giveBeat(): Promise<void> {
    const now = tick();
    if (now - this.beatAt < BEAT_MS) return;
    this.beatAt = now;
    this.beats += 1;
    const beat: Beat = { kind: 'beat', number: this.beats, seats: [...this.members.keys()] };
    await this.bus.put(BEAT, beat);
  }

  /**
   * Reads and processes the messages of all workers, and removes workers that have been silent for too long. `sinceMs`: time since the
   * previous call, in ms. For a worker without a message, this time counts as silence.
   */
  private async receiveAll(sinceMs: number): Promise<void> {
    const members = [...this.members.values()];
    if (members.length === 0) return;
    const read = await this.bus.read(members.flatMap(({ inbox }) => inbox.wanted()));
    for (const member of members) {
      let messages: FromSeatProcess[];
      try {
        messages = member.inbox.take(read);
      } catch (error) {
        this.lose(member, messageOf(error));
        continue;
      }
      // A delay of this process itself does not count as silence of the worker.
      member.silentMs = messages.length > 0 ? 0 : member.silentMs + Math.min(sinceMs, BEAT_MS);
      for (const message of messages) this.receive(member, message);
      if (member.silentMs >= LOST_MS) this.lose(member, `gave no sign of life for ${LOST_MS / 1000} s`);
    }
  }

  private receive(member: Member, message: FromSeatProcess): void {
    const { load } = this;
    switch (message.kind) {
      case 'here':
        break;
      case 'leaving':
        this.lose(member, `has left: ${message.why}`);
        break;
      case 'clock':
        member.clock = message.clock;
        break;
      case 'ended':
        member.ending.get(message.load)?.();
        break;
      case 'report': {
        if (load === null || load.number !== message.load) break;
        const { message: report } = message;
        if (report.kind === 'outcome') load.ended.add(member.seat);
        load.send(member.seat, report.kind === 'failed' ? this.withName(member, report) : report);
        break;
      }
    }
  }

  /** Adds the name of the worker to the texts of its errors. */
  private withName(member: Member, report: Extract<FromSeat, { kind: 'failed' }>): FromSeat {
    const name = nameOf(member, this.setting.seats);
    return {
      ...report,
      problems: report.problems.map((problem) => ({ ...problem, message: `${name}: ${problem.message}` })),
    };
  }

  private lose(member: Member, why: string): void {
    const { offer, machine } = member.card;
    if (this.members.get(offer) !== member) return;
    this.members.delete(offer);
    this.declined.add(offer);
    // Another worker of the same machine may offer itself again.
    const card = cardOf(this.setting.shareMachine ? offer : machine);
    this.bus.remove([card]).catch(() => undefined);
    member.outbox.post({ kind: 'leave', why: 'its seat was given to another worker' });
    this.quietFrom = tick() + LEASE_MS + BEAT_MS;
    this.beatAt = -Infinity;
    const message = `${nameOf(member, this.setting.seats)} ${why}`;
    this.setting.onNote(`${message}; ${plural(this.members.size, 'seat')} of ${this.setting.seats} left`);
    this.load?.send(member.seat, failure(runError('seat.lost', '', message)));
  }

  /**
   * Ends the load as failed. `why`: why the results cluster cannot be reached. The workers can be used again once the results cluster
   * answers.
   */
  private failAway(why: string): void {
    const { load } = this;
    this.load = null;
    load?.send(
      0,
      failure(
        runError(
          'seat.lost',
          '',
          `the seats cannot reach the results cluster, through which they are led: ${why}`,
        ),
      ),
    );
  }

  private loseAll(why: string): void {
    for (const member of [...this.members.values()]) this.lose(member, `is lost: ${why}`);
  }

  private async sweep(): Promise<void> {
    if (tick() - this.sweptAt < SWEEP_MS) return;
    this.sweptAt = tick();
    const ids = [...this.members.values()].flatMap(({ inbox }) => inbox.done());
    if (ids.length > 0) await this.bus.remove(ids);
  }

  private missing(withinMs: number, advice?: string): DynoError {
    const { seats } = this.setting;
    const within = `within ${Math.round(withinMs / 1000)} s`;
    if (this.away !== '')
      return runError(
        'seats.away',
        '',
        `the results cluster, through which the seats are led, did not come back ${within}: ${this.away}`,
      );
    return runError(
      'seats.missing',
      'load.seats',
      `${this.members.size} of ${plural(seats, 'seat')} were taken ${within}: ` +
        `start workers on other machines with \`dyno worker\`${advice === undefined ? '' : `; ${advice}`}`,
    );
  }
}

/** Asks for workers. Rejects with a DynoError if the results cluster does not store the request. */
export async function openSeats(results: ElasticsearchClient, setting: SeatsSetting): Promise<Seats> {
  const { run, coordinator, version, seats, shareMachine } = setting;
  const call: Call = { kind: 'call', run, coordinator, version, seats, shareMachine };
  return new Seats(setting, await openBus(results, call));
}

const failure = ({ kind, problems }: DynoError): FromSeat => ({
  kind: 'failed',
  problemKind: kind,
  problems: [...problems],
});
