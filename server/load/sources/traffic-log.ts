/**
 * Streams the requests of a traffic file in constant memory. If there are several shares, each share reads the whole file, and uses the
 * requests of its connections.
 */
import { noTraffic, type TrafficAccount } from '../../../common/measurement/traffic';
import { messageOf, runError } from '../../../common/problem';
import { isLeftOut } from '../../../common/traffic/index-map';
import { groupKeys, type TrafficJob } from '../../../common/traffic/job';
import { trafficKind } from '../../../common/traffic/kind';
import { RecentWrites } from '../../../common/traffic/recent-writes';
import type { TrafficRecord } from '../../../common/traffic/record';
import { readTraffic } from '../../traffic-file/read-traffic';
import type { Share } from '../threads/shares';
import { TrafficReader, type TrafficRequest } from './traffic-reader';

/** Number and size of the requests that are read ahead. */
const AHEAD = 2000;
const AHEAD_BYTES = 16 * 1024 * 1024;
/** Maximum time of reading, in ms, after which requests are handled. */
const SLICE_MS = 0.5;

/** Maximum time by which a request is assumed to end after others that were recorded later, in ms. */
const LONGEST_DELAY_MS = 600_000;

const sizeOf = ({ body }: TrafficRequest): number => {
  if (body === null) return 0;
  if (Buffer.isBuffer(body)) return body.length;
  return body.reduce((sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : 0), 0);
};

export class TrafficLog {
  private readonly account: TrafficAccount = noTraffic();
  private readonly reader: TrafficReader;
  private readonly keyOf: (connection: number) => number;
  private readonly writes: RecentWrites | null;
  private queue: TrafficRequest[] = [];
  private head = 0;
  private bytes = 0;
  private over = false;
  private closed = false;
  private waiter: (() => void) | null = null;
  /** Wakes the reading after requests were taken. Null while it is not waiting. */
  private readOn: (() => void) | null = null;
  /** Time at which the current pass over the file begins, and time of the last request that was read, in ms. */
  private passStart = 0;
  private highest = 0;
  /** Used after the load: requests up to this offset are only counted. Null before. */
  private countUntil: number | null = null;
  private onUnsent: ((offset: number) => void) | null = null;
  private exhaustedBefore: boolean | null = null;
  private dueUncounted = 0;

  constructor(
    private readonly job: TrafficJob,
    own: readonly string[],
    private readonly share: Share,
    private readonly onBroken: (error: unknown) => void,
  ) {
    this.reader = new TrafficReader({ job, own });
    this.keyOf = groupKeys(job.found);
    this.writes = job.refreshWindowMs === undefined ? null : new RecentWrites(job.refreshWindowMs);
    this.over = share.index >= share.of;
    if (!this.over) void this.readAll();
  }

  /** Whether no more requests will follow. */
  get exhausted(): boolean {
    return this.exhaustedBefore ?? (this.over && this.head === this.queue.length);
  }

  /** Returns the next request; null if none is available at the moment. */
  peek(): TrafficRequest | null {
    return this.queue[this.head] ?? null;
  }

  take(): TrafficRequest | null {
    const request = this.peek();
    if (request === null) return null;
    this.head += 1;
    this.bytes -= sizeOf(request);
    this.account.sent += 1;
    if (this.head === AHEAD) {
      this.queue = this.queue.slice(this.head);
      this.head = 0;
    }
    this.readOn?.();
    return request;
  }

  /** Counts a request that was taken as not sent. */
  giveBack(): void {
    this.account.sent -= 1;
    this.account.unsent += 1;
  }

  /** Counts an id or a version that could not be replaced by an own one. */
  noteUntranslated(): void {
    this.account.untranslated += 1;
  }

  /** Counts a request that had to wait for an earlier answer after it was due. */
  noteWaited(): void {
    this.account.waited += 1;
  }

  /** Calls `resume` once when {@link peek} may return a request, or when the file has ended. */
  whenReady(resume: () => void): void {
    this.waiter = resume;
  }

  /** Returns the number of requests before `offset` that were read but not taken. */
  waitingBefore(offset: number): number {
    let count = this.dueUncounted;
    for (let at = this.head; at < this.queue.length && this.queue[at]!.offset < offset; at += 1) count += 1;
    return count;
  }

  /**
   * Counts the requests up to `offset` that were due and not sent. Called when no more requests are taken. Calls `onUnsent` with the offset
   * of each request, and then `onCounted`. If all requests have been read, these calls are made at once.
   */
  countOn(offset: number, onCounted: () => void, onUnsent: (offset: number) => void): void {
    this.exhaustedBefore ??= this.exhausted;
    this.countUntil ??= offset;
    this.onUnsent = onUnsent;
    for (let at = this.head; at < this.queue.length && this.queue[at]!.offset < offset; at += 1)
      onUnsent(this.queue[at]!.offset);
    if (this.over || this.highest >= offset) {
      this.over = true;
      onCounted();
      return;
    }
    this.waiter = onCounted;
    this.readOn?.();
  }

  /** Returns the outcome of the records so far. Waiting requests count as not sent. */
  accounted(): TrafficAccount {
    const account = structuredClone(this.account);
    account.unsent += this.queue.length - this.head;
    account.untranslated += this.reader.unknownVersions;
    return account;
  }

  close(): void {
    this.closed = true;
    this.waiter = null;
    this.readOn?.();
  }

  private get full(): boolean {
    if (this.countUntil !== null) return false;
    return this.queue.length - this.head >= AHEAD || this.bytes >= AHEAD_BYTES;
  }

  private get ended(): boolean {
    return this.closed || this.over;
  }

  private async readAll(): Promise<void> {
    try {
      do {
        const before = this.account.records;
        await this.readPass();
        if (this.account.records === before) break;
        this.passStart = this.highest;
        this.reader.nextPass();
      } while (this.job.repeat && this.countUntil === null && !this.ended);
    } catch (error) {
      const file = this.job.source.file;
      this.onBroken(runError('source.unreadable', file, `cannot be read: ${messageOf(error)}`, error));
    }
    this.over = true;
    this.wake();
  }

  private async readPass(): Promise<void> {
    const { records } = await readTraffic(this.job.source.file);
    let until = performance.now() + SLICE_MS;
    for await (const record of records) {
      if (this.ended) return;
      this.meet(record);
      if (performance.now() > until) {
        this.wake();
        await new Promise(setImmediate);
        until = performance.now() + SLICE_MS;
      }
      if (this.full) {
        this.wake();
        await new Promise<void>((resolve) => {
          this.readOn = resolve;
        });
        this.readOn = null;
        until = performance.now() + SLICE_MS;
      }
    }
  }

  private wake(): void {
    if (this.closed || (this.countUntil !== null && !this.over) || (this.peek() === null && !this.over))
      return;
    const { waiter } = this;
    this.waiter = null;
    waiter?.();
  }

  /** Returns the number of documents that the recording wrote around a request and that it may find or not. 0 for a strict comparison. */
  writtenNear({ offset, kind }: TrafficRequest): number {
    const { writes } = this;
    if (writes === null) return 0;
    // Other requests may have waited for up to this time.
    writes.forget(offset - LONGEST_DELAY_MS);
    return writes.near(offset, kind);
  }

  private meet(record: TrafficRecord): void {
    const offset = this.passStart + (record.at - this.job.found.firstAt) / 1000;
    // Writes of the connections of other shares count too.
    this.writes?.note(offset, trafficKind(record.method, record.path), record.answer);
    this.highest = Math.max(this.highest, offset);
    if (this.countUntil !== null && this.highest >= this.countUntil) {
      this.over = true;
      return;
    }
    if (this.keyOf(record.connection) % this.share.of !== this.share.index) return;
    this.account.records += 1;
    const request = this.reader.read(record, this.passStart);
    if (isLeftOut(request)) {
      this.account.leftOut += 1;
      const { reasons } = this.account;
      reasons[request.why] = (reasons[request.why] ?? 0) + 1;
      return;
    }
    // The order of the file counts, even if the time of a record is earlier.
    request.offset = Math.max(request.offset, this.highest);
    if (this.countUntil !== null) {
      this.account.unsent += 1;
      this.dueUncounted += 1;
      this.onUnsent?.(request.offset);
      return;
    }
    this.queue.push(request);
    this.bytes += sizeOf(request);
  }
}
