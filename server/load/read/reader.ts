/**
 * Reads the documents of a file for one load thread, in a separate thread, and sends whole bulks to the load thread. It reads ahead only as
 * many bulks as requested. Load threads therefore never read files, unpack them or search for lines, and a slow disk does not delay the
 * handling of responses.
 */
import type { MessagePort } from 'node:worker_threads';
import { DynoError, messageOf, runError } from '../../../common/problem';
import type { IngestJob } from '../../../common/tasks/ingest';
import type { SourceJob } from '../../../common/tasks/source';
import type { FromRenderer, ToRenderer } from '../parse/messages';
import type { Share } from '../threads/shares';
import { Batch, memoryOf, type PackedBatch } from '../sources/batch';
import { FileSource } from '../sources/file';
import type { BatchLimit } from '../sources/source';

export type FileJob = Extract<SourceJob, { kind: 'file' }>;

export interface ReaderJob {
  source: FileJob;
  /**
   * Number of the load thread for which the file is read, and number of all such threads. Each of them uses every `of`-th line of the file.
   */
  share: Share;
  bulk: IngestJob['bulk'];
  /** Action line of each document, with its line feed. */
  actionLine: string;
}

export interface ToReaderThread {
  kind: 'read';
  job: ReaderJob;
  sender: MessagePort;
}

/** Smallest amount of documents that is sent together. For smaller amounts, messages would take more time than reading. */
const FEWEST = { docs: 256, bytes: 64 * 1024 };

/** Returns how many documents are sent to the load thread at once: one bulk, or several if they are small. */
function handedOver(bulk: IngestJob['bulk']): BatchLimit {
  if ('docs' in bulk)
    return { docs: bulk.docs * Math.max(1, Math.ceil(FEWEST.docs / bulk.docs)), bytes: Infinity };
  return { docs: Infinity, bytes: Math.max(bulk.bytes, FEWEST.bytes) };
}

export class Reader {
  private readonly source: FileSource;
  private readonly bulk = new Batch();
  private readonly limit: BatchLimit;
  private readonly places: (PackedBatch | null)[] = [];
  private waiting = false;
  private over = false;
  private failure: DynoError | null = null;

  constructor(
    { source, share, bulk, actionLine }: ReaderJob,
    private readonly sender: MessagePort,
  ) {
    this.limit = handedOver(bulk);
    this.source = new FileSource(source, {
      share,
      actionLine,
      ownThread: true,
      onBroken: (error) => {
        this.failure =
          error instanceof DynoError ? error : runError('source.unreadable', '', messageOf(error), error);
      },
    });
    sender.on('message', ({ spare }: ToRenderer) => {
      this.places.push(spare);
      this.serve();
    });
  }

  private serve(): void {
    if (this.waiting) return;
    while (this.places.length > 0 && !this.over) {
      const filled = this.source.fill(this.bulk, this.limit, Date.now());
      if (filled === 'waiting') {
        this.waiting = true;
        this.source.whenReady(() => {
          this.waiting = false;
          this.serve();
        });
        return;
      }
      // The lines before an invalid line are still sent.
      if (this.bulk.count > 0) this.give();
      if (filled === 'ended') this.end();
    }
  }

  private give(): void {
    const bulk = this.bulk.pack(this.places.shift()!);
    this.send({ kind: 'bulk', bulk }, memoryOf(bulk));
  }

  private end(): void {
    this.over = true;
    this.source.close();
    const { failure } = this;
    if (failure === null) this.send({ kind: 'end' });
    else this.send({ kind: 'broken', problemKind: failure.kind, problems: [...failure.problems] });
  }

  private send(message: FromRenderer, memory: ArrayBuffer[] = []): void {
    this.sender.postMessage(message, memory);
  }
}
