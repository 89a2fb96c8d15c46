/** When a value comes again: which of a field's values a document has, by their numbers. */
import { LEAST_FREQUENT, SOONER } from '../../../../common/generators/profile/draws';
import { MOST_SESSIONS } from '../../../../common/generators/profile/sessions';
import { countOf, shareOf } from '../../../../common/generators/profile/levels';
import type { Events, ProfiledDraw } from '../../../../common/generators/profile/profile';
import { copyWords, type Store, type Target } from './bytes';
import { mix, Weights, type Dice } from './dice';
import { AT_ONCE, type FieldValue, type Maker, type Part, type Surroundings } from './field-value';
import { toldRows } from './made-rows';

/** Values that stood before, by document. */
const REMEMBERED = 4096;
/** Values of parents for which it is remembered what a field had beside them. */
const PARENTS = 16_384;
/** Draws after which the chance of a new value is looked at again. */
const AT_A_STRETCH = 256;
/** Values that several documents have, of which one comes again; and rare values of which it is counted how often they came. */
const TOLD_SEEN = 1024;
const REMEMBERED_TIMES = 16_384;
/** New values by which their number may be off, and their share. */
const AWAITED_SLACK = 0.5;
const AWAITED_SHARE = 0.015;
const LEAST_GROWTH = 0.02;
/** Draws around the one that is looked for. */
const SEARCHED = 16;
/** Draws in place of a value that came too often. */
const REDRAWN = 3;
/** Occurrences by which a frequency may be off. */
const SLACK = 2;
/** The same where values come in runs. */
const RUN = 24;

/** Numbers of one row, of which three are used: a row does not lie in two cache lines. */
const WIDTH = 4;
const KNOWN = 1;
const KEPT = 2;

const NOWHERE = new Int32Array(0);

interface Chances {
  head: number;
  first: number;
  near: number;
  fresh: number;
  /** The least of each bucket. */
  gaps: Int32Array;
  gapWeights: Weights;
  old: number;
}

function chancesOf({ head, first, fresh, near, old }: Events): Chances {
  const gaps = near.map(([gap]) => gap);
  const weights = near.map(([, level]) => shareOf(level));
  return {
    head: shareOf(head),
    first: shareOf(first),
    near: weights.reduce((sum, weight) => sum + weight, 0),
    fresh: shareOf(fresh),
    gaps: Int32Array.from(gaps.length === 0 ? [0] : gaps, (gap) => 2 ** gap),
    gapWeights: new Weights(weights.length === 0 ? [1] : weights),
    old: shareOf(old),
  };
}

/** By values of a parent, of which there are so many: what few of them need stays near the processor. */
const tableFor = ({ usualCount }: RepeatedValue): Int32Array =>
  new Int32Array(Math.min(PARENTS, 2 ** Math.ceil(Math.log2(4 * usualCount + 1)))).fill(-1);

/** Values that come again. */
export class RepeatedValue implements FieldValue {
  drawnFor = -1;
  /** Of the document that is being made. */
  id = 0;
  readonly longest: number;
  /**
   * Of documents that are drawn together, by row, side by side: the value's number; the low 32 bits of the number of the document that it
   * was drawn for, -1 before any; and whether this source had the value before ({@link KNOWN}), and the session had it last ({@link KEPT}).
   */
  private readonly rows = new Int32Array(WIDTH * AT_ONCE).fill(-1);
  /** Where values stand that are prepared whole: `Rows.places`. */
  readonly places: Int32Array;
  private readonly store: Store;
  private readonly headWeights: Weights;
  private readonly drawnWeights: Weights;
  /** Those of them that the next one is drawn by. */
  private weights: Weights;
  private readonly heads: number;
  private readonly apart: Chances;
  private readonly beside: Chances;
  private readonly copied: number;
  private readonly copiedWithin: number;
  /** By session, what it had last. */
  private readonly ofSession = new Int32Array(MOST_SESSIONS).fill(-1);
  /** Of rare values, by row: whether several documents have it. Null where the profile does not tell them apart. */
  private readonly told: Uint8Array | null;
  private readonly toldAgain: number;
  /** Those of them that were there, the last ones. */
  private readonly toldSeen = new Int32Array(TOLD_SEEN);
  private toldCount = 0;
  /** How often rare values came, and how often they may; by their numbers. */
  private readonly times = new Uint16Array(REMEMBERED_TIMES);
  private most = LEAST_FREQUENT - 1;
  private mostOnce = 1;
  private readonly onceBelow: number;
  /** Values that were not kept or copied because they came as often as they may: others are in their place. */
  private owedKeeps = 0;
  private owedCopies = 0;
  private readonly parent: RepeatedValue | null;
  private readonly ofParent: Int32Array | null;
  private readonly second: RepeatedValue | null;
  private readonly ofSecond: Int32Array | null;
  private readonly copiedSecond: number;
  private readonly parentMask: number;
  private readonly secondMask: number;
  private readonly past = new Int32Array(REMEMBERED).fill(-1);
  /** Draws within which a frequent value comes again only because it had just been there. */
  private readonly usual: Float64Array;
  /** Of each frequent value: its share, and how often it came. */
  private readonly shares: Float64Array;
  private readonly slack: number;
  private readonly headShare: number;
  private readonly counts: Int32Array;
  private headCount = 0;
  private count = 0;
  /** Rare values of this source. */
  private rare = 0;
  private scale = 1;
  /** Rare values that there are of so many as were learned from, in all sources; and those that there should be now. */
  private readonly allRare: number;
  /** Different values among so many as were learned from. */
  readonly usualCount: number;
  private awaited = 0;
  private awaitedStep = 0;
  /** Of the next new value; it begins with a half, so that few values are rounded as many are. */
  private owed = 0.5;
  /** The same of frequent values, which begin with the most frequent. */
  private owedFirst = 0.5;
  private met = 0;
  private writtenFor = -1;
  private writtenTo: Target | null = null;
  private writtenAt = 0;
  private written = 0;

  constructor(
    private readonly profiled: ProfiledDraw,
    private readonly maker: Maker,
    private readonly surroundings: Surroundings,
  ) {
    const {
      head,
      drawn,
      parent,
      copied,
      copiedWithin,
      second,
      copiedSecond,
      apart,
      beside,
      told = [],
      toldAgain,
      once,
      rare,
    } = profiled;
    this.longest = maker.longest;
    this.places = maker.whole?.places ?? NOWHERE;
    this.store = surroundings.store;
    this.heads = head.length;
    this.allRare = countOf(rare);
    this.usualCount = this.heads + this.allRare;
    const weightsOf = (levels: readonly number[]): Weights =>
      new Weights(levels.length === 0 ? [1] : levels.map(shareOf));
    this.headWeights = weightsOf(head.map(([, level]) => level));
    this.drawnWeights = drawn === undefined ? this.headWeights : weightsOf(drawn);
    this.weights = this.headWeights;
    this.slack = drawn === undefined ? SLACK : RUN;
    this.shares = Float64Array.from(head, ([, level]) => shareOf(level));
    this.headShare = this.shares.reduce((sum, share) => sum + share, 0);
    this.usual = this.shares.map((share) => 1 / (SOONER * share));
    this.counts = new Int32Array(head.length);
    this.apart = chancesOf(apart);
    this.beside = beside === undefined ? this.apart : chancesOf(beside);
    this.copied = copied === undefined ? 0 : shareOf(copied);
    this.copiedWithin = copiedWithin === undefined ? this.copied : shareOf(copiedWithin);
    this.told = told.length === 0 ? null : toldRows(profiled);
    this.onceBelow = once === undefined ? 0 : shareOf(once) * 2 ** 32;
    this.toldAgain = toldAgain === undefined ? 0 : shareOf(toldAgain);
    const at = (place: number | undefined): RepeatedValue | null => {
      const of = place === undefined ? null : surroundings.valueAt(place);
      return of instanceof RepeatedValue ? of : null;
    };
    this.parent = at(parent);
    this.ofParent = this.parent === null ? null : tableFor(this.parent);
    this.second = at(second);
    this.ofSecond = this.second === null ? null : tableFor(this.second);
    this.parentMask = (this.ofParent?.length ?? 1) - 1;
    this.secondMask = (this.ofSecond?.length ?? 1) - 1;
    this.copiedSecond = copiedSecond === undefined ? 0 : shareOf(copiedSecond);
  }

  draw(document: number): void {
    this.drawRow(0, document);
    this.take(0, document);
  }

  keep(document: number): void {
    this.keepRow(0, document);
    this.take(0, document);
  }

  /**
   * For documents that are drawn together, `first` being the number of the first of them: what one field needs stays nearer to the
   * processor than what one document needs. By document `masks`, 1 at `place` where it is as its session had it last, and `shapes`; by
   * shape 1 where it is `there`, null where it always is.
   */
  drawColumn(
    first: number,
    masks: readonly Uint8Array[],
    place: number,
    shapes: Uint8Array,
    there: Uint8Array | null,
  ): void {
    for (let row = 0; row < masks.length; row += 1)
      if (there !== null && there[shapes[row]!] === 0) continue;
      else if (masks[row]![place] === 1) this.keepRow(row, first + row);
      else this.drawRow(row, first + row);
  }

  /** The document of that row is the one that is made next. */
  take(row: number, document: number): void {
    this.id = this.rows[WIDTH * row]!;
    this.drawnFor = document;
  }

  private drawRow(row: number, document: number): void {
    if (this.owedKeeps >= 1) {
      const { slots, goesOn } = this.surroundings.session;
      const id = this.ofSession[slots[row]!]!;
      if (id >= 0 && goesOn[row] === 1 && this.mayCome(id)) {
        this.owedKeeps -= 1;
        this.keepId(row, document, id);
        return;
      }
    }
    this.drawAnew(row, document);
  }

  private keepRow(row: number, document: number): void {
    const id = this.ofSession[this.surroundings.session.slots[row]!]!;
    if (id < 0 || !this.mayCome(id)) {
      if (id >= 0) this.owedKeeps += 1;
      this.drawAnew(row, document);
    } else this.keepId(row, document, id);
  }

  private drawAnew(row: number, document: number): void {
    const { parent, second } = this;
    const { dice } = this.surroundings;
    if (this.count % AT_A_STRETCH === 0) this.look();
    const at = WIDTH * row;
    const drawnFor = document | 0;
    let before = -1;
    let isWithin = false;
    if (parent !== null) {
      const { rows } = parent;
      const state = rows[at + 2]!;
      if (rows[at + 1] === drawnFor && (state & KNOWN) !== 0) {
        before = this.ofParent![rows[at]! & this.parentMask]!;
        isWithin = (state & KEPT) !== 0;
      }
    }
    let isCopied = false;
    if (before >= 0) {
      isCopied = dice.unit() < (isWithin ? this.copiedWithin : this.copied);
      const may = this.mayCome(before);
      if (isCopied && !may) {
        isCopied = false;
        this.owedCopies += 1;
      } else if (!isCopied && may && !isWithin && this.owedCopies >= 1) {
        isCopied = true;
        this.owedCopies -= 1;
      }
    }
    this.weights = this.drawnWeights;
    if (!isCopied && second !== null) {
      const { rows } = second;
      const isThere = rows[at + 1] === drawnFor && (rows[at + 2]! & KNOWN) !== 0;
      const beside = isThere ? this.ofSecond![rows[at]! & this.secondMask]! : -1;
      if (beside < 0) this.weights = this.headWeights;
      else if (dice.unit() < this.copiedSecond && this.mayCome(beside)) {
        isCopied = true;
        before = beside;
      }
    }
    // Unless what follows draws one that comes for the first time.
    this.rows[at + 2] = KNOWN;
    let id = before;
    if (!isCopied) {
      const chances = before >= 0 ? this.beside : this.apart;
      // How often a parent has a new value becomes less by itself.
      this.owed += chances.fresh * (parent !== null && before < 0 ? 1 : this.scale);
      if (this.isNewDue()) {
        this.owed = Math.max(0, this.owed - 1);
        id = this.makeNew(row);
      } else {
        this.owedFirst += chances.first * this.surroundings.share.of;
        id = this.drawKnown(row, chances, dice);
      }
    }
    this.ofSession[this.surroundings.session.slots[row]!] = id;
    this.note(row, document, id);
  }

  private keepId(row: number, document: number, id: number): void {
    if (this.count % AT_A_STRETCH === 0) this.look();
    this.rows[WIDTH * row + 2] = KNOWN | KEPT;
    this.note(row, document, id);
  }

  /** A value that few documents have does not come often. */
  private mayCome(id: number): boolean {
    const { told, heads } = this;
    if (told === null || id < heads) return true;
    const rare = id - heads;
    if (told[rare % told.length] === 1) return true;
    const most = mix(rare) < this.onceBelow ? this.mostOnce : this.most;
    return this.times[rare & (REMEMBERED_TIMES - 1)]! < most;
  }

  /** What was drawn is what comes again. */
  private note(row: number, document: number, id: number): void {
    const { parent, second, rows } = this;
    const at = WIDTH * row;
    const drawnFor = document | 0;
    rows[at] = id;
    rows[at + 1] = drawnFor;
    if (second !== null && second.rows[at + 1] === drawnFor)
      this.ofSecond![second.rows[at]! & this.secondMask] = id;
    if (parent !== null && parent.rows[at + 1] === drawnFor)
      this.ofParent![parent.rows[at]! & this.parentMask] = id;
    this.past[this.count & (REMEMBERED - 1)] = id;
    this.count += 1;
    this.awaited += this.awaitedStep;
    if (id < this.heads) {
      this.counts[id]! += 1;
      this.headCount += 1;
    } else if (this.told !== null) this.times[(id - this.heads) & (REMEMBERED_TIMES - 1)]! += 1;
  }

  write(out: Target, at: number): number {
    const { places } = this;
    const place = 2 * this.id;
    if (place < places.length && places[place]! >= 0) {
      const length = places[place + 1]!;
      copyWords(this.store.view, places[place]!, out.view, at, length);
      return at + length;
    }
    // A text that holds it may have written it already.
    if (this.writtenFor === this.drawnFor && this.writtenTo === out)
      copyWords(out.view, this.writtenAt, out.view, at, this.written);
    else {
      this.written = this.maker.write(this.id, out, at) - at;
      this.writtenAt = at;
      this.writtenFor = this.drawnFor;
      this.writtenTo = out;
    }
    return at + this.written;
  }

  /** By what it hangs on, and as many as there are among so many values: what hangs together in another way makes others more often. */
  private isNewDue(): boolean {
    const { rare, awaited } = this;
    const slack = AWAITED_SLACK + awaited * AWAITED_SHARE;
    if (rare < awaited - slack) return true;
    if (this.owed < 1) return false;
    if (rare + 1 < awaited + slack) return true;
    this.owed = 0;
    return false;
  }

  /** Returns its number. */
  private makeNew(row: number): number {
    const { index, of } = this.surroundings.share;
    const number = this.rare * of + index;
    if (this.told !== null) {
      this.times[number & (REMEMBERED_TIMES - 1)] = 0;
      if (this.told[number % this.told.length] === 1) {
        this.toldSeen[this.toldCount & (TOLD_SEEN - 1)] = number;
        this.toldCount += 1;
      }
    }
    this.rare += 1;
    this.rows[WIDTH * row + 2] = 0;
    return this.heads + number;
  }

  private drawKnown(row: number, { head, near, old, gaps, gapWeights }: Chances, dice: Dice): number {
    const which = dice.unit() * (head + near + old);
    // What follows from other fields and from what was there before shifts the frequencies: what is drawn makes up for it.
    const isShort = this.headCount < this.headShare * this.count - RUN;
    const isFirst = this.isDue();
    if (this.heads > 0 && (which < head || isShort || isFirst || this.rare === 0))
      return this.drawHead(row, dice);
    if (this.rare === 0) {
      this.owed -= 1;
      return this.makeNew(row);
    }
    if (which < head + near) {
      const least = gaps[gapWeights.draw(dice)]!;
      const found = this.soonAgain(least + dice.below(least));
      if (found >= 0) return found;
    }
    return this.heads + this.drawRare(dice);
  }

  /** Any rare value that was there, by its number. */
  private drawRare(dice: Dice): number {
    const { index, of } = this.surroundings.share;
    const { toldCount } = this;
    if (toldCount > 0 && dice.unit() < this.toldAgain)
      return this.toldSeen[dice.below(toldCount < TOLD_SEEN ? toldCount : TOLD_SEEN)]!;
    let number = dice.below(this.rare) * of + index;
    for (let tried = 0; tried < REDRAWN && !this.mayCome(this.heads + number); tried += 1)
      number = dice.below(this.rare) * of + index;
    return number;
  }

  private drawHead(row: number, dice: Dice): number {
    if (this.met === 0 || this.isDue()) {
      this.owedFirst -= 1;
      this.met += 1;
      this.rows[WIDTH * row + 2] = 0;
      return this.met - 1;
    }
    let id = this.weights.draw(dice);
    for (let tried = 0; tried < REDRAWN && (id >= this.met || this.isOften(id)); tried += 1)
      id = this.weights.draw(dice);
    return id < this.met ? id : dice.below(this.met);
  }

  /** The next frequent value should have been there by now. */
  private isDue(): boolean {
    if (this.met >= this.heads) return false;
    return this.owedFirst >= 1 || this.shares[this.met]! * this.count * this.surroundings.share.of >= 1;
  }

  /** It came more often than its share by now. */
  private isOften(id: number, slack = this.slack): boolean {
    return this.counts[id]! > this.shares[id]! * this.count + slack;
  }

  /** The value that stood about so many draws before, unless it is one that comes so often by itself; -1 where there is none. */
  private soonAgain(gap: number): number {
    const most = Math.min(this.count, REMEMBERED);
    for (let more = 0; more < SEARCHED; more += 1) {
      const back = gap + more;
      if (back > most) return -1;
      const id = this.past[(this.count - back) & (REMEMBERED - 1)]!;
      if (id >= this.heads ? this.mayCome(id) : back < this.usual[id]! && !this.isOften(id, RUN)) return id;
    }
    return -1;
  }

  /** New values become less frequent as Heaps' law has it. */
  private look(): void {
    const { growth, seen } = this.profiled;
    const { of } = this.surroundings.share;
    const exponent = Math.max(LEAST_GROWTH, growth / 100);
    const all = Math.max(1, countOf(seen));
    const from = (this.count * of) / all;
    const until = ((this.count + AT_A_STRETCH) * of) / all;
    // As many as in so many documents as were learned from, or more in more.
    this.most = Math.floor((LEAST_FREQUENT - 1) * Math.max(1, until));
    this.mostOnce = Math.floor(Math.max(1, until));
    this.awaited = (this.allRare * from ** exponent) / of;
    this.awaitedStep = ((this.allRare * until ** exponent) / of - this.awaited) / AT_A_STRETCH;
    this.scale = (until ** exponent - from ** exponent) / (until - from);
  }
}

/** A field that has the same value in all documents. */
export class ConstantValue implements FieldValue {
  drawnFor = -1;
  readonly longest: number;

  constructor(private readonly maker: Maker) {
    this.longest = maker.longest;
  }

  /** Undefined where it is written at once. */
  get parts(): Part[] | undefined {
    return this.maker.partsOfFirst?.();
  }

  draw(document: number): void {
    this.drawnFor = document;
  }

  keep(document: number): void {
    this.drawnFor = document;
  }

  write(out: Target, at: number): number {
    return this.maker.write(0, out, at);
  }
}
