/**
 * Reads the requests of a traffic file in constant memory. If there are several load threads, each thread reads the whole file and sends
 * the requests of some connections. Connections that depend on each other belong to the same thread.
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
import { ReadAhead } from './read-ahead';
import { TrafficReader, type TrafficRequest } from './traffic-reader';

/** Maximum number of requests that are read ahead. */
const AHEAD = 2000;
/** Maximum size of the requests that are read ahead, in bytes. */
const AHEAD_BYTES = 16 * 1024 * 1024;
/** Maximum time of reading without a break, in ms. In the break, the thread handles requests. */
const SLICE_MS = 0.5;

/**
 * A recorded write stays in memory until a search that was recorded this many ms later is compared. Responses to earlier searches may
 * arrive late, and their comparison needs the write.
 */
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
  private readonly ahead = new ReadAhead(sizeOf, AHEAD);
  /** Function that continues reading after a pause. Null while reading is not paused. */
  private readOn: (() => void) | null = null;
  /** Time at which the current pass over the file begins, in ms since the first request of the file. 0 unless the file is repeated. */
  private passStart = 0;
  /** Time of the last request that was read, in ms since the first request of the file. */
  private highest = 0;

  constructor(
    private readonly job: TrafficJob,
    own: readonly string[],
    private readonly share: Share,
    private readonly onBroken: (error: unknown) => void,
  ) {
    this.reader = new TrafficReader({ job, own });
    this.keyOf = groupKeys(job.found);
    this.writes = job.refreshWindowMs === undefined ? null : new RecentWrites(job.refreshWindowMs);
    this.ahead.over = share.index >= share.of;
    if (!this.ahead.over) void this.readAll();
  }

  /** Whether no more requests will follow. */
  get exhausted(): boolean {
    return this.ahead.exhausted;
  }

  /** Returns the next request; null if none is available at the moment. */
  peek(): TrafficRequest | null {
    return this.ahead.first();
  }

  take(): TrafficRequest | null {
    if (this.peek() === null) return null;
    this.account.sent += 1;
    const request = this.ahead.take();
    this.readOn?.();
    return request;
  }

  /** Called for a request that was taken from this log but will not be sent. Counts it as not sent. */
  giveBack(): void {
    this.account.sent -= 1;
    this.account.unsent += 1;
  }

  /** Counts ids and versions for which the replay has no replacement. */
  noteUntranslated(count = 1): void {
    this.account.untranslated += count;
  }

  /** Counts a request that was due but had to wait for an earlier response. */
  noteWaited(): void {
    this.account.waited += 1;
  }

  /** Calls `resume` once: when {@link peek} may return a request, or when the file has ended. */
  whenReady(resume: () => void): void {
    this.ahead.whenReady(resume);
  }

  /** Returns the number of requests before `offset` that were read but not taken. */
  waitingBefore(offset: number): number {
    return this.ahead.waitingBefore(offset);
  }

  /**
   * Called after the load. Counts the requests before `offset` (ms since the first request) that were due but not sent, and calls
   * `onUnsent` with the time of each. Calls `onCounted` once all of them have been counted.
   */
  countOn(offset: number, onCounted: () => void, onUnsent: (offset: number) => void): void {
    this.ahead.countOn(offset, this.highest >= offset, onCounted, onUnsent);
    if (!this.ended) this.readOn?.();
  }

  /** Returns how many recorded requests have had which outcome so far. Requests that wait count as not sent. */
  accounted(): TrafficAccount {
    const account = structuredClone(this.account);
    account.unsent += this.ahead.length;
    return account;
  }

  close(): void {
    this.ahead.close();
    this.readOn?.();
  }

  private get full(): boolean {
    const { isCounting, length, bytes } = this.ahead;
    return !isCounting && (length >= AHEAD || bytes >= AHEAD_BYTES);
  }

  private get ended(): boolean {
    return this.ahead.closed || this.ahead.over;
  }

  private async readAll(): Promise<void> {
    try {
      do {
        const before = this.account.records;
        await this.readPass();
        if (this.account.records === before) break;
        this.passStart = this.highest;
        this.reader.nextPass();
      } while (this.job.repeat && !this.ahead.isCounting && !this.ended);
    } catch (error) {
      const file = this.job.source.file;
      this.onBroken(runError('source.unreadable', file, `cannot be read: ${messageOf(error)}`, error));
    }
    this.ahead.over = true;
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
    this.ahead.wake(this.peek() !== null);
  }

  /**
   * Returns the number of documents that the recorded requests wrote shortly before, during or after a search. The search may or may not
   * find these documents, so its response may differ from the recorded one. 0 if the responses must be equal.
   */
  writtenNear({ offset, kind }: TrafficRequest): number {
    const { writes } = this;
    if (writes === null) return 0;
    // Other requests may still need the writes of this time.
    writes.forget(offset - LONGEST_DELAY_MS);
    return writes.near(offset, kind);
  }

  private meet(record: TrafficRecord): void {
    const offset = this.passStart + (record.at - this.job.found.firstAt) / 1000;
    // Requests keep the order of the file. A record with an earlier time gets the time of the record before it.
    this.highest = Math.max(this.highest, offset);
    // Writes that other load threads replay are counted too.
    this.writes?.note(this.highest, trafficKind(record.method, record.path), record.answer);
    if (this.ahead.isPast(this.highest)) {
      this.ahead.over = true;
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
    request.offset = Math.max(request.offset, this.highest);
    if (this.ahead.isCounting) {
      this.account.unsent += 1;
      this.ahead.countUnsent(request.offset);
    } else this.ahead.add(request, false);
  }
}
