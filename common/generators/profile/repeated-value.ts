/**
 * Chooses the value of a field in each document, for fields whose values repeat. Values are identified by numbers. The frequent values have
 * the first numbers, beginning with the most frequent. Rare values follow in the order in which they first occur, and each load thread has
 * its own rare values.
 *
 * A document gets the first of these values that applies:
 * 1. the value of the previous document in its session,
 * 2. the value in the last document with the same value of the parent field,
 * 3. the value in the last document with the same value of the second field,
 * 4. a frequent, a new or an earlier value, with the probabilities in the profile.
 *
 * Steps 1 to 3 would change how often each value occurs. Occurrences are therefore counted: a value that has occurred too often is replaced
 * by another one, and the number of new values is kept close to Heaps' law.
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
 * Distinguishes values that repeat because they are frequent from values that repeat for another reason, such as a burst. The latter repeat
 * after less than 1/`SOONER` of the distance that their frequency implies.
 */
export const SOONER = 4;

/** Sizes of tables with a fixed size, so that memory stays bounded. Several rare values may share an entry. */
const REMEMBERED = 4096;
const PARENTS = 16_384;
const RARE_COUNTS = 16_384;
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

/** Probabilities of new and repeated values in step 4 above. See `Events` for the keys. */
interface Chances {
  head: number;
  first: number;
  near: number;
  fresh: number;
  old: number;
  /** Minimum distance, in documents, from which an earlier value is repeated. */
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

/** Stores which value a field last had together with each value of another field. */
class Beside {
  private readonly ids = new Int32Array(PARENTS).fill(-1);

  constructor(private readonly field: RepeatedValue) {}

  /**
   * Returns the number of the value that this field had in the last document with the other field's current value. Returns -1 if no such
   * document exists.
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

  /** Number of different values that the learned documents had in this field. */
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
  /** Draws a frequent value for a document in which neither the session nor another field determines the value. */
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

  /** Whether the rare value of each row occurs in several documents; see rare-rows.ts. Null if the profile does not contain this. */
  private readonly isShared: readonly boolean[] | null;
  private readonly sharedAgain: number;
  private readonly sharedSeen: number[] = [];
  private sharedCount = 0;
  private readonly onceBelow: number;
  private readonly rareCounts = new Uint16Array(RARE_COUNTS);
  /** Maximum number of documents that may have a rare value so far. */
  private most = LEAST_FREQUENT - 1;
  /** Like `most`, for a rare value that only one of the learned documents had. */
  private mostOnce = 1;

  private readonly past = new Int32Array(REMEMBERED);
  private count = 0;
  private rare = 0;
  /** Number of rare values that should have occurred so far. */
  private expected = 0;
  /** Increase of `expected` per document. */
  private expectedStep = 0;
  /** Current number of new values per document, relative to the learned documents. */
  private scale = 1;
  /**
   * Number of new values that should have occurred but have not occurred yet. Begins with 0.5, so that the number of new values is rounded.
   * The next three keys count other events in the same way.
   */
  private owedNew = 0.5;
  private owedFirst = 0.5;
  private owedSession = 0;
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

  /** Sets the value of a document. `id`: value from the session, used only if `isFromSession`. */
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
   * Returns whether this document gets the value of the last document with the same value of the parent. `before`: number of that value.
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

  /** Returns whether a value may occur in this document. A rare value may occur only in few documents. */
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
   * Returns whether this document gets a new value. The probabilities in the profile decide this. They are overruled if the number of new
   * values differs too much from the expected number, because other fields change how often values occur.
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
   * Returns the number of a value that occurred about `gap` documents before. Skips frequent values that repeat at such a distance anyway.
   * Returns -1 if no value is found.
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

  /** Calculates the expected number of rare values, and the limits for their occurrences, for the next {@link STRETCH} documents. */
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
