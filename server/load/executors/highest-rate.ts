/**
 * `highest-rate`: a share's part of a search. Which rate comes next is decided where all shares are seen together; here it
 * is offered from the time that all begin at, and what became of the requests that were due in its judged time is told.
 * Between two steps nothing is due until what is in flight has been answered, so that no step pays for the one before.
 */
import type { ExecutorJob } from '../contract';
import type { RateOrder } from '../highest-rate/orders';
import { SteppedTurns } from '../highest-rate/stepped-turns';
import { DueWindow } from '../highest-rate/window';
import type { Pace } from '../recorder';
import { laneOf, partOf } from '../shares';
import { LoadTimers } from '../timers';
import type { Executor, ExecutorSetting, Offering } from './executor';
import { OpenLoop } from './open-loop';

type Job = Extract<ExecutorJob, { kind: 'highest-rate' }>;

/** A step whose judged time goes on, or whose last answers are waited for. */
interface Judged {
  order: RateOrder;
  window: DueWindow;
  waitingBefore: number;
  waitingAfter: number;
  unsent: number;
  closed: boolean;
}

class HighestRate implements Executor {
  private readonly turns: SteppedTurns;
  private readonly loop: OpenLoop;
  private readonly timers: LoadTimers;
  private judged: Judged | null = null;

  constructor(
    maxClients: number,
    private readonly setting: ExecutorSetting,
  ) {
    const { share } = setting;
    this.timers = new LoadTimers(setting.clock);
    this.turns = new SteppedTurns(laneOf(share, maxClients));
    this.loop = new OpenLoop(setting, this.turns, partOf(maxClients, share), () => {
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
    this.turns.follow(order);
    if (order.judgedFrom < order.until) this.judge(order);
    else {
      this.timers.at(order.until, () => {
        this.loop.giveUp(order.until, () => undefined);
      });
    }
    this.loop.turnKnown();
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
    const window = new DueWindow(order.judgedFrom, order.until);
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

  /** Nothing more is due: what was not sent is given up, what was sent has its grace. */
  private close(judged: Judged): void {
    const { order, window } = judged;
    judged.waitingAfter = this.loop.waiting(order.until);
    this.loop.giveUp(order.until, (due) => {
      if (!window.has(due)) return;
      judged.unsent += 1;
      window.completed(due, order.until - due);
    });
    judged.closed = true;
    this.timers.at(order.until + order.graceMs, () => {
      this.tell(judged);
    });
    this.checkAnswered();
  }

  private checkAnswered(): void {
    if (this.judged?.closed && this.loop.inFlight.size === 0) this.tell(this.judged);
  }

  private tell(judged: Judged): void {
    if (this.judged !== judged) return;
    const { order, window, waitingBefore, waitingAfter, unsent } = judged;
    this.halt();
    const now = this.setting.clock.now();
    let unsettled = 0;
    for (const due of this.loop.inFlight.values()) {
      if (!window.has(due)) continue;
      unsettled += 1;
      window.completed(due, now - due);
    }
    this.setting.onStep({
      number: order.number,
      due: this.turns.dueBefore(order.until) - this.turns.dueBefore(order.judgedFrom),
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

export const createHighestRate = ({ maxClients }: Job, setting: ExecutorSetting): Executor =>
  new HighestRate(maxClients, setting);
