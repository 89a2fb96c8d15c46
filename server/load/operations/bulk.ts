/**
 * Bulk indexing: what the clients of an ingestion share, which is the source of their documents.
 *
 * Service time is that of each HTTP request. Latency runs from the intended start of the bulk until its last try was
 * answered, pauses included: that is how long its documents were on their way.
 */
import type { SenderTimes } from '../../../common/measurement/parse';
import type { IngestJob } from '../../../common/tasks/ingest';
import { ParsedSource } from '../sources/parsed';
import { createSource } from '../sources/registry';
import type { DocumentSource, Filled } from '../sources/source';
import { BulkClient, type BulkFiller } from './bulk-client';
import { actionLineOf, IndexRouter, isRouted } from './index-router';
import type { ClientEvents, Operation, OperationClient, OperationSetting } from './operation';

export class BulkOperation implements Operation, BulkFiller {
  readonly headers: string[];
  /** One for each index where whole bulks go to them in turn, else one for all. */
  private readonly paths: string[];
  private nextPath: number;
  private readonly router: IndexRouter | null;
  private readonly source: DocumentSource;
  private readonly limit: { docs: number; bytes: number };
  /** Documents left of the measured phase's part. */
  private remaining: number;
  private sourceEnded = false;
  private readonly times: SenderTimes = { occupiedMs: 0, waitedMs: 0 };
  /** Clients whose batches wait for documents: a source is read by one at a time. */
  private readonly waiting: BulkClient[] = [];

  constructor(
    readonly job: IngestJob,
    readonly setting: OperationSetting,
  ) {
    const pipeline = job.pipeline === undefined ? '' : `?pipeline=${encodeURIComponent(job.pipeline)}`;
    const { indices, route, share } = setting;
    this.router = isRouted(indices, route) ? new IndexRouter(indices, route) : null;
    this.paths = this.router
      ? [`/_bulk${pipeline}`]
      : indices.map((index) => `/${encodeURIComponent(index)}/_bulk${pipeline}`);
    this.nextPath = share.index;
    this.headers = setting.transport.headersFor('application/x-ndjson');
    this.source =
      setting.parsers === null
        ? createSource(job.source, {
            seed: setting.seed,
            share,
            actionLine: actionLineOf(indices, route),
            onBroken: setting.onBroken,
          })
        : new ParsedSource(setting.parsers, share);
    this.limit = { docs: Infinity, bytes: Infinity, ...job.bulk };
    this.remaining = setting.documents ?? Infinity;
  }

  get exhausted(): boolean {
    return this.sourceEnded || this.remaining === 0;
  }

  createClient(events: ClientEvents): OperationClient {
    return new BulkClient(this, events);
  }

  /** Of the next bulk. */
  path(): string {
    this.nextPath = (this.nextPath + 1) % this.paths.length;
    return this.paths[this.nextPath]!;
  }

  close(): void {
    this.source.close();
  }

  whenReady(onReady: () => void): void {
    const { index, of } = this.setting.share;
    // Without clients nothing is taken, and nobody hands it over.
    if (index >= of) onReady();
    else this.source.whenReady(onReady);
  }

  /** Fills the client's batch now, or calls its `filled` later. Returns whether it is filled. */
  fill(client: BulkClient): boolean {
    if (this.waiting.length > 0) {
      this.waiting.push(client);
      return false;
    }
    if (this.fillNow(client) !== 'waiting') return true;
    this.waiting.push(client);
    this.waitForSource();
    return false;
  }

  release(): void {
    for (const client of this.waiting.splice(0)) client.release();
  }

  senderTimes(): SenderTimes | null {
    return this.setting.parsers === null ? null : this.times;
  }

  /** A client was occupied with a bulk `[from, until)`, until `filled` waiting for its documents; ms since the start. */
  occupied(from: number, filled: number, until: number): void {
    const { phases } = this.setting;
    this.times.occupiedMs += phases.measuredMs(from, until);
    this.times.waitedMs += phases.measuredMs(from, filled);
  }

  /** The client waits no longer. */
  forget(client: BulkClient): void {
    const place = this.waiting.indexOf(client);
    if (place >= 0) this.waiting.splice(place, 1);
  }

  private fillNow({ batch, counted }: BulkClient): Filled {
    const { limit } = this;
    const before = batch.count;
    const docs = counted ? Math.min(limit.docs, before + this.remaining) : limit.docs;
    if (docs === before) return 'full';
    const filled = this.source.fill(batch, { docs, bytes: limit.bytes }, this.setting.clock.wall());
    if (counted) this.remaining -= batch.count - before;
    try {
      this.router?.write(batch, before);
    } catch (error) {
      this.setting.onBroken(error);
      batch.clear();
      this.sourceEnded = true;
      return 'ended';
    }
    if (filled === 'ended') this.sourceEnded = true;
    return filled;
  }

  private waitForSource(): void {
    this.source.whenReady(() => {
      for (;;) {
        const client = this.waiting[0];
        if (client === undefined) return;
        if (this.fillNow(client) === 'waiting') {
          this.waitForSource();
          return;
        }
        this.waiting.shift();
        client.filled();
      }
    });
  }
}
