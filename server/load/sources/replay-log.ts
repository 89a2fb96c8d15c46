/**
 * Streams the searches of a log in constant memory. If there are several shares, each share reads the whole file and uses every n-th line.
 *
 * Logs are not exactly in the order of their times, because several threads write a line at the end of each search. If the log sets the
 * pace, searches are therefore read ahead and sorted by time. A search that is still out of order afterwards is due at once.
 */
import {
  lineExample,
  noReplay,
  type LineExample,
  type ReplayAccount,
} from '../../../common/measurement/replay';
import { messageOf, runError } from '../../../common/problem';
import type { JudgedSearch, LogRules } from '../../../common/replay/judge';
import type { LogSource } from '../../../common/tasks/replay';
import type { Share } from '../threads/shares';
import { judgeFound, noteLine } from './judged-line';
import { LineTooLong } from './lines';
import { LogEntries } from './log-entries';
import { logName, openLog } from './log-source';
import { SlowLogKind } from './slow-log-kind';

/** Number of searches that are read ahead for sorting. A line that is out of order by more lines than this is not sorted. */
const AHEAD = 1000;
/** Maximum number of bytes that are read ahead. */
const AHEAD_BYTES = 4 * 1024 * 1024;
/** Maximum time of reading without a break, in ms. In the break, the thread handles requests. */
const SLICE_MS = 0.5;
/** Number of other shares' lines after which the clock is checked. Such lines take little time. */
const LINES_A_LOOK = 16;

export interface LoggedSearch {
  /** Time since the first search of the log, in ms. If the log sets the pace, the offsets never decrease. */
  offset: number;
  type: string;
  body: Buffer;
  /** Position of the search's index in the list of indices of the route, from 0. */
  place: number;
  /** Routing value; '' without routing. */
  routing: string;
}

export interface RecordedLogJob {
  source: LogSource;
  repeat: boolean;
  rules: LogRules;
}

export class ReplayLog {
  private readonly account: ReplayAccount = noReplay();
  private lines: LogEntries;
  private readonly slowLogKind: SlowLogKind;
  /** Number of lines that are not blank, and of searches of this share, in this pass over the file. */
  private passed = 0;
  private found = 0;
  /** Time of the first search in the whole log that is sent. It is the same in all shares. Null until it is read. */
  private zero: number | null = null;
  private readonly queue: LoggedSearch[] = [];
  private head = 0;
  private bytes = 0;
  /** Offset of the search that was taken last (`given`), and highest offset that was read. */
  private given = 0;
  private highest = 0;
  private passStart = 0;
  private over = false;
  private reading = false;
  private closed = false;
  private waiter: (() => void) | null = null;
  /** Used after the load: lines up to this offset are counted and not sent. Null during the load. */
  private countUntil: number | null = null;
  private onUnsent: ((offset: number) => void) | null = null;
  private exhaustedBefore: boolean | null = null;
  private dueUncounted = 0;
  private beyond = 0;

  constructor(
    private readonly job: RecordedLogJob,
    private readonly share: Share,
    private readonly onBroken: (error: unknown) => void,
    private readonly onMalformed: (example: LineExample) => void,
  ) {
    this.lines = new LogEntries(openLog(job.source), job.rules.format);
    this.slowLogKind = new SlowLogKind(job.rules);
    this.over = share.index >= share.of;
    this.readOn();
  }

  /** Whether no more searches will follow. */
  get exhausted(): boolean {
    return this.exhaustedBefore ?? (this.over && this.head === this.queue.length);
  }

  /** Returns the next search; null if none is available at the moment. */
  peek(): LoggedSearch | null {
    const ahead = this.job.rules.timed ? AHEAD : 1;
    const ready = this.over || this.queue.length - this.head >= ahead || this.bytes >= AHEAD_BYTES;
    return ready ? (this.queue[this.head] ?? null) : null;
  }

  take(): LoggedSearch | null {
    const search = this.peek();
    if (search === null) return null;
    this.head += 1;
    this.bytes -= search.body.length;
    this.given = search.offset;
    this.account.sent += 1;
    if (this.head === AHEAD) {
      this.queue.splice(0, AHEAD);
      this.head = 0;
    }
    this.readOn();
    return search;
  }

  /** Calls `resume` once when {@link peek} may return a search, or when the log has ended. */
  whenReady(resume: () => void): void {
    this.waiter = resume;
  }

  /** Returns the number of searches before `offset` that were read but not taken. */
  waitingBefore(offset: number): number {
    let count = this.dueUncounted;
    for (let at = this.head; at < this.queue.length && this.queue[at]!.offset < offset; at += 1) count += 1;
    return count;
  }

  /**
   * Counts the searches up to `offset` that were due and not sent. Called when no more searches are taken. Calls `onUnsent` with the offset
   * of each such search, and finally `onCounted`. If the searches have all been read already, it makes these calls before it returns.
   */
  countOn(offset: number, onCounted: () => void, onUnsent: (offset: number) => void): void {
    this.exhaustedBefore ??= this.exhausted;
    this.countUntil ??= offset;
    this.onUnsent = onUnsent;
    for (let at = this.head; at < this.queue.length && this.queue[at]!.offset < offset; at += 1)
      onUnsent(this.queue[at]!.offset);
    this.beyond = this.queue.length - this.head - this.waitingBefore(offset);
    if (this.beyond >= AHEAD) this.over = true;
    if (this.over) {
      onCounted();
      return;
    }
    this.waiter = onCounted;
    this.readOn();
  }

  /** Returns the outcome of the lines so far. Waiting searches count as not sent. */
  accounted(): ReplayAccount {
    const account = structuredClone(this.account);
    account.unsent += this.queue.length - this.head;
    return account;
  }

  close(): void {
    this.closed = true;
    this.waiter = null;
    this.lines.close();
  }

  private get full(): boolean {
    if (this.countUntil !== null) return false;
    return this.queue.length - this.head >= 2 * AHEAD || this.bytes >= 2 * AHEAD_BYTES;
  }

  private readOn(): void {
    if (this.reading || this.over || this.closed || this.full) return;
    this.reading = true;
    setImmediate(() => {
      this.reading = false;
      if (!this.closed) this.readSlice();
    });
  }

  private readSlice(): void {
    try {
      const until = performance.now() + SLICE_MS;
      for (let looked = 0; !this.full && !this.over; looked += 1) {
        if (looked % LINES_A_LOOK === LINES_A_LOOK - 1 && performance.now() > until) break;
        const next = this.lines.next();
        if (next === 'none') {
          this.reading = true;
          this.lines.whenMore(() => {
            this.reading = false;
            this.readOn();
          });
          break;
        }
        if (next === 'ended') this.endPass();
        else this.meetLine();
      }
    } catch (error) {
      this.break(error);
      return;
    }
    this.readOn();
    if (this.over || this.peek() !== null) this.wake();
  }

  private wake(): void {
    const { waiter } = this;
    if (this.countUntil !== null && !this.over) return;
    this.waiter = null;
    waiter?.();
  }

  private meetLine(): void {
    this.passed += 1;
    const own = (this.passed - 1) % this.share.of === this.share.index;
    if (!own && this.zero !== null && this.slowLogKind.isKnown) return;
    const line = this.slowLogKind.judged(judgeFound(this.lines, this.job.rules));
    const { judged, number, text } = line;
    if (judged.kind === 'search' && judged.time !== null) this.zero ??= judged.time;
    if (!own) return;
    noteLine(this.account, line);
    if (judged.kind === 'malformed') this.onMalformed(lineExample(number, judged.reason, text));
    else if (judged.kind === 'search') this.queueUp(judged);
  }

  private queueUp({ time, type, body: text, place, routing }: JudgedSearch): void {
    this.found += 1;
    // A line without a time gets the time of the previous line.
    const recorded = time === null ? this.highest : this.passStart + time - (this.zero ?? time);
    if (recorded < this.highest) this.account.outOfOrder += 1;
    let offset = Math.max(this.passStart, recorded);
    if (this.job.rules.timed && offset < this.given) {
      this.account.late += 1;
      offset = this.given;
    }
    this.highest = Math.max(this.highest, offset);
    if (this.countUntil !== null) {
      this.account.unsent += 1;
      if (offset < this.countUntil) {
        this.dueUncounted += 1;
        this.onUnsent?.(offset);
        this.beyond = 0;
      } else {
        this.beyond += 1;
        // After this many later searches in a row, the rest of the log is assumed to be later than the limit too.
        if (this.beyond === AHEAD) this.over = true;
      }
      return;
    }
    const body = Buffer.from(text, 'utf8');
    let at = this.queue.length;
    // If the log does not set the pace, the order of the log is kept.
    while (this.job.rules.timed && at > this.head && this.queue[at - 1]!.offset > offset) at -= 1;
    this.queue.splice(at, 0, { offset, type, body, place, routing });
    this.bytes += body.length;
  }

  private endPass(): void {
    if (!this.job.repeat || this.found === 0 || this.countUntil !== null) {
      this.over = true;
      return;
    }
    this.lines.close();
    this.passed = 0;
    this.found = 0;
    // In the next pass over the file, the offsets continue from the end of this pass.
    this.zero = null;
    this.passStart = this.highest;
    this.lines = new LogEntries(openLog(this.job.source), this.job.rules.format);
  }

  private break(error: unknown): void {
    this.over = true;
    const file = logName(this.job.source);
    this.onBroken(
      error instanceof LineTooLong
        ? runError('source.corrupt-line', `${file}:${this.lines.line}`, error.message)
        : runError('source.unreadable', file, `cannot be read: ${messageOf(error)}`, error),
    );
  }
}
