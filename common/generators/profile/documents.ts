/** Makes the documents of a profile: which fields they have, what each field holds, and how it is written. */
import { jsonOfText } from '../../json/exact';
import { createRandom, deriveSeed } from '../../random';
import { Choice } from './choice';
import { Clock } from './clock';
import type { FieldValue, Making } from './field-value';
import { countOf, shareOf } from './levels';
import {
  drawOrder,
  slotsOf,
  type Profile,
  type ProfiledField,
  type ProfiledObject,
  type State,
} from './profile';
import { Sessions } from './sessions';
import { fieldValue } from './values';
import { Output, type Prepared } from './output';

const LONGEST_LIST = 1000;
const [QUOTE, OPEN, CLOSE] = [...'"{}'].map((character) => character.charCodeAt(0)) as [
  number,
  number,
  number,
];
const NOTHING: readonly boolean[] = [];

/** A field of the profile, with its state in the current document. */
interface FieldNode {
  /** What is before its value: brace or comma, name, colon. */
  firstPrefix: Prepared;
  prefix: Prepared;
  states: Choice<State>;
  /** Undefined if the current document does not have it. */
  state: State | undefined;
  value: FieldValue | undefined;
  /** In the profile; fields in lists have none. */
  place: number;
  isString: boolean;
  /** Share of truth values that are true. */
  yes: number;
  lengths: Choice<number>;
  items: FieldNode | undefined;
  object: ObjectNode | undefined;
}

interface ObjectNode {
  fields: FieldNode[];
  /** Which fields occur together, by their places. */
  shapes: Choice<readonly number[]>;
  /** Of the current document. */
  shape: readonly number[];
}

export interface DocumentSetting {
  /** What is written before and after each document. */
  before: string;
  after: string;
  seed: number;
  share: { index: number; of: number };
  /** `now`: documents have the time of their making. `learned`: their times follow each other as the learned ones did. */
  time: 'now' | 'learned';
  /** Time of the first document, ms since the epoch. */
  from: number;
}

/** The same seed and share make the same documents. */
export class ProfileDocuments {
  private readonly before: Prepared;
  private readonly after: Prepared;
  private readonly root: ObjectNode;
  private readonly making: Making;
  private readonly sessions: Sessions | undefined;
  /** Fields outside of lists that have values: each after those that it depends on. */
  private readonly valued: readonly FieldNode[];
  private readonly hasLearnedTime: boolean;
  private document = 0;
  /** Values in lists are drawn once for each element, as if it were a document of its own. */
  private element = 0;

  constructor(profile: Profile, { before, after, seed, share, time, from }: DocumentSetting) {
    const output = new Output();
    this.before = output.prepare(before);
    this.after = output.prepare(after);
    const random = createRandom(deriveSeed(seed, 'documents'));
    const slots = slotsOf(profile.root);
    const nodes = new Map<ProfiledField, FieldNode>();
    this.hasLearnedTime = time === 'learned';
    this.making = {
      output,
      vocabulary: createRandom(deriveSeed(1, 'profile')),
      random,
      share,
      clock: new Clock(profile, random, from),
      session: { slot: 0, continues: false },
      commonWords: new Map(),
      valueAt: (place) => nodes.get(slots[place]!)!.value!,
    };
    this.root = objectNode(profile.root, nodes, output);
    const order = drawOrder(profile.root);
    const isOutside = new Set(slots);
    const inLists = [...nodes.keys()].filter((field) => !isOutside.has(field));
    for (const field of [...order.map((place) => slots[place]!), ...inLists])
      if (field.value !== undefined) nodes.get(field)!.value = fieldValue(field.value, this.making);
    this.valued = order.map((place) => nodes.get(slots[place]!)!);
    for (const [at, place] of order.entries()) this.valued[at]!.place = place;
    this.sessions = profile.sessions && new Sessions(profile.sessions, this.making.session);
  }

  /** Returns the next document as JSON, valid until the next call. `now`: ms since the epoch. */
  next(now: number): Uint8Array {
    const { clock, random, output } = this.making;
    this.document += 1;
    if (this.hasLearnedTime) clock.advance();
    else clock.set(now);
    const kept = this.sessions?.continue(random) ?? NOTHING;
    for (const field of this.valued) field.state = undefined;
    this.chooseShape(this.root);
    for (const { state, value, place } of this.valued)
      if (state !== 'value') continue;
      else if (kept[place] === true) value!.keep(this.document);
      else value!.draw(this.document);
    this.before.write();
    this.writeObject(this.root, false);
    this.after.write();
    return output.take();
  }

  private chooseShape(object: ObjectNode): void {
    const { random } = this.making;
    object.shape = object.shapes.draw(random);
    for (const place of object.shape) {
      const field = object.fields[place]!;
      field.state = field.states.draw(random);
      if (field.state === 'object') this.chooseShape(field.object!);
    }
  }

  private writeObject(object: ObjectNode, isInList: boolean): void {
    const { random, output } = this.making;
    let isFirst = true;
    for (const place of isInList ? object.shapes.draw(random) : object.shape) {
      const field = object.fields[place]!;
      (isFirst ? field.firstPrefix : field.prefix).write();
      isFirst = false;
      this.writeValue(field, isInList ? field.states.draw(random) : field.state!, isInList);
    }
    if (isFirst) output.addCode(OPEN);
    output.addCode(CLOSE);
  }

  private writeValue(field: FieldNode, state: State, isInList: boolean): void {
    const { random, output } = this.making;
    if (state === 'value') {
      if (isInList) field.value!.draw((this.element -= 1));
      if (field.isString) output.addCode(QUOTE);
      field.value!.write();
      if (field.isString) output.addCode(QUOTE);
    } else if (state === 'object') this.writeObject(field.object!, isInList);
    else if (state === 'list') this.writeList(field);
    else if (state === 'null') output.add('null');
    else output.add(random.unit() < field.yes ? 'true' : 'false');
  }

  private writeList({ lengths, items }: FieldNode): void {
    const { random, output } = this.making;
    const length = lengths.draw(random);
    output.add('[');
    for (let at = 0; at < length; at += 1) {
      if (at > 0) output.add(',');
      this.writeValue(items!, items!.states.draw(random), true);
    }
    output.add(']');
  }
}

function objectNode(
  { fields, shapes }: ProfiledObject,
  nodes: Map<ProfiledField, FieldNode>,
  output: Output,
): ObjectNode {
  return {
    fields: fields.map((field) => fieldNode(field, nodes, output)),
    shapes: new Choice(
      shapes.map(([level, places]): [readonly number[], number] => [places, level]),
      [],
    ),
    shape: [],
  };
}

/** `nodes`: gets the node, and those of the fields in it. */
function fieldNode(field: ProfiledField, nodes: Map<ProfiledField, FieldNode>, output: Output): FieldNode {
  const { name, states, lengths = [], value, yes, items, object } = field;
  const node: FieldNode = {
    firstPrefix: output.prepare(`{${jsonOfText(name)}:`),
    prefix: output.prepare(`,${jsonOfText(name)}:`),
    states: new Choice(Object.entries(states) as [State, number][], 'null'),
    state: undefined,
    value: undefined,
    place: -1,
    isString: value?.of === 'string',
    yes: yes === undefined ? 0 : shareOf(yes),
    lengths: new Choice(
      lengths.map(([length, level]): [number, number] => [Math.min(LONGEST_LIST, countOf(length)), level]),
      0,
    ),
    items: items && fieldNode(items, nodes, output),
    object: object && objectNode(object, nodes, output),
  };
  nodes.set(field, node);
  return node;
}
