/**
 * Reads documents from a file in constant memory. If there are several load threads, each thread reads the whole file and uses every n-th
 * line, so the threads need no communication.
 *
 * Only the first and the last character of a line are checked (`{` and `}`). {@link checkSource} parses the first lines before a run.
 */
import { messageOf, runError } from '../../../common/problem';
import type { SourceJob } from '../../../common/tasks/source';
import type { Share } from '../threads/shares';
import { HeldDocument, type Batch } from './batch';
import { BlockLines } from './block-lines';
import { LineReader, LineTooLong, type Lines } from './lines';
import { longestWrapped, wrapLine } from './plain-line';
import type { BatchLimit, DocumentSource, Filled, SourceSetting } from './source';
import { timeText } from './time-text';
import { isPacked, readUnpacked } from './unpack';

type FileJob = Omit<Extract<SourceJob, { kind: 'file' }>, 'format'> & {
  /** `raw`: the lines are unchanged and have no action lines; a parser reads them. */
  format: 'ndjson' | 'lines' | 'raw';
};

const OPEN = 123;
const CLOSE = 125;
const LINE_FEED = 10;

export class FileSource implements DocumentSource {
  private readonly share: Share;
  private readonly action: Buffer;
  private readonly onBroken: (error: unknown) => void;
  private readonly ownThread: boolean;
  private lines: Lines;
  /** Number of lines that have been read since the beginning of the file, without blank lines. 0 again when the file is repeated. */
  private passed = 0;
  private broken = false;
  private readonly held = new HeldDocument();
  private time = Number.NaN;
  private wrapHead = Buffer.alloc(0);

  constructor(
    private readonly job: FileJob,
    {
      share,
      actionLine,
      onBroken,
      ownThread = false,
    }: Omit<SourceSetting, 'seed'> & {
      /** Whether the source runs in a separate thread that may wait for the disk. */
      ownThread?: boolean;
    },
  ) {
    this.share = share;
    this.action = Buffer.from(actionLine);
    this.onBroken = onBroken;
    this.ownThread = ownThread;
    this.lines = this.open();
  }

  fill(batch: Batch, limit: BatchLimit, now: number): Filled {
    if (this.broken) return 'ended';
    this.held.open(batch, limit.docs);
    try {
      while (batch.count < limit.docs && batch.length < limit.bytes) {
        const next = this.lines.next();
        if (next === 'none') return 'waiting';
        if (next === 'ended') {
          if (!this.job.repeat) return 'ended';
          this.rewind();
          return 'waiting';
        }
        if (this.lines.start === this.lines.end) continue;
        this.passed += 1;
        if ((this.passed - 1) % this.share.of !== this.share.index) continue;
        this.add(batch, now);
        if (this.held.takeBack(batch, limit.bytes)) break;
      }
    } catch (error) {
      this.broken = true;
      const { file } = this.job;
      const wrong = error instanceof LineTooLong || error instanceof CorruptLine;
      this.onBroken(
        wrong
          ? runError('source.corrupt-line', `${file}:${this.lines.number}`, error.message)
          : runError('source.unreadable', file, `cannot be read: ${messageOf(error)}`, error),
      );
      return 'ended';
    }
    return 'full';
  }

  whenReady(resume: () => void): void {
    this.lines.whenMore(resume);
  }

  close(): void {
    this.lines.close();
  }

  private open(): Lines {
    const { file } = this.job;
    return this.ownThread && !isPacked(file) ? new BlockLines(file) : new LineReader(readUnpacked(file));
  }

  private add(batch: Batch, now: number): void {
    const { action } = this;
    const { bytes, start, end } = this.lines;
    if (this.job.format === 'lines') {
      this.setTime(now);
      batch.reserve(action.length + this.wrapHead.length + longestWrapped(end - start));
      batch.begin();
      batch.append(action);
      batch.append(this.wrapHead);
      batch.length = wrapLine(bytes, start, end, batch.bytes, batch.length);
      return;
    }
    if (this.job.format === 'ndjson' && (bytes[start] !== OPEN || bytes[end - 1] !== CLOSE))
      throw new CorruptLine('the line is not a JSON object');
    batch.reserve(action.length + end - start + 1);
    batch.begin();
    batch.append(action);
    bytes.copy(batch.bytes, batch.length, start, end);
    batch.length += end - start;
    batch.bytes[batch.length] = LINE_FEED;
    batch.length += 1;
  }

  private setTime(now: number): void {
    if (now === this.time) return;
    this.time = now;
    this.wrapHead = Buffer.from(`{"@timestamp":"${timeText('iso', now)}","message":"`);
  }

  private rewind(): void {
    if (this.passed === 0) throw new CorruptLine('the file holds no documents');
    this.lines.close();
    this.passed = 0;
    this.lines = this.open();
  }
}

class CorruptLine extends Error {}
