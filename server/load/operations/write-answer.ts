/**
 * Reads answers to bulks of which every item counts: what each action did, by its `result`. The bytes are walked through
 * once; only items with an error are made objects.
 *
 * By hand: an answer of 200 bytes for each document, as JSON.parse makes objects of it, would cost more than its document.
 */
import type { Counts } from '../../../common/measurement/counts';
import { noWrites, type WriteAccount } from '../../../common/measurement/writes';
import type { HeadVerdict } from '../../../common/requests/kind';
import type { WriteJob } from '../../../common/tasks/writes';
import type { Batch } from '../sources/batch';
import { endOfText, endOfValue } from '../sources/json-value';
import type { Refusal } from './refusal';

/** Every item is looked at. */
export const keepAll = (): HeadVerdict => 'keep';

/** What became of each action of a bulk. */
export interface WriteFates extends Pick<Counts, 'accepted' | 'conflicted' | 'missing'> {
  /** Positions of the actions that were refused for load (429), ascending. */
  refused: number[];
  /** Why; of the first. */
  refusal: Refusal;
  failures: Refusal[];
  account: WriteAccount;
}

const CONFLICT = 409;
const NOT_FOUND = 404;
const REFUSED = 429;
/** Elasticsearch's type of the error of an update without a document. */
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
/** First letters of actions, and of results. */
const C = 99;
const D = 100;
const N = 110;
const U = 117;
const O = 111;

const RESULT = Buffer.from('"result"');
const VERSION = Buffer.from('"_version"');
const STATUS = Buffer.from('"status"');
const ERROR = Buffer.from('"error"');
const ITEMS = Buffer.from('"items"');

/** Thrown within, for what is no answer of the bulk API. */
class Unreadable extends Error {}

/** Which of its writes an ingestion's updates are. */
export type UpdateKind = Pick<WriteJob['update'], 'upserts' | 'scripted'>;

/** An action of which nobody knows whether it was carried out. `letter`: its first one. */
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

/** All actions of a batch are such. */
export function addAllPerhaps(account: WriteAccount, batch: Batch, update: UpdateKind): void {
  // `{"index":...`: the letter is the third byte.
  for (let i = 0; i < batch.count; i += 1) addPerhaps(account, batch.bytes[batch.starts[i]! + 2]!, update);
}

/** Null when the answer is none of the bulk API's or does not answer for `actions` actions. */
export function readWrites(body: Buffer, actions: number, update: UpdateKind): WriteFates | null {
  try {
    const fates = new ItemReader(body, update).read();
    return fates.items === actions ? fates : null;
  } catch (error) {
    if (error instanceof Unreadable || error instanceof SyntaxError) return null;
    throw error;
  }
}

class ItemReader implements WriteFates {
  accepted = 0;
  conflicted = 0;
  missing = 0;
  items = 0;
  readonly refused: number[] = [];
  refusal: Refusal = { type: '', reason: '' };
  readonly failures: Refusal[] = [];
  readonly account = noWrites();
  private at = 0;
  /** Of the item at hand. */
  private status = -1;
  private version = 0;
  private result = 0;
  private errorFrom = -1;
  private errorUntil = -1;

  constructor(
    private readonly bytes: Buffer,
    private readonly update: UpdateKind,
  ) {}

  read(): this {
    this.expect(OPEN);
    let found = false;
    while (this.peek() !== CLOSE) {
      const isItems = this.key(ITEMS);
      this.expect(COLON);
      if (isItems) {
        found = true;
        this.readItems();
      } else this.skip();
      this.comma();
    }
    if (!found) throw new Unreadable();
    return this;
  }

  private readItems(): void {
    this.expect(OPEN_LIST);
    while (this.peek() !== CLOSE_LIST) {
      this.expect(OPEN);
      if (this.peek() !== QUOTE) throw new Unreadable();
      const action = this.bytes[this.at + 1]!;
      this.at = endOfText(this.bytes, this.at, this.bytes.length);
      this.expect(COLON);
      this.readItem();
      this.expect(CLOSE);
      this.settle(action);
      this.items += 1;
      this.comma();
    }
    this.at += 1;
  }

  private readItem(): void {
    this.status = -1;
    this.version = 0;
    this.result = 0;
    this.errorFrom = -1;
    this.expect(OPEN);
    while (this.peek() !== CLOSE) {
      const keyAt = this.at;
      this.at = endOfText(this.bytes, keyAt, this.bytes.length);
      const keyEnd = this.at;
      this.expect(COLON);
      const first = this.peek();
      if (this.isKey(STATUS, keyAt, keyEnd)) this.status = this.number();
      else if (this.isKey(VERSION, keyAt, keyEnd)) this.version = this.number();
      else if (this.isKey(RESULT, keyAt, keyEnd)) {
        if (first !== QUOTE) throw new Unreadable();
        this.result = this.resultAt(this.at + 1);
        this.skip();
      } else if (this.isKey(ERROR, keyAt, keyEnd)) {
        this.errorFrom = this.at;
        this.skip();
        this.errorUntil = this.at;
      } else this.skip();
      this.comma();
    }
    this.at += 1;
    if (this.status < 0) throw new Unreadable();
  }

  /** `created`, `updated`, `deleted` by their first letters, `noop` as `O`, `not_found` as `N`. */
  private resultAt(at: number): number {
    const first = this.bytes[at]!;
    return first === N && this.bytes[at + 2] === O ? O : first;
  }

  private settle(action: number): void {
    const { status, account } = this;
    if (status >= 200 && status < 300) {
      this.accepted += 1;
      if (this.result === C) {
        account.created += 1;
        account.versions += this.version;
      } else if (this.result === U) {
        account.updated += 1;
        account.versions += 1;
      } else if (this.result === D) {
        account.deleted += 1;
        // That of the deletion is the next one.
        account.versions -= this.version - 1;
      } else if (this.result === O) account.unchanged += 1;
      else throw new Unreadable();
      return;
    }
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
      if (this.refused.push(this.items) === 1) this.refusal = why;
    } else {
      this.failures.push(why);
      addPerhaps(account, action, this.update);
    }
  }

  private why(): Refusal {
    const { status, errorFrom, errorUntil, bytes } = this;
    const error: unknown = errorFrom < 0 ? null : JSON.parse(bytes.toString('utf8', errorFrom, errorUntil));
    const { type, reason } = (typeof error === 'object' && error !== null ? error : {}) as {
      type?: unknown;
      reason?: unknown;
    };
    return {
      type: typeof type === 'string' ? type : `http-${status}`,
      reason: typeof reason === 'string' ? reason : '',
    };
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

  /** Whether the key that begins here is `name`; goes on behind it. */
  private key(name: Buffer): boolean {
    if (this.peek() !== QUOTE) throw new Unreadable();
    const from = this.at;
    this.at = endOfText(this.bytes, from, this.bytes.length);
    return this.isKey(name, from, this.at);
  }

  private isKey(name: Buffer, from: number, until: number): boolean {
    if (until - from !== name.length) return false;
    for (let i = 1; i < name.length; i += 1) if (this.bytes[from + i] !== name[i]) return false;
    return true;
  }

  private number(): number {
    const negative = this.peek() === MINUS;
    if (negative) this.at += 1;
    const from = this.at;
    let value = 0;
    for (; ; this.at += 1) {
      const digit = this.bytes[this.at]! - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    if (this.at === from) throw new Unreadable();
    return negative ? -value : value;
  }
}
