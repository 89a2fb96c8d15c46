/**
 * An open loop: requests begin when the schedule says, however slow the answers are. What is due while all clients are
 * busy waits, in order; the schedule gives their intended times, so the backlog is one number.
 */
import type { OperationClient, RequestEnd } from '../operations/operation';
import type { Pace } from '../samples/recorder';
import type { Executor, ExecutorSetting, Offering } from './executor';
import type { DueTimes } from './due-times';

/** When late, this many requests are sent before answers are looked at again. */
const MOST_AT_ONCE = 32;

export class OpenLoop implements Executor {
  lastEnd = 0;
  ended = false;
  private readonly free: OperationClient[] = [];
  /** With when their requests were due. */
  private readonly busy = new Map<OperationClient, number>();
  /** When the newest request of each client could have left: it was due, and a client was free. */
  private readonly ready = new Map<OperationClient, number>();
  private created = 0;
  /** The share's next request. */
  private next = 0;
  /** Requests before {@link next} that were never sent; see {@link giveUp}. */
  private givenUp = 0;
  /** What {@link next} was when the measured phase began; null before. */
  private nextAtMeasure: number | null = null;
  /** Since when a client has been free without a break. */
  private freeSince = 0;
  private stoppedAt = Infinity;
  private ranOutAt = Infinity;
  private started = false;
  /** What was due is still being counted. */
  private counting = false;
  private readonly wakeAt: (time: number) => void;

  constructor(
    private readonly setting: ExecutorSetting,
    private readonly times: DueTimes,
    /** Of this share. */
    private readonly most: number,
    /** Told after each request that ended. */
    private readonly onSettled: (() => void) | null = null,
  ) {
    this.wakeAt = setting.pacer.add(() => {
      this.sendDue();
    });
  }

  get ranOut(): boolean {
    // A share without a request had nothing to send from the beginning.
    return this.ranOutAt < Infinity || this.times.due(0) === Infinity;
  }

  start(): void {
    this.started = true;
    this.sendDue();
  }

  /** When each of the requests in flight was due. */
  get inFlight(): ReadonlyMap<unknown, number> {
    return this.busy;
  }

  /** Requests that are due by `time` and not answered. */
  waiting(time: number): number {
    return this.busy.size + Math.max(0, this.times.dueBefore(time) - this.next);
  }

  /** What is due before `time` and not sent yet never will be; `visit` gets when it was due. */
  giveUp(time: number, visit: (due: number) => void): void {
    const until = this.times.dueBefore(time);
    for (; this.next < until; this.next += 1) {
      visit(this.times.due(this.next));
      this.givenUp += 1;
    }
  }

  /** A due time that was not known yet may be known now. */
  dueKnown(): void {
    if (this.started) this.sendDue();
  }

  stop(): void {
    this.wakeAt(Infinity);
    if (this.stoppedAt === Infinity) {
      this.stoppedAt = this.setting.clock.now();
      if (this.times.countOn) {
        this.counting = true;
        this.times.countOn(
          this.scheduleEnd(),
          () => {
            this.counting = false;
            this.checkEnded();
          },
          this.neverSent,
        );
      }
    }
    this.checkEnded();
  }

  cut(reason: string): void {
    this.stop();
    for (const client of [...this.busy.keys()]) client.cut(reason);
  }

  pace(from: number, until: number): Pace {
    const end = this.scheduleEnd();
    return {
      clients: this.busy.size,
      offered: this.times.dueBefore(Math.min(until, end)) - this.times.dueBefore(Math.min(from, end)),
      backlog: until > end ? 0 : Math.max(0, this.times.dueBefore(until) - this.next),
    };
  }

  offering(): Offering {
    const due = this.times.dueBefore(this.scheduleEnd());
    const before = this.times.dueBefore(Math.min(this.setting.phases.measureFrom, this.scheduleEnd()));
    const sent = this.nextAtMeasure === null ? 0 : this.next - this.nextAtMeasure - this.givenUp;
    return { offered: due - before, sent, unsent: Math.max(0, due - this.next) + this.givenUp };
  }

  noteUnsent(): void {
    // Those of a log were noted while they were counted. Where the documents had run out there was nothing to send.
    if (this.times.countOn || this.ranOutAt < Infinity) return;
    const end = this.scheduleEnd();
    for (let own = this.next, due = this.times.due(own); due < end; due = this.times.due(own)) {
      this.neverSent(due);
      own += 1;
    }
  }

  private readonly neverSent = (due: number): void => {
    this.setting.recorder.neverSent(this.scheduleEnd(), due);
  };

  /** Until when the schedule counts: nothing is asked for once the load has ended or the documents are out. */
  private scheduleEnd(): number {
    const { phases, clock } = this.setting;
    return Math.min(phases.measureUntil, this.stoppedAt, this.ranOutAt, Math.max(0, clock.now()));
  }

  private sendDue(): void {
    const { clock, phases, operation } = this.setting;
    for (let sent = 0; ; sent += 1) {
      const now = clock.now();
      if (now >= phases.measureFrom) this.nextAtMeasure ??= this.next;
      if (this.stoppedAt < Infinity || phases.at(now) === 'drain') return;
      if (operation.exhausted) {
        this.ranOutAt = Math.min(this.ranOutAt, now);
        this.checkEnded();
        return;
      }
      // With no client free, the next one that is done comes back here.
      if (this.free.length === 0 && this.created >= this.most) {
        this.checkEnded();
        return;
      }
      const due = this.times.due(this.next);
      if (due > now || sent === MOST_AT_ONCE) {
        this.wakeAt(due);
        this.checkEnded();
        return;
      }
      this.next += 1;
      const client = this.free.pop() ?? this.createClient();
      this.busy.set(client, due);
      this.ready.set(client, Math.max(due, this.freeSince));
      client.begin(due);
    }
  }

  private createClient(): OperationClient {
    this.created += 1;
    return this.setting.operation.createClient({ onSent: this.onSent, onDone: this.onDone });
  }

  private readonly onSent = (client: OperationClient, sent: number): void => {
    // Only this delay is the generator's own.
    this.setting.recorder.lagged(sent, Math.max(0, sent - this.ready.get(client)!));
  };

  private readonly onDone = (client: OperationClient, end: RequestEnd, time: number): void => {
    this.busy.delete(client);
    if (this.free.length === 0 && this.created >= this.most) this.freeSince = time;
    this.free.push(client);
    if (end !== 'ended') this.lastEnd = time;
    // Taken from the schedule, but there was nothing to send: it was not sent.
    else this.next -= 1;
    this.sendDue();
    this.checkEnded();
    this.onSettled?.();
  };

  private checkEnded(): void {
    if (this.ended || !this.started || this.counting || this.busy.size > 0) return;
    const over = this.stoppedAt < Infinity || this.ranOut || this.times.due(this.next) === Infinity;
    if (!over) return;
    this.ended = true;
    this.wakeAt(Infinity);
    this.setting.onEnded();
  }
}
