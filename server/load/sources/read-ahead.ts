/** The requests of a log that were read and have not been taken, and the count of those that were due and never sent. */

/** A request with its time since the first request of the log, in ms. */
interface Timed {
  offset: number;
}

export class ReadAhead<Item extends Timed> {
  /** Whether nothing more is read. */
  over = false;
  closed = false;
  /** Size of the waiting requests, in bytes. */
  bytes = 0;
  private queue: Item[] = [];
  private head = 0;
  private waiter: (() => void) | null = null;
  /** Used after the load: requests up to this offset are only counted. Null during the load. */
  private countUntil: number | null = null;
  private onUnsent: ((offset: number) => void) | null = null;
  private exhaustedBefore: boolean | null = null;
  private dueUncounted = 0;

  /** `atOnce`: number of taken requests whose places in the queue are freed together. */
  constructor(
    private readonly sizeOf: (item: Item) => number,
    private readonly atOnce: number,
  ) {}

  /** Number of waiting requests. */
  get length(): number {
    return this.queue.length - this.head;
  }

  /** Whether no more requests will follow. */
  get exhausted(): boolean {
    return this.exhaustedBefore ?? (this.over && this.length === 0);
  }

  /** Whether requests are only counted, because the load is over. */
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

  /** Returns the number of requests before `offset` that were read and not taken. */
  waitingBefore(offset: number): number {
    let count = this.dueUncounted;
    for (let at = this.head; at < this.queue.length && this.queue[at]!.offset < offset; at += 1) count += 1;
    return count;
  }

  /** Calls `resume` once, when a request is waiting or nothing more is read. */
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
   * Counts the requests up to `offset` that were due and not sent. Called when no more requests are taken. Calls `onUnsent` with the offset
   * of each waiting request, and `onCounted` when nothing more is read. `isRead`: whether no unread request is due.
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

  /** Returns whether a request with this offset is too late to be counted. */
  isPast(offset: number): boolean {
    return this.countUntil !== null && offset >= this.countUntil;
  }

  /** Counts a request that was read after the load and was due. */
  countUnsent(offset: number): void {
    this.dueUncounted += 1;
    this.onUnsent?.(offset);
  }

  close(): void {
    this.closed = true;
    this.waiter = null;
  }
}
