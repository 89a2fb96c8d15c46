/** The requests of a log that have been read but not sent yet. After the load, also counts the requests that were due but never sent. */

/** A request with its time since the first request of the log, in ms. */
interface Timed {
  offset: number;
}

export class ReadAhead<Item extends Timed> {
  /** True if nothing more will be read: the log has ended, reading failed, or later requests are of no interest. */
  over = false;
  closed = false;
  /** Size of the waiting requests, in bytes. */
  bytes = 0;
  private queue: Item[] = [];
  private head = 0;
  private waiter: (() => void) | null = null;
  /** Used after the load: only requests before this time (ms since the first request of the log) are counted. Null during the load. */
  private countUntil: number | null = null;
  private onUnsent: ((offset: number) => void) | null = null;
  private exhaustedBefore: boolean | null = null;
  private dueUncounted = 0;

  /** `sizeOf`: size of a request in bytes. `atOnce`: number of sent requests whose memory is released together. */
  constructor(
    private readonly sizeOf: (item: Item) => number,
    private readonly atOnce: number,
  ) {}

  /** Number of waiting requests. */
  get length(): number {
    return this.queue.length - this.head;
  }

  /** Whether no more requests can be taken now or later. */
  get exhausted(): boolean {
    return this.exhaustedBefore ?? (this.over && this.length === 0);
  }

  /** True after the load: requests are only counted then. */
  get isCounting(): boolean {
    return this.countUntil !== null;
  }

  /** Returns the next request; null if none is waiting. */
  first(): Item | null {
    return this.queue[this.head] ?? null;
  }

  /** Removes the request that {@link first} returns. */
  take(): Item {
    const item = this.queue[this.head]!;
    this.head += 1;
    this.bytes -= this.sizeOf(item);
    if (this.head === this.atOnce) {
      this.queue = this.queue.slice(this.head);
      this.head = 0;
    }
    return item;
  }

  /** Adds a request at the end; if `isSorted`, before all requests with a later time. */
  add(item: Item, isSorted: boolean): void {
    this.bytes += this.sizeOf(item);
    let at = this.queue.length;
    while (isSorted && at > this.head && this.queue[at - 1]!.offset > item.offset) at -= 1;
    if (at === this.queue.length) this.queue.push(item);
    else this.queue.splice(at, 0, item);
  }

  /** Returns the number of requests before `offset` that were read but not taken. */
  waitingBefore(offset: number): number {
    let count = this.dueUncounted;
    for (let at = this.head; at < this.queue.length && this.queue[at]!.offset < offset; at += 1) count += 1;
    return count;
  }

  /** Calls `resume` once: when a request can be taken, or when nothing more will be read. */
  whenReady(resume: () => void): void {
    this.waiter = resume;
  }

  /** Called after reading. `isReady`: whether a request can be taken. */
  wake(isReady: boolean): void {
    if (this.closed || (!this.over && (this.isCounting || !isReady))) return;
    const { waiter } = this;
    this.waiter = null;
    waiter?.();
  }

  /**
   * Called when no more requests will be sent. Counts the requests that were due before `offset` (ms since the first request of the log),
   * and calls `onUnsent` with the time of each. Calls `onCounted` once all of them have been counted. `isRead`: whether all of them have
   * been read from the log already.
   */
  countOn(offset: number, isRead: boolean, onCounted: () => void, onUnsent: (offset: number) => void): void {
    this.exhaustedBefore ??= this.exhausted;
    this.countUntil ??= offset;
    this.onUnsent = onUnsent;
    for (let at = this.head; at < this.queue.length && this.queue[at]!.offset < offset; at += 1)
      onUnsent(this.queue[at]!.offset);
    this.over ||= isRead;
    if (this.over) onCounted();
    else this.waiter = onCounted;
  }

  /** Returns whether a request with this due time is due only after the end of the load. Always false during the load. */
  isPast(offset: number): boolean {
    return this.countUntil !== null && offset >= this.countUntil;
  }

  /** Counts a request that was due, but was read only after the load. */
  countUnsent(offset: number): void {
    this.dueUncounted += 1;
    this.onUnsent?.(offset);
  }

  close(): void {
    this.closed = true;
    this.waiter = null;
  }
}
