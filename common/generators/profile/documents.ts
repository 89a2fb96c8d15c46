/** Generates the documents of a profile: their fields, the values of these fields, and the JSON text. */
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

const LONGEST_LIST = 1000;
const NOTHING: readonly boolean[] = [];

/** A field of the profile, and what the current document has in this field. */
interface FieldNode {
  /** The field's name as a JSON string, followed by a colon. */
  prefix: string;
  states: Choice<State>;
  /** Type of the field's value in the current document (`null`, list, object, ...). Undefined if the document does not have the field. */
  state: State | undefined;
  value: FieldValue | undefined;
  /**
   * Position of the field among all fields outside of lists, as numbered by `slotsOf`. -1 for a field inside a list: such fields have no
   * position.
   */
  place: number;
  isString: boolean;
  /** Probability that a boolean value is `true`. */
  yes: number;
  lengths: Choice<number>;
  items: FieldNode | undefined;
  object: ObjectNode | undefined;
}

interface ObjectNode {
  fields: FieldNode[];
  /** Combinations of fields that occur together in a document, with their probabilities. A combination is a list of indices in `fields`. */
  shapes: Choice<readonly number[]>;
  /** Indices in `fields` of the fields that the current document has. */
  shape: readonly number[];
}

export interface DocumentSetting {
  seed: number;
  share: { index: number; of: number };
  /**
   * How the documents get their times. `now`: the time at which a document is generated. `learned`: times with the same distribution of
   * gaps as in the documents from which the profile was made.
   */
  time: 'now' | 'learned';
  /** Time of the first document, in ms since the epoch. */
  from: number;
}

/** Generates the documents of one load thread. The same seed and the same thread number (`share`) give the same documents. */
export class ProfileDocuments {
  private readonly root: ObjectNode;
  private readonly making: Making;
  private readonly sessions: Sessions | undefined;
  /**
   * All fields outside of lists whose values are texts or numbers (not objects, lists or booleans). A field comes after the fields on which
   * it depends.
   */
  private readonly valued: readonly FieldNode[];
  private readonly hasLearnedTime: boolean;
  private document = 0;
  /**
   * Number that replaces the number of the document when the value of a list element is drawn. It counts down from 0, while documents have
   * positive numbers.
   */
  private element = 0;

  constructor(profile: Profile, { seed, share, time, from }: DocumentSetting) {
    const random = createRandom(deriveSeed(seed, 'documents'));
    const slots = slotsOf(profile.root);
    const nodes = new Map<ProfiledField, FieldNode>();
    this.hasLearnedTime = time === 'learned';
    this.making = {
      vocabulary: createRandom(deriveSeed(1, 'profile')),
      random,
      share,
      clock: new Clock(profile, random, from),
      session: { slot: 0, continues: false },
      commonWords: new Map(),
      valueAt: (place) => nodes.get(slots[place]!)!.value!,
    };
    this.root = objectNode(profile.root, nodes);
    const order = drawOrder(profile.root);
    const isOutside = new Set(slots);
    const inLists = [...nodes.keys()].filter((field) => !isOutside.has(field));
    for (const field of [...order.map((place) => slots[place]!), ...inLists])
      if (field.value !== undefined) nodes.get(field)!.value = fieldValue(field.value, this.making);
    this.valued = order.map((place) => nodes.get(slots[place]!)!);
    for (const [at, place] of order.entries()) this.valued[at]!.place = place;
    this.sessions = profile.sessions && new Sessions(profile.sessions, this.making.session);
  }

  /** Generates the next document and returns it as JSON. `now`: current time, in ms since the epoch. */
  next(now: number): string {
    const { clock, random } = this.making;
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
    return this.objectText(this.root, false);
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

  private objectText(object: ObjectNode, isInList: boolean): string {
    const { random } = this.making;
    const fields = (isInList ? object.shapes.draw(random) : object.shape).map((place) => {
      const field = object.fields[place]!;
      const state = isInList ? field.states.draw(random) : field.state!;
      return field.prefix + this.valueText(field, state, isInList);
    });
    return `{${fields.join()}}`;
  }

  private valueText(field: FieldNode, state: State, isInList: boolean): string {
    if (state === 'value') {
      if (isInList) field.value!.draw((this.element -= 1));
      const text = field.value!.text();
      return field.isString ? `"${text}"` : text;
    }
    if (state === 'object') return this.objectText(field.object!, isInList);
    if (state === 'list') return this.listText(field);
    if (state === 'null') return 'null';
    return this.making.random.unit() < field.yes ? 'true' : 'false';
  }

  private listText({ lengths, items }: FieldNode): string {
    const { random } = this.making;
    const length = lengths.draw(random);
    const values = Array.from({ length }, () => this.valueText(items!, items!.states.draw(random), true));
    return `[${values.join()}]`;
  }
}

function objectNode({ fields, shapes }: ProfiledObject, nodes: Map<ProfiledField, FieldNode>): ObjectNode {
  return {
    fields: fields.map((field) => fieldNode(field, nodes)),
    shapes: new Choice(
      shapes.map(([level, places]): [readonly number[], number] => [places, level]),
      [],
    ),
    shape: [],
  };
}

/** Creates the node of a field. Adds this node and those of its inner fields to `nodes`. */
function fieldNode(field: ProfiledField, nodes: Map<ProfiledField, FieldNode>): FieldNode {
  const { name, states, lengths = [], value, yes, items, object } = field;
  const node: FieldNode = {
    prefix: `${jsonOfText(name)}:`,
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
    items: items && fieldNode(items, nodes),
    object: object && objectNode(object, nodes),
  };
  nodes.set(field, node);
  return node;
}
