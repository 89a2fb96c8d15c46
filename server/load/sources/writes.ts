/**
 * Converts documents to bulk actions, with ids and routing. The action of each document (index, create, update, delete) is chosen at
 * random. Another source provides the documents. A delete has an action line but no document.
 */
import { jsonOfText, parsePlain } from '../../../common/json/exact';
import { inputError } from '../../../common/problem';
import type { Random } from '../../../common/random';
import type { Action, WriteJob } from '../../../common/tasks/writes';
import { Batch, HeldDocument } from './batch';
import { GivenIds } from './given-ids';
import { RandomIds, SequentialIds, type IdPlace, type IdText } from './id-text';
import { endOfValue, findValue, hashOfValue, keyOf } from './json-value';
import type { BatchLimit, DocumentSource, Filled } from './source';

/** Number of documents that are created in advance. It is small, because their timestamps are all equal to the time of creation. */
const AHEAD = 32;
const LINE_FEED = 10;
const QUOTE = 34;
/** The letter n. A value that begins with it is `null`, which cannot be an id or a routing value. */
const NULL = 110;
const OPEN = 123;
const OPEN_LIST = 91;
const COMMA = Buffer.from(',');
const COLON = Buffer.from(':');
const QUOTED = Buffer.from('"');

/** A bulk action with the parts of its action line that do not change. */
interface Plan {
  action: Action;
  /** Sum of the probabilities of the actions up to and including this one, in (0, 1]. */
  until: number;
  /** Whether the action creates a document and needs a new id. */
  stores: boolean;
  takesDocument: boolean;
  /** Beginning of the action line up to the id or the routing, for each index. */
  openings: Buffer[];
  /** End of the action line, including its line feed. */
  closing: Buffer;
}

export interface WriteSetting {
  indices: readonly string[];
  ids: IdPlace;
  /** Random numbers that are used for nothing else, so that other random choices do not affect the actions. */
  random: Random;
  onBroken: (error: unknown) => void;
  /** True if documents arrive as finished bulks from another thread. All documents of a bulk are then taken together. */
  whole?: boolean;
}

export class WriteSource implements DocumentSource {
  private readonly plans: Plan[];
  /** The first action that creates documents. It replaces updates and deletes until documents exist. */
  private readonly first: Plan | undefined;
  private readonly given: GivenIds | null;
  private readonly idText: IdText | null;
  private readonly conflicts: number;
  private readonly idKey: Buffer | null;
  private readonly routingKey: Buffer | null;
  private readonly routingOpening: Buffer;
  private readonly before: Buffer;
  private readonly after: Buffer;
  /** Names of the fields that an update changes, as JSON bytes. */
  private readonly fields: Buffer[] | null;
  private readonly takesWhole: boolean;
  /** Documents that were created in advance. The first `taken` of them have been used. */
  private readonly documents = new Batch();
  private taken = 0;
  /** An action that was chosen and waits for its document. Null if no action waits. */
  private waiting: Plan | null = null;
  private readonly held = new HeldDocument();
  private broken = false;

  /** `inner`: source of the documents, without action lines. If there are several indices, the id decides which one a document goes to. */
  constructor(
    private readonly inner: DocumentSource,
    private readonly job: WriteJob,
    private readonly setting: WriteSetting,
  ) {
    const { ids, routing, update } = job;
    const drawn = ids === null || ids.by === 'field' ? null : ids;
    this.plans = this.plansOf();
    this.first = this.plans.find(({ stores }) => stores);
    this.conflicts = drawn?.conflicts ?? 0;
    const deletes = this.plans.some(({ action }) => action === 'delete');
    this.given = drawn && new GivenIds(setting.random, drawn.recency, deletes);
    this.idText = drawn && new (drawn.by === 'random' ? RandomIds : SequentialIds)(setting.ids);
    this.idKey = ids?.by === 'field' ? keyOf(ids.field) : null;
    this.routingKey = routing === null ? null : keyOf(routing);
    this.routingOpening = Buffer.from(`${ids === null ? '' : ','}"routing":"`);
    const { before, document, after } = update.body;
    this.before = Buffer.from(before);
    this.after = Buffer.from(`${after}\n`);
    this.fields = Array.isArray(document) ? document.map(keyOf) : null;
    this.takesWhole = document === 'whole';
  }

  fill(batch: Batch, limit: BatchLimit, now: number): Filled {
    if (this.broken) return 'ended';
    this.held.open(batch, limit.docs);
    while (batch.count < limit.docs && batch.length < limit.bytes) {
      const plan = this.waiting ?? this.draw();
      if (plan.takesDocument && this.taken === this.documents.count) {
        this.waiting = plan;
        const filled = this.render(limit.docs - batch.count, now);
        if (this.documents.count === 0) return filled === 'full' ? 'waiting' : filled;
      }
      this.waiting = null;
      try {
        this.write(batch, plan);
      } catch (error) {
        this.broken = true;
        this.setting.onBroken(error);
        return 'ended';
      }
      if (this.held.takeBack(batch, limit.bytes)) break;
    }
    return 'full';
  }

  whenReady(resume: () => void): void {
    if (this.taken < this.documents.count) setImmediate(resume);
    else this.inner.whenReady(resume);
  }

  close(): void {
    this.held.drop();
    this.inner.close();
  }

  private render(wanted: number, now: number): Filled {
    this.documents.clear();
    this.taken = 0;
    const docs = this.setting.whole ? Infinity : Math.min(wanted, AHEAD);
    return this.inner.fill(this.documents, { docs, bytes: Infinity }, now);
  }

  private draw(): Plan {
    const { plans } = this;
    let place = 0;
    if (plans.length > 1) {
      const drawn = this.setting.random.unit();
      while (place < plans.length - 1 && drawn >= plans[place]!.until) place += 1;
    }
    const plan = plans[place]!;
    return plan.stores || this.given === null || this.given.any ? plan : this.first!;
  }

  /** Appends the action to `batch`, with its document if it has one. */
  private write(batch: Batch, plan: Plan): void {
    const { documents, idKey, routingKey } = this;
    let start = 0;
    let end = 0;
    let next = 0;
    if (plan.takesDocument) {
      start = documents.starts[this.taken]!;
      next = this.taken + 1 < documents.count ? documents.starts[this.taken + 1]! : documents.length;
      // The line feed does not belong to the document.
      end = documents.bytes[next - 1] === LINE_FEED ? next - 1 : next;
      this.taken += 1;
    }
    const number = this.given === null ? -1 : this.numberFor(plan, this.given);
    const id = idKey === null ? -1 : this.find(idKey, start, end);
    const routing = routingKey === null ? -1 : this.find(routingKey, start, end);
    const { indices } = this.setting;
    let index = 0;
    if (indices.length > 1 && idKey !== null) index = hashOfValue(documents.bytes, id, end) % indices.length;
    else if (indices.length > 1 && number >= 0) index = number % indices.length;
    const opening = plan.openings[index]!;
    // A document's bytes are written at most twice: as the document, and as the id or routing in the action line.
    const fixed = this.before.length + this.after.length + opening.length + plan.closing.length;
    batch.reserve(fixed + (this.idText?.longest ?? 0) + this.routingOpening.length + 3 * (end - start) + 16);
    batch.begin();
    batch.append(opening);
    if (this.idText !== null) batch.length = this.idText.write(number, batch.bytes, batch.length);
    else if (id >= 0) this.appendValue(batch, id, end);
    if (this.job.ids !== null) batch.append(QUOTED);
    if (routing >= 0) {
      batch.append(this.routingOpening);
      this.appendValue(batch, routing, end);
      batch.append(QUOTED);
    }
    batch.append(plan.closing);
    if (plan.action === 'update') this.appendUpdate(batch, start, end);
    else if (plan.action !== 'delete') this.appendBytes(batch, start, next);
  }

  private numberFor(plan: Plan, given: GivenIds): number {
    if (plan.action === 'delete') return given.remove();
    if (!plan.stores) return given.again();
    const { conflicts } = this;
    return conflicts > 0 && this.setting.random.unit() < conflicts && given.any
      ? given.again()
      : given.next();
  }

  private appendUpdate(batch: Batch, start: number, end: number): void {
    const { fields, documents } = this;
    batch.append(this.before);
    if (this.takesWhole) this.appendBytes(batch, start, end);
    else if (fields !== null) {
      let any = false;
      for (let i = 0; i < fields.length; i += 1) {
        const value = findValue(documents.bytes, fields[i]!, start, end);
        if (value < 0) continue;
        if (any) batch.append(COMMA);
        any = true;
        batch.reserve(fields[i]!.length + end - start + this.after.length + 2);
        batch.append(fields[i]!);
        batch.append(COLON);
        this.appendBytes(batch, value, endOfValue(documents.bytes, value, end));
      }
    }
    batch.append(this.after);
  }

  /** Appends the value at `from` without quotes: a text unchanged, a number as its digits. */
  private appendValue(batch: Batch, from: number, end: number): void {
    const { bytes } = this.documents;
    const until = endOfValue(bytes, from, end);
    if (bytes[from] === QUOTE) this.appendBytes(batch, from + 1, until - 1);
    else this.appendBytes(batch, from, until);
  }

  private appendBytes(batch: Batch, from: number, until: number): void {
    this.documents.bytes.copy(batch.bytes, batch.length, from, until);
    batch.length += until - from;
  }

  /**
   * Returns the offset of the value of a field. Every document must contain this field as text or as a number; otherwise, throws a
   * DynoError.
   */
  private find(key: Buffer, start: number, end: number): number {
    const { bytes } = this.documents;
    const at = findValue(bytes, key, start, end);
    if (at >= 0 && bytes[at] !== OPEN && bytes[at] !== OPEN_LIST && bytes[at] !== NULL) return at;
    const path = key === this.idKey ? 'ids.field' : 'routing.field';
    const what = at < 0 ? 'has no such field' : 'is no text and no number';
    throw inputError('source.no-id', path, `${parsePlain(key.toString()) as string} of a document ${what}`, {
      found: bytes.toString('utf8', at < 0 ? start : at, Math.min(end, (at < 0 ? start : at) + 200)).trim(),
    });
  }

  private plansOf(): Plan[] {
    const { actions, ids, routing, update } = this.job;
    const { indices } = this.setting;
    const all = actions.reduce((sum, { share }) => sum + share, 0);
    const ownIds = ids?.by === 'field';
    let until = 0;
    return actions.map(({ action, share }) => {
      until += share / all;
      const retries = action === 'update' ? update.retries : null;
      const more = ids !== null || routing !== null;
      const stores = action === 'update' ? update.upserts : action !== 'delete';
      const takesDocument = action === 'update' ? update.body.document !== null : action !== 'delete';
      return {
        action,
        until,
        stores,
        // The action line contains the id or the routing, which is the value of a field of the document.
        takesDocument: takesDocument || ownIds || routing !== null,
        openings: indices.map((name) => {
          const named = indices.length > 1 && ids !== null ? `"_index":${jsonOfText(name)}` : '';
          const comma = named !== '' && more ? ',' : '';
          return Buffer.from(`{"${action}":{${named}${comma}${ids === null ? '' : '"_id":"'}`);
        }),
        closing: Buffer.from(
          `${retries === null ? '' : `${more ? ',' : ''}"retry_on_conflict":${retries}`}}}\n`,
        ),
      };
    });
  }
}
