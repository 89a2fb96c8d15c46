/** A closed loop: each client sends its next request when its last request has been answered and its think time is over. */
import { pauseAfterFailures } from '../../../common/elasticsearch/backoff';
import type { OperationClient, RequestEnd } from '../operations/operation';
import type { Pace } from '../samples/recorder';
import type { Executor, ExecutorSetting, Offering } from './executor';

/** Interval at which the number of clients is adjusted to the planned number, in ms. */
const ADJUST_MS = 100;

/** One client and its state. */
interface Worker {
  client: OperationClient;
  timer: NodeJS.Timeout | null;
  /** Number of consecutive requests for which no usable response arrived. */
  failures: number;
  busy: boolean;
}

export class ClosedLoop implements Executor {
  lastEnd = 0;
  ended = false;
  private readonly parked: Worker[] = [];
  private readonly running = new Set<Worker>();
  private readonly workers = new Map<OperationClient, Worker>();
  /**
   * Number of clients that have not started yet. One client starts in each iteration of the event loop, so that a thousand clients do not
   * block it.
   */
  private toBegin = 0;
  private beginning: NodeJS.Immediate | null = null;
  private adjusting: NodeJS.Timeout | null = null;
  private stopped = false;
  private sourceOver = false;

  /**
   * `planned`: returns how many clients of this thread should be active at the time `time`, in ms since the start of the load. `changes`:
   * whether this number changes during the load.
   */
  constructor(
    private readonly setting: ExecutorSetting,
    private readonly thinkTimeMs: number,
    private readonly planned: (time: number) => number,
    private readonly changes: boolean,
  ) {}

  get ranOut(): boolean {
    return this.ended && !this.stopped;
  }

  start(): void {
    this.adjust();
    if (this.changes) {
      this.adjusting = setInterval(() => {
        this.adjust();
      }, ADJUST_MS);
    }
    this.checkEnded();
  }

  stop(): void {
    this.stopped = true;
    this.halt();
    for (const worker of [...this.running]) if (!worker.busy) this.park(worker);
    this.checkEnded();
  }

  cut(reason: string): void {
    this.stop();
    for (const worker of [...this.running]) worker.client.cut(reason);
  }

  pace(): Pace {
    return { clients: this.running.size, offered: null, backlog: 0 };
  }

  offering(): Offering | null {
    return null;
  }

  private adjust(): void {
    if (this.over()) return;
    const wanted = this.planned(Math.max(0, this.setting.clock.now()));
    this.toBegin = Math.max(0, wanted - this.running.size);
    this.beginNext();
    // Clients in their think time end immediately. Busy clients end after their answer has arrived.
    for (const worker of [...this.running]) {
      if (this.running.size <= wanted) break;
      if (!worker.busy) this.park(worker);
    }
  }

  private beginNext(): void {
    if (this.beginning !== null || this.toBegin === 0) return;
    this.toBegin -= 1;
    const worker = this.parked.pop() ?? this.createWorker();
    this.running.add(worker);
    this.begin(worker);
    this.beginning = setImmediate(() => {
      this.beginning = null;
      this.beginNext();
    });
  }

  private createWorker(): Worker {
    const client = this.setting.operation.createClient({ onSent: () => undefined, onDone: this.onDone });
    const worker: Worker = { client, timer: null, failures: 0, busy: false };
    this.workers.set(client, worker);
    return worker;
  }

  private begin(worker: Worker): void {
    worker.timer = null;
    if (this.over()) {
      this.park(worker);
      return;
    }
    worker.busy = true;
    worker.client.begin(null);
  }

  private readonly onDone = (client: OperationClient, end: RequestEnd, time: number): void => {
    const worker = this.workers.get(client)!;
    worker.busy = false;
    if (end === 'ended') {
      if (this.setting.operation.exhausted) this.sourceOver = true;
      this.park(worker);
      return;
    }
    this.lastEnd = time;
    worker.failures = end === 'unusable' ? worker.failures + 1 : 0;
    if (this.over() || (this.changes && this.running.size > this.planned(time))) {
      this.park(worker);
      return;
    }
    const pause = Math.max(this.thinkTimeMs, worker.failures === 0 ? 0 : pauseAfterFailures(worker.failures));
    if (pause === 0) this.begin(worker);
    else {
      worker.timer = setTimeout(() => {
        this.begin(worker);
      }, pause);
    }
  };

  private park(worker: Worker): void {
    // The client still belongs to the last second, so the counts of this second are completed before the client is removed.
    this.setting.recorder.rotate(Math.max(0, this.setting.clock.now()));
    if (worker.timer !== null) clearTimeout(worker.timer);
    worker.timer = null;
    this.running.delete(worker);
    this.parked.push(worker);
    this.checkEnded();
  }

  /** Returns whether the loop must begin no more requests. */
  private over(): boolean {
    const { phases, clock, operation } = this.setting;
    return this.stopped || this.sourceOver || operation.exhausted || phases.at(clock.now()) === 'drain';
  }

  private halt(): void {
    this.toBegin = 0;
    if (this.beginning !== null) clearImmediate(this.beginning);
    if (this.adjusting !== null) clearInterval(this.adjusting);
    this.beginning = null;
    this.adjusting = null;
  }

  private checkEnded(): void {
    if (this.ended || this.running.size > 0) return;
    // If the number of clients changes, zero clients may be temporary, so the loop has not ended. If the number is constant, the loop has
    // ended.
    const idle = !this.changes && this.toBegin === 0 && this.beginning === null;
    if (!this.stopped && !this.sourceOver && !this.setting.operation.exhausted && !idle) return;
    this.ended = true;
    this.halt();
    this.setting.onEnded();
  }
}
