/**
 * Values that repeat: chooses the value of a field in each document. A value is identified by its number. Frequent values have the first
 * numbers. Rare values follow in the order in which they first occur, and each load thread generates its own rare values.
 *
 * A document gets the first of these values that applies:
 * 1. the value of its session,
 * 2. the value that occurred last with the same value of the parent field,
 * 3. the value that occurred last with the same value of the second field,
 * 4. a frequent, a new or an earlier value, by the shares in the profile.
 *
 * Steps 1 to 3 change how often values occur, so occurrences are counted and corrected. A value that occurred too often is replaced, and
 * the number of new values follows Heaps' law.
 */
import { mix } from '../../random';
import { Choice } from './choice';
import type { FieldValue, Making, TextOf } from './field-value';
import { countOf, shareOf } from './levels';
import type { Events, ProfiledDraw } from './profile';
import { sharedRows } from './rare-rows';
import { MOST_SESSIONS } from './sessions';

/** Minimum number of documents with a value, so that the profile describes the value individually. */
export const LEAST_FREQUENT = 4;
/** If a frequent value repeats after less than 1/`SOONER` of its usual distance, its frequency is not the reason for the repetition. */
export const SOONER = 4;

/** Sizes of the tables below. A rare value may share its slot with others, so that memory stays bounded. */
const REMEMBERED = 4096;
const PARENTS = 16_384;
const RARE_COUNTS = 16_384;
const SHARED_SEEN = 1024;
/** Number of draws after which the expected number of new values is calculated again. */
const STRETCH = 256;
/**
 * Tolerated difference between the expected and the actual number of new values: a number of values plus a share of the expected number.
 */
const NEW_SLACK = 0.5;
const NEW_SLACK_SHARE = 0.015;
const LEAST_GROWTH = 0.02;
/** Number of earlier draws in which a value is searched that may be repeated. */
const SEARCHED = 16;
/** Number of attempts to replace a value that occurred too often. */
const REDRAWN = 3;
/**
 * Tolerated difference between the expected and the actual number of occurrences of a frequent value: usually, and if values occur in runs.
 */
const SLACK = 2;
const RUN_SLACK = 24;

/** Probabilities of the events if nothing else determines the value. */
interface Chances {
  head: number;
  first: number;
  near: number;
  fresh: number;
  old: number;
  /** Minimum number of draws since a near value last occurred. */
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

/** For each value of another field: the value of this field that last occurred together with it. */
class Beside {
  private readonly ids = new Int32Array(PARENTS).fill(-1);

  constructor(private readonly field: RepeatedValue) {}

  /** Returns the value that last occurred together with the other field's current value. Returns -1 if no value did. */
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
  drawnFor = 0;
  /** Whether this object has generated the current value for an earlier document. */
  cameBefore = false;
  isFromSession = false;

  /** Number of different values in as many documents as were learned. */
  readonly usualCount: number;
  private readonly heads: number;
  /** Shares of the frequent values. */
  private readonly shares: readonly number[];
  private readonly headShare: number;
  private readonly headCounts: number[];
  private headCount = 0;
  /** Number of the frequent values that have occurred so far. The most frequent values occur first. */
  private met = 0;
  private readonly byShare: Choice<number>;
  /** Choice among the frequent values if neither the session nor other fields determine the value. */
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

  /** For each row of rare values: whether several documents have the value. Null if the profile does not contain this. */
  private readonly isShared: readonly boolean[] | null;
  private readonly sharedAgain: number;
  private readonly sharedSeen: number[] = [];
  private sharedCount = 0;
  private readonly onceBelow: number;
  private readonly rareCounts = new Uint16Array(RARE_COUNTS);
  /** Current limits on the number of occurrences: of a rare value, and of a rare value that occurred only once in the learned documents. */
  private most = LEAST_FREQUENT - 1;
  private mostOnce = 1;

  private readonly past = new Int32Array(REMEMBERED);
  private count = 0;
  private rare = 0;
  /**
   * Number of rare values that should have occurred by now, its increase per draw, and the factor by which new values have become rarer.
   */
  private expected = 0;
  private expectedStep = 0;
  private scale = 1;
  /** Numbers of events that are due. They begin with a half, so that they are rounded. */
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

  /** Sets the value of a document. `id`: number of the value. */
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
    // If the parent's value is new, this value does not become rarer, because new values of the parent do.
    this.owedNew += chances.fresh * (this.parent !== null && before < 0 ? 1 : this.scale);
    if (this.isNewDue()) {
      this.owedNew = Math.max(0, this.owedNew - 1);
      return this.makeNew();
    }
    this.owedFirst += chances.first * share.of;
    return this.chooseKnown(chances, this.second !== null && second < 0 ? this.byShare : this.byRest);
  }

  /**
   * Returns whether the value is copied from an earlier document with the same parent. `before`: the value that last occurred with the
   * parent's value.
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

  /** Returns whether a value may occur now. A value that few documents have must not occur often. */
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
   * Returns whether a new value is due. Decides by the events in the profile, but keeps the number of new values close to the expected
   * number, because dependencies on other fields change how often values occur.
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

  /** Returns the number of a random rare value that occurred before. */
  private chooseRare(): number {
    const { random, share } = this.making;
    if (this.sharedCount > 0 && random.unit() < this.sharedAgain)
      return this.sharedSeen[random.below(this.sharedSeen.length)]!;
    const draw = (): number => random.below(this.rare) * share.of + share.index;
    let number = draw();
    for (let tried = 0; tried < REDRAWN && !this.mayCome(this.heads + number); tried += 1) number = draw();
    return number;
  }

  /** Returns whether the next frequent value should have occurred by now. */
  private isFirstDue(): boolean {
    if (this.met >= this.heads) return false;
    return this.owedFirst >= 1 || this.shares[this.met]! * this.count * this.making.share.of >= 1;
  }

  private isOften(id: number, slack: number): boolean {
    return this.headCounts[id]! > this.shares[id]! * this.count + slack;
  }

  /**
   * Returns a value that occurred about `gap` draws before. Skips values that would be due anyway because of their frequency. Returns -1 if
   * there is no such value.
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

  /** Calculates for the next draws how often a value is expected to have occurred so far, and how many rare values are expected. */
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
