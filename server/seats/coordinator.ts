/**
 * The seats of a run, as the process that carries it holds them: it calls for workers, gives them the seats and the loads, and
 * hears when one is lost.
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

/** How often it looks who has come, while seats are free, ms. */
const RECRUIT_MS = 1000;
/** What all have read is removed this often, ms: a run of hours leaves no millions of messages. */
const SWEEP_MS = 30_000;

export interface SeatsSetting {
  run: { id: string; experiment: string };
  coordinator: ProcessIdentity;
  version: string;
  seats: number;
  /** Load threads of each; by default as many as suit the job and the smallest machine. */
  workers?: number;
  shareMachine: boolean;
  onNote: (message: string) => void;
}

/** A worker that holds a seat. */
interface Member {
  card: WorkerCard;
  seat: number;
  inbox: Inbox<FromSeatProcess>;
  outbox: Outbox<ToSeat>;
  /** Successful looks since it was last heard, in ms of waiting. */
  silentMs: number;
  clock: ClockFigures | null;
  /** By loads that it was told to end: called when it has. */
  ending: Map<number, () => void>;
}

/** Of whom a load has shares. */
interface Going {
  number: number;
  tell: (seat: number, message: FromSeat) => void;
  begun: boolean;
  /** Seats that have told their outcome. */
  ended: Set<number>;
}

/** What is known of a seat, for people. */
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

/** Ends a load of a seat. Resolves when it says that it sends nothing any more; one that does not say so has no lease by then. */
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
  /** By their offers. */
  private readonly members = new Map<string, Member>();
  /** Offers that have, or get, no seat. */
  private readonly declined = new Set<string>();
  private readonly clock: CommonClock;
  private going: Going | null = null;
  private loads = 0;
  private beats = 0;
  private beatAt = -Infinity;
  private sweptAt = tick();
  /** Until then a seat that was lost may still send, ms of {@link tick}. */
  private quietFrom = -Infinity;
  /** Why the last look at the bus failed: no seat has heard of this process since; '' where it did not. */
  private away = '';
  private closed = false;
  private readonly done: Promise<void>;

  /** On a bus that calls for workers: {@link openSeats}. */
  constructor(
    private readonly setting: SeatsSetting,
    private readonly bus: Bus,
  ) {
    this.clock = new CommonClock(bus);
    this.done = this.serve();
  }

  /** Over which they are led. */
  get index(): string {
    return this.bus.index;
  }

  /** Seats that are taken, in their order. */
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

  /** No seat hears of this process: the results cluster does not answer. */
  get isAway(): boolean {
    return this.away !== '';
  }

  /**
   * Resolves when every seat is taken, the results cluster answers, and no seat that was lost could still send. `onChange`: told who
   * has come. Rejects with the signal's reason, or with a DynoError `seats.away` or `seats.missing` after `withinMs`, the latter's
   * sentence ending with `advice`.
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
    let told = -1;
    for (;;) {
      signal.throwIfAborted();
      if (this.members.size !== told) onChange(this.taken);
      told = this.members.size;
      if (told === seats && this.away === '' && tick() >= this.quietFrom) return;
      if ((told < seats || this.away !== '') && tick() >= until) throw this.missing(withinMs, advice);
      if (told < seats) {
        try {
          this.appoint(await this.bus.workers());
        } catch (error) {
          if (isOver(error)) throw error;
          // A results cluster that is away may come back in time.
        }
        if (this.members.size > told) continue;
      }
      await pause(told === seats ? LOOK_MS : RECRUIT_MS);
    }
  }

  /** How its seats carry a load; `files`: what it reads. {@link complete} comes before it. */
  seating(files: readonly FileProof[]): Seating {
    return (job, tell) => {
      const members = [...this.members.values()].sort((a, b) => a.seat - b.seat);
      this.loads += 1;
      const going: Going = { number: this.loads, tell, begun: false, ended: new Set() };
      this.going = going;
      const count = this.workersOf(job, members);
      const of = count * this.setting.seats;
      const measured = this.clock.measure().catch(() => null);
      const bare: LoadJob = { ...job, target: { ...job.target, headers: {}, ca: undefined } };
      return Array.from({ length: this.setting.seats }, (_, seat): SeatLink => {
        const member = members.find((one) => one.seat === seat);
        if (member === undefined) {
          // It was lost since the seats were complete.
          setImmediate(() => {
            tell(
              seat,
              failure(runError('seat.lost', '', `seat ${seat + 1} of ${this.setting.seats} is lost`)),
            );
          });
          return { order: () => undefined, end: () => Promise.resolve() };
        }
        const shares = { first: seat * count, count, of };
        member.outbox.post({
          kind: 'prepare',
          load: going.number,
          job: bare,
          shares,
          files: [...files],
        });
        return {
          order: (order) => {
            this.order(member, going, order, measured);
          },
          end: () => {
            if (this.going === going) this.going = null;
            return going.ended.has(seat) ? Promise.resolve() : endOf(member, going.number);
          },
        };
      });
    };
  }

  /** The seats are given up, and nothing of them is left in the results. Never rejects. */
  async close(why: string): Promise<void> {
    if (this.closed) return;
    for (const { outbox } of this.members.values()) outbox.post({ kind: 'leave', why });
    // They read it at their next look; whoever does not finds that the index is gone.
    if (this.members.size > 0) await pause(LOOK_UNDER_LOAD_MS * 2);
    this.closed = true;
    await this.done;
    for (const { outbox } of this.members.values()) outbox.close();
    await this.bus.close().catch((error: unknown) => {
      this.setting.onNote(`${this.bus.index} could not be removed: ${messageOf(error)}`);
    });
  }

  private order(member: Member, going: Going, order: Order, measured: Promise<unknown>): void {
    if (this.going !== going) return;
    if (order.kind !== 'begin') {
      member.outbox.post({ kind: 'order', load: going.number, order });
      return;
    }
    going.begun = true;
    const { at, tick: startTick } = order.start;
    void measured.then((known) => {
      // Without it nobody could say when that is.
      if (known === null) {
        this.failAway('the common clock could not be read');
        return;
      }
      const reference = this.clock.timeAt(startTick);
      member.outbox.post({ kind: 'begin', load: going.number, at, reference });
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
        const why = `it is Dyno ${card.version}, and the run is carried by ${version}`;
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
        // The next sign of life names it.
        this.beatAt = -Infinity;
        outbox.post({ kind: 'appointed', seat: free, of: seats });
      }
    }
  }

  /** Signs of life, and what the seats say, until the end. */
  private async serve(): Promise<void> {
    let looked = tick();
    let answered = tick();
    while (!this.closed) {
      try {
        await this.giveBeat();
        await this.hearAll(tick() - looked);
        await this.sweep();
        answered = tick();
        this.away = '';
      } catch (error) {
        this.away = messageOf(error);
        // As soon as it answers, its seats hear of it.
        this.beatAt = -Infinity;
        if (isOver(error) && !this.closed) this.loseAll('the index of the seats was removed by somebody');
        // By now every seat has stopped by itself.
        else if (tick() - answered > LOST_MS)
          this.failAway(
            `it has not answered for ${LOST_MS / 1000} s, and they have stopped their load: ${messageOf(error)}`,
          );
      }
      looked = tick();
      await pause(this.going?.begun ? LOOK_UNDER_LOAD_MS : LOOK_MS);
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

  /** `sinceMs`: since the last look. Only what could have been heard counts as silence. */
  private async hearAll(sinceMs: number): Promise<void> {
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
      // However long this process itself was held up, one look counts as one.
      member.silentMs = messages.length > 0 ? 0 : member.silentMs + Math.min(sinceMs, BEAT_MS);
      for (const message of messages) this.hear(member, message);
      if (member.silentMs >= LOST_MS) this.lose(member, `gave no sign of life for ${LOST_MS / 1000} s`);
    }
  }

  private hear(member: Member, message: FromSeatProcess): void {
    const { going } = this;
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
      case 'said': {
        if (going === null || going.number !== message.load) break;
        const { message: said } = message;
        if (said.kind === 'outcome') going.ended.add(member.seat);
        going.tell(member.seat, said.kind === 'failed' ? this.withName(member, said) : said);
        break;
      }
    }
  }

  /** A failure says of which seat it is. */
  private withName(member: Member, said: Extract<FromSeat, { kind: 'failed' }>): FromSeat {
    const name = nameOf(member, this.setting.seats);
    return {
      ...said,
      problems: said.problems.map((problem) => ({ ...problem, message: `${name}: ${problem.message}` })),
    };
  }

  private lose(member: Member, why: string): void {
    const { offer, machine } = member.card;
    if (this.members.get(offer) !== member) return;
    this.members.delete(offer);
    this.declined.add(offer);
    // A worker of this machine may offer itself again.
    const card = cardOf(this.setting.shareMachine ? offer : machine);
    this.bus.remove([card]).catch(() => undefined);
    member.outbox.post({ kind: 'leave', why: 'its seat was given to another worker' });
    this.quietFrom = tick() + LEASE_MS + BEAT_MS;
    this.beatAt = -Infinity;
    const message = `${nameOf(member, this.setting.seats)} ${why}`;
    this.setting.onNote(`${message}; ${plural(this.members.size, 'seat')} of ${this.setting.seats} left`);
    this.going?.tell(member.seat, failure(runError('seat.lost', '', message)));
  }

  /** The load is over; the seats are there again once the results cluster is. */
  private failAway(why: string): void {
    const { going } = this;
    this.going = null;
    going?.tell(
      0,
      failure(
        runError(
          'seat.lost',
          '',
          `the seats are without the results cluster, over which they are led: ${why}`,
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
        `the results cluster, over which the seats are led, was not back ${within}: ${this.away}`,
      );
    return runError(
      'seats.missing',
      'load.seats',
      `${this.members.size} of ${plural(seats, 'seat')} were taken ${within}: ` +
        `start workers on other machines with \`dyno worker\`${advice === undefined ? '' : `; ${advice}`}`,
    );
  }
}

/** Calls for workers. Rejects with a DynoError where the results cluster does not keep the call. */
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
