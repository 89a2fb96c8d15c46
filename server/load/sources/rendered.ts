/**
 * A source of documents that other threads have created. Whole bulks of documents wait here in a queue. Each thread may have a limited
 * number of bulks in the queue, and waits when it has reached this number. A client waits if the queue is empty.
 */
import type { MessagePort } from 'node:worker_threads';
import { DynoError } from '../../../common/problem';
import type { FromRenderer, ToRenderer } from '../parse/messages';
import type { Share } from '../threads/shares';
import { memoryOf, type Batch, type PackedBatch } from './batch';
import type { BatchLimit, DocumentSource, Filled } from './source';

/** Each thread that creates bulks may have this many bulks in the queue of each load thread: the bulk that is sent next, and one more. */
const PLACES = 2;

/** A bulk in the queue of a load thread. */
interface Waiting {
  bulk: PackedBatch;
  /** Number of documents that have been taken from this bulk. */
  taken: number;
  /** Port of the thread that created the bulk. */
  from: MessagePort;
}

export class RenderedSource implements DocumentSource {
  private readonly queue: Waiting[] = [];
  private going: number;
  private waiter: (() => void) | null = null;
  /** The error with which a thread ended. It is thrown after all earlier documents have been taken. */
  private failure: DynoError | null = null;

  /**
   * `threads`: ports of the threads that create documents. `share`: position of this load thread among those with clients. A load thread
   * without clients requests no documents. `onBroken`: called once if a thread fails.
   */
  constructor(
    private readonly threads: readonly MessagePort[],
    share: Share,
    private readonly onBroken: (error: unknown) => void,
  ) {
    this.going = threads.length;
    for (const port of threads) {
      port.on('message', (message: FromRenderer) => {
        if (message.kind === 'bulk') this.queue.push({ bulk: message.bulk, taken: 0, from: port });
        else this.going -= 1;
        if (message.kind === 'broken') this.failure ??= new DynoError(message.problemKind, message.problems);
        this.wake();
      });
      if (share.index < share.of) for (let place = 0; place < PLACES; place += 1) giveBack(port, null);
    }
  }

  fill(batch: Batch, limit: BatchLimit): Filled {
    for (let next = this.queue[0]; next !== undefined; next = this.queue[0]) {
      const { count, length } = next.bulk;
      const isOne = count <= limit.docs && (length <= limit.bytes || count === 1);
      if (batch.count === 0 && next.taken === 0 && isOne) {
        this.queue.shift();
        giveBack(next.from, batch.unpack(next.bulk));
        return 'full';
      }
      // The client needs fewer documents than the bulk in the queue contains: because its bulks are small, or because the limit on
      // documents of the measured phase is near.
      if (this.takePart(batch, next, limit)) return 'full';
    }
    if (this.going > 0) return 'waiting';
    if (this.failure !== null) {
      const { failure } = this;
      this.failure = null;
      this.onBroken(failure);
    }
    return 'ended';
  }

  whenReady(resume: () => void): void {
    if (this.queue.length > 0 || this.going === 0) setImmediate(resume);
    else this.waiter = resume;
  }

  close(): void {
    this.waiter = null;
    for (const port of this.threads) port.close();
  }

  /** Appends documents of the waiting bulk to `batch`, until one of them does not fit. Returns whether the batch is full. */
  private takePart(batch: Batch, waiting: Waiting, limit: BatchLimit): boolean {
    const { bulk, taken, from } = waiting;
    const starts = new Uint32Array(bulk.starts, 0, bulk.count);
    const begin = starts[taken]!;
    const endOf = (place: number): number => (place + 1 < bulk.count ? starts[place + 1]! : bulk.length);
    const room = limit.bytes - batch.length;
    const most = Math.min(bulk.count - taken, limit.docs - batch.count);
    let documents = 0;
    while (documents < most) {
      const fits = endOf(taken + documents) - begin <= room;
      // The first document is added even if it is larger than a bulk may be.
      if (!fits && batch.count + documents > 0) break;
      documents += 1;
    }
    for (let place = taken; place < taken + documents; place += 1) {
      batch.reserve(endOf(place) - starts[place]!);
      batch.begin();
      batch.append(new Uint8Array(bulk.bytes, starts[place]!, endOf(place) - starts[place]!));
    }
    waiting.taken += documents;
    if (waiting.taken === bulk.count) {
      this.queue.shift();
      giveBack(from, bulk);
    }
    return documents < most || batch.count >= limit.docs || batch.length >= limit.bytes;
  }

  private wake(): void {
    const { waiter } = this;
    this.waiter = null;
    waiter?.();
  }
}

/** Notifies the thread that creates bulks that it may send another one. `spare`: memory for the next bulk. */
function giveBack(port: MessagePort, spare: PackedBatch | null): void {
  const message: ToRenderer = { spare };
  port.postMessage(message, spare === null ? [] : memoryOf(spare));
}
