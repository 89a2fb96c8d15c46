/**
 * Chooses the value of a field in each document, for fields whose values repeat. Values are identified by numbers. The frequent values have
 * the first numbers, beginning with the most frequent. Rare values follow in the order in which they first occur, and each load thread has
 * its own rare values.
 *
 * The first of these rules that yields a value decides:
 * 1. the value of the previous document in the session,
 * 2. the value in the last document with the same value of the parent field,
 * 3. the value in the last document with the same value of a second field,
 * 4. a frequent, a new or an earlier value, with the probabilities in the profile.
 *
 * Rules 1 to 3 repeat some values more often than the profile says. Occurrences are therefore counted, and a value that has occurred too
 * often is replaced. The number of new values is kept close to Heaps' law.
 */
import { mix } from '../../random';
import { Choice } from './choice';
import type { FieldValue, Making, TextOf } from './field-value';
import { countOf, shareOf } from './levels';
import type { Events, ProfiledDraw } from './profile';
import { sharedRows } from './rare-rows';
import { MOST_SESSIONS } from './sessions';

/** Minimum number of documents that must have a value. Otherwise, the profile counts it as rare. */
export const LEAST_FREQUENT = 4;
/**
 * Factor that distinguishes bursts from frequent values. A value with a share of 1% repeats every 100 documents on average. If it repeats
 * after less than 100/`SOONER` documents, this counts as a burst.
 */
export const SOONER = 4;

/** Number of previous documents whose values are remembered. Like the next three sizes, it is fixed, so that memory stays bounded. */
const REMEMBERED = 4096;
/** Size of the table with the last value for each value of another field. Several values may share an entry, so an entry can be wrong. */
const PARENTS = 16_384;
/** Size of the table that counts the occurrences of rare values. Several values may share a counter. */
const RARE_COUNTS = 16_384;
/** Number of remembered rare values that several documents may have. */
const SHARED_SEEN = 1024;
/** Number of documents after which the expected number of new values is calculated again. */
const STRETCH = 256;
/**
 * Tolerated difference between the actual and the expected number of new values: this number of values, plus {@link NEW_SLACK_SHARE} of the
 * expected number.
 */
const NEW_SLACK = 0.5;
const NEW_SLACK_SHARE = 0.015;
/** Smallest exponent of Heaps' law that is used. */
const LEAST_GROWTH = 0.02;
/** Number of documents that are searched, from a random one backwards, for a value that may be repeated. */
const SEARCHED = 16;
/** Maximum number of attempts to replace a value that occurred too often. */
const REDRAWN = 3;
/** Tolerated difference between the actual and the expected number of occurrences of a frequent value. */
const SLACK = 2;
/** Like `SLACK`, for fields in which the same value often occurs in successive documents. */
const RUN_SLACK = 24;

/**
 * Probabilities of new and repeated values, for documents whose value neither the session nor another field determines. `eventsSchema` in
 * profile.ts explains the keys.
 */
interface Chances {
  head: number;
  first: number;
  near: number;
  fresh: number;
  old: number;
  /** Draws how far back, in documents, the search for a value to repeat begins. */
  gaps: Choice<number>;
}

const chancesOf = ({ head, first, fresh, near, old }: Events): Chances => ({
  head: shareOf(head),
  first: shareOf(first),
  near: near.reduce((sum, [, level]) => sum + shareOf(level), 0),
  fresh: shareOf(fresh),
  old: shareOf(old),
  gaps: new Choice(
    near.map(([gap, level]): [number, number] => [2 ** gap, level]),
    1,
  ),
});

const shareOr = (level: number | undefined, otherwise: number): number =>
  level === undefined ? otherwise : shareOf(level);

/** For each value of another field, stores the value that this field had in the last document with that value. */
class Beside {
  private readonly ids = new Int32Array(PARENTS).fill(-1);

  constructor(private readonly field: RepeatedValue) {}

  /**
   * Returns this field's value in the last document that had the current value of the other field. Returns -1 if no such document is known.
   */
  last(document: number): number {
    const { field } = this;
    return field.drawnFor === document && field.cameBefore ? this.ids[field.id % PARENTS]! : -1;
  }

  get isFromSession(): boolean {
    return this.field.isFromSession;
  }

  note(document: number, id: number): void {
    if (this.field.drawnFor === document) this.ids[this.field.id % PARENTS] = id;
  }
}

export class RepeatedValue implements FieldValue {
  /** Number of the value in the current document. */
  id = 0;
  /** Number of the document for which `id` was chosen. */
  drawnFor = 0;
  /** Whether this load thread has used the current value in an earlier document. */
  cameBefore = false;
  /** Whether the current value comes from the previous document of the session. */
  isFromSession = false;

  /** Number of different values of this field in the user's data. */
  readonly usualCount: number;
  /** Number of frequent values. */
  private readonly heads: number;
  /** Proportion of documents with each frequent value. */
  private readonly shares: readonly number[];
  private readonly headShare: number;
  private readonly headCounts: number[];
  private headCount = 0;
  /** Number of frequent values that have occurred so far. They first occur in the order of their frequency. */
  private met = 0;
  private readonly byShare: Choice<number>;
  /** Draws a frequent value for the remaining documents: those in which neither the session nor another field determines the value. */
  private readonly byRest: Choice<number>;
  private readonly slack: number;

  private readonly apart: Chances;
  private readonly besideParent: Chances;
  private readonly parent: Beside | null;
  private readonly second: Beside | null;
  private readonly copied: number;
  private readonly copiedWithin: number;
  private readonly copiedSecond: number;
  private readonly ofSession = new Int32Array(MOST_SESSIONS).fill(-1);

  /**
   * For each row of the table of rare values (rare-rows.ts), whether several documents may have the value of this row. Null if the profile
   * does not contain values that several documents have.
   */
  private readonly isShared: readonly boolean[] | null;
  private readonly sharedAgain: number;
  private readonly sharedSeen: number[] = [];
  private sharedCount = 0;
  private readonly onceBelow: number;
  private readonly rareCounts = new Uint16Array(RARE_COUNTS);
  /** Maximum number of documents that may have the same rare value. The maximum grows with the number of generated documents. */
  private most = LEAST_FREQUENT - 1;
  /** Like `most`, for a rare value that only one document of the user's data had. */
  private mostOnce = 1;

  private readonly past = new Int32Array(REMEMBERED);
  private count = 0;
  private rare = 0;
  /** Number of rare values that should have occurred so far. */
  private expected = 0;
  /** Increase of `expected` per document. */
  private expectedStep = 0;
  /**
   * Factor for the probability of new values. The factor decreases with the number of documents, because new values become rarer (Heaps'
   * law).
   */
  private scale = 1;
  /**
   * Number of new values that should have occurred but have not occurred yet. From 1 on, a new value is due. The initial 0.5 makes the
   * number of new values equal to the rounded expected number.
   */
  private owedNew = 0.5;
  /** Number of frequent values that should have occurred for the first time, but have not occurred yet. */
  private owedFirst = 0.5;
  /**
   * Number of documents that should have kept the value of their session, but got another value because the session's value had occurred
   * too often.
   */
  private owedSession = 0;
  /**
   * Number of documents that should have repeated the value of the last document with the same value of the parent field, but got another
   * value. The reason is that the value to repeat had occurred too often.
   */
  private owedCopies = 0;

  constructor(
    private readonly profiled: ProfiledDraw,
    private readonly textOf: TextOf,
    private readonly making: Making,
  ) {
    const { head, drawn, apart, beside, told: shared = [] } = profiled;
    const chooser = (levels: readonly number[]): Choice<number> =>
      new Choice(
        levels.map((level, id): [number, number] => [id, level]),
        0,
      );
    this.heads = head.length;
    this.usualCount = this.heads + countOf(profiled.rare);
    this.shares = head.map(([, level]) => shareOf(level));
    this.headShare = this.shares.reduce((sum, share) => sum + share, 0);
    this.headCounts = head.map(() => 0);
    this.byShare = chooser(head.map(([, level]) => level));
    this.byRest = drawn === undefined ? this.byShare : chooser(drawn);
    this.slack = drawn === undefined ? SLACK : RUN_SLACK;
    this.apart = chancesOf(apart);
    this.besideParent = beside === undefined ? this.apart : chancesOf(beside);
    const at = (place: number | undefined): Beside | null => {
      const field = place === undefined ? undefined : making.valueAt(place);
      return field instanceof RepeatedValue ? new Beside(field) : null;
    };
    this.parent = at(profiled.parent);
    this.second = at(profiled.second);
    this.copied = shareOr(profiled.copied, 0);
    this.copiedWithin = shareOr(profiled.copiedWithin, this.copied);
    this.copiedSecond = shareOr(profiled.copiedSecond, 0);
    this.isShared = shared.length === 0 ? null : sharedRows(profiled);
    this.sharedAgain = shareOr(profiled.toldAgain, 0);
    this.onceBelow = shareOr(profiled.once, 0) * 2 ** 32;
  }

  text(): string {
    return this.textOf(this.id);
  }

  draw(document: number): void {
    const { session } = this.making;
    const id = this.ofSession[session.slot]!;
    const makesUp = this.owedSession >= 1 && session.continues && id >= 0 && this.mayCome(id);
    if (makesUp) this.owedSession -= 1;
    this.take(document, id, makesUp);
  }

  keep(document: number): void {
    const id = this.ofSession[this.making.session.slot]!;
    const may = id >= 0 && this.mayCome(id);
    if (id >= 0 && !may) this.owedSession += 1;
    this.take(document, id, may);
  }

  /** Sets the value of a document. `id`: the value in the session's previous document. It is used only if `isFromSession` is true. */
  private take(document: number, id: number, isFromSession: boolean): void {
    if (this.count % STRETCH === 0) this.look();
    this.cameBefore = true;
    this.isFromSession = isFromSession;
    this.id = isFromSession ? id : this.choose(document);
    this.drawnFor = document;
    this.ofSession[this.making.session.slot] = this.id;
    this.note(document);
  }

  private choose(document: number): number {
    const { random, share } = this.making;
    const before = this.parent?.last(document) ?? -1;
    if (before >= 0 && this.isCopied(before)) return before;
    const second = this.second?.last(document) ?? -1;
    if (second >= 0 && random.unit() < this.copiedSecond && this.mayCome(second)) return second;
    const chances = before >= 0 ? this.besideParent : this.apart;
    // `scale` is the factor by which new values have become rarer. It does not apply if the parent's value is new, because new values of
    // the parent have become rarer by themselves.
    this.owedNew += chances.fresh * (this.parent !== null && before < 0 ? 1 : this.scale);
    if (this.isNewDue()) {
      this.owedNew = Math.max(0, this.owedNew - 1);
      return this.makeNew();
    }
    this.owedFirst += chances.first * share.of;
    return this.chooseKnown(chances, this.second !== null && second < 0 ? this.byShare : this.byRest);
  }

  /**
   * Returns whether this document gets the same value as the last document with the same value of the parent. `before`: id of the value in
   * that last document.
   */
  private isCopied(before: number): boolean {
    const isWithin = this.parent!.isFromSession;
    const isDrawn = this.making.random.unit() < (isWithin ? this.copiedWithin : this.copied);
    const may = this.mayCome(before);
    if (isDrawn && !may) this.owedCopies += 1;
    const makesUp = !isDrawn && may && !isWithin && this.owedCopies >= 1;
    if (makesUp) this.owedCopies -= 1;
    return makesUp || (isDrawn && may);
  }

  /** Returns whether this document may get a value. A rare value may occur only in a few documents. */
  private mayCome(id: number): boolean {
    const { isShared, heads } = this;
    if (isShared === null || id < heads) return true;
    const rare = id - heads;
    if (isShared[rare % isShared.length] === true) return true;
    const most = mix(rare) < this.onceBelow ? this.mostOnce : this.most;
    return this.rareCounts[rare % RARE_COUNTS]! < most;
  }

  private note(document: number): void {
    const { id } = this;
    this.second?.note(document, id);
    this.parent?.note(document, id);
    this.past[this.count % REMEMBERED] = id;
    this.count += 1;
    this.expected += this.expectedStep;
    if (id < this.heads) {
      this.headCounts[id]! += 1;
      this.headCount += 1;
    } else this.rareCounts[(id - this.heads) % RARE_COUNTS]! += 1;
  }

  /**
   * Returns whether this document gets a value that no earlier document has. Normally, the probabilities in the profile decide. If the
   * number of new values so far differs too much from the expected number, this difference decides.
   */
  private isNewDue(): boolean {
    const slack = NEW_SLACK + this.expected * NEW_SLACK_SHARE;
    if (this.rare < this.expected - slack) return true;
    if (this.owedNew < 1) return false;
    if (this.rare + 1 < this.expected + slack) return true;
    this.owedNew = 0;
    return false;
  }

  private makeNew(): number {
    const { index, of } = this.making.share;
    const number = this.rare * of + index;
    this.rareCounts[number % RARE_COUNTS] = 0;
    if (this.isShared?.[number % this.isShared.length] === true) {
      this.sharedSeen[this.sharedCount % SHARED_SEEN] = number;
      this.sharedCount += 1;
    }
    this.rare += 1;
    this.cameBefore = false;
    return this.heads + number;
  }

  private chooseKnown({ head, near, old, gaps }: Chances, frequent: Choice<number>): number {
    const { random } = this.making;
    const which = random.unit() * (head + near + old);
    const isShort = this.headCount < this.headShare * this.count - RUN_SLACK;
    const isFirstDue = this.isFirstDue();
    if (this.heads > 0 && (which < head || isShort || isFirstDue || this.rare === 0))
      return this.chooseFrequent(frequent);
    if (this.rare === 0) {
      this.owedNew -= 1;
      return this.makeNew();
    }
    if (which < head + near) {
      const least = gaps.draw(random);
      const found = this.earlier(least + random.below(least));
      if (found >= 0) return found;
    }
    return this.heads + this.chooseRare();
  }

  private chooseFrequent(frequent: Choice<number>): number {
    const { random } = this.making;
    if (this.met === 0 || this.isFirstDue()) {
      this.owedFirst -= 1;
      this.met += 1;
      this.cameBefore = false;
      return this.met - 1;
    }
    let id = frequent.draw(random);
    for (let tried = 0; tried < REDRAWN && (id >= this.met || this.isOften(id, this.slack)); tried += 1)
      id = frequent.draw(random);
    return id < this.met ? id : random.below(this.met);
  }

  /** Returns the number of a random rare value that has occurred before. */
  private chooseRare(): number {
    const { random, share } = this.making;
    if (this.sharedCount > 0 && random.unit() < this.sharedAgain)
      return this.sharedSeen[random.below(this.sharedSeen.length)]!;
    const draw = (): number => random.below(this.rare) * share.of + share.index;
    let number = draw();
    for (let tried = 0; tried < REDRAWN && !this.mayCome(this.heads + number); tried += 1) number = draw();
    return number;
  }

  /** Returns whether the next frequent value, which has not occurred yet, is due. */
  private isFirstDue(): boolean {
    if (this.met >= this.heads) return false;
    return this.owedFirst >= 1 || this.shares[this.met]! * this.count * this.making.share.of >= 1;
  }

  private isOften(id: number, slack: number): boolean {
    return this.headCounts[id]! > this.shares[id]! * this.count + slack;
  }

  /**
   * Returns a value that occurred about `gap` documents before; -1 if no value is found. A frequent value is skipped if it would occur at
   * this distance anyway, because of its frequency.
   */
  private earlier(gap: number): number {
    const farthest = Math.min(gap + SEARCHED - 1, this.count, REMEMBERED);
    for (let back = gap; back <= farthest; back += 1) {
      const id = this.past[(this.count - back) % REMEMBERED]!;
      const isWanted =
        id >= this.heads
          ? this.mayCome(id)
          : back * SOONER * this.shares[id]! < 1 && !this.isOften(id, RUN_SLACK);
      if (isWanted) return id;
    }
    return -1;
  }

  /**
   * Calculates, for the next {@link STRETCH} documents, the expected number of rare values, and how many documents may have the same rare
   * value.
   */
  private look(): void {
    const { growth, seen, rare } = this.profiled;
    const { of } = this.making.share;
    const exponent = Math.max(LEAST_GROWTH, growth / 100);
    const learned = Math.max(1, countOf(seen));
    const from = (this.count * of) / learned;
    const until = ((this.count + STRETCH) * of) / learned;
    const growthOf = (documents: number): number => documents ** exponent;
    this.most = Math.floor((LEAST_FREQUENT - 1) * Math.max(1, until));
    this.mostOnce = Math.floor(Math.max(1, until));
    this.expected = (countOf(rare) * growthOf(from)) / of;
    this.expectedStep = ((countOf(rare) * growthOf(until)) / of - this.expected) / STRETCH;
    this.scale = (growthOf(until) - growthOf(from)) / (until - from);
  }
}
