/**
 * Bulk indexing. The clients of an ingest task share the source of their documents.
 *
 * The service time is measured for each HTTP request. The latency is measured for each bulk: from its intended start until the response to
 * its last attempt. The latency therefore includes the pauses before retries. It is the time that storing the documents took.
 */
import { connectionLostReason, tooLargeReason } from '../../../common/elasticsearch/content-length';
import { clearCounts, endedOf, noCounts, type Counts } from '../../../common/measurement/counts';
import type { Failures } from '../../../common/measurement/failures';
import type { SenderTimes } from '../../../common/measurement/parse';
import { addWrites, noWrites, type WriteAccount } from '../../../common/measurement/writes';
import { createRandom, deriveSeed } from '../../../common/random';
import type { IngestJob } from '../../../common/tasks/ingest';
import type { TaskRecorder } from '../samples/recorder';
import { Batch } from '../sources/batch';
import { RenderedSource } from '../sources/rendered';
import { createSource } from '../sources/registry';
import { WriteSource } from '../sources/writes';
import type { DocumentSource, Filled } from '../sources/source';
import { LONGEST_HEAD, TOO_LARGE_STATUS, type Ending } from '../transport/exchange';
import type { InFlight } from '../transport/transport';
import { jitteredPause } from '../../../common/elasticsearch/backoff';
import { actionLineOf, IndexRouter, isRouted } from './index-router';
import type { ClientEvents, Operation, OperationClient, OperationSetting, RequestEnd } from './operation';
import { OwnIndices } from './own-indices';
import { isUnanswered, readRequestError, type RequestError } from './request-error';
import {
  addAllPerhaps,
  keepAll,
  lacksItems,
  readBulkHead,
  readItems,
  type ItemFates,
  type UpdateKind,
} from './bulk-answer';

const NOTHING = noCounts();
/** Type of failure of a bulk request that is larger than the target accepts. */
const TOO_LARGE = `http-${TOO_LARGE_STATUS}`;
const NO_UPDATES: UpdateKind = { upserts: false, scripted: false };

/** Returns whether the head of a response shows that no item has an error. */
const isWithoutErrors = (body: Buffer): boolean =>
  readBulkHead(body.toString('latin1', 0, Math.min(body.length, LONGEST_HEAD))) === 'well';

const tooShort = (bytes: number, documents: number): string =>
  `an answer of ${bytes} bytes has no items for ${documents} documents`;

export class BulkOperation implements Operation {
  readonly headers: string[];
  /** Counts of the bulk actions of all clients. */
  readonly account = noWrites();
  /**
   * Whether every item of every response is read. This is true in three cases:
   * - the task has actions or ids;
   * - an ingest pipeline may drop documents or send them to another index;
   * - a response has contained an unexpected item.
   */
  readsItems: boolean;
  readonly own: OwnIndices | null;
  /**
   * Paths of the bulk requests. If the bulks go to the indices in turn: one path per index. Otherwise only `/_bulk`, and the action lines
   * name the index of each document.
   */
  private readonly paths: string[];
  private nextPath: number;
  /** Whether the counts in `account` are exact, because every item of every response is read. */
  private readonly countsWrites: boolean;
  private readonly router: IndexRouter | null;
  private readonly source: DocumentSource;
  private readonly limit: { docs: number; bytes: number };
  /** Number of documents that this thread must still send in the measured phase. */
  private remaining: number;
  private sourceEnded = false;
  private readonly times: SenderTimes = { occupiedMs: 0, waitedMs: 0 };
  /** Clients that wait for documents. Only one client at a time reads the source. */
  private readonly waiting: BulkClient[] = [];

  constructor(
    readonly job: IngestJob,
    readonly setting: OperationSetting,
  ) {
    const { indices, route, share } = setting;
    const { writes } = job;
    const query = queryOf(job);
    this.countsWrites =
      writes !== undefined || job.pipeline !== undefined || setting.destination?.hasPipeline === true;
    this.readsItems = this.countsWrites;
    const { destination } = setting;
    this.own =
      destination === undefined || destination.names.length === 0 ? null : new OwnIndices(destination);
    this.router = writes === undefined && isRouted(indices, route) ? new IndexRouter(indices, route) : null;
    const isNamed = this.router !== null || (writes?.ids != null && indices.length > 1);
    this.paths = isNamed
      ? [`/_bulk${query}`]
      : indices.map((index) => `/${encodeURIComponent(index)}/_bulk${query}`);
    this.nextPath = share.index;
    this.headers = Object.entries({
      ...setting.transport.headers,
      'content-type': 'application/x-ndjson',
    }).flat();
    const { reader } = setting;
    const threads = reader === null ? setting.parsers : [reader];
    const source =
      threads === null
        ? createSource(job.source, {
            seed: setting.seed,
            share,
            ...(setting.documents === null ? {} : { documents: setting.documents }),
            actionLine: writes === undefined ? actionLineOf(indices, route) : '',
            onBroken: setting.onBroken,
          })
        : new RenderedSource(threads, share, setting.onBroken);
    this.source =
      writes === undefined
        ? source
        : new WriteSource(source, writes, {
            indices,
            ids: { task: setting.ids.place, share: share.index, seed: setting.ids.seed },
            random: createRandom(deriveSeed(setting.seed, 'writes')),
            onBroken: setting.onBroken,
            whole: threads !== null,
          });
    this.limit = { docs: Infinity, bytes: Infinity, ...job.bulk };
    const { from, until } = setting.documents ?? { from: 0, until: Infinity };
    this.remaining = until - from;
  }

  get exhausted(): boolean {
    return this.sourceEnded || this.remaining === 0;
  }

  createClient(events: ClientEvents): OperationClient {
    return new BulkClient(this, events);
  }

  /** Returns the path of the next bulk request. */
  path(): string {
    this.nextPath = (this.nextPath + 1) % this.paths.length;
    return this.paths[this.nextPath]!;
  }

  close(): void {
    this.source.close();
  }

  whenReady(onReady: () => void): void {
    const { index, of } = this.setting.share;
    // A load thread without clients needs no documents.
    if (index >= of) onReady();
    else this.source.whenReady(onReady);
  }

  /**
   * Fills the client's batch with documents and returns true. If no documents are available yet, returns false and calls `filled` of the
   * client once they are.
   */
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

  written(): WriteAccount | undefined {
    return this.countsWrites ? this.account : undefined;
  }

  senderTimes(): SenderTimes | null {
    return this.setting.parsers === null ? null : this.times;
  }

  /** Returns the outcome of each document of a batch. Null if `body` is not a response to the batch. */
  read(body: Buffer, batch: Batch): ItemFates | null {
    const fates = readItems(body, batch, this.job.writes?.update ?? NO_UPDATES, this.own);
    if (fates === null) return null;
    addWrites(this.account, fates.account);
    const { dropped, redirected, unknown, failed, refused } = fates;
    const isHidden = failed + refused.length > 0 && !this.readsItems && isWithoutErrors(body);
    if (dropped + redirected + unknown > 0 || isHidden) this.readsItems = true;
    return fates;
  }

  /** Counts all documents of a bulk request as stored. Used if the beginning of the response says that there are no errors. */
  stored(documents: number): void {
    this.account.created += documents;
    this.account.versions += documents;
  }

  /** Counts all actions of a bulk request of which nobody knows whether they were executed. */
  perhapsStored(batch: Batch): void {
    if (this.countsWrites) addAllPerhaps(this.account, batch, this.job.writes?.update ?? NO_UPDATES);
  }

  /**
   * Records that a client was busy with a bulk in `[from, until)`, and that it waited for documents until `filled`. Times are in ms since
   * the start.
   */
  occupied(from: number, filled: number, until: number): void {
    const { phases } = this.setting;
    this.times.occupiedMs += phases.measuredMs(from, until);
    this.times.waitedMs += phases.measuredMs(from, filled);
  }

  /** Removes a client from those that wait for documents. */
  forget(client: BulkClient): void {
    const place = this.waiting.indexOf(client);
    if (place >= 0) this.waiting.splice(place, 1);
  }

  private fillNow({ batch, counted }: BulkClient): Filled {
    const { limit } = this;
    const before = batch.count;
    const docs = counted ? Math.min(limit.docs, before + this.remaining) : limit.docs;
    if (docs === before) return 'full';
    const filled = this.source.fill(batch, { docs, bytes: limit.bytes }, this.setting.clock.targetTime());
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

/** Returns the query string of every bulk, with its question mark; '' for none. */
function queryOf({ pipeline, params = '' }: IngestJob): string {
  const parts = [pipeline === undefined ? '' : `pipeline=${encodeURIComponent(pipeline)}`, params];
  const query = parts.filter(Boolean).join('&');
  return query === '' ? '' : `?${query}`;
}

/**
 * One client of an ingest task. It fills a batch with documents and sends the batch. If documents are rejected with 429, the client sends
 * these again after a pause, up to a limit. It never sends documents again whose outcome is unknown.
 */
class BulkClient implements OperationClient {
  readonly batch = new Batch();
  /**
   * Whether the client began to fill the batch in the measured phase. Its documents then count towards the documents that the phase must
   * send.
   */
  counted = false;
  private intended: number | null = null;
  /** Time at which the client asked for documents, in ms since the start of the load. */
  private wanted = 0;
  /** Time at which the client received the documents, in ms since the start of the load. */
  private got = 0;
  private start = 0;
  /** Time at which the bulk request was first sent, in ms since the start of the load. */
  private begun = 0;
  private sent = 0;
  private attempt = 0;
  private path = '';
  private exchange: InFlight | null = null;
  private pause: NodeJS.Timeout | null = null;
  private filling = false;
  /** Reasons why the documents in the batch were rejected. */
  private rejections: Failures = {};
  /**
   * True until the client has received a response. Every item of the first response is read. If one of them is unusual, the items of all
   * later responses are read too.
   */
  private isFirst = true;
  private readonly delta: Counts = noCounts();
  private readonly recorder: TaskRecorder;
  private readonly onEnd = (ending: Ending): void => {
    this.ended(ending);
  };

  constructor(
    private readonly operation: BulkOperation,
    private readonly events: ClientEvents,
  ) {
    this.recorder = operation.setting.recorder;
  }

  begin(intended: number | null): void {
    const { clock, phases } = this.operation.setting;
    this.batch.clear();
    this.attempt = 0;
    this.intended = intended;
    this.wanted = clock.now();
    this.counted = phases.at(this.wanted) === 'measure';
    this.filling = true;
    if (this.operation.fill(this)) this.filled();
  }

  /** Called when the batch has been filled. */
  filled(): void {
    this.filling = false;
    const { clock, phases } = this.operation.setting;
    this.got = clock.now();
    // The load may have ended while the batch waited for documents.
    if (this.batch.count === 0 || phases.at(this.got) === 'drain') this.done('ended', this.got);
    else this.send();
  }

  /** Called if the load ends while the batch waits for documents. */
  release(): void {
    this.filling = false;
    this.got = this.operation.setting.clock.now();
    this.done('ended', this.got);
  }

  cut(reason: string): void {
    const { clock } = this.operation.setting;
    if (this.exchange !== null) this.exchange.cut(reason);
    else if (this.pause !== null) {
      clearTimeout(this.pause);
      this.pause = null;
      const time = clock.now();
      this.reject(time);
      this.complete(time, 'answered');
    } else if (this.filling) {
      this.operation.forget(this);
      this.release();
    }
  }

  private send(): void {
    const { setting, headers } = this.operation;
    this.pause = null;
    this.sent = setting.clock.now();
    if (this.attempt === 0) {
      this.path = this.operation.path();
      this.begun = this.sent;
      this.start = this.intended ?? this.sent;
    }
    this.exchange = setting.transport.send({
      method: 'POST',
      path: this.path,
      headers,
      body: this.batch.body(),
      readHead: this.isFirst || this.operation.readsItems ? keepAll : readBulkHead,
      onEnd: this.onEnd,
    });
  }

  /** Records that the request was written to the socket at `time`. The client had passed it to the transport earlier. */
  private written(time: number): void {
    this.sent = time;
    if (this.attempt > 0) return;
    this.begun = time;
    this.start = this.intended ?? time;
  }

  private ended(ending: Ending): void {
    const { status, well, body, received, failure, message, time } = ending;
    const { recorder, batch } = this;
    this.exchange = null;
    if (!Number.isNaN(ending.sentAt)) this.written(ending.sentAt);
    if (this.attempt === 0) this.events.onSent(this, this.begun);
    const delta = clearCounts(this.delta);
    delta.requests = 1;
    delta.bytes = batch.length;
    if (this.attempt > 0) delta.retried = batch.count;
    // A request that got no connection has no service time.
    if (ending.sent) recorder.served(time, this.sent, this.start);

    if (well && !lacksItems(received, batch.count)) {
      this.operation.stored(batch.count);
      delta.accepted = batch.count;
      this.settle(time);
    } else if (failure !== '') {
      const { maxContentBytes } = this.operation.setting;
      const isLost = failure === 'connection-lost';
      const isTooLarge = isLost && batch.length > (maxContentBytes ?? Infinity);
      const reason = isLost ? connectionLostReason(batch.length, maxContentBytes, message) : message;
      this.failWhole(time, { type: isTooLarge ? TOO_LARGE : failure, reason }, ending.sent && !isTooLarge);
      if (isTooLarge) this.complete(time, 'unusable');
      else if (!ending.sent) this.done('unusable', time);
      else {
        this.perhapsDone();
        this.lost(time);
      }
    } else if (status === 429) {
      delta.failedRequests = 1;
      const { type, reason } = readRequestError(status, body);
      this.rejections = { [type]: { count: batch.count, example: reason } };
      this.again(time);
    } else if (status >= 300) {
      const why =
        status === TOO_LARGE_STATUS
          ? { type: TOO_LARGE, reason: tooLargeReason(batch.length, this.operation.setting.maxContentBytes) }
          : readRequestError(status, body);
      this.failWhole(time, why, isUnanswered(ending));
      this.perhapsDone();
      this.complete(time, 'unusable');
    } else {
      const fates = body === null ? null : this.operation.read(body, batch);
      if (fates === null) {
        const reason = body?.toString('utf8', 0, 1000) ?? tooShort(received, batch.count);
        this.failWhole(time, { type: 'bad-answer', reason }, true);
        this.perhapsDone();
        this.complete(time, 'unusable');
      } else this.settleItems(time, fates);
    }
  }

  private settleItems(time: number, fates: ItemFates): void {
    const { delta, batch, recorder, operation } = this;
    this.isFirst = false;
    const { conflicted, missing, dropped, redirected, failed, unknown, refused } = fates;
    Object.assign(delta, { conflicted, missing, dropped, redirected, failed, unknown });
    const isWhole = operation.job.asAWhole === true && refused.length + failed > 0;
    delta[isWhole ? 'disregarded' : 'accepted'] = fates.accepted;
    if (!fates.failures.isEmpty) recorder.failedFor(time, fates.failures.take(), this.begun, this.start);
    if (refused.length === 0) {
      this.settle(time);
      return;
    }
    this.rejections = fates.rejections.take();
    // If items are missing, it is unknown which documents were rejected. Then none is sent again.
    const isAgain = fates.items === batch.count;
    batch.keep(refused, refused.length);
    if (isAgain) this.again(time);
    else {
      this.count(time);
      this.reject(time);
      this.complete(time, 'answered');
    }
  }

  /** Counts each action of the batch as possibly executed, because the response was missing or unusable. */
  private perhapsDone(): void {
    this.operation.perhapsStored(this.batch);
  }

  /** Counts the whole bulk request as failed. `unknown`: whether the target may have executed it nevertheless. */
  private failWhole(time: number, { type, reason }: RequestError, unknown: boolean): void {
    this.delta.failedRequests = 1;
    this.delta[unknown ? 'unknown' : 'failed'] = this.batch.count;
    this.recorder.failed(time, type, this.batch.count, reason, this.begun, this.start);
    this.count(time);
  }

  /** Counts a bulk request that got no response. */
  private lost(time: number): void {
    this.recorder.unanswered(time, this.start);
    this.complete(time, 'unusable');
  }

  /** Sends the rejected documents of the batch again after a pause, or gives them up. */
  private again(time: number): void {
    const { attempts, baseMs, maxMs } = this.operation.job.retries;
    this.count(time);
    if (this.attempt < attempts) {
      this.recorder.retriedFor(this.rejections, this.begun);
      const pause = jitteredPause(this.attempt, baseMs, maxMs, this.operation.setting.random);
      this.attempt += 1;
      this.pause = setTimeout(() => {
        this.send();
      }, pause);
    } else {
      this.reject(time);
      this.complete(time, 'answered');
    }
  }

  private reject(time: number): void {
    const { recorder, rejections, begun, start } = this;
    const documents = this.batch.count;
    recorder.count(time, { ...NOTHING, attempted: documents, rejected: documents }, begun, start);
    recorder.failedFor(time, rejections, begun, start);
  }

  private settle(time: number): void {
    this.count(time);
    this.complete(time, 'answered');
  }

  private count(time: number): void {
    const { delta } = this;
    delta.attempted = endedOf(delta);
    this.recorder.count(time, delta, this.begun, this.start);
  }

  private complete(time: number, end: RequestEnd): void {
    this.recorder.completed(time, this.start);
    this.done(end, time);
  }

  private done(end: RequestEnd, time: number): void {
    this.operation.occupied(this.wanted, this.got, time);
    this.events.onDone(this, end, time);
  }
}
