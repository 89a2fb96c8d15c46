/** Documents of a profile as bytes: which fields there are, what each holds, and how it is written. */
import { jsonOfText } from '../../../../common/json/exact';
import { createRandom, deriveSeed } from '../../../../common/random';
import { bucketFrom, countOf, shareOf } from '../../../../common/generators/profile/levels';
import {
  CLOCK_STEPS,
  drawOrder,
  slotsOf,
  type Profile,
  type ProfiledField,
  type ProfiledObject,
  type State,
} from '../../../../common/generators/profile/profile';
import { Batch } from '../batch';
import { BEYOND, copyWords, Rows, Store } from './bytes';
import { Dice, Weights } from './dice';
import { AT_ONCE, type FieldValue, type Surroundings } from './field-value';
import { FixedDocument, type FixedField } from './fixed-document';
import { RepeatedValue } from './repeated-value';
import { Sessions } from './sessions';
import { fieldValue } from './values';

const encoded = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN = 123;
const CLOSE = 125;
const WORDS = ['null', 'false', 'true'].map(encoded);
const [NULL, FALSE, TRUE] = [0, 1, 2] as const;
/** Batches make room for as much at once; longer documents are made apart. */
const LONGEST_AT_ONCE = 64 * 1024;
/** Times that are known to have been there, and documents of which another may have the time. */
const KNOWN_TIMES = 2 ** 14;
const LATELY = 32;
const SEARCHED_TIMES = 64;
/** Documents by which the share of own times may be off. */
const TIME_SLACK = 4;
const NOTHING = new Uint8Array(0);
/** Shapes of documents that are laid out before. */
const MOST_LAYOUTS = 64;
/** Elements of a list, at most. */
const LONGEST_LIST = 1000;

/** 0: it is not there. */
type StateCode = number;
const CODES: readonly State[] = ['null', 'list', 'object', 'value', 'boolean'];
const codeOf = (state: State): StateCode => CODES.indexOf(state) + 1;
const [IS_NULL, IS_LIST, IS_OBJECT, IS_VALUE] = CODES.map(codeOf) as [number, number, number, number];

class FieldNode {
  /** Of the document that is being made. */
  state: StateCode = 0;
  value: FieldValue | null = null;
  object: ObjectNode | null = null;
  items: FieldNode | null = null;
  readonly lengths: Int32Array;
  readonly lengthWeights: Weights;
  /** With a comma before it, and with the quote of a string where it is always one. */
  readonly prefix: number;
  readonly prefixLength: number;
  /** It is always there as a text, or as a number. */
  readonly isAlways: boolean;
  readonly isString: boolean;
  readonly yes: number;
  readonly only: StateCode;
  private readonly codes: Int32Array;
  private readonly weights: Weights;

  constructor(
    readonly profiled: ProfiledField,
    store: Store,
    isElement = false,
  ) {
    const { name, states, lengths = [], value, yes } = profiled;
    const given = Object.entries(states) as [State, number][];
    this.codes = Int32Array.from(given.length === 0 ? [IS_NULL] : given.map(([state]) => codeOf(state)));
    this.weights = new Weights(given.length === 0 ? [1] : given.map(([, level]) => shareOf(level)));
    this.only = this.codes.length === 1 ? this.codes[0]! : 0;
    this.isString = value?.of === 'string';
    // An element of a list has no name that the quote could stand behind.
    this.isAlways = this.only === IS_VALUE && !isElement;
    const prefix = encoded(`,${jsonOfText(name)}:${this.isAlways && this.isString ? '"' : ''}`);
    this.prefix = store.add(prefix);
    this.prefixLength = prefix.length;
    this.yes = yes === undefined ? 0 : shareOf(yes);
    const counts: [number, number][] = lengths.length === 0 ? [[0, 0]] : lengths;
    this.lengths = Int32Array.from(counts, ([length]) => Math.min(LONGEST_LIST, countOf(length)));
    this.lengthWeights = new Weights(counts.map(([, level]) => shareOf(level)));
  }

  drawState(dice: Dice): StateCode {
    return this.only !== 0 ? this.only : this.codes[this.weights.draw(dice)]!;
  }
}

class ObjectNode {
  readonly fields: FieldNode[];
  /** Which fields stand together, by their places. */
  readonly shapes: Int32Array[];
  private readonly weights: Weights;
  /** Of the document that is being made. */
  shape: Int32Array;
  /** Its fields are always values, and it has few shapes: what it looks like in each is known before. */
  readonly isFixed: boolean;

  constructor({ fields, shapes }: ProfiledObject, store: Store) {
    this.fields = fields.map((field) => new FieldNode(field, store));
    const given = shapes.length === 0 ? ([[0, []]] as [number, number[]][]) : shapes;
    this.shapes = given.map(([, places]) => Int32Array.from(places));
    this.weights = new Weights(given.map(([level]) => shareOf(level)));
    this.shape = this.shapes[0]!;
    this.isFixed =
      this.shapes.length <= MOST_LAYOUTS &&
      this.shapes.every((shape) => shape.every((place) => this.fields[place]!.isAlways));
  }

  drawShape(dice: Dice): Int32Array {
    return this.shapes[this.drawShapeNumber(dice)]!;
  }

  drawShapeNumber(dice: Dice): number {
    return this.weights.draw(dice);
  }
}

/** Of documents of one shape. */
interface Layout {
  document: FixedDocument;
  /** Values that come again, and others, that they have. */
  repeated: readonly RepeatedValue[];
  others: readonly FieldValue[];
}

/** A value that comes again in documents that are laid out. */
interface Column {
  value: RepeatedValue;
  /** In the order in which values are drawn. */
  place: number;
  /** By shape, 1 where it is there; null where it always is. */
  there: Uint8Array | null;
}

export interface DocumentSetting {
  /** Before and behind each document. */
  before: string;
  after: string;
  seed: number;
  share: { index: number; of: number };
  /** `now`: documents have the time at which they are made. `learned`: as the clock of the profile goes from one to the next. */
  time: 'now' | 'learned';
  /** ms since the epoch, of the first document. */
  from: number;
}

/** The same seed makes the same documents. Allocates nothing for one. */
export class ProfileDocuments {
  /** Where documents are made that may be longer than a batch makes room for. */
  private readonly apart = new Batch();
  private readonly isShort: boolean;
  /** No document is longer, bytes. */
  private readonly longest: number;
  private readonly store = new Store();
  /** What stands before and behind a document. */
  private readonly around: Rows;
  private readonly words: Rows;
  private readonly root: ObjectNode;
  private readonly dice: Dice;
  private readonly clock: { ms: number };
  private readonly order: FieldNode[];
  private readonly sessions: Sessions | null;
  /** By shape; null where only its drawing tells what a document looks like. */
  private readonly layouts: readonly Layout[] | null;
  private readonly columns: Column[] = [];
  private readonly nodes: FieldNode[];
  private readonly gaps: Int32Array;
  private readonly gapWeights: Weights;
  private readonly isLearnedTime: boolean;
  private readonly step: number;
  private newest: number;
  /** Times that were there: by their place, and of the last documents. */
  private readonly known = new Float64Array(KNOWN_TIMES).fill(-1);
  private readonly lately = new Float64Array(LATELY);
  /** Share of documents with a time of their own, and how many had one. */
  private readonly ownTimes: number;
  private owned = 0;
  private document = 0;
  /** Of documents that are drawn together: how many of them are made, and which values are as their sessions had them last. */
  private taken = AT_ONCE;
  private readonly masks: Uint8Array[] = [];
  private readonly shapes = new Uint8Array(AT_ONCE);
  /** Documents in lists have numbers of their own: their values are drawn when they are written. */
  private inList = -2;

  constructor(profile: Profile, { before, after, seed, share, time, from }: DocumentSetting) {
    const { store } = this;
    this.around = new Rows(store, [encoded(before), encoded(after)]);
    this.words = new Rows(store, WORDS);
    this.dice = new Dice(createRandom(deriveSeed(seed, 'documents')));
    this.clock = { ms: from };
    this.newest = from;
    this.step = CLOCK_STEPS[profile.step]!;
    this.isLearnedTime = time === 'learned';
    this.ownTimes = profile.times === undefined ? -1 : shareOf(profile.times);
    this.root = new ObjectNode(profile.root, store);
    // Values themselves are the same in all threads of a load: what differs is which of them come when.
    const words = new Dice(createRandom(deriveSeed(1, 'profile')));
    const profiled = slotsOf(profile.root);
    const nodes = slotNodes(this.root, store);
    const session = { slots: new Int32Array(AT_ONCE), goesOn: new Uint8Array(AT_ONCE) };
    const surroundings: Surroundings = {
      dice: words,
      share,
      clock: this.clock,
      session,
      store,
      common: new Map(),
      valueAt: (place) => nodes[place]!.value!,
    };
    const order = drawOrder(profile.root);
    for (const place of order) nodes[place]!.value = fieldValue(profiled[place]!.value!, surroundings);
    this.nodes = nodes;
    this.order = order.map((place) => nodes[place]!);
    this.sessions = profile.sessions === undefined ? null : new Sessions(profile.sessions, order, session);
    for (const node of nodes) this.fillLists(node, surroundings);
    surroundings.dice = this.dice;
    this.gaps = Int32Array.from(profile.clock.length === 0 ? [0] : profile.clock.map(([gap]) => gap));
    this.gapWeights = new Weights(
      profile.clock.length === 0 ? [1] : profile.clock.map(([, level]) => shareOf(level)),
    );
    const longest = this.root.fields.reduce((sum, field) => sum + longestOf(field), 2);
    this.longest = longest + before.length * 3 + after.length * 3 + 2 * BEYOND;
    this.isShort = this.longest <= LONGEST_AT_ONCE;
    const { root } = this;
    if (!root.isFixed || !this.isShort) {
      this.layouts = null;
      return;
    }
    this.layouts = root.shapes.map((shape): Layout => {
      const fields = Array.from(shape, (at) => root.fields[at]!);
      // In the order of draws: some hang on others.
      const values = this.order.filter((node) => fields.includes(node)).map(({ value }) => value!);
      return {
        document: new FixedDocument(fields.map(fixedField), store, { before, after }),
        repeated: values.filter((value) => value instanceof RepeatedValue),
        others: values.filter((value) => !(value instanceof RepeatedValue)),
      };
    });
    const { layouts } = this;
    for (const [place, { value }] of this.order.entries()) {
      if (!(value instanceof RepeatedValue)) continue;
      const there = Uint8Array.from(layouts, ({ repeated }) => (repeated.includes(value) ? 1 : 0));
      this.columns.push({ value, place, there: there.includes(0) ? there : null });
    }
  }

  /** The time of the documents that follow, where theirs is that of their making. */
  setTime(now: number): void {
    if (!this.isLearnedTime) this.clock.ms = Math.floor(now / this.step) * this.step;
  }

  /** Appends one document to `batch`. */
  make(batch: Batch): void {
    this.document += 1;
    if (this.isLearnedTime) this.advance();
    if (this.layouts !== null) {
      this.makeLaidOut(batch, this.layouts);
      return;
    }
    this.drawPresent();
    if (this.isShort) {
      batch.reserve(this.longest);
      batch.begin();
      batch.length = this.write(batch, batch.length);
      return;
    }
    const { apart } = this;
    apart.length = this.write(apart, 0);
    batch.reserve(apart.length);
    batch.begin();
    apart.bytes.copy(batch.bytes, batch.length, 0, apart.length);
    batch.length += apart.length;
    apart.length = 0;
  }

  /** Which values of the document of that row are as its session had them last. */
  private kept(row: number): Uint8Array {
    return this.sessions === null ? NOTHING : this.sessions.next(row, this.dice);
  }

  /** Values that come again hang on no others but such: they are drawn for several documents at once. */
  private makeLaidOut(batch: Batch, layouts: readonly Layout[]): void {
    if (this.taken === AT_ONCE) this.drawAhead();
    const row = this.taken;
    this.taken += 1;
    const { document } = this;
    const layout = layouts[this.shapes[row]!]!;
    const { repeated, others } = layout;
    for (let i = 0; i < repeated.length; i += 1) repeated[i]!.take(row, document);
    for (let i = 0; i < others.length; i += 1) others[i]!.draw(document);
    batch.reserve(this.longest);
    batch.begin();
    batch.length = layout.document.write(batch, batch.length);
  }

  private drawAhead(): void {
    const { columns, document, masks, shapes, root } = this;
    for (let row = 0; row < AT_ONCE; row += 1) {
      masks[row] = this.kept(row);
      shapes[row] = root.drawShapeNumber(this.dice);
    }
    for (let i = 0; i < columns.length; i += 1) {
      const { value, place, there } = columns[i]!;
      value.drawColumn(document, masks, place, shapes, there);
    }
    this.taken = 0;
  }

  /** Values that the document has. */
  private drawPresent(): void {
    const { order, nodes, root, document } = this;
    const kept = this.kept(0);
    for (let i = 0; i < nodes.length; i += 1) nodes[i]!.state = 0;
    this.decide(root);
    for (let i = 0; i < order.length; i += 1) {
      const { state, value } = order[i]!;
      if (state !== IS_VALUE) continue;
      if (kept[i] === 1) value!.keep(document);
      else value!.draw(document);
    }
  }

  private write(out: Batch, from: number): number {
    const end = this.writeObject(this.root, out, this.around.write(0, out, from), false);
    return this.around.write(1, out, end);
  }

  private advance(): void {
    let ms = this.timeAfter();
    if (this.ownTimes >= 0) {
      // Gaps alone do not tell how often documents have the same time: where they come in waves, they have it more often.
      const due = this.ownTimes * this.document;
      if (!this.isKnownTime(ms) && this.owned > due + TIME_SLACK)
        ms = this.lately[this.dice.below(Math.min(this.document - 1, LATELY))]!;
      else if (this.isKnownTime(ms) && this.owned < due - TIME_SLACK) ms = this.ownTimeNear(ms);
      if (!this.isKnownTime(ms)) {
        this.owned += 1;
        this.known[this.placeOfTime(ms)] = ms;
      }
      this.lately[(this.document - 1) & (LATELY - 1)] = ms;
    }
    this.clock.ms = ms;
  }

  private timeAfter(): number {
    const gap = this.gaps[this.gapWeights.draw(this.dice)]!;
    let away = 0;
    if (gap !== 0) {
      const size = Math.abs(gap);
      const least = bucketFrom(size);
      away = least + (bucketFrom(size + 1) - least) * this.dice.unit();
    }
    if (gap > 0) this.newest += away;
    const ms = gap < 0 ? this.newest - away : this.newest;
    return Math.max(0, Math.floor(ms / this.step) * this.step);
  }

  /** The first one before it that no document has had. */
  private ownTimeNear(ms: number): number {
    for (let steps = 1; steps <= SEARCHED_TIMES; steps += 1) {
      const other = ms - steps * this.step;
      if (other >= 0 && !this.isKnownTime(other)) return other;
    }
    return ms;
  }

  private placeOfTime(ms: number): number {
    return Math.floor(ms / this.step) & (KNOWN_TIMES - 1);
  }

  private isKnownTime(ms: number): boolean {
    return this.known[this.placeOfTime(ms)] === ms;
  }

  /** Values within lists draw from streams of their own while they are made, too. */
  private fillLists(node: FieldNode, surroundings: Surroundings): void {
    const { items } = node;
    if (items === null) return;
    this.fillList(items, surroundings);
  }

  private fillList(node: FieldNode, surroundings: Surroundings): void {
    const { profiled, object, items } = node;
    if (profiled.value !== undefined) node.value = fieldValue(profiled.value, surroundings);
    if (items !== null) this.fillList(items, surroundings);
    if (object !== null) for (const field of object.fields) this.fillList(field, surroundings);
  }

  private decide(object: ObjectNode): void {
    const { dice } = this;
    const shape = object.drawShape(dice);
    object.shape = shape;
    for (let i = 0; i < shape.length; i += 1) {
      const field = object.fields[shape[i]!]!;
      field.state = field.drawState(dice);
      if (field.state === IS_OBJECT) this.decide(field.object!);
    }
  }

  /** Short documents have their room. */
  private reserve(out: Batch, at: number, more: number): void {
    if (at + more <= out.bytes.length) return;
    out.length = at;
    out.reserve(more);
  }

  private writeObject(object: ObjectNode, out: Batch, from: number, inList: boolean): number {
    let at = from;
    const { view } = this.store;
    const shape = inList ? object.drawShape(this.dice) : object.shape;
    for (let i = 0; i < shape.length; i += 1) {
      const field = object.fields[shape[i]!]!;
      const { prefix, prefixLength } = field;
      if (!this.isShort) this.reserve(out, at, prefixLength + 2 * BEYOND);
      copyWords(view, prefix, out.view, at, prefixLength);
      if (i === 0) out.bytes[at] = OPEN;
      at += prefixLength;
      const state = inList ? field.drawState(this.dice) : field.state;
      at = this.writeField(field, state, out, at, inList);
    }
    if (!this.isShort) this.reserve(out, at, 2 * BEYOND);
    if (shape.length === 0) {
      out.bytes[at] = OPEN;
      at += 1;
    }
    out.bytes[at] = CLOSE;
    return at + 1;
  }

  private writeField(field: FieldNode, state: StateCode, out: Batch, from: number, inList: boolean): number {
    let at = from;
    if (state === IS_VALUE) {
      const value = field.value!;
      if (inList) {
        this.inList -= 1;
        value.draw(this.inList);
      }
      if (!this.isShort) this.reserve(out, at, value.longest + 2 * BEYOND);
      if (!field.isString) return value.write(out, at);
      // Where it is always a text, its quote stands behind its name.
      if (!field.isAlways) {
        out.bytes[at] = QUOTE;
        at += 1;
      }
      at = value.write(out, at);
      out.bytes[at] = QUOTE;
      return at + 1;
    }
    if (state === IS_OBJECT) return this.writeObject(field.object!, out, at, inList);
    if (!this.isShort) this.reserve(out, at, 2 * BEYOND);
    if (state === IS_NULL) return this.words.write(NULL, out, at);
    if (state !== IS_LIST) return this.words.write(this.dice.unit() < field.yes ? TRUE : FALSE, out, at);
    const length = field.lengths[field.lengthWeights.draw(this.dice)]!;
    const items = field.items!;
    out.bytes[at] = OPEN_LIST;
    at += 1;
    for (let i = 0; i < length; i += 1) {
      this.reserve(out, at, 2 * BEYOND);
      if (i > 0) {
        out.bytes[at] = COMMA;
        at += 1;
      }
      at = this.writeField(items, items.drawState(this.dice), out, at, true);
    }
    this.reserve(out, at, 2 * BEYOND);
    out.bytes[at] = CLOSE_LIST;
    return at + 1;
  }
}

const fixedField = ({ profiled: { name }, value, isString }: FieldNode): FixedField => ({
  name,
  value: value!,
  isString,
});

/** Upper bound of what a field takes with its name, bytes; lists may be of any length. */
function longestOf({ prefixLength, value, object, items }: FieldNode): number {
  if (items !== null) return Infinity;
  const below = object?.fields.reduce((sum, field) => sum + longestOf(field), 2) ?? 0;
  return prefixLength + Math.max(8, (value?.longest ?? 0) + 2, below);
}

/** Nodes of the profile's slots, in their order; those of lists and objects are made on the way. */
function slotNodes(root: ObjectNode, store: Store): FieldNode[] {
  return root.fields.flatMap((node) => {
    complete(node, store);
    return [node, ...(node.object === null ? [] : slotNodes(node.object, store))];
  });
}

function complete(node: FieldNode, store: Store): void {
  const { object, items } = node.profiled;
  if (object !== undefined) node.object = new ObjectNode(object, store);
  if (items === undefined) return;
  node.items = new FieldNode(items, store, true);
  completeAll(node.items, store);
}

function completeAll(node: FieldNode, store: Store): void {
  complete(node, store);
  for (const field of node.object?.fields ?? []) completeAll(field, store);
}
