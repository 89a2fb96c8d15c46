/**
 * Reads responses to bulk requests. The head of a response shows whether any item has an error. The items show the outcome of each
 * document: its status, result and index. The bytes are scanned once. Only errors and unusual items become objects or strings.
 *
 * `JSON.parse` would create objects from 200 bytes per document, which would cost more than creating the document.
 */
import { failureOf, type Failed } from '../../../common/elasticsearch/answer';
import { parsePlain } from '../../../common/json/exact';
import type { Counts } from '../../../common/measurement/counts';
import { FailureCounter } from '../../../common/measurement/failures';
import { noWrites, type WriteAccount } from '../../../common/measurement/writes';
import type { HeadVerdict } from '../../../common/requests/kind';
import type { WriteJob } from '../../../common/tasks/writes';
import type { Batch } from '../sources/batch';
import { endOfText, endOfValue } from '../sources/json-value';
import type { OwnIndices } from './own-indices';

/**
 * Finds the key `errors` among the scalar values at the beginning of the response. The pattern stops at the first `[` or the second `{`:
 * the items begin there, and they may quote documents that contain `errors` too.
 */
const HEAD = /^\s*\{(?:[^[\]{}"]|"[^"\\[\]{}]*")*?"errors"\s*:\s*(true|false)\b/;
const BEHIND = /^\s*(?:[^\s{]|\{[^[{]*[[{}])/;

export function readBulkHead(head: string): HeadVerdict {
  const found = HEAD.exec(head);
  if (found !== null) return found[1] === 'false' ? 'well' : 'keep';
  return BEHIND.test(head) ? 'keep' : 'more';
}

/** Size of the shortest possible response without an item, in bytes. */
const SHORTEST_ANSWER = '{"errors":false,"items":[]}'.length;
/** Size of the shortest possible item of a response, in bytes. */
const SHORTEST_ITEM = '{"index":{"status":201}},'.length;

/** Returns whether a response of `bytes` is too short to contain an item for each of `documents`. */
export const lacksItems = (bytes: number, documents: number): boolean =>
  bytes < SHORTEST_ANSWER + documents * SHORTEST_ITEM - 1;

/** Keeps the whole response, because all its items will be read. */
export const keepAll = (): HeadVerdict => 'keep';

/** Outcomes of the actions of a bulk request. */
export interface ItemFates extends Pick<
  Counts,
  'accepted' | 'conflicted' | 'missing' | 'dropped' | 'redirected' | 'failed' | 'unknown'
> {
  /** Number of items in the response. If it is less than the number of actions, items are missing. */
  items: number;
  /** Positions of the actions that were rejected with 429, ascending. */
  refused: number[];
  /** Reasons why actions were rejected with 429. */
  rejections: FailureCounter;
  /**
   * Reasons why documents failed, were dropped by a pipeline, or were stored in another index. Includes items that cannot be parsed. Does
   * not include rejections with 429, which are in `rejections`.
   */
  failures: FailureCounter;
  account: WriteAccount;
}

const CREATED = 201;
const CONFLICT = 409;
const NOT_FOUND = 404;
const REFUSED = 429;
/** Error type with which Elasticsearch answers an update of a document that does not exist. */
const NO_DOCUMENT = 'document_missing_exception';

const BLANK = 32;
const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const ZERO = 48;
const COLON = 58;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN = 123;
const CLOSE = 125;
/** First letters of the actions (create, delete, index, update), as bytes. */
const C = 99;
const D = 100;
const U = 117;

const ITEMS = Buffer.from('"items"');
const INDEX = Buffer.from('"_index"');
const RESULT = Buffer.from('"result"');
const VERSION = Buffer.from('"_version"');
const STATUS = Buffer.from('"status"');
const ERROR = Buffer.from('"error"');
const FAILURE_STORE = Buffer.from('"failure_store"');

const WAS_CREATED = Buffer.from('"created"');
const WAS_UPDATED = Buffer.from('"updated"');
const WAS_DELETED = Buffer.from('"deleted"');
const WAS_NOOP = Buffer.from('"noop"');
/** Value of `failure_store` if the document was stored in the failure store. With any other value, the item contains an error. */
const USED = Buffer.from('"used"');

const DROPPED = 'an ingest pipeline dropped the document (result noop)';
/** Number of bytes that are shown of an item without a status. */
const LONGEST_ITEM = 300;

/** Thrown internally if the bytes are not a response of the bulk API. */
class Unreadable extends Error {}

/** Kind of updates of an ingest task: `upserts` create missing documents, `scripted` ones may delete documents. */
export type UpdateKind = Pick<WriteJob['update'], 'upserts' | 'scripted'>;

/** Counts an action of which nobody knows whether it was executed. `letter`: first letter of the action. */
export function addPerhaps(
  account: WriteAccount,
  letter: number,
  { upserts, scripted }: UpdateKind,
): WriteAccount {
  const isUpdate = letter === U;
  if (letter === D || (isUpdate && scripted)) account.perhapsRemoved += 1;
  if (letter !== D && (!isUpdate || upserts)) account.perhapsAdded += 1;
  return account;
}

/** Returns the first letter of an action, which is the third byte of `{"index":...`. */
const letterAt = (batch: Batch, position: number): number => batch.bytes[batch.starts[position]! + 2]!;

/** Counts the actions of a batch of which nobody knows whether they were executed. `from`: index of the first of these actions. */
export function addAllPerhaps(account: WriteAccount, batch: Batch, update: UpdateKind, from = 0): void {
  for (let i = from; i < batch.count; i += 1) addPerhaps(account, letterAt(batch, i), update);
}

/**
 * Reads the response to a batch. If an action has no item, its outcome is unknown.
 *
 * Returns null if the bytes are not a response to this batch: they are not from the bulk API, contain no items, or contain more items than
 * the batch has actions.
 *
 * `own`: the indices under test. If null, they are unknown, and only documents in a failure store are detected.
 */
export function readItems(
  body: Buffer,
  batch: Batch,
  update: UpdateKind,
  own: OwnIndices | null,
): ItemFates | null {
  try {
    const reader = new ItemReader(body, batch, update, own);
    return reader.read() === 0 ? null : reader.end();
  } catch (error) {
    if (error instanceof Unreadable || error instanceof SyntaxError) return null;
    throw error;
  }
}

class ItemReader implements ItemFates {
  accepted = 0;
  conflicted = 0;
  missing = 0;
  dropped = 0;
  redirected = 0;
  failed = 0;
  unknown = 0;
  items = 0;
  readonly refused: number[] = [];
  readonly rejections = new FailureCounter();
  readonly failures = new FailureCounter();
  readonly account = noWrites();
  private at = 0;
  /** First letter of the action of the current item, as a byte. */
  private action = 0;
  /** Status of the current item; -1 if it has none. */
  private status = -1;
  private version = 0;
  /** Offset of the `result` of the current item; -1 if it has none. */
  private resultFrom = -1;
  private resultUntil = -1;
  /** Offset of the index name of the current item; -1 if it has none. */
  private indexFrom = -1;
  private indexUntil = -1;
  /** Offset of the `error` of the current item; -1 if it has none. */
  private errorFrom = -1;
  private errorUntil = -1;
  private inFailureStore = false;
  /**
   * Offset in the response of the index name of the documents that are currently counted together. These are consecutive documents that
   * were stored in the same wrong index or failure store.
   */
  private awayFrom = 0;
  /** End of the index name of the documents that are currently counted together. */
  private awayUntil = 0;
  /** Whether the documents that are currently counted together are in a failure store. */
  private awayInStore = false;
  /** Number of documents that are currently counted together, because they were stored in the same wrong index or failure store. */
  private awayCount = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly batch: Batch,
    private readonly update: UpdateKind,
    private readonly own: OwnIndices | null,
  ) {}

  /** Reads the whole response and counts the outcomes of its items. Returns the number of items. */
  read(): number {
    this.expect(OPEN);
    while (this.peek() !== CLOSE) {
      const isItems = this.key(ITEMS);
      this.expect(COLON);
      if (isItems) this.readList();
      else this.skip();
      this.comma();
    }
    return this.items;
  }

  end(): ItemFates {
    const { batch, items, failures } = this;
    this.noteAway();
    if (this.dropped > 0) failures.add('dropped', this.dropped, DROPPED);
    const lacking = batch.count - items;
    if (lacking > 0) {
      this.unknown += lacking;
      failures.add('bad-answer', lacking, `the answer has ${items} items for ${batch.count} documents`);
      // Elasticsearch answers in the order of the actions, so the items of the last actions are missing.
      addAllPerhaps(this.account, batch, this.update, items);
    }
    return this;
  }

  private readList(): void {
    this.expect(OPEN_LIST);
    while (this.peek() !== CLOSE_LIST) {
      // More items than actions: this is the answer to another request.
      if (this.items >= this.batch.count) throw new Unreadable();
      const from = this.at;
      if (this.readItem() && this.status >= 0) this.settle();
      else this.leaveUnknown(from);
      this.items += 1;
      this.comma();
    }
    this.at += 1;
  }

  /** Reads an item and returns true. If the item has another form than expected, skips it and returns false. */
  private readItem(): boolean {
    const { bytes } = this;
    const from = this.at;
    if (bytes[from] === OPEN) {
      this.at += 1;
      if (this.peek() === QUOTE) {
        this.action = bytes[this.at + 1]!;
        this.at = endOfText(bytes, this.at, bytes.length);
        this.expect(COLON);
        if (this.peek() === OPEN) {
          this.readKeys();
          if (this.peek() === CLOSE) {
            this.at += 1;
            return true;
          }
        }
      }
    }
    this.at = from;
    this.skip();
    return false;
  }

  private readKeys(): void {
    const { bytes } = this;
    this.status = -1;
    this.version = 0;
    this.resultFrom = -1;
    this.indexFrom = -1;
    this.errorFrom = -1;
    this.inFailureStore = false;
    this.at += 1;
    while (this.peek() !== CLOSE) {
      const keyAt = this.at;
      if (bytes[keyAt] !== QUOTE) throw new Unreadable();
      this.at = endOfText(bytes, keyAt, bytes.length);
      const keyEnd = this.at;
      this.expect(COLON);
      const first = this.peek();
      const valueAt = this.at;
      if (isText(STATUS, bytes, keyAt, keyEnd) && isDigit(first)) this.status = this.number();
      else if (isText(VERSION, bytes, keyAt, keyEnd) && (first === MINUS || isDigit(first)))
        this.version = this.number();
      else {
        this.skip();
        if (isText(RESULT, bytes, keyAt, keyEnd)) {
          this.resultFrom = valueAt;
          this.resultUntil = this.at;
        } else if (isText(INDEX, bytes, keyAt, keyEnd)) {
          this.indexFrom = valueAt;
          this.indexUntil = this.at;
        } else if (isText(ERROR, bytes, keyAt, keyEnd)) {
          this.errorFrom = valueAt;
          this.errorUntil = this.at;
        } else if (isText(FAILURE_STORE, bytes, keyAt, keyEnd))
          this.inFailureStore = isText(USED, bytes, valueAt, this.at);
      }
      this.comma();
    }
    this.at += 1;
  }

  private settle(): void {
    const { status } = this;
    if (status >= 200 && status < 300) this.settleDone();
    else this.settleRefused();
  }

  /** Counts the document of an item without an error. The document may nevertheless have been dropped, or stored in another index. */
  private settleDone(): void {
    const { account, action } = this;
    const isNoop = this.isResult(WAS_NOOP);
    /* The result `noop` has only two causes: a `drop` processor, or an update that changes nothing. The version distinguishes them. After a
       `drop`, it is the version in the request, which is -3 if the request has none. After an update, it is the version of the document. */
    if (isNoop && (action !== U || this.version < 0)) this.dropped += 1;
    else if (this.inFailureStore || this.isElsewhere()) this.redirect();
    else if (isNoop) {
      this.accepted += 1;
      account.unchanged += 1;
    } else if (this.isResult(WAS_CREATED) || (this.resultFrom < 0 && this.status === CREATED)) {
      this.accepted += 1;
      account.created += 1;
      account.versions += Math.max(1, this.version);
    } else if (this.isResult(WAS_UPDATED)) {
      this.accepted += 1;
      account.updated += 1;
      account.versions += 1;
    } else if (this.isResult(WAS_DELETED)) {
      this.accepted += 1;
      account.deleted += 1;
      // The delete itself raised the version by 1. The document therefore had one version less, and these versions no longer count.
      account.versions -= this.version - 1;
    } else {
      this.unknown += 1;
      this.failures.add('bad-answer', 1, `status ${this.status} with ${this.resultInWords()}`);
      addPerhaps(account, action, this.update);
    }
  }

  private settleRefused(): void {
    const { status, account, action } = this;
    if (status === CONFLICT) {
      this.conflicted += 1;
      if (action === C) account.existed += 1;
      return;
    }
    const why = this.why();
    if (status === NOT_FOUND && (this.errorFrom < 0 || why.type === NO_DOCUMENT)) {
      this.missing += 1;
      if (action === D) account.absent += 1;
    } else if (status === REFUSED) {
      this.refused.push(this.items);
      this.rejections.add(why.type, 1, why.reason);
    } else {
      this.failed += 1;
      this.failures.add(why.type, 1, why.reason);
      addPerhaps(account, action, this.update);
    }
  }

  private leaveUnknown(from: number): void {
    this.unknown += 1;
    const item = this.bytes.toString('utf8', from, Math.min(this.at, from + LONGEST_ITEM));
    this.failures.add('bad-answer', 1, `an item without a status: ${item}`);
    addPerhaps(this.account, letterAt(this.batch, this.items), this.update);
  }

  private isElsewhere(): boolean {
    const { own, indexFrom, indexUntil, bytes } = this;
    return own !== null && indexFrom >= 0 && !own.has(bytes, indexFrom + 1, indexUntil - 1);
  }

  /**
   * Counts a document that was stored in another index or in a failure store. Consecutive documents mostly go to the same index, so Dyno
   * counts them together. This saves creating a string for each document.
   */
  private redirect(): void {
    const { bytes, indexFrom, awayFrom, awayUntil } = this;
    const from = Math.max(0, indexFrom);
    const until = indexFrom < 0 ? 0 : this.indexUntil;
    this.redirected += 1;
    const isSame =
      this.awayCount > 0 &&
      this.awayInStore === this.inFailureStore &&
      bytes.compare(bytes, from, until, awayFrom, awayUntil) === 0;
    if (!isSame) {
      this.noteAway();
      this.awayFrom = from;
      this.awayUntil = until;
      this.awayInStore = this.inFailureStore;
    }
    this.awayCount += 1;
  }

  private noteAway(): void {
    if (this.awayCount === 0) return;
    const { awayFrom, awayUntil } = this;
    const index = awayUntil === 0 ? '' : this.bytes.toString('utf8', awayFrom + 1, awayUntil - 1);
    const place = [this.awayInStore ? 'the failure store' : '', index === '' ? '' : `index [${index}]`];
    this.failures.add('redirected', this.awayCount, `stored in ${place.filter(Boolean).join(', ')}`);
    this.awayCount = 0;
  }

  private isResult(result: Buffer): boolean {
    return this.resultFrom >= 0 && isText(result, this.bytes, this.resultFrom, this.resultUntil);
  }

  private resultInWords(): string {
    const { resultFrom, resultUntil, bytes } = this;
    return resultFrom < 0 ? 'no result' : `the result ${bytes.toString('utf8', resultFrom, resultUntil)}`;
  }

  private why(): Failed {
    const { status, errorFrom, errorUntil, bytes } = this;
    const error: unknown = errorFrom < 0 ? null : parsePlain(bytes.toString('utf8', errorFrom, errorUntil));
    return failureOf(error, `http-${status}`);
  }

  private peek(): number {
    const { bytes } = this;
    while (bytes[this.at]! <= BLANK) this.at += 1;
    if (this.at >= bytes.length) throw new Unreadable();
    return bytes[this.at]!;
  }

  private expect(byte: number): void {
    if (this.peek() !== byte) throw new Unreadable();
    this.at += 1;
  }

  private comma(): void {
    if (this.peek() === COMMA) this.at += 1;
  }

  private skip(): void {
    this.peek();
    const from = this.at;
    this.at = endOfValue(this.bytes, from, this.bytes.length);
    if (this.at === from) throw new Unreadable();
  }

  /** Returns whether the key at the current position is `name`, and if so, moves to its value. */
  private key(name: Buffer): boolean {
    if (this.peek() !== QUOTE) throw new Unreadable();
    const from = this.at;
    this.at = endOfText(this.bytes, from, this.bytes.length);
    return isText(name, this.bytes, from, this.at);
  }

  private number(): number {
    const negative = this.peek() === MINUS;
    if (negative) this.at += 1;
    const from = this.at;
    let value = 0;
    for (; isDigit(this.bytes[this.at]!); this.at += 1) value = value * 10 + this.bytes[this.at]! - ZERO;
    if (this.at === from) throw new Unreadable();
    return negative ? -value : value;
  }
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= ZERO + 9;

/** Returns whether the text from `from` to `until`, including its quotes, is `wanted`. */
function isText(wanted: Buffer, bytes: Buffer, from: number, until: number): boolean {
  if (until - from !== wanted.length) return false;
  for (let i = 1; i < wanted.length; i += 1) if (bytes[from + i] !== wanted[i]) return false;
  return true;
}
