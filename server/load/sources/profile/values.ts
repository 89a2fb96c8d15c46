/** What the fields of a profile's documents hold: each value draws itself for a document, and writes itself as often as it is asked for. */
import { SOONER } from '../../../../common/generators/profile/draws';
import { bucketFrom, countOf, shareOf } from '../../../../common/generators/profile/levels';
import type {
  Events,
  ProfiledDraw,
  ProfiledValue,
  Weighted,
} from '../../../../common/generators/profile/profile';
import { TIME_FORMS } from '../../../../common/generators/profile/times';
import {
  ChainText,
  longestOwn,
  MOST_REFERRED,
  piecesOf,
  type Hole,
  walkOfLength,
  type Piece,
} from './chain-text';
import { BEYOND, copyWords, Rows, writeNumber, type Store, type Target } from './bytes';
import { mix, Weights, type Dice } from './dice';
import { LONGEST_TIME, writeTime } from './time-writer';

/** What all values of a source share. */
export interface Surroundings {
  dice: Dice;
  share: { index: number; of: number };
  /** Of the document that is being made. */
  clock: { ms: number };
  store: Store;
  /** The value of a place in the profile. */
  valueAt(place: number): FieldValue;
}

/** Of one field, with what it has in the document that is being made. */
export interface FieldValue {
  /** No value is longer as text, bytes. */
  readonly longest: number;
  draw(document: number): void;
  /** As it stands within a JSON string, or as a number. Returns where it ended. */
  write(out: Target, at: number): number;
  /** The document that it was drawn for. */
  drawnFor: number;
}

/** Writes values by their numbers: those of the frequent ones first. */
interface Maker {
  readonly longest: number;
  write(id: number, out: Target, at: number): number;
}

/** Rows that rare values are made from; after so many they come again with other letters. */
const MOST_ROWS = 8192;
const LEAST_ROWS = 64;
/** Values that stood before, by document. */
const REMEMBERED = 4096;
/** Values of parents for which it is remembered what a field had beside them. */
const PARENTS = 16_384;
/** Draws after which the chance of a new value is looked at again. */
const AT_A_STRETCH = 256;
const LEAST_GROWTH = 0.02;
const TRIES = 50;
/** Draws around the one that is looked for. */
const SEARCHED = 16;
/** Draws in place of a value that came too often. */
const REDRAWN = 3;
/** Occurrences by which a frequency may be off. */
const SLACK = 2;
/** The same where values come in runs. */
const RUN = 24;

const rowsOf = ({ rare }: ProfiledDraw): number =>
  Math.min(MOST_ROWS, Math.max(LEAST_ROWS, Math.ceil(countOf(rare) * 1.25)));

interface Chances {
  head: number;
  first: number;
  near: number;
  fresh: number;
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
    gaps: Int32Array.from(gaps.length === 0 ? [0] : gaps),
    gapWeights: new Weights(weights.length === 0 ? [1] : weights),
    old: shareOf(old),
  };
}

/** Values that come again. */
export class RepeatedValue implements FieldValue {
  drawnFor = -1;
  id = 0;
  /** It was there before, in this source. */
  isKnown = false;
  readonly longest: number;
  private readonly headWeights: Weights;
  private readonly heads: number;
  private readonly apart: Chances;
  private readonly beside: Chances;
  private readonly copied: number;
  private readonly parent: RepeatedValue | null;
  private readonly ofParent: Int32Array | null;
  private readonly past = new Int32Array(REMEMBERED).fill(-1);
  /** Draws within which a frequent value comes again only because it had just been there. */
  private readonly usual: Float64Array;
  /** Of each frequent value: its share, and how often it came. */
  private readonly shares: Float64Array;
  private readonly headShare: number;
  private readonly counts: Int32Array;
  private headCount = 0;
  private count = 0;
  /** Rare values of this source. */
  private rare = 0;
  private scale = 1;
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
    const { head, parent, copied, apart, beside } = profiled;
    this.longest = maker.longest;
    this.heads = head.length;
    this.headWeights = new Weights(head.length === 0 ? [1] : head.map(([, level]) => shareOf(level)));
    this.shares = Float64Array.from(head, ([, level]) => shareOf(level));
    this.headShare = this.shares.reduce((sum, share) => sum + share, 0);
    this.usual = this.shares.map((share) => 1 / (SOONER * share));
    this.counts = new Int32Array(head.length);
    this.apart = chancesOf(apart);
    this.beside = beside === undefined ? this.apart : chancesOf(beside);
    this.copied = copied === undefined ? 0 : shareOf(copied);
    const of = parent === undefined ? null : surroundings.valueAt(parent);
    this.parent = of instanceof RepeatedValue ? of : null;
    this.ofParent = this.parent === null ? null : new Int32Array(PARENTS).fill(-1);
  }

  draw(document: number): void {
    const { dice } = this.surroundings;
    this.drawnFor = document;
    if (this.count % AT_A_STRETCH === 0) this.look();
    let before = -1;
    let place = 0;
    if (this.parent !== null && this.parent.drawnFor === document) {
      place = this.parent.id & (PARENTS - 1);
      if (this.parent.isKnown) before = this.ofParent![place]!;
    }
    if (before >= 0 && dice.unit() < this.copied) {
      this.id = before;
      this.isKnown = true;
    } else {
      const chances = before >= 0 ? this.beside : this.apart;
      // How often a parent has a new value becomes less by itself.
      this.owed += chances.fresh * (this.parent !== null && before < 0 ? 1 : this.scale);
      if (this.owed >= 1) {
        this.owed -= 1;
        this.makeNew();
      } else {
        this.owedFirst += chances.first * this.surroundings.share.of;
        this.drawKnown(chances, dice);
      }
    }
    if (this.ofParent !== null && this.parent!.drawnFor === document) this.ofParent[place] = this.id;
    this.past[this.count & (REMEMBERED - 1)] = this.id;
    this.count += 1;
    if (this.id < this.heads) {
      this.counts[this.id]! += 1;
      this.headCount += 1;
    }
  }

  write(out: Target, at: number): number {
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

  private makeNew(): void {
    const { index, of } = this.surroundings.share;
    this.id = this.heads + this.rare * of + index;
    this.rare += 1;
    this.isKnown = false;
  }

  private drawKnown({ head, near, old, gaps, gapWeights }: Chances, dice: Dice): void {
    const which = dice.unit() * (head + near + old);
    // What follows from other fields and from what was there before shifts the frequencies: what is drawn makes up for it.
    const isShort = this.headCount < this.headShare * this.count - RUN;
    const isFirst = this.isDue();
    if (this.heads > 0 && (which < head || isShort || isFirst || this.rare === 0)) {
      this.drawHead(dice);
      return;
    }
    if (this.rare === 0) {
      this.owed -= 1;
      this.makeNew();
      return;
    }
    this.isKnown = true;
    if (which < head + near) {
      const least = 2 ** gaps[gapWeights.draw(dice)]!;
      const found = this.soonAgain(least + dice.below(least));
      if (found >= 0) {
        this.id = found;
        return;
      }
    }
    const { index, of } = this.surroundings.share;
    this.id = this.heads + dice.below(this.rare) * of + index;
  }

  private drawHead(dice: Dice): void {
    if (this.met === 0 || this.isDue()) {
      this.owedFirst -= 1;
      this.id = this.met;
      this.met += 1;
      this.isKnown = false;
      return;
    }
    let id = this.headWeights.draw(dice);
    for (let tried = 0; tried < REDRAWN && (id >= this.met || this.isOften(id)); tried += 1)
      id = this.headWeights.draw(dice);
    this.id = id < this.met ? id : dice.below(this.met);
    this.isKnown = true;
  }

  /** The next frequent value should have been there by now. */
  private isDue(): boolean {
    if (this.met >= this.heads) return false;
    return this.owedFirst >= 1 || this.shares[this.met]! * this.count * this.surroundings.share.of >= 1;
  }

  /** It came more often than its share by now. */
  private isOften(id: number, slack = SLACK): boolean {
    return this.counts[id]! > this.shares[id]! * this.count + slack;
  }

  /** The value that stood about so many draws before, unless it is one that comes so often by itself; -1 where there is none. */
  private soonAgain(gap: number): number {
    const most = Math.min(this.count, REMEMBERED);
    for (let more = 0; more < SEARCHED; more += 1) {
      const back = gap + more;
      if (back > most) return -1;
      const id = this.past[(this.count - back) & (REMEMBERED - 1)]!;
      if (id >= this.heads || (back < this.usual[id]! && !this.isOften(id, RUN))) return id;
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
    this.scale = (until ** exponent - from ** exponent) / (until - from);
  }
}

/** Texts by their numbers: a row of pieces each, of which rare ones come again with other letters. */
class TextMaker implements Maker {
  readonly longest: number;
  private readonly heads: number;
  private readonly count: number;
  /** By row, its first piece; and by piece what it is. */
  private readonly first: Int32Array;
  private readonly bytes: Rows;
  private readonly holes: (readonly Hole[])[];
  private readonly references: (FieldValue | null)[];
  private readonly times: Int32Array;

  constructor(
    profiled: ProfiledDraw,
    text: ChainText,
    private readonly surroundings: Surroundings,
  ) {
    const rows = textRows(profiled, text, surroundings);
    const pieces = rows.flat();
    this.heads = profiled.head.length;
    this.count = rows.length;
    this.first = new Int32Array(rows.length + 1);
    for (const [at, row] of rows.entries()) this.first[at + 1] = this.first[at]! + row.length;
    this.bytes = new Rows(
      surroundings.store,
      pieces.map(({ bytes }) => bytes),
    );
    this.holes = pieces.map(({ holes }) => holes);
    this.references = pieces.map(({ reference }) => (reference < 0 ? null : surroundings.valueAt(reference)));
    this.times = Int32Array.from(pieces, ({ time }) => time);
    this.longest = rows.reduce((most, row) => Math.max(most, this.lengthOf(row)), 0);
  }

  write(id: number, out: Target, from: number): number {
    const { heads, count, first } = this;
    const inRows = id < count;
    const row = inRows ? id : heads + ((id - heads) % (count - heads));
    const end = first[row + 1]!;
    let at = from;
    for (let piece = first[row]!; piece < end; piece += 1) {
      const start = at;
      at = this.bytes.write(piece, out, at);
      if (!inRows) {
        const holes = this.holes[piece]!;
        for (let k = 0; k < holes.length; k += 1) holes[k]!.fill(out.bytes, start, id);
      }
      const reference = this.references[piece]!;
      if (reference !== null) at = reference.write(out, at);
      else if (this.times[piece]! >= 0)
        at = writeTime(this.times[piece]!, this.surroundings.clock.ms, out, at);
    }
    return at;
  }

  private lengthOf(row: readonly Piece[]): number {
    return row.reduce(
      (sum, { bytes, reference, time }) =>
        sum +
        bytes.length +
        (reference >= 0 ? this.surroundings.valueAt(reference).longest : time >= 0 ? LONGEST_TIME : 0),
      0,
    );
  }
}

/** Different ones: the frequent texts, those that several documents have, and rare ones. */
function textRows(profiled: ProfiledDraw, text: ChainText, { dice }: Surroundings): Piece[][] {
  const rows: Piece[][] = [];
  const taken = new Set<string>();
  const add = (walk: () => ReturnType<ChainText['walk']>, isWalked: boolean): void => {
    let row: Piece[] = [];
    for (let tried = 0; tried < TRIES; tried += 1) {
      // A chain that has no more texts gets other letters.
      row = piecesOf(text, walk(), dice, tried > TRIES / 2);
      if (tried > TRIES / 2)
        for (const { holes, bytes } of row) {
          const number = dice.next();
          for (const hole of holes) hole.fill(bytes, 0, number);
        }
      const key = row
        .map(({ bytes, reference, time }) => `${Buffer.from(bytes).toString('latin1')}${reference} ${time}`)
        .join();
      if (!taken.has(key)) {
        taken.add(key);
        break;
      }
      if (tried < TRIES - 1) text.takeBack();
    }
    text.keep(row.map(({ bytes }) => Buffer.from(bytes).toString()).join('\n'), isWalked);
    rows.push(row);
  };
  for (const [at, [length, , words]] of profiled.head.entries()) {
    const kept = profiled.kept?.[at];
    if (kept === undefined)
      add(() => words?.map((word) => text.symbols[word - 1]!) ?? walkOfLength(text, length, dice), false);
    else rows.push([plainPiece(JSON.stringify(String(kept)).slice(1, -1))]);
  }
  const { told = [] } = profiled;
  for (const words of told) add(() => words.map((word) => text.symbols[word - 1]!), false);
  for (let row = rowsOf(profiled) - told.length; row > 0; row -= 1) {
    text.begin();
    add(() => text.walk(dice), true);
  }
  return rows;
}

const plainPiece = (text: string): Piece => ({
  bytes: encodedOf(text),
  holes: [],
  reference: -1,
  time: -1,
});

const encodedOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

/** Addresses of made networks, each number another one. */
class AddressMaker implements Maker {
  readonly longest = 39;
  private readonly octets: Rows;
  private readonly heads: Rows;

  constructor(
    heads: readonly Uint8Array[],
    private readonly six: number,
    private readonly networks: number,
    store: Store,
  ) {
    this.heads = new Rows(store, heads);
    this.octets = new Rows(
      store,
      Array.from({ length: 256 }, (_, octet) => encodedOf(`${octet}.`)),
    );
  }

  write(id: number, out: Target, from: number): number {
    if (id < this.heads.count) return this.heads.write(id, out, from);
    const network = mix(Math.floor(id * this.networks) + 1);
    if (this.six > 0 && mix(id ^ 0x5bd1e995) % 100 < this.six) return writeSix(id, network, out.bytes, from);
    const { octets } = this;
    const host = Math.imul(id, 40_503) & 0xffff;
    let at = octets.write(1 + ((network >>> 24) % 223), out, from);
    at = octets.write((network >>> 16) & 255, out, at);
    at = octets.write(host >>> 8, out, at);
    // Without the point.
    return octets.write(host & 255, out, at) - 1;
  }
}

function writeSix(id: number, network: number, out: Uint8Array, from: number): number {
  let at = from;
  for (let group = 0; group < 8; group += 1) {
    const bits = group === 0 ? 0xfd00 : group < 3 ? network >>> (16 * (group - 1)) : mix(id * 8 + group);
    at = writeHex(out, at, bits & 0xffff);
    if (group < 7) {
      out[at] = 58;
      at += 1;
    }
  }
  return at;
}

function writeHex(out: Uint8Array, from: number, value: number): number {
  let at = from;
  for (let shift = 12; shift >= 0; shift -= 4) {
    const digit = (value >>> shift) & 15;
    out[at] = digit < 10 ? 48 + digit : 87 + digit;
    at += 1;
  }
  return at;
}

const LARGEST = Number.MAX_SAFE_INTEGER;
const LONGEST_NUMBER = 40;
/** Digits behind the point that a number carries itself; more are drawn one by one. */
const CARRIED = 6;

interface NumberKind {
  buckets: Weighted;
  decimals: number;
  zeros: number;
  within?: 90 | 180 | undefined;
  steps?: Weighted | undefined;
}

/** Numbers of buckets, in units of the last digit that they carry. */
class Numbers {
  private readonly buckets: Int32Array;
  private readonly weights: Weights;
  private readonly unit: number;
  private readonly more: number;
  private readonly zeros: number;

  constructor(private readonly kind: NumberKind) {
    this.buckets = Int32Array.from(kind.buckets.length === 0 ? [0] : kind.buckets.map(([bucket]) => bucket));
    this.weights = new Weights(
      kind.buckets.length === 0 ? [1] : kind.buckets.map(([, level]) => shareOf(level)),
    );
    this.unit = 10 ** Math.min(CARRIED, kind.decimals);
    this.more = Math.max(0, kind.decimals - CARRIED);
    this.zeros = kind.decimals > 0 ? 1 : 10 ** Math.min(15, kind.zeros);
  }

  drawBucket(dice: Dice): number {
    return this.buckets[this.weights.draw(dice)]!;
  }

  /** `place`: where in the bucket, in [0, 1). */
  within(bucket: number, place: number): number {
    if (bucket === 0) return 0;
    const size = Math.abs(bucket);
    const low = Math.ceil(bucketFrom(size) * this.unit);
    const high = Math.max(low + 1, Math.ceil(bucketFrom(size + 1) * this.unit));
    let value = low + Math.floor((high - low) * place);
    if (this.zeros > 1) value = Math.max(this.zeros, Math.round(value / this.zeros) * this.zeros);
    if (this.kind.within !== undefined) value %= this.kind.within * this.unit;
    value = Math.min(LARGEST, value);
    return bucket < 0 ? -value : value;
  }

  /** `value`: in units; the digits that it does not carry follow from `salt`. */
  write(value: number, salt: number, out: Target, from: number): number {
    if (this.unit === 1) return writeNumber(out, from, value);
    const { bytes } = out;
    const size = Math.abs(value);
    const whole = Math.floor(size / this.unit);
    let at = from;
    if (value < 0) {
      bytes[at] = 45;
      at += 1;
    }
    at = writeNumber(out, at, whole);
    bytes[at] = 46;
    at += 1;
    let rest = size - whole * this.unit;
    for (let divisor = this.unit / 10; divisor >= 1; divisor /= 10) {
      const digit = Math.floor(rest / divisor);
      bytes[at] = 48 + digit;
      at += 1;
      rest -= digit * divisor;
    }
    let state = mix(salt);
    for (let digit = 0; digit < this.more; digit += 1) {
      state = mix(state + digit);
      bytes[at] = 49 + (state % 9);
      at += 1;
    }
    return at;
  }
}

/** Numbers by the numbers that they have among the values. */
class NumberMaker implements Maker {
  readonly longest = LONGEST_NUMBER;
  private readonly numbers: Numbers;
  private readonly rows: Rows;
  private readonly rowBuckets: Int32Array;
  private readonly heads: number;

  constructor(profiled: ProfiledDraw, kind: NumberKind, { dice, store }: Surroundings) {
    this.numbers = new Numbers(kind);
    this.heads = profiled.head.length;
    const taken = new Set<number>();
    const rows = [
      ...profiled.head.map(([bucket]) => bucket),
      ...Array.from({ length: rowsOf(profiled) }, () => this.numbers.drawBucket(dice)),
    ];
    this.rowBuckets = Int32Array.from(rows);
    const values = rows.map((bucket) => {
      let value = this.numbers.within(bucket, dice.unit());
      for (let tried = 0; tried < TRIES && taken.has(value); tried += 1)
        value = this.numbers.within(bucket, dice.unit());
      // A bucket that is full lends its neighbours' numbers.
      while (taken.has(value) && taken.size < 1_000_000 && bucket !== 0 && kind.within === undefined)
        value += 1;
      taken.add(value);
      return value;
    });
    const { kept = [] } = profiled;
    const buffer = Buffer.alloc(LONGEST_NUMBER);
    const target = { bytes: buffer, view: new DataView(buffer.buffer, buffer.byteOffset) };
    this.rows = new Rows(
      store,
      values.map((value, at) =>
        kept[at] === undefined
          ? Uint8Array.from(buffer.subarray(0, this.numbers.write(value, at, target, 0)))
          : encodedOf(String(kept[at])),
      ),
    );
  }

  write(id: number, out: Target, at: number): number {
    const { rows, heads } = this;
    if (id < rows.count) return rows.write(id, out, at);
    const row = heads + ((id - heads) % (rows.count - heads));
    return this.numbers.write(
      this.numbers.within(this.rowBuckets[row]!, mix(id) / 4_294_967_296),
      id,
      out,
      at,
    );
  }
}

/** A number of its own in each document. */
class OwnNumber implements FieldValue {
  drawnFor = -1;
  readonly longest = LONGEST_NUMBER;
  private readonly numbers: Numbers;
  private value = 0;
  private salt = 0;

  constructor(
    kind: NumberKind,
    private readonly dice: Dice,
  ) {
    this.numbers = new Numbers(kind);
  }

  draw(document: number): void {
    this.drawnFor = document;
    this.value = this.numbers.within(this.numbers.drawBucket(this.dice), this.dice.unit());
    this.salt = this.dice.next();
  }

  write(out: Target, at: number): number {
    return this.numbers.write(this.value, this.salt, out, at);
  }
}

/** A number that rises from document to document; each thread counts in a range of its own. */
class CountingNumber implements FieldValue {
  drawnFor = -1;
  readonly longest = LONGEST_NUMBER;
  private readonly numbers: Numbers;
  private readonly steps: Numbers;
  private value: number;

  private readonly dice: Dice;

  constructor(kind: NumberKind, { dice, share }: Surroundings) {
    this.dice = dice;
    this.numbers = new Numbers({ ...kind, zeros: 0 });
    this.steps = new Numbers({ buckets: kind.steps!, decimals: 0, zeros: 0 });
    const start = Math.abs(this.numbers.within(this.numbers.drawBucket(dice), 0));
    this.value = Math.min(LARGEST / 2, start * (1 + share.index));
  }

  draw(document: number): void {
    this.drawnFor = document;
    const step = this.steps.within(this.steps.drawBucket(this.dice), this.dice.unit());
    this.value = Math.min(LARGEST, this.value + step);
  }

  write(out: Target, at: number): number {
    return writeNumber(out, at, this.value);
  }
}

/** A time that stands so far from the document's own. */
class TimeValue implements FieldValue {
  drawnFor = -1;
  readonly longest = LONGEST_TIME;
  private readonly form: number;
  private readonly offsets: Numbers;
  private readonly isSame: boolean;
  private ms = 0;

  constructor(
    { form, offsets }: { form: string; offsets: Weighted },
    private readonly surroundings: Surroundings,
  ) {
    this.form = TIME_FORMS.findIndex(({ name }) => name === form);
    this.offsets = new Numbers({ buckets: offsets, decimals: 0, zeros: 0 });
    this.isSame = offsets.every(([bucket]) => bucket === 0);
  }

  draw(document: number): void {
    const { clock, dice: own } = this.surroundings;
    this.drawnFor = document;
    this.ms = this.isSame
      ? clock.ms
      : Math.max(0, clock.ms + this.offsets.within(this.offsets.drawBucket(own), own.unit()));
  }

  write(out: Target, at: number): number {
    return writeTime(this.form, this.ms, out, at);
  }
}

/** Times by their numbers, the same for all documents. */
class TimeMaker implements Maker {
  readonly longest = LONGEST_TIME;
  private readonly form: number;
  private readonly numbers: Numbers;
  private readonly buckets: Int32Array;
  private readonly from: number;

  constructor(
    profiled: ProfiledDraw,
    { form, offsets }: { form: string; offsets: Weighted },
    { dice: own, clock }: Surroundings,
  ) {
    this.form = TIME_FORMS.findIndex(({ name }) => name === form);
    this.numbers = new Numbers({ buckets: offsets, decimals: 0, zeros: 0 });
    this.from = clock.ms;
    this.buckets = Int32Array.from({ length: profiled.head.length + rowsOf(profiled) }, () =>
      this.numbers.drawBucket(own),
    );
  }

  write(id: number, out: Target, at: number): number {
    const offset = this.numbers.within(this.buckets[id % this.buckets.length]!, mix(id) / 4_294_967_296);
    return writeTime(this.form, Math.max(0, this.from + offset), out, at);
  }
}

/** A text of its own in each document. */
class OwnText implements FieldValue {
  drawnFor = -1;
  readonly longest: number;
  private readonly own: Target;
  private length = 0;

  constructor(
    private readonly text: ChainText,
    private readonly surroundings: Surroundings,
  ) {
    const referred = text.symbols.reduce(
      (most, { kind, size }) =>
        kind === 'r'
          ? Math.max(most, surroundings.valueAt(size).longest)
          : kind === 't'
            ? Math.max(most, LONGEST_TIME)
            : most,
      0,
    );
    this.longest = Math.min(4_000_000, longestOwn(text) + MOST_REFERRED * referred) + referred + 64;
    const bytes = new Uint8Array(this.longest + text.longestWord + BEYOND);
    this.own = { bytes, view: new DataView(bytes.buffer) };
    this.limit = this.longest - referred;
  }

  private readonly limit: number;
  private readonly refer = ({ kind, size }: ChainText['symbols'][number], at: number): number => {
    if (at > this.limit) return at;
    const { valueAt, clock } = this.surroundings;
    return kind === 'r'
      ? valueAt(size).write(this.own, at)
      : writeTime(size % TIME_FORMS.length, clock.ms, this.own, at);
  };

  draw(document: number): void {
    this.drawnFor = document;
    const end = this.text.write(this.surroundings.dice, this.own, 0, this.refer);
    this.length = Math.min(end, this.longest);
  }

  write(out: Target, at: number): number {
    copyWords(this.own.view, 0, out.view, at, this.length);
    return at + this.length;
  }
}

/** What a field of the profile holds. Those that it needs must be there. */
export function fieldValue({ draw, make }: ProfiledValue, surroundings: Surroundings): FieldValue {
  if (draw === undefined) {
    if ('time' in make) return new TimeValue(make.time, surroundings);
    if ('number' in make)
      return make.number.steps === undefined
        ? new OwnNumber(make.number, surroundings.dice)
        : new CountingNumber(make.number, surroundings);
    if ('chain' in make)
      return new OwnText(new ChainText(make.chain, surroundings.dice, surroundings.store), surroundings);
    return new RepeatedValue(ALWAYS_NEW, addresses(ALWAYS_NEW, make.ip, surroundings.store), surroundings);
  }
  return new RepeatedValue(draw, makerOf(draw, make, surroundings), surroundings);
}

/** Of addresses that no two documents share. */
const ALWAYS_NEW: ProfiledDraw = {
  head: [],
  seen: 0,
  rare: 0,
  growth: 100,
  apart: { head: 999, first: 999, fresh: 0, near: [], old: 999 },
};

const addresses = (
  { kept = [] }: ProfiledDraw,
  { six, networks }: { six: number; networks: number },
  store: Store,
): Maker =>
  new AddressMaker(
    kept.map((value) => encodedOf(String(value))),
    six,
    networks / 100,
    store,
  );

function makerOf(draw: ProfiledDraw, make: ProfiledValue['make'], surroundings: Surroundings): Maker {
  if ('time' in make) return new TimeMaker(draw, make.time, surroundings);
  if ('number' in make) return new NumberMaker(draw, make.number, surroundings);
  if ('ip' in make) return addresses(draw, make.ip, surroundings.store);
  return new TextMaker(draw, new ChainText(make.chain, surroundings.dice, surroundings.store), surroundings);
}
