/**
 * Documents that parser threads have rendered: whole bulks wait here in a queue that is bounded by what each parser may
 * have handed over and not got back. Parsers that find no place left wait; a client that finds none does.
 */
import type { MessagePort } from 'node:worker_threads';
import type { FromParserToSender, FromSenderToParser } from '../parse/messages';
import type { Share } from '../shares';
import { memoryOf, type Batch, type PackedBatch } from './batch';
import type { BatchLimit, DocumentSource, Filled } from './source';

/** Bulks that each parser may have waiting in each share: one to be sent, and one behind it. */
const PLACES = 2;

interface Waiting {
  bulk: PackedBatch;
  /** Documents that are taken already. */
  taken: number;
  from: MessagePort;
}

export class ParsedSource implements DocumentSource {
  private readonly queue: Waiting[] = [];
  private going: number;
  private waiter: (() => void) | null = null;

  /** A share without clients takes nothing. */
  constructor(
    private readonly parsers: readonly MessagePort[],
    share: Share,
  ) {
    this.going = parsers.length;
    for (const port of parsers) {
      port.on('message', (message: FromParserToSender) => {
        if (message.kind === 'bulk') this.queue.push({ bulk: message.bulk, taken: 0, from: port });
        else this.going -= 1;
        this.wake();
      });
      if (share.index < share.of) for (let place = 0; place < PLACES; place += 1) giveBack(port, null);
    }
  }

  fill(batch: Batch, limit: BatchLimit): Filled {
    const next = this.queue[0];
    if (next === undefined) return this.going === 0 ? 'ended' : 'waiting';
    if (batch.count === 0 && next.taken === 0 && next.bulk.count <= limit.docs) {
      this.queue.shift();
      giveBack(next.from, batch.unpack(next.bulk));
      return 'full';
    }
    // Fewer are wanted than a bulk holds: the measured phase ends with a number of documents.
    this.takePart(batch, next, Math.min(limit.docs - batch.count, next.bulk.count - next.taken));
    return 'full';
  }

  whenReady(resume: () => void): void {
    if (this.queue.length > 0 || this.going === 0) setImmediate(resume);
    else this.waiter = resume;
  }

  close(): void {
    this.waiter = null;
    for (const port of this.parsers) port.close();
  }

  private takePart(batch: Batch, waiting: Waiting, documents: number): void {
    const { bulk, taken, from } = waiting;
    const bytes = Buffer.from(bulk.bytes, 0, bulk.length);
    const starts = new Uint32Array(bulk.starts, 0, bulk.count);
    for (let place = taken; place < taken + documents; place += 1) {
      const document = bytes.subarray(starts[place], starts[place + 1] ?? bulk.length);
      batch.reserve(document.length);
      batch.begin();
      batch.append(document);
    }
    waiting.taken += documents;
    if (waiting.taken < bulk.count) return;
    this.queue.shift();
    giveBack(from, bulk);
  }

  private wake(): void {
    const { waiter } = this;
    this.waiter = null;
    waiter?.();
  }
}

/** A place is free again; `spare` is memory for the next bulk. */
function giveBack(port: MessagePort, spare: PackedBatch | null): void {
  const message: FromSenderToParser = { spare };
  port.postMessage(message, spare === null ? [] : memoryOf(spare));
}
