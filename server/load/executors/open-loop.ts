/**
 * An open loop: requests begin at scheduled times, however slow the responses are. If all clients are busy, due requests wait in their
 * order. Only the number of waiting requests is stored, because the schedule contains the times at which they were due.
 */
import type { OperationClient, RequestEnd } from '../operations/operation';
import type { Pace } from '../samples/recorder';
import type { Executor, ExecutorSetting, Offering } from './executor';
import type { DueTimes } from './due-times';

/** If the loop is late, it sends at most this many requests before it processes responses again. */
const MOST_AT_ONCE = 32;

export class OpenLoop implements Executor {
  lastEnd = 0;
  ended = false;
  private readonly free: OperationClient[] = [];
  /** For each busy client, the due time of its request in flight. */
  private readonly busy = new Map<OperationClient, number>();
  /** For each client, the earliest time at which its current request could have been sent: the request was due, and a client was free. */
  private readonly ready = new Map<OperationClient, number>();
  private created = 0;
  /** Number of this thread's next request, from 0. */
  private next = 0;
  /** Number of requests before {@link next} that were never sent; see {@link giveUp}. */
  private givenUp = 0;
  /** Value of {@link next} at the beginning of the measured phase; null before. */
  private nextAtMeasure: number | null = null;
  /** Time since which at least one client has been free, in ms since the start of the load. */
  private freeSince = 0;
  private stoppedAt = Infinity;
  private ranOutAt = Infinity;
  private started = false;
  /** True while the requests that were due but never sent are being counted. This happens after the load has stopped. */
  private counting = false;
  private readonly wakeAt: (time: number) => void;

  constructor(
    private readonly setting: ExecutorSetting,
    private readonly times: DueTimes,
    /** Maximum number of clients of this thread. */
    private readonly most: number,
    /** Called when a request has ended. */
    private readonly onSettled: (() => void) | null = null,
  ) {
    this.wakeAt = setting.pacer.add(() => {
      this.sendDue();
    });
  }

  get ranOut(): boolean {
    // If the schedule gives this thread no requests, it has nothing to send from the start.
    return this.ranOutAt < Infinity || this.times.due(0) === Infinity;
  }

  start(): void {
    this.started = true;
    this.sendDue();
  }

  /** Due time of each request in flight. */
  get inFlight(): ReadonlyMap<unknown, number> {
    return this.busy;
  }

  /** Returns the number of requests that are due by `time` and not answered. */
  waiting(time: number): number {
    return this.busy.size + Math.max(0, this.times.dueBefore(time) - this.next);
  }

  /** Gives up the requests that are due before `time` and have not been sent. Calls `visit` with the due time of each. */
  giveUp(time: number, visit: (due: number) => void): void {
    const until = this.times.dueBefore(time);
    for (; this.next < until; this.next += 1) {
      visit(this.times.due(this.next));
      this.givenUp += 1;
    }
  }

  /** Called when the schedule may now know a due time for which it returned {@link NOT_YET} before. */
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
    // Nothing remains to be recorded. Either `countOn` has recorded the unsent requests, or the documents ran out and the requests had
    // nothing to send.
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

  /** Returns the end of the schedule: the end of the load, or the time at which the documents ran out if that is earlier. */
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
      // All clients are busy. The next client that becomes free sends the due requests.
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

  private readonly onSent = (client: OperationClient, sent: number, ready = 0): void => {
    // The lag of the load generator begins when the request is due, a client is free, and the answers that the request needs have arrived.
    // Until then, the request waits for the target.
    this.setting.recorder.lagged(sent, Math.max(0, sent - Math.max(ready, this.ready.get(client)!)));
  };

  private readonly onDone = (client: OperationClient, end: RequestEnd, time: number): void => {
    this.busy.delete(client);
    if (this.free.length === 0 && this.created >= this.most) this.freeSince = time;
    this.free.push(client);
    if (end !== 'ended') this.lastEnd = time;
    // Nothing could be sent, so the request that was taken from the schedule is put back.
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
