/** Documents of a profile as bytes: which fields there are, what each holds, and how it is written. */
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
import { copy } from './chain-text';
import { Dice, Weights } from './dice';
import { fieldValue, type FieldValue, type Surroundings } from './values';

const encoded = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN = 123;
const CLOSE = 125;
const NULL = encoded('null');
const TRUE = encoded('true');
const FALSE = encoded('false');
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
  readonly prefix: Uint8Array;
  readonly isString: boolean;
  readonly yes: number;
  private readonly only: StateCode;
  private readonly codes: Int32Array;
  private readonly weights: Weights;

  constructor(readonly profiled: ProfiledField) {
    const { name, states, lengths = [], value, yes } = profiled;
    const given = Object.entries(states) as [State, number][];
    this.prefix = encoded(`${JSON.stringify(name)}:`);
    this.codes = Int32Array.from(given.length === 0 ? [IS_NULL] : given.map(([state]) => codeOf(state)));
    this.weights = new Weights(given.length === 0 ? [1] : given.map(([, level]) => shareOf(level)));
    this.only = this.codes.length === 1 ? this.codes[0]! : 0;
    this.isString = value?.of === 'string';
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
  private readonly shapes: Int32Array[];
  private readonly weights: Weights;

  constructor({ fields, shapes }: ProfiledObject) {
    this.fields = fields.map((field) => new FieldNode(field));
    const given = shapes.length === 0 ? ([[0, []]] as [number, number[]][]) : shapes;
    this.shapes = given.map(([, places]) => Int32Array.from(places));
    this.weights = new Weights(given.map(([level]) => shareOf(level)));
  }

  drawShape(dice: Dice): Int32Array {
    return this.shapes[this.weights.draw(dice)]!;
  }
}

export interface DocumentSetting {
  seed: number;
  share: { index: number; of: number };
  /** `now`: documents have the time at which they are made. `learned`: as the clock of the profile goes from one to the next. */
  time: 'now' | 'learned';
  /** ms since the epoch, of the first document. */
  from: number;
}

/** The same seed makes the same documents. Allocates nothing for one. */
export class ProfileDocuments {
  bytes: Buffer = Buffer.allocUnsafeSlow(64 * 1024);
  private readonly root: ObjectNode;
  private readonly dice: Dice;
  private readonly clock: { ms: number };
  private readonly order: FieldNode[];
  private readonly nodes: FieldNode[];
  private readonly gaps: Int32Array;
  private readonly gapWeights: Weights;
  private readonly isLearnedTime: boolean;
  private readonly step: number;
  private newest: number;
  private document = 0;
  /** Documents in lists have numbers of their own: their values are drawn when they are written. */
  private inList = -2;
  private readonly shapes: (Int32Array | null)[];
  private readonly objectPlaces = new Map<ObjectNode, number>();

  constructor(profile: Profile, { seed, share, time, from }: DocumentSetting) {
    this.dice = new Dice(createRandom(deriveSeed(seed, 'documents')));
    this.clock = { ms: from };
    this.newest = from;
    this.step = CLOCK_STEPS[profile.step]!;
    this.isLearnedTime = time === 'learned';
    this.root = new ObjectNode(profile.root);
    // Values themselves are the same in all threads of a load: what differs is which of them come when.
    const words = new Dice(createRandom(deriveSeed(1, 'profile')));
    const profiled = slotsOf(profile.root);
    const nodes = slotNodes(this.root);
    const surroundings: Surroundings = {
      dice: words,
      share,
      clock: this.clock,
      valueAt: (place) => nodes[place]!.value!,
    };
    const order = drawOrder(profile.root);
    for (const place of order) nodes[place]!.value = fieldValue(profiled[place]!.value!, surroundings);
    this.nodes = nodes;
    this.order = order.map((place) => nodes[place]!);
    for (const node of nodes) this.fillLists(node, surroundings);
    surroundings.dice = this.dice;
    this.gaps = Int32Array.from(profile.clock.length === 0 ? [0] : profile.clock.map(([gap]) => gap));
    this.gapWeights = new Weights(
      profile.clock.length === 0 ? [1] : profile.clock.map(([, level]) => shareOf(level)),
    );
    const objects = [this.root, ...nodes.flatMap(({ object }) => (object === null ? [] : [object]))];
    this.shapes = objects.map(() => null);
    for (const [at, object] of objects.entries()) this.objectPlaces.set(object, at);
  }

  /** The time of the documents that follow, where theirs is that of their making. */
  setTime(now: number): void {
    if (!this.isLearnedTime) this.clock.ms = Math.floor(now / this.step) * this.step;
  }

  /** Makes one document at the beginning of {@link bytes}; returns its length. */
  make(): number {
    this.document += 1;
    if (this.isLearnedTime) this.advance();
    const { order, nodes } = this;
    for (let i = 0; i < nodes.length; i += 1) nodes[i]!.state = 0;
    this.decide(this.root);
    for (let i = 0; i < order.length; i += 1) {
      const node = order[i]!;
      if (node.state === IS_VALUE) node.value!.draw(this.document);
    }
    return this.writeObject(this.root, 0, false);
  }

  private advance(): void {
    const gap = this.gaps[this.gapWeights.draw(this.dice)]!;
    let away = 0;
    if (gap !== 0) {
      const size = Math.abs(gap);
      const least = bucketFrom(size);
      away = least + (bucketFrom(size + 1) - least) * this.dice.unit();
    }
    if (gap > 0) this.newest += away;
    const ms = gap < 0 ? this.newest - away : this.newest;
    this.clock.ms = Math.max(0, Math.floor(ms / this.step) * this.step);
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
    this.shapes[this.objectPlaces.get(object)!] = shape;
    for (let i = 0; i < shape.length; i += 1) {
      const field = object.fields[shape[i]!]!;
      field.state = field.drawState(dice);
      if (field.state === IS_OBJECT) this.decide(field.object!);
    }
  }

  private reserve(at: number, more: number): void {
    if (at + more <= this.bytes.length) return;
    const bytes = Buffer.allocUnsafeSlow(Math.max(at + more, this.bytes.length * 2));
    bytes.set(this.bytes);
    this.bytes = bytes;
  }

  private writeObject(object: ObjectNode, from: number, inList: boolean): number {
    let at = from;
    this.reserve(at, 2);
    this.bytes[at] = OPEN;
    at += 1;
    const shape = inList ? object.drawShape(this.dice) : this.shapes[this.objectPlaces.get(object)!]!;
    for (let i = 0; i < shape.length; i += 1) {
      const field = object.fields[shape[i]!]!;
      this.reserve(at, field.prefix.length + 8);
      if (i > 0) {
        this.bytes[at] = COMMA;
        at += 1;
      }
      at = copy(field.prefix, this.bytes, at);
      at = this.writeField(field, inList ? field.drawState(this.dice) : field.state, at, inList);
    }
    this.reserve(at, 2);
    this.bytes[at] = CLOSE;
    return at + 1;
  }

  private writeField(field: FieldNode, state: StateCode, from: number, inList: boolean): number {
    let at = from;
    if (state === IS_VALUE) {
      const value = field.value!;
      if (inList) {
        this.inList -= 1;
        value.draw(this.inList);
      }
      this.reserve(at, value.longest + 4);
      const { bytes } = this;
      if (!field.isString) return value.write(bytes, at);
      bytes[at] = QUOTE;
      at = value.write(bytes, at + 1);
      bytes[at] = QUOTE;
      return at + 1;
    }
    if (state === IS_OBJECT) return this.writeObject(field.object!, at, inList);
    this.reserve(at, 8);
    if (state === IS_NULL) return copy(NULL, this.bytes, at);
    if (state !== IS_LIST) return copy(this.dice.unit() < field.yes ? TRUE : FALSE, this.bytes, at);
    const length = field.lengths[field.lengthWeights.draw(this.dice)]!;
    const items = field.items!;
    this.bytes[at] = OPEN_LIST;
    at += 1;
    for (let i = 0; i < length; i += 1) {
      this.reserve(at, 8);
      if (i > 0) {
        this.bytes[at] = COMMA;
        at += 1;
      }
      at = this.writeField(items, items.drawState(this.dice), at, true);
    }
    this.reserve(at, 2);
    this.bytes[at] = CLOSE_LIST;
    return at + 1;
  }
}

/** Nodes of the profile's slots, in their order; those of lists and objects are made on the way. */
function slotNodes(root: ObjectNode): FieldNode[] {
  return root.fields.flatMap((node) => {
    complete(node);
    return [node, ...(node.object === null ? [] : slotNodes(node.object))];
  });
}

function complete(node: FieldNode): void {
  const { object, items } = node.profiled;
  if (object !== undefined) node.object = new ObjectNode(object);
  if (items === undefined) return;
  node.items = new FieldNode(items);
  completeAll(node.items);
}

function completeAll(node: FieldNode): void {
  complete(node);
  for (const field of node.object?.fields ?? []) completeAll(field);
}
