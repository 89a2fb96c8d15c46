/**
 * Reads the searches of a log in constant memory. If there are several load threads, each thread reads the whole file and sends the
 * searches of every n-th line.
 *
 * The lines of a log are not exactly in the order of their times: Elasticsearch writes a line at the end of a search, and several threads
 * write lines. If searches are sent at their recorded times, they are therefore read ahead and sorted by time. A search that is found too
 * late for this is sent immediately.
 */
import {
  lineExample,
  noReplay,
  type LineExample,
  type ReplayAccount,
} from '../../../common/measurement/replay';
import { messageOf, runError } from '../../../common/problem';
import type { JudgedSearch, LogRules } from '../../../common/replay/judge';
import { SlowLogRepeats } from '../../../common/replay/slow-log-repeats';
import type { LogSource } from '../../../common/tasks/replay';
import type { Share } from '../threads/shares';
import { judgeFound, noteLine, withRepeats } from './judged-line';
import { LineTooLong } from './lines';
import { LogEntries } from './log-entries';
import { logName, openLog } from './log-source';
import { ReadAhead } from './read-ahead';

/**
 * Number of searches that are read ahead and sorted by time. If a line of the log is further from its correct position, its search is sent
 * late.
 */
const AHEAD = 1000;
/** Maximum number of bytes that are read ahead. */
const AHEAD_BYTES = 4 * 1024 * 1024;
/** Maximum time of reading without a break, in ms. In the break, the thread handles requests. */
const SLICE_MS = 0.5;
/** Number of lines that are read between two checks of the time limit {@link SLICE_MS}. */
const LINES_A_LOOK = 16;

export interface LoggedSearch {
  /** Time since the first search of the log, in ms. The searches of a log that is replayed at its recorded times are in ascending order. */
  offset: number;
  type: string;
  body: Buffer;
  /** Index of this search's destination in the list of all destinations, from 0. A replay can send searches to several indices. */
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
  private readonly repeats: SlowLogRepeats;
  /** Number of lines that have been read since the beginning of the file, without blank lines. 0 again when the file is repeated. */
  private passed = 0;
  /** Number of searches for this load thread that have been read since the beginning of the file. 0 again when the file is repeated. */
  private found = 0;
  /**
   * Recorded time of the log's first search, in ms since the epoch. It is the same in all load threads. Null until this search was read.
   */
  private zero: number | null = null;
  private readonly ahead = new ReadAhead<LoggedSearch>(({ body }) => body.length, AHEAD);
  /** Time of the search that was taken last, in ms since the first search of the log. */
  private given = 0;
  /** Latest time of a search that has been read, in ms since the first search of the log. */
  private highest = 0;
  /** Time at which the current pass over the file begins, in ms since the first search of the log. 0 unless the file is repeated. */
  private passStart = 0;
  private reading = false;
  /**
   * Used after the load. Number of successive searches, up to the last one read, that would be due only after the end of the load. If this
   * number is large, reading ends.
   */
  private beyond = 0;

  constructor(
    private readonly job: RecordedLogJob,
    private readonly share: Share,
    private readonly onBroken: (error: unknown) => void,
    private readonly onMalformed: (example: LineExample) => void,
  ) {
    this.lines = new LogEntries(openLog(job.source), job.rules.format);
    this.repeats = new SlowLogRepeats(job.rules);
    this.ahead.over = share.index >= share.of;
    this.readOn();
  }

  /** Whether no more searches will follow. */
  get exhausted(): boolean {
    return this.ahead.exhausted;
  }

  /** Returns the next search; null if none is available at the moment. */
  peek(): LoggedSearch | null {
    const { over, length, bytes } = this.ahead;
    const isReady = over || length >= (this.job.rules.timed ? AHEAD : 1) || bytes >= AHEAD_BYTES;
    return isReady ? this.ahead.first() : null;
  }

  take(): LoggedSearch | null {
    if (this.peek() === null) return null;
    const search = this.ahead.take();
    this.given = search.offset;
    this.account.sent += 1;
    this.readOn();
    return search;
  }

  /** Calls `resume` once: when {@link peek} may return a search, or when the log has ended. */
  whenReady(resume: () => void): void {
    this.ahead.whenReady(resume);
  }

  /** Returns the number of searches before `offset` that were read but not taken. */
  waitingBefore(offset: number): number {
    return this.ahead.waitingBefore(offset);
  }

  /**
   * Called after the load. Counts the searches before `offset` (ms since the first search) that were due but not sent, and calls `onUnsent`
   * with the time of each. Calls `onCounted` once all of them have been counted.
   */
  countOn(offset: number, onCounted: () => void, onUnsent: (offset: number) => void): void {
    this.beyond = this.ahead.length - this.ahead.waitingBefore(offset);
    this.ahead.countOn(offset, this.beyond >= AHEAD, onCounted, onUnsent);
    this.readOn();
  }

  /** Returns how many lines have had which outcome so far. Searches that wait count as not sent. */
  accounted(): ReplayAccount {
    const account = structuredClone(this.account);
    account.unsent += this.ahead.length;
    return account;
  }

  close(): void {
    this.ahead.close();
    this.lines.close();
  }

  private get full(): boolean {
    const { isCounting, length, bytes } = this.ahead;
    return !isCounting && (length >= 2 * AHEAD || bytes >= 2 * AHEAD_BYTES);
  }

  private readOn(): void {
    if (this.reading || this.ahead.over || this.ahead.closed || this.full) return;
    this.reading = true;
    setImmediate(() => {
      this.reading = false;
      if (!this.ahead.closed) this.readSlice();
    });
  }

  private readSlice(): void {
    try {
      const until = performance.now() + SLICE_MS;
      for (let looked = 0; !this.full && !this.ahead.over; looked += 1) {
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
    this.ahead.wake(this.peek() !== null);
  }

  private meetLine(): void {
    this.passed += 1;
    const own = (this.passed - 1) % this.share.of === this.share.index;
    if (!own && this.zero !== null && !this.repeats.concerns(this.lines.entry)) return;
    const line = withRepeats(judgeFound(this.lines, this.job.rules), this.repeats);
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
    if (this.ahead.isCounting) {
      this.account.unsent += 1;
      if (!this.ahead.isPast(offset)) {
        this.ahead.countUnsent(offset);
        this.beyond = 0;
      } else {
        this.beyond += 1;
        // After so many later searches in a row, the remaining log is assumed to be later too.
        if (this.beyond === AHEAD) this.ahead.over = true;
      }
      return;
    }
    // If searches are not sent at their recorded times, they keep the order of the log.
    this.ahead.add({ offset, type, body: Buffer.from(text, 'utf8'), place, routing }, this.job.rules.timed);
  }

  private endPass(): void {
    if (!this.job.repeat || this.found === 0 || this.ahead.isCounting) {
      this.ahead.over = true;
      return;
    }
    this.lines.close();
    this.passed = 0;
    this.found = 0;
    // In the next pass over the file, the offsets continue from the end of this pass.
    this.zero = null;
    this.repeats.startAgain();
    this.passStart = this.highest;
    this.lines = new LogEntries(openLog(this.job.source), this.job.rules.format);
  }

  private break(error: unknown): void {
    this.ahead.over = true;
    const file = logName(this.job.source);
    this.onBroken(
      error instanceof LineTooLong
        ? runError('source.corrupt-line', `${file}:${this.lines.line}`, error.message)
        : runError('source.unreadable', file, `cannot be read: ${messageOf(error)}`, error),
    );
  }
}
