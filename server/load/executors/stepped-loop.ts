/**
 * The part of one load thread in a search for the highest rate.
 *
 * `pool.ts` receives the results of all threads and decides on the next rate. All threads switch to this rate at the same time. At the end
 * of the step, each thread reports its results. Requests that were due before the load had settled do not count. The rest of the step is
 * its *judged part*.
 *
 * Between two steps, no request is due until all requests in flight have been answered. One step therefore does not slow down the next.
 */
import type { Condition } from '../../../common/measurement/condition';
import type { RateOrder } from '../highest-rate/orders';
import { DueWindow } from '../highest-rate/window';
import type { Pace } from '../samples/recorder';
import { partOf, sendingShare, type Share } from '../threads/shares';
import { LoadTimers } from '../timing/timers';
import { NOT_YET, type DueTimes } from './due-times';
import type { Executor, ExecutorSetting, Offering } from './executor';
import { OpenLoop } from './open-loop';

/** A period with a constant rate. `from`: its start, in ms since the start of the load. */
interface Stretch {
  from: number;
  lengthMs: number;
  perSecond: number;
  /** Number of the first request that this thread sends at this rate. */
  first: number;
}

/** Due times of the requests of one load thread at a changing rate. Each step of the search begins a new schedule. */
export class SteppedTimes implements DueTimes {
  private readonly stretches: Stretch[] = [];

  /**
   * `share`: number of this thread (`index`), and number of threads that send (`of`). With fewer clients than threads, the threads whose
   * `index` is at least `of` send nothing.
   */
  constructor(private readonly share: Share) {}

  /** Adds the next order to send at a rate. Orders must be added in the order of their times. */
  follow({ from, until, perSecond }: Pick<RateOrder, 'from' | 'until' | 'perSecond'>): void {
    const last = this.stretches.at(-1);
    const first = last === undefined ? 0 : last.first + this.within(last, last.lengthMs);
    this.stretches.push({ from, lengthMs: until - from, perSecond, first });
  }

  due(own: number): number {
    const { index, of } = this.share;
    if (index >= of) return Infinity;
    const stretch = this.stretches.findLast(({ first }) => first <= own);
    if (stretch === undefined || own - stretch.first >= this.within(stretch, stretch.lengthMs))
      return NOT_YET;
    return stretch.from + ((index + (own - stretch.first) * of) * 1000) / stretch.perSecond;
  }

  dueBefore(time: number): number {
    const stretch = this.stretches.findLast(({ from }) => from < time);
    return stretch === undefined
      ? 0
      : stretch.first + this.within(stretch, Math.min(time - stretch.from, stretch.lengthMs));
  }

  /** Returns how many requests of this thread are due within the first `ms` of a period with a constant rate. */
  private within({ perSecond }: Stretch, ms: number): number {
    const { index, of } = this.share;
    if (index >= of) return 0;
    // A request that is due exactly at the end does not count. Subtracting the tolerance makes this so despite rounding errors of the
    // product.
    const all = Math.ceil((ms * perSecond) / 1000 - 1e-9);
    return Math.max(0, Math.floor((all - index + of - 1) / of));
  }
}

/** A step whose results are being collected. Either its judged part is running, or its last responses have not arrived yet. */
interface Judged {
  order: RateOrder;
  window: DueWindow;
  waitingBefore: number;
  waitingAfter: number;
  unsent: number;
  closed: boolean;
}

export class SteppedLoop implements Executor {
  private readonly times: SteppedTimes;
  private readonly loop: OpenLoop;
  private readonly timers: LoadTimers;
  private judged: Judged | null = null;

  constructor(
    maxClients: number,
    private readonly setting: ExecutorSetting,
    private readonly limits: readonly Condition[],
  ) {
    const { share } = setting;
    this.timers = new LoadTimers(setting.clock);
    this.times = new SteppedTimes(sendingShare(share, maxClients));
    this.loop = new OpenLoop(setting, this.times, partOf(maxClients, share), () => {
      this.checkAnswered();
    });
  }

  get ended(): boolean {
    return this.loop.ended;
  }

  get ranOut(): boolean {
    return this.loop.ranOut;
  }

  get lastEnd(): number {
    return this.loop.lastEnd;
  }

  start(): void {
    this.loop.start();
  }

  follow(order: RateOrder): void {
    this.times.follow(order);
    if (order.judgedFrom < order.until) this.judge(order);
    else {
      this.timers.at(order.until, () => {
        this.loop.giveUp(order.until, () => undefined);
      });
    }
    this.loop.dueKnown();
  }

  stop(): void {
    this.halt();
    this.loop.stop();
  }

  cut(reason: string): void {
    this.halt();
    this.loop.cut(reason);
  }

  pace(from: number, until: number): Pace {
    return this.loop.pace(from, until);
  }

  offering(): Offering {
    return this.loop.offering();
  }

  private judge(order: RateOrder): void {
    const window = new DueWindow(order.judgedFrom, order.until, this.limits);
    const judged = { order, window, waitingBefore: 0, waitingAfter: 0, unsent: 0, closed: false };
    this.judged = judged;
    this.setting.recorder.watch(window);
    this.timers.at(order.judgedFrom, () => {
      judged.waitingBefore = this.loop.waiting(order.judgedFrom);
    });
    this.timers.at(order.until, () => {
      this.close(judged);
    });
  }

  /** Ends a step. Requests that have not been sent are given up. Requests in flight have `graceMs` to be answered. */
  private close(judged: Judged): void {
    const { order, window } = judged;
    judged.waitingAfter = this.loop.waiting(order.until);
    this.loop.giveUp(order.until, (due) => {
      if (!window.has(due)) return;
      judged.unsent += 1;
      window.neverSent(due, order.until - due);
    });
    judged.closed = true;
    this.timers.at(order.until + order.graceMs, () => {
      this.report(judged);
    });
    this.checkAnswered();
  }

  private checkAnswered(): void {
    if (this.judged?.closed && this.loop.inFlight.size === 0) this.report(this.judged);
  }

  private report(judged: Judged): void {
    if (this.judged !== judged) return;
    const { order, window, waitingBefore, waitingAfter, unsent } = judged;
    this.halt();
    const now = this.setting.clock.now();
    let unsettled = 0;
    for (const due of this.loop.inFlight.values()) {
      if (!window.has(due)) continue;
      unsettled += 1;
      window.completed(due, now - due);
      window.unanswered(due, now - due);
    }
    this.setting.onStep({
      number: order.number,
      due: this.times.dueBefore(order.until) - this.times.dueBefore(order.judgedFrom),
      unsent,
      unsettled,
      waitingBefore,
      waitingAfter,
      ...window.report(),
    });
  }

  private halt(): void {
    this.judged = null;
    this.setting.recorder.watch(null);
    this.timers.clear();
  }
}
