/**
 * Converts records of traffic to requests for the trial: maps their indices, finds the ids and versions that the replay must replace, and
 * determines for which earlier requests each request waits. This needs no responses of the replay, so it is done ahead of the load.
 */
import { splitAtIds, SHORTEST_ID } from '../../../common/traffic/ids';
import { IndexMap, isLeftOut, type IndexMapSetting, type LeftOut } from '../../../common/traffic/index-map';
import type { TrafficJob } from '../../../common/traffic/job';
import { trafficKind, type TrafficKind } from '../../../common/traffic/kind';
import type { DocumentVersion, RecordedAnswer, TrafficRecord } from '../../../common/traffic/record';
import { rewriteRequest, type RewriteSetting, type VersionSlot } from '../../../common/traffic/rewrite';
import { addTimes, noTimes, TimeShift, type TimeAccount } from '../../../common/traffic/time-shift';

/** A part of a request for which the replay inserts a text from a response that it received. */
export type Slot =
  /** An id that the recorded cluster generated. */
  | { as: 'id'; id: string }
  /** A number in the version of a document. `key`: see {@link versionKey}. `recorded`: the recorded number. */
  | { as: 'version'; key: string; part: VersionSlot['part']; recorded: string };

/** Ids and versions in the recorded response that later requests may use. */
export interface Created {
  scrollId: string | undefined;
  pitId: string | undefined;
  generatedIds: readonly string[];
  versions: readonly DocumentVersion[];
}

/** A request to send, as plain data. */
export interface TrafficRequest {
  /** Number of the request among those that are sent, from 0. */
  number: number;
  /** Time between the first request that is sent and this one, in ms. */
  offset: number;
  kind: TrafficKind;
  method: string;
  /** Recorded path, without the query. */
  recordedPath: string;
  /** Path with its query string. */
  path: (string | Slot)[];
  body: Buffer | (Buffer | Slot)[] | null;
  contentType: string;
  /** Numbers of the requests that must be answered before this one is sent. */
  after: readonly number[];
  /**
   * Number of ids and versions in this request that keep their recorded values. The request that created them is not replayed, so no new
   * values are known.
   */
  asRecorded: number;
  /** Ids and versions in the recorded response that later requests use. Null if there are no such values. */
  created: Created | null;
  recorded: RecordedAnswer | null;
  /** Whether the response can be compared with the recorded one. */
  isComparable: boolean;
}

/** Reason why a request is left out: the replay is limited to other types of requests. */
export const OTHER_TYPE = 'it is of another type than `types`';
/**
 * Reason why a request is left out: it continues or closes a scroll or point in time, and the recording does not contain the response that
 * opened it.
 */
export const UNKNOWN_CONTEXT =
  'the recording does not contain the answer that opened its scroll or point in time';

/**
 * Maximum number of ids that are remembered. Up to the same number of versions is remembered. A recorded day may contain many more, but
 * clients use most ids soon after they were created. Each id or version takes about 150 bytes.
 */
const MOST_REMEMBERED = 300_000;
/** Maximum number of connections whose last requests are remembered. Later requests on a connection wait for these. */
const MOST_CONNECTIONS = 100_000;

/** A map of limited size. It removes its oldest entries. */
class Recent<Value> {
  private readonly entries = new Map<string | number, Value>();

  constructor(private readonly most: number) {}

  get(key: string | number): Value | undefined {
    return this.entries.get(key);
  }

  set(key: string | number, value: Value): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.most) return;
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest);
      return;
    }
  }

  delete(key: string | number): void {
    this.entries.delete(key);
  }
}

/**
 * Creates a map from recorded ids or versions to those of the replay. Key: the recorded id, or the {@link versionKey} of the recorded
 * version.
 */
export const createRecent = <Value>(): Pick<Recent<Value>, 'get' | 'set'> =>
  new Recent<Value>(MOST_REMEMBERED);

/** A request that created an id or wrote a document, with its connection. */
interface Creator {
  number: number;
  connection: number;
  /** Time of the recorded response, in µs. */
  endAt: number;
  pass: number;
}

/** A request for which later requests on its connection may have to wait. */
interface Open {
  number: number;
  /** Time of the recorded response, in µs. If it is unknown: -Infinity, so that all later requests on the connection wait for this one. */
  endAt: number;
  pass: number;
}

/** Returns the key that identifies a version of a document among all recorded versions. */
export const versionKey = ({ index, id, seqNo, primaryTerm }: DocumentVersion): string =>
  [index, id, seqNo, primaryTerm].join('\0');

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the text of a body; null if it is not valid UTF-8. */
function textOf(body: Uint8Array): string | null {
  try {
    return decoder.decode(body);
  } catch {
    return null;
  }
}

/**
 * Returns the time at which a recorded response ended, in µs after the start of the recording. Without a duration, returns the time of the
 * request: later requests on the same connection then wait for the response.
 */
const endOf = (at: number, { durationUs }: RecordedAnswer): number => at + (durationUs ?? 0);

const asBuffer = (body: Uint8Array): Buffer => Buffer.from(body.buffer, body.byteOffset, body.byteLength);

export interface ReaderSetting {
  job: TrafficJob;
  /** Names of the indices of the trial. */
  own: readonly string[];
  placeOf?: IndexMapSetting['placeOf'];
  /** Called if a request uses an id that a request on another connection created. */
  onShared?: (connection: number, creator: number) => void;
  /** Counts the dates in the requests that can be sent. Without it, dates are not counted, which takes less time. */
  times?: TimeAccount;
}

export class TrafficReader {
  private readonly setting: RewriteSetting;
  private readonly types: ReadonlySet<string> | null;
  /** Moves the dates in requests. Null if dates stay as recorded. */
  private readonly shift: TimeShift | null;
  /** Dates in the current request. Null if they are not counted. */
  private readonly dates: TimeAccount | null;
  /** For each id: the request that created it. Null if that request is left out. In this case, the id cannot be replaced. */
  private readonly ids = new Recent<Creator | null>(MOST_REMEMBERED);
  private readonly versions = new Recent<Creator>(MOST_REMEMBERED);
  /**
   * Finds the key of a version if a request does not name the index of the document. Key of the map: document id and version numbers. Null
   * if documents in several indices have the same id and numbers.
   */
  private readonly anyIndex = new Recent<string | null>(MOST_REMEMBERED);
  /** For each document id: the request that last wrote the document. */
  private readonly writers = new Recent<Creator>(MOST_REMEMBERED);
  private readonly open = new Recent<Open[]>(MOST_CONNECTIONS);
  /** Ids of documents that clients have created with their own ids since the beginning of the file. Used only when the file is repeated. */
  private readonly createdIds = new Set<string>();
  /** Ids of the documents to which the current request refers. */
  private named: string[] = [];
  private pass = 0;
  private number = 0;
  /** Number of ids and versions in the current request that keep their recorded values, because no new values are known. */
  private asRecorded = 0;

  constructor(private readonly given: ReaderSetting) {
    const { job, own, placeOf, times } = given;
    this.types = job.types === null ? null : new Set(job.types);
    this.dates = times === undefined ? null : noTimes();
    this.shift = job.times === undefined ? null : new TimeShift(job.times.fields, this.dates);
    this.setting = {
      indices: new IndexMap({
        rules: job.indices,
        found: job.found.indices,
        rest: job.rest,
        own,
        placeOf,
        mayWriteOwn: job.mayWriteOwn,
        mayWriteExisting: job.mayWriteExisting,
      }),
      engine: job.engine,
      mayUsePipelines: job.mayWriteExisting,
      idOf: (id, isCreate) => {
        this.named.push(id);
        return this.ownId(id, isCreate);
      },
    };
  }

  /** Begins the next pass over the file. Documents whose ids clients chose get new ids. */
  nextPass(): void {
    this.pass += 1;
    this.createdIds.clear();
  }

  /** Converts a record to a request, or returns the reason why it is left out. */
  read(record: TrafficRecord, passStart = 0): TrafficRequest | LeftOut {
    const request = this.convert(record, passStart);
    if (isLeftOut(request)) this.rememberLeftOut(createdIn(record.answer));
    return request;
  }

  private convert(record: TrafficRecord, passStart: number): TrafficRequest | LeftOut {
    const { method, path, query, contentType, connection, at, answer } = record;
    const kind = trafficKind(method, path);
    if (kind.effect === 'other') return { why: kind.why! };
    if (this.types !== null && !this.types.has(kind.name)) return { why: OTHER_TYPE };
    const recorded = record.body === null ? null : textOf(record.body);
    const { parameters, text } = this.withMovedDates(kind, query, recorded, passStart);
    this.named = [];
    this.asRecorded = 0;
    const rewritten = rewriteRequest(
      kind,
      { method, path, query: parameters, contentType, body: text, hasBody: record.body !== null },
      this.setting,
    );
    if (isLeftOut(rewritten)) return rewritten;
    const creators = new Set<Creator>();
    const slots = (pieces: readonly (string | VersionSlot)[]): (string | Slot)[] =>
      pieces.flatMap((piece) =>
        typeof piece === 'string'
          ? this.withIds(piece, connection, creators)
          : [this.withVersion(piece, connection, creators)],
      );
    const target = slots([
      rewritten.path,
      ...(rewritten.query.length === 0 ? [] : ['?', ...rewritten.query]),
    ]);
    const isRecordedBody = rewritten.body === 'unchanged' && text === recorded;
    const pieces = rewritten.body === 'unchanged' ? (text === null ? [] : [text]) : rewritten.body;
    const body = slots(pieces);
    if (this.needsContext(kind, text) && ![...target, ...body].some((piece) => typeof piece === 'object'))
      return { why: UNKNOWN_CONTEXT };
    this.addWriters(at, creators);
    const after = this.waitsFor(record, creators);
    const number = this.number;
    this.number += 1;
    if (this.dates !== null) addTimes(this.given.times!, this.dates);
    const created = createdIn(answer);
    if (created !== null) {
      const creator = { number, connection, endAt: endOf(at, answer!), pass: this.pass };
      this.remember(created, creator, kind.effect === 'write');
    }
    const isWhole = body.every((piece) => typeof piece === 'string');
    return {
      number,
      offset: passStart + (at - this.given.job.found.firstAt) / 1000,
      kind,
      method,
      recordedPath: path,
      path: target,
      body:
        record.body === null
          ? null
          : !isWhole
            ? body.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece))
            : isRecordedBody
              ? asBuffer(record.body)
              : Buffer.from(body.join(''), 'utf8'),
      contentType,
      after,
      asRecorded: this.asRecorded,
      created,
      recorded: answer,
      // In a later pass, the documents of earlier passes exist too.
      isComparable: !rewritten.isPartial && this.pass === 0,
    };
  }

  /**
   * Moves the dates in the parameters of a URL (`query`) and in a body. If the file is repeated, the time that the earlier passes took is
   * added.
   */
  private withMovedDates(
    kind: TrafficKind,
    query: string,
    body: string | null,
    passStart: number,
  ): { parameters: string; text: string | null } {
    const { shift, dates } = this;
    if (shift === null) return { parameters: query, text: body };
    if (dates !== null) Object.assign(dates, noTimes());
    const seconds = this.given.job.times!.seconds + Math.round(passStart / 1000);
    return {
      parameters: shift.movedParameters(query, seconds),
      text: body === null ? null : shift.moved(kind, body, seconds),
    };
  }

  /** Returns whether a request continues or closes a scroll or a point in time. */
  private needsContext({ name, indices }: TrafficKind, body: string | null): boolean {
    if (name === 'scroll' || name === 'close-scroll' || name === 'close-point-in-time') return true;
    return name === 'search' && indices.length === 0 && body !== null && /^\s*\{/.test(body) && hasPit(body);
  }

  /** Returns the id that a document has in the current pass. */
  private ownId(id: string, isCreate: boolean): string {
    if (this.pass === 0) return id;
    if (isCreate && this.createdIds.size < MOST_REMEMBERED) this.createdIds.add(id);
    return this.createdIds.has(id) ? `${id}-${this.pass + 1}` : id;
  }

  /**
   * Adds the requests that last wrote the documents to which this request refers. This request must wait for these writes, because a slow
   * target could otherwise answer it before the write. Only writes that were answered before this request in the recording count. They may
   * be on other connections.
   */
  private addWriters(at: number, creators: Set<Creator>): void {
    for (const id of this.named) {
      const writer = this.writers.get(id);
      if (writer !== undefined && (writer.endAt <= at || writer.pass < this.pass)) creators.add(writer);
    }
  }

  private withIds(text: string, connection: number, creators: Set<Creator>): (string | Slot)[] {
    return splitAtIds(text, (id): Slot | undefined => {
      const creator = this.ids.get(id);
      if (creator == null) {
        if (creator === null) this.asRecorded += 1;
        return undefined;
      }
      this.use(creator, connection, creators);
      return { as: 'id', id };
    });
  }

  private withVersion(
    { index, id, seqNo, primaryTerm, part }: VersionSlot,
    connection: number,
    creators: Set<Creator>,
  ): string | Slot {
    const recorded = part === 'seqNo' ? seqNo : primaryTerm;
    const exact = [index, id, seqNo, primaryTerm].join('\0');
    const key =
      this.versions.get(exact) === undefined ? this.anyIndex.get([id, seqNo, primaryTerm].join('\0')) : exact;
    const creator = key == null ? undefined : this.versions.get(key);
    if (key == null || creator === undefined) {
      this.asRecorded += part === 'seqNo' ? 1 : 0;
      return recorded;
    }
    this.use(creator, connection, creators);
    return { as: 'version', key, part, recorded };
  }

  /**
   * Returns the requests that must be answered before this one is sent. These are the requests on the same connection that were answered
   * before it in the recording, and the requests that created its ids. Requests for which one of these already waits are not listed again.
   */
  private waitsFor({ connection, at, answer }: TrafficRecord, creators: Set<Creator>): number[] {
    const before = this.open.get(connection) ?? [];
    const isAnswered = (other: Open): boolean => other.endAt <= at || other.pass < this.pass;
    const after = before.filter(isAnswered).map(({ number }) => number);
    const endAt = answer === null || answer.status === 0 ? -Infinity : endOf(at, answer);
    const pipelined = before.filter((other) => !isAnswered(other));
    this.open.set(connection, [...pipelined, { number: this.number, endAt, pass: this.pass }]);
    for (const creator of creators) {
      if (!after.includes(creator.number)) after.push(creator.number);
    }
    return after;
  }

  /**
   * Adds the request that created an id or version. If another connection has created it, reports this to `onShared`: both connections must
   * then belong to the same load thread.
   */
  private use(creator: Creator, connection: number, creators: Set<Creator>): void {
    creators.add(creator);
    if (creator.connection !== connection) this.given.onShared?.(connection, creator.connection);
  }

  /** Remembers the ids in the response to a request that is left out, so that their uses are counted. */
  private rememberLeftOut(created: Created | null): void {
    if (created === null) return;
    for (const id of longIds(created)) if (this.ids.get(id) === undefined) this.ids.set(id, null);
  }

  private remember(
    { scrollId, pitId, generatedIds, versions }: Created,
    creator: Creator,
    isWrite: boolean,
  ): void {
    for (const id of longIds({ scrollId, pitId, generatedIds })) this.ids.set(id, creator);
    for (const version of versions) {
      const key = versionKey(version);
      this.versions.set(key, creator);
      if (isWrite) this.writers.set(version.id, creator);
      const { id, seqNo, primaryTerm } = version;
      const short = [id, seqNo, primaryTerm].join('\0');
      const known = this.anyIndex.get(short);
      this.anyIndex.set(short, known === undefined || known === key ? key : null);
    }
  }
}

const longIds = ({ scrollId, pitId, generatedIds }: Omit<Created, 'versions'>): string[] =>
  [scrollId, pitId, ...generatedIds].filter((id) => id !== undefined && id.length >= SHORTEST_ID) as string[];

const hasPit = (body: string): boolean => /"pit"\s*:\s*\{/.test(body);

/** Returns the ids and versions in a recorded response. Null if it contains none. */
function createdIn(answer: RecordedAnswer | null): Created | null {
  const facts = answer?.facts;
  if (facts == null) return null;
  const { scrollId, pitId, generatedIds = [], versions = [] } = facts;
  if (scrollId === undefined && pitId === undefined && generatedIds.length + versions.length === 0)
    return null;
  return { scrollId, pitId, generatedIds, versions };
}
