/**
 * Replays recorded traffic. Each request is sent once. It waits until it is due, and until the requests that it depends on have been
 * answered. These are earlier requests on the same connection, and requests whose responses contain ids that it uses.
 */
import type { TrafficAccount } from '../../../common/measurement/traffic';
import { jsonOfText } from '../../../common/json/exact';
import { byStatus } from '../../../common/requests/judges';
import { AnswerComparer, type AnswerAccount } from '../../../common/measurement/same-answers';
import { differenceReason, OTHER_ANSWER } from '../../../common/traffic/compare';
import { factsOf } from '../../../common/traffic/facts';
import type { TrafficJob } from '../../../common/traffic/job';
import type { AnswerFacts } from '../../../common/traffic/record';
import type { DueTimes } from '../executors/due-times';
import { TrafficLog } from '../sources/traffic-log';
import { createRecent, versionKey, type Slot, type TrafficRequest } from '../sources/traffic-reader';
import type { Ending } from '../transport/exchange';
import { LogTimes } from './log-times';
import type { ClientEvents, Operation, OperationClient, OperationSetting } from './operation';
import { isPassing } from '../../../common/elasticsearch/answer';
import { plural } from '../../../common/units/format';
import { requestForm, type PreparedRequest, type RequestForm } from './prepared-request';
import { requestFailure, type RequestFailure } from './request-failure';
import { RequestSender } from './request-sender';

/** Kinds of requests for which the status 404 is not a failure. For these, it only means that the document does not exist. */
const MAY_BE_MISSING: ReadonlySet<string> = new Set(['get', 'get-source', 'delete', 'index-exists']);

/** Failures of requests that were cut off by the end of the load. */
const CUT: ReadonlySet<string> = new Set(['drain-timeout', 'aborted']);

/** Matches media types that require a certain version of Elasticsearch. */
const OF_A_VERSION = /compatible-with/i;

interface OwnVersion {
  seqNo: number;
  primaryTerm: number;
}

export class TrafficOperation implements Operation {
  private readonly log: TrafficLog;
  private readonly forms = new Map<string, RequestForm>();
  private times: LogTimes | null = null;
  /** Clients that wait until more requests have been read from the file. */
  private readonly waiting: TrafficClient[] = [];
  /** Requests that were taken and have not ended. For each request: the clients that wait for its end. */
  private readonly unfinished = new Map<number, TrafficClient[]>();
  private readonly blocked = new Set<TrafficClient>();
  /** Numbers of requests that have ended and whose waiting clients have yet to be called. */
  private readonly ended: number[] = [];
  private released = false;
  /**
   * For each recorded id of a scroll, a point in time or a document: the id that this target has returned instead. Old ids are forgotten.
   */
  private readonly ids = createRecent<string>();
  /**
   * For each recorded version of a document, by {@link versionKey}: the version that this target has returned instead. Old versions are
   * forgotten.
   */
  private readonly versions = createRecent<OwnVersion>();
  private readonly comparer = new AnswerComparer();

  constructor(
    private readonly job: TrafficJob,
    readonly setting: OperationSetting,
  ) {
    this.log = new TrafficLog(job, setting.indices, setting.share, setting.onBroken);
  }

  get exhausted(): boolean {
    return this.log.exhausted;
  }

  createClient(events: ClientEvents): OperationClient {
    return new TrafficClient(this, events);
  }

  close(): void {
    this.log.close();
  }

  whenReady(onReady: () => void): void {
    if (this.log.peek() !== null || this.log.exhausted) onReady();
    else this.log.whenReady(onReady);
  }

  /**
   * Returns the recorded times as a schedule. `speed`: factor by which the replay is faster than the recording. With 2, the replay takes
   * half of the recorded time.
   */
  recordedTimes(speed: number, onReady: () => void): DueTimes {
    this.times = new LogTimes(this.log, speed, onReady);
    return this.times;
  }

  /** Ends the waiting of clients whose requests wait for earlier responses. */
  release(): void {
    this.released = true;
    for (const client of [...this.blocked]) client.giveUp();
  }

  trafficReplayed(): TrafficAccount {
    return this.log.accounted();
  }

  compared(): AnswerAccount {
    return this.comparer.account();
  }

  /** Returns the next request; null if none is available now. */
  take(): TrafficRequest | null {
    const request = this.log.take();
    if (request === null) return null;
    this.times?.taken(request);
    this.unfinished.set(request.number, []);
    return request;
  }

  /** Calls `again` of the client when a request is available or the file has ended. */
  waitFor(client: TrafficClient): void {
    if (this.waiting.push(client) > 1) return;
    this.log.whenReady(() => {
      for (const each of this.waiting.splice(0)) each.again();
    });
  }

  forget(client: TrafficClient): void {
    const place = this.waiting.indexOf(client);
    if (place >= 0) this.waiting.splice(place, 1);
  }

  /**
   * Returns the number of earlier requests that must end before this request is sent. Each time that one of the earlier requests ends,
   * calls `earlierEnded` of the client.
   */
  block({ after }: TrafficRequest, client: TrafficClient): number {
    let count = 0;
    for (const number of after) {
      const waiters = this.unfinished.get(number);
      if (waiters === undefined) continue;
      waiters.push(client);
      count += 1;
    }
    if (count > 0) this.blocked.add(client);
    return count;
  }

  /** Whether no request may be sent any more. */
  get isOver(): boolean {
    const { phases, clock } = this.setting;
    return this.released || phases.at(clock.now()) === 'drain';
  }

  /** Called when a client no longer waits for earlier requests. `isSent`: true if its request is sent now, false if it was given up. */
  unblock(client: TrafficClient, isSent: boolean): void {
    this.blocked.delete(client);
    if (isSent) this.log.noteWaited();
  }

  /**
   * Called when a request has ended. Sends the requests that waited only for this request. If the load is over, gives these requests up
   * instead, which calls this method again for each of them. The inner calls only add to `ended`, because a recursion could exceed the
   * stack.
   */
  finish({ number }: TrafficRequest): void {
    if (this.ended.push(number) > 1) return;
    for (const each of this.ended) {
      const waiters = this.unfinished.get(each) ?? [];
      this.unfinished.delete(each);
      for (const client of waiters) client.earlierEnded();
    }
    this.ended.length = 0;
  }

  /** Called for a request that was taken from the file but will not be sent. */
  giveBack(request: TrafficRequest, due: number | null): void {
    const { recorder, phases, clock } = this.setting;
    this.log.giveBack();
    // With other executors, the schedule itself counts the requests.
    if (due !== null && this.times !== null)
      recorder.neverSent(Math.min(phases.measureUntil, clock.now()), due);
    this.finish(request);
  }

  /** Returns a request in which recorded ids and versions are replaced by those of this target. */
  prepared(request: TrafficRequest): PreparedRequest {
    const { kind, method, body, asRecorded } = request;
    this.log.noteUntranslated(asRecorded);
    const path = request.path
      .map((piece) => (typeof piece === 'string' ? piece : encodeURIComponent(this.ownText(piece))))
      .join('');
    return {
      form: this.formOf(method, request),
      name: kind.name,
      route: '',
      query: -1,
      path,
      body:
        body === null || Buffer.isBuffer(body)
          ? body
          : Buffer.concat(
              body.map((piece) => (Buffer.isBuffer(piece) ? piece : Buffer.from(this.jsonText(piece)))),
            ),
    };
  }

  /**
   * Returns the failure of a request; null if it succeeded. Compares its response with the recorded one, and stores its ids and versions.
   */
  judged(request: TrafficRequest, sent: PreparedRequest, ending: Ending): RequestFailure | null {
    const { kind, created, recorded, isComparable, method, recordedPath } = request;
    const { status, failure, body } = ending;
    const facts = failure !== '' || body === null ? null : factsOf(kind, status, body, sent.body);
    if (created !== null && facts !== null) this.learn(created, facts);
    const difference =
      isComparable && !CUT.has(failure)
        ? this.comparer.compare(
            { method, path: recordedPath, answer: recorded },
            kind,
            { status, facts },
            this.log.writtenNear(request),
          )
        : null;
    const why = requestFailure(ending, sent.form);
    // Overload and missing answers have separate types of failures.
    if (why !== null && (status === 0 || isPassing(status))) return why;
    if (difference !== null) return failureOf(OTHER_ANSWER, differenceReason(difference));
    if (isComparable && recorded !== null && recorded.status === status) return null;
    if (status === 404 && MAY_BE_MISSING.has(kind.name)) return null;
    return why ?? (facts === null ? null : failureIn(facts));
  }

  private ownText(slot: Slot): string {
    if (slot.as === 'id') {
      const own = this.ids.get(slot.id);
      if (own === undefined) this.log.noteUntranslated();
      return own ?? slot.id;
    }
    const own = this.versions.get(slot.key);
    if (own === undefined && slot.part === 'seqNo') this.log.noteUntranslated();
    return own === undefined ? slot.recorded : String(own[slot.part]);
  }

  /** Returns the text that replaces a recorded value in JSON: the content of a string without quotes, or a number. */
  private jsonText(slot: Slot): string {
    return jsonOfText(this.ownText(slot)).slice(1, -1);
  }

  private learn(created: NonNullable<TrafficRequest['created']>, own: AnswerFacts): void {
    const { scrollId, pitId, generatedIds, versions } = created;
    if (scrollId !== undefined && own.scrollId !== undefined) this.ids.set(scrollId, own.scrollId);
    if (pitId !== undefined && own.pitId !== undefined) this.ids.set(pitId, own.pitId);
    const ownIds = own.generatedIds ?? [];
    // If the numbers of ids differ, it is unknown which ids belong together.
    if (ownIds.length === generatedIds.length)
      for (const [at, id] of generatedIds.entries()) {
        // An item that failed has no id.
        if (ownIds[at] !== '') this.ids.set(id, ownIds[at]!);
      }
    if (versions.length === 0 || own.versions === undefined) return;
    // A bulk request may change a document several times, so its versions are compared in their order.
    const found = new Map<string, OwnVersion[]>();
    for (const version of own.versions) {
      const same = found.get(version.id);
      if (same === undefined) found.set(version.id, [version]);
      else same.push(version);
    }
    for (const version of versions) {
      const match = found.get(this.ids.get(version.id) ?? version.id)?.shift();
      if (match !== undefined) this.versions.set(versionKey(version), match);
    }
  }

  private formOf(method: string, { contentType, body }: TrafficRequest): RequestForm {
    const key = `${method} ${body === null ? '' : contentType}`;
    const known = this.forms.get(key);
    if (known !== undefined) return known;
    const headers = body === null ? {} : mediaTypes(contentType, this.job.engine);
    const form = requestForm(method, { ...this.setting.transport.headers, ...headers }, byStatus, {
      isRead: true,
    });
    this.forms.set(key, form);
    return form;
  }
}

const failureOf = (type: string, reason: string): RequestFailure => ({
  ...{ type, reason, rejected: false, unknown: false, whole: false },
  end: 'answered',
});

/**
 * Returns the failure that a response with a 2xx status reports; null for a success. Does not compare the response with the recorded
 * response.
 */
function failureIn({
  failedItems = 0,
  failedShards = 0,
  timedOut,
  error,
}: AnswerFacts): RequestFailure | null {
  if (failedItems > 0) return failureOf(error ?? 'item-error', `${plural(failedItems, 'item')} failed`);
  if (failedShards > 0) return failureOf('shard-failure', `${plural(failedShards, 'shard')} failed`);
  return timedOut === true ? failureOf('timed-out', 'the search timed out') : null;
}

/**
 * Returns headers for the recorded media type of a request. If the media type requires a version of Elasticsearch, the response is
 * requested in the same version.
 */
function mediaTypes(contentType: string, engine: TrafficJob['engine']): Record<string, string> {
  if (contentType === '') return { 'content-type': 'application/json' };
  if (!OF_A_VERSION.test(contentType)) return { 'content-type': contentType };
  if (engine === 'elasticsearch')
    return { 'content-type': contentType, accept: contentType.replace('x-ndjson', 'json') };
  return { 'content-type': contentType.includes('ndjson') ? 'application/x-ndjson' : 'application/json' };
}

class TrafficClient implements OperationClient {
  private readonly sender: RequestSender;
  private intended: number | null = null;
  private state: 'idle' | 'no-request' | 'blocked' | 'sending' = 'idle';
  private request: TrafficRequest | null = null;
  private sent: PreparedRequest | null = null;
  private earlier = 0;
  /** Time at which the request could be sent, in ms since the start of the load. */
  private ready = 0;

  constructor(
    private readonly operation: TrafficOperation,
    private readonly events: ClientEvents,
  ) {
    this.sender = new RequestSender(
      this,
      operation.setting,
      {
        onSent: (_client, sent) => {
          events.onSent(this, sent, this.ready);
        },
        onDone: (_client, end, time) => {
          this.state = 'idle';
          const request = this.request!;
          this.request = null;
          operation.finish(request);
          events.onDone(this, end, time);
        },
      },
      (ending) => operation.judged(this.request!, this.sent!, ending),
    );
  }

  begin(intended: number | null): void {
    this.intended = intended;
    const request = this.operation.take();
    if (request !== null) {
      this.request = request;
      this.ready = 0;
      this.earlier = this.operation.block(request, this);
      if (this.earlier === 0) this.send();
      else this.state = 'blocked';
    } else if (this.operation.exhausted) {
      this.end();
    } else {
      this.state = 'no-request';
      this.operation.waitFor(this);
    }
  }

  /** Called when further requests of the file have been read. */
  again(): void {
    if (this.operation.isOver) this.end();
    else this.begin(this.intended);
  }

  /** Called when one of the earlier requests for which the current one waits has ended. */
  earlierEnded(): void {
    this.earlier -= 1;
    if (this.state !== 'blocked' || this.earlier > 0) return;
    if (this.operation.isOver) {
      this.giveUp();
      return;
    }
    this.operation.unblock(this, true);
    this.ready = this.operation.setting.clock.now();
    this.send();
  }

  /** Gives up the current request without sending it, if it still waits for earlier requests. */
  giveUp(): void {
    if (this.state !== 'blocked') return;
    this.operation.unblock(this, false);
    const request = this.request!;
    this.request = null;
    this.end();
    this.operation.giveBack(request, this.intended);
  }

  cut(reason: string): void {
    if (this.state === 'sending') this.sender.cut(reason);
    else if (this.state === 'blocked') this.giveUp();
    else if (this.state === 'no-request') {
      this.operation.forget(this);
      this.end();
    }
  }

  private send(): void {
    this.state = 'sending';
    this.sent = this.operation.prepared(this.request!);
    this.sender.send(this.sent, this.intended);
  }

  private end(): void {
    this.state = 'idle';
    this.events.onDone(this, 'ended', this.operation.setting.clock.now());
  }
}
