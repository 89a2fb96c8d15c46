/**
 * Learns a profile from documents, one at a time. Original values are in memory only while the profile is being learned. The profile
 * contains only counts, lengths and buckets of the values (profile.ts). The maximum number of documents limits the memory.
 */
import {
  exactText,
  heldString,
  markedToken,
  parsePlain,
  plainKey,
  plainValue,
  stringifyPlain,
} from '../../common/json/exact';
import { inputError, showValue } from '../../common/problem';
import {
  bucketOf,
  countLevel,
  HIGHEST_LEVEL,
  levelsOf,
  shareLevel,
} from '../../common/generators/profile/levels';
import { learnChain, shareWords, type LearnedChain } from './chain';
import { LEAST_FREQUENT } from '../../common/generators/profile/repeated-value';
import { drawOf, parentsOf, type Column, type Parents } from './draws';
import { KEPT_FROM } from '../../common/generators/profile/kept-from';
import { learnSessions, type LearnedSessions } from './sessions';
import {
  CLOCK_STEPS,
  PROFILE_VERSION,
  type Profile,
  type ProfiledField,
  type ProfiledObject,
  type ProfiledValue,
  type State,
  type Weighted,
} from '../../common/generators/profile/profile';
import { TIME_FORMS, timeIn } from '../../common/generators/profile/times';
import { MOST_REFERENCES, referenceMark, timeMark, wordsOf } from '../../common/generators/profile/words';

type Properties = Readonly<Record<string, unknown>>;

export interface LearnSetting {
  /** Maximum number of documents. */
  documents: number;
  from: 'index' | 'file';
  /** Mapping of the index; `{}` if it is unknown. */
  mapping: Properties;
  settings: Properties;
  /** Fields whose original values the profile may contain, if at least `keepFrom` documents have the value. */
  keep: ReadonlySet<string>;
  keepFrom?: number;
}

export interface KeptValues {
  field: string;
  kept: number;
  made: number;
}

/** Facts about the whole index, including documents that were not read. */
export interface WholeFacts {
  documents: number;
  /** Number of distinct values of each field. */
  distinct: ReadonlyMap<string, number>;
}

/** Number of first documents from which Dyno determines which text fields contain values of other fields. */
const LOOKED_AT = 1000;
const MOST_SHAPES = 64;
/** Maximum number of fields in a profile. */
const MOST_FIELDS = HIGHEST_LEVEL;
/** Maximum number of fields whose values are searched for in the texts of other fields. */
const MOST_COMPARED = 60;
const SHORTEST_REFERENCE = 3;
/**
 * A text field contains the value of another field regularly if this is true in at least this share of documents. Only documents that have
 * both fields count.
 */
const HOLDS = 0.5;
/** Possible resolutions of a clock, besides 1 ms: seconds, minutes, hours and days, in ms. */
const TIME_STEPS = CLOCK_STEPS.slice(1);
/** Maximum number of characters of a text that are analysed. */
const LONGEST_TEXT = 20_000;

const asObject = (value: unknown): Properties | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Properties) : undefined;

const add = <Key>(counts: Map<Key, number>, key: Key, count = 1): void => {
  counts.set(key, (counts.get(key) ?? 0) + count);
};

const weightedOf = (counts: ReadonlyMap<number, number>, most = 2000): Weighted => {
  const entries = [...counts].sort(([, a], [, b]) => b - a).slice(0, most);
  const levels = levelsOf(entries.map(([, count]) => count));
  return entries.map(([what], at): [number, number] => [what, levels[at]!]).sort(([a], [b]) => a - b);
};

/**
 * Returns the number of the bucket for a number. Buckets group numbers of similar absolute value. The result is negative for a negative
 * number and 0 for 0.
 */
const signedBucket = (value: number): number =>
  value === 0 ? 0 : Math.sign(value) * Math.max(1, bucketOf(Math.abs(value)));

/** Returns the type that the mapping contains for a field; undefined if it contains none. */
export function typeIn(mapping: Properties, path: readonly string[]): string | undefined {
  let own: Properties | undefined = mapping;
  // Names may contain dots, both in documents and in mappings.
  const parts = path.flatMap((name) => name.split('.'));
  for (let at = 0; at < parts.length; at += 1) {
    const properties: Properties | undefined = asObject(own?.['properties']);
    for (let until = at + 1; until <= parts.length; until += 1) {
      const found = asObject(properties?.[parts.slice(at, until).join('.')]);
      if (found === undefined) continue;
      own = found;
      at = until - 1;
      break;
    }
    if (own === undefined) return undefined;
  }
  return typeof own?.['type'] === 'string' ? own['type'] : undefined;
}

/** Types of fields that Dyno cannot generate. Such fields are left out, and `dyno learn` lists them. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'geo_shape', 'shape', 'point', 'percolator', 'join', 'completion', 'alias', 'integer_range', 'long_range', 'float_range',
  'double_range', 'date_range', 'ip_range', 'sparse_vector', 'semantic_text', 'histogram', 'aggregate_metric_double',
  'rank_vectors', 'binary', 'version', 'unsigned_long', 'constant_keyword', 'token_count', 'geo_point',
]); // oxfmt-ignore

/** Types of fields that are objects with arbitrary keys. The keys come from the user's data, so a profile does not contain them. */
const NAMES_ARE_VALUES: ReadonlySet<string> = new Set(['flattened', 'rank_features']);

const tooLarge = (path: readonly string[], value: unknown): Error =>
  inputError('learn.number', path.join('.'), 'is too large for Elasticsearch and for Dyno', {
    found: showValue(value),
    allowed: 'numbers up to 1.8e308',
  });

class FieldStats {
  readonly states = new Map<State, number>();
  readonly lengths = new Map<number, number>();
  yes = 0;
  items: FieldStats | undefined;
  object: ObjectStats | undefined;
  readonly column: Column = {
    ...{ ids: [], places: [], texts: [], counts: [], documents: [], last: [] },
    numbers: new Map(),
  };
  /** Original values that JavaScript would format differently than the documents do, such as long numbers. Key: text of the value. */
  readonly written = new Map<string, string | number>();
  /** Number of original values of this field that the profile contains. Absent if original values were not requested. */
  keptValues?: number;
  strings = 0;
  numbers = 0;

  constructor(
    readonly name: string,
    readonly path: readonly string[],
    readonly type: string | undefined,
    readonly inList: boolean,
  ) {}
}

class ObjectStats {
  readonly fields = new Map<string, FieldStats>();
  readonly shapes = new Map<string, number>();
}

/** A field whose value occurs in a text of another field. `beside`: the characters before and after the value in most of these texts. */
interface Held {
  field: FieldStats;
  beside: string;
}

/** A value of a document that is not an element of a list. */
interface Leaf {
  field: FieldStats;
  text: string;
}

/** Formats of times in a text. The longest formats come first, because a format with milliseconds begins like the one without. */
const LONGEST_FIRST = [...TIME_FORMS.entries()]
  .filter(([, { name }]) => name !== 'day' && name !== 'epoch-seconds')
  .sort(([, a], [, b]) => b.text(0).length - a.text(0).length);

export class Learner {
  private readonly root = new ObjectStats();
  /** Paths of fields whose types are not supported. */
  private readonly without = new Set<string>();
  /** Paths of fields that were removed because a profile has a maximum number of fields. */
  private readonly pruned = new Set<string>();
  private buffered: { document: Properties; begins: boolean }[] | null = [];
  private documents = 0;
  private bytes = 0;
  private time: FieldStats | undefined;
  private newest: number | null = null;
  private times = 0;
  private readonly differentTimes = new Set<number>();
  private readonly steps = new Map<number, number>();
  private readonly gaps = new Map<number, number>();
  private readonly offsets = new Map<FieldStats, Map<number, number>>();
  /** For each text field: the other fields whose values occur in its texts. */
  private holds = new Map<FieldStats, Held[]>();
  private begins = true;
  private renamed = 0;

  constructor(private readonly setting: LearnSetting) {}

  get count(): number {
    return this.documents + (this.buffered?.length ?? 0);
  }

  /**
   * For each field whose original values may be in the profile: the numbers of original and of generated values. Complete only after {@link
   * finish}.
   */
  get kept(): KeptValues[] {
    return [...this.allFields(this.root)]
      .filter(({ keptValues }) => keptValues !== undefined)
      .map(({ path, column, keptValues }) => ({
        field: path.join('.'),
        kept: keptValues!,
        made: column.texts.length - keptValues!,
      }));
  }

  private *allFields({ fields }: ObjectStats): Generator<FieldStats> {
    for (const field of fields.values()) {
      yield field;
      for (let items = field.items; items !== undefined; items = items.items) {
        yield items;
        if (items.object !== undefined) yield* this.allFields(items.object);
      }
      if (field.object !== undefined) yield* this.allFields(field.object);
    }
  }

  /** Fields that generated documents will not have, grouped by the reason. */
  get leftOut(): { reason: string; fields: string[] }[] {
    return [
      { reason: 'Dyno cannot generate values of these types', fields: [...this.without].sort() },
      {
        reason: `a profile contains at most ${MOST_FIELDS} fields, and these are the rarest`,
        fields: [...this.pruned].sort(),
      },
    ].filter(({ fields }) => fields.length > 0);
  }

  /** Marks a gap in the sample: the next document does not directly follow the previous one in the file or index. */
  beginStretch(): void {
    this.begins = true;
  }

  /** Learns from a document. `bytes`: size of the document as it was read. */
  observe(document: Properties, bytes: number): void {
    this.bytes += bytes;
    const { begins } = this;
    this.begins = false;
    if (this.buffered === null) this.learn(document, begins);
    else {
      this.buffered.push({ document, begins });
      if (this.buffered.length >= LOOKED_AT) this.lookAt();
    }
  }

  finish(whole?: WholeFacts): Profile {
    this.lookAt();
    this.prune();
    const slots = [...this.slots(this.root)];
    const places = new Map(slots.map((field, at) => [field, at]));
    const valued = slots.filter(({ column }) => column.ids.length > 0);
    // A text that contains values of other fields cannot be a parent, because it only repeats the information in those fields.
    const parents = parentsOf(
      valued
        .filter((field) => !this.holds.has(field) && field !== this.time && field.column.isTime !== true)
        .map(({ column }) => column),
      valued.filter((field) => this.holds.has(field)).map(({ column }) => column),
    );
    const fieldOfColumn = new Map(valued.map((field) => [field.column, field]));
    const placeOf = (column: Column): number => places.get(fieldOfColumn.get(column)!)!;
    const sessions = learnSessions(
      valued
        .filter((field) => field !== this.time && field.column.isTime !== true)
        .map(({ column }) => column)
        .filter(({ texts, ids }) => texts.length > 1 && texts.length <= ids.length / 2),
      this.documents,
      parents,
      placeOf,
    );
    const context: Finish = { placeOf, parents, isKept: sessions.isKept, chains: [], whole };
    const root = this.objectOf(this.root, context);
    shareWords(context.chains);
    return {
      version: PROFILE_VERSION,
      learned: {
        from: this.setting.from,
        documents: countLevel(this.documents),
        total: countLevel(whole?.documents ?? this.documents),
        bytes: countLevel(this.bytes / Math.max(1, this.documents)),
      },
      mapping: { ...this.setting.mapping },
      settings: { ...this.setting.settings },
      ...(this.setting.keep.size === 0
        ? {}
        : { keeps: { fields: [...this.setting.keep].sort(), from: this.setting.keepFrom ?? KEPT_FROM } }),
      clock: weightedOf(this.gaps, 300),
      ...(this.times === 0 ? {} : { times: shareLevel(this.differentTimes.size / this.times) }),
      step:
        TIME_STEPS.findLastIndex((step) => (this.steps.get(step) ?? 0) === this.times && this.times > 0) + 1,
      ...(sessions.sessions === undefined ? {} : { sessions: sessions.sessions }),
      root,
    };
  }

  /** Removes the rarest fields if there are more fields than a profile may have. A field to which other fields refer is not removed. */
  private prune(): void {
    const all = [...this.allFields(this.root)].filter(({ name }) => name !== '');
    if (all.length <= MOST_FIELDS) return;
    const needed = [
      ...[...this.holds].flatMap(([holder, held]) => [holder, ...held.map(({ field }) => field)]),
      ...(this.time === undefined ? [] : [this.time]),
    ].map(({ path }) => path);
    // Objects that contain a needed field are needed too.
    const isNeeded = ({ path }: FieldStats): boolean =>
      needed.some((own) => path.every((name, at) => own[at] === name));
    const times = ({ states }: FieldStats): number =>
      [...states.values()].reduce((sum, count) => sum + count, 0);
    const ranks = new Map(all.map((field) => [field, isNeeded(field) ? Infinity : times(field)]));
    const rank = (field: FieldStats): number => ranks.get(field)!;
    // If an object is as frequent as its fields, it comes before them in the order, so that it is kept before them.
    const kept = new Set(
      all
        .toSorted(
          (one, other) =>
            (rank(other) === rank(one) ? 0 : rank(other) - rank(one)) || one.path.length - other.path.length,
        )
        .slice(0, MOST_FIELDS),
    );
    const visit = ({ fields }: ObjectStats): void => {
      for (const [name, field] of fields) {
        if (!kept.has(field)) {
          this.pruned.add(field.path.join('.'));
          fields.delete(name);
          continue;
        }
        for (let own: FieldStats | undefined = field; own !== undefined; own = own.items)
          if (own.object !== undefined) visit(own.object);
      }
    };
    visit(this.root);
  }

  private *slots({ fields }: ObjectStats): Generator<FieldStats> {
    for (const field of fields.values()) {
      yield field;
      if (field.object !== undefined) yield* this.slots(field.object);
    }
  }

  /**
   * Analyses the first documents. Determines which field contains the time of a document, and which texts contain values of other fields.
   */
  private lookAt(): void {
    if (this.buffered === null) return;
    const { buffered } = this;
    this.buffered = null;
    const probe = new Learner({ ...this.setting });
    probe.buffered = null;
    const all = buffered.map(({ document }) => {
      const leaves: Leaf[] = [];
      probe.visitObject(document, probe.root, [], false, leaves);
      return leaves;
    });
    const timeField = findTime(all);
    const holds = findHolders(all, timeField);
    const own = new Map<string, FieldStats>();
    const ownOf = (field: FieldStats): FieldStats => {
      const key = field.path.join('\u0000');
      const known = own.get(key) ?? this.fieldAt(field.path);
      own.set(key, known);
      return known;
    };
    // The fields are created in the order of the documents.
    for (const leaves of all) for (const { field } of leaves) ownOf(field);
    this.time = timeField === undefined ? undefined : ownOf(timeField);
    this.holds = new Map(
      [...holds].map(([field, held]) => [
        ownOf(field),
        held.map(({ field: other, beside }) => ({ field: ownOf(other), beside })),
      ]),
    );
    for (const { document, begins } of buffered) this.learn(document, begins);
  }

  private fieldAt(path: readonly string[]): FieldStats {
    let object = this.root;
    let field: FieldStats | undefined;
    for (let at = 0; at < path.length; at += 1) {
      if (field !== undefined) object = field.object ??= new ObjectStats();
      field = this.fieldOf(object, path[at]!, path.slice(0, at), false);
    }
    return field!;
  }

  private fieldOf(object: ObjectStats, name: string, above: readonly string[], inList: boolean): FieldStats {
    const known = object.fields.get(name);
    if (known !== undefined) return known;
    const path = [...above, name];
    const made = new FieldStats(name, path, typeIn(this.setting.mapping, path), inList);
    object.fields.set(name, made);
    return made;
  }

  private learn(document: Properties, begins: boolean): void {
    const leaves: Leaf[] = [];
    this.visitObject(document, this.root, [], false, leaves);
    const { time } = this;
    const texts = new Map(leaves.map(({ field, text }) => [field, text]));
    const now = time === undefined ? undefined : timeIn(texts.get(time) ?? '', true)?.ms;
    if (now !== undefined) {
      if (this.newest !== null && !begins) add(this.gaps, signedBucket(now - this.newest));
      this.newest = begins || this.newest === null ? now : Math.max(now, this.newest);
      this.times += 1;
      this.differentTimes.add(now);
      for (const step of TIME_STEPS) if (now % step === 0) add(this.steps, step);
    }
    for (const { field, text } of leaves) {
      if (field === time) {
        this.keep(field, text);
        continue;
      }
      const ownTime = timeIn(text, field.type === 'date');
      if (ownTime !== undefined && now !== undefined && field.column.isTime !== false) {
        field.column.isTime = true;
        const offsets = this.offsets.get(field) ?? new Map<number, number>();
        this.offsets.set(field, offsets);
        const offset = ownTime.ms - now;
        add(offsets, Math.abs(offset) < TIME_FORMS[ownTime.form]!.step ? 0 : signedBucket(offset));
      }
      const held = this.holds.get(field);
      this.keep(field, held === undefined ? text : this.withMarks(text, held, texts, now));
    }
    this.documents += 1;
  }

  /** Returns the text with placeholders for the values of other fields. A placeholder is one character that refers to the field. */
  private withMarks(
    text: string,
    held: readonly Held[],
    texts: ReadonlyMap<FieldStats, string>,
    now: number | undefined,
  ): string {
    let marked = text;
    if (now !== undefined && this.time !== undefined)
      for (const [at, form] of LONGEST_FIRST) marked = replaceWhole(marked, form.text(now), timeMark(at));
    for (const [at, { field, beside }] of held.entries()) {
      const value = texts.get(field);
      if (value !== undefined && value !== '')
        marked = replaceWhole(marked, value, referenceMark(at), beside);
    }
    return marked;
  }

  private keep(field: FieldStats, text: string): void {
    const { column } = field;
    const known = column.numbers.get(text);
    const id = known ?? column.texts.length;
    if (known === undefined) {
      column.numbers.set(text, id);
      column.texts.push(text);
      column.counts.push(0);
      column.documents.push(0);
      column.last.push(-1);
    }
    column.counts[id]! += 1;
    if (column.last[id] !== this.documents) column.documents[id]! += 1;
    column.last[id] = this.documents;
    column.ids.push(id);
    column.places.push(field.inList ? column.places.length : this.documents);
  }

  private visitObject(
    object: Properties,
    stats: ObjectStats,
    above: readonly string[],
    inList: boolean,
    leaves: Leaf[],
    renames = false,
  ): void {
    const present: string[] = [];
    for (const [written, value] of Object.entries(object)) {
      const key = plainKey(written);
      const name = renames ? this.madeName(stats, key) : key;
      const field = this.fieldOf(stats, name, above, inList);
      const isPoint = field.type === 'geo_point' && asObject(value) !== undefined;
      if (field.type !== undefined && LEFT_OUT.has(field.type) && !isPoint) {
        this.without.add(field.path.join('.'));
        stats.fields.delete(name);
        continue;
      }
      present.push(name);
      this.visit(value, field, leaves, renames);
    }
    add(stats.shapes, stringifyPlain(present));
  }

  /**
   * Returns a name such as `key1` for a key of an object. It is used if the keys are data that the profile must not contain. The same key
   * always gets the same name.
   */
  private madeName(stats: ObjectStats & { names?: Map<string, string> }, key: string): string {
    const names = (stats.names ??= new Map());
    const known = names.get(key) ?? `key${(this.renamed += 1)}`;
    names.set(key, known);
    return known;
  }

  private visit(value: unknown, field: FieldStats, leaves: Leaf[], renames: boolean): void {
    const count = (state: State): void => add(field.states, state);
    if (value === null || value === undefined) count('null');
    else if (Array.isArray(value)) {
      count('list');
      const items = (field.items ??= new FieldStats('', field.path, field.type, true));
      add(field.lengths, countLevel(value.length));
      for (const item of value) if (!Array.isArray(item)) this.visit(item, items, leaves, renames);
    } else if (typeof value === 'object') {
      count('object');
      const object = (field.object ??= new ObjectStats());
      const below = renames || NAMES_ARE_VALUES.has(field.type ?? '');
      this.visitObject(value as Properties, object, field.path, field.inList, leaves, below);
    } else if (typeof value === 'boolean') {
      count('boolean');
      if (value) field.yes += 1;
    } else {
      count('value');
      const plain: unknown = plainValue(value);
      if (typeof plain === 'string') field.strings += 1;
      else if (Number.isFinite(plain)) field.numbers += 1;
      else throw tooLarge(field.path, value);
      const text = this.textOf(field, value as string | number, plain as string | number);
      if (field.inList) this.keep(field, text);
      else leaves.push({ field, text });
    }
  }

  /** Returns the text that identifies a value. If the profile may contain original values of the field, this is the exact text. */
  private textOf(field: FieldStats, value: string | number, plain: string | number): string {
    if (!this.setting.keep.has(field.path.join('.'))) return String(plain).slice(0, LONGEST_TEXT);
    const text = exactText(value).slice(0, LONGEST_TEXT);
    if (markedToken(value) !== undefined && !field.written.has(text)) field.written.set(text, value);
    return text;
  }

  private objectOf({ fields, shapes }: ObjectStats, context: Finish): ProfiledObject {
    const names = [...fields.keys()];
    const places = new Map(names.map((name, at) => [name, at]));
    const sets = new Map<string, number>();
    for (const [key, count] of shapes) {
      const present = (parsePlain(key) as string[])
        .flatMap((name) => places.get(name) ?? [])
        .sort((a, b) => a - b);
      add(sets, stringifyPlain(present), count);
    }
    const kept = [...sets].sort(([, a], [, b]) => b - a).slice(0, MOST_SHAPES);
    const levels = levelsOf(kept.map(([, count]) => count));
    return {
      fields: [...fields.values()].map((field) => this.profiled(field, context)),
      shapes: kept.map(([key], at): [number, number[]] => [levels[at]!, parsePlain(key) as number[]]),
    };
  }

  private profiled(field: FieldStats, context: Finish): ProfiledField {
    const { name, states, lengths, items, object, yes } = field;
    const kinds = [...states.keys()];
    const levels = levelsOf([...states.values()]);
    return {
      name,
      states: Object.fromEntries(kinds.map((kind, at) => [kind, levels[at]!])),
      ...(items === undefined ? {} : { lengths: weightedOf(lengths), items: this.profiled(items, context) }),
      ...(object === undefined ? {} : { object: this.objectOf(object, context) }),
      ...(field.column.ids.length === 0 ? {} : { value: this.valueOf(field, context) }),
      ...(states.has('boolean') ? { yes: shareLevel(yes / states.get('boolean')!) } : {}),
    };
  }

  private valueOf(field: FieldStats, context: Finish): ProfiledValue {
    const { column, strings, numbers, path } = field;
    // A single text among numbers makes the field a text field, as in the mapping that Elasticsearch guesses.
    const isNumeric = (text: string): boolean => Number.isFinite(Number(text));
    const of = strings >= numbers || !column.texts.every(isNumeric) ? 'string' : 'number';
    const different = column.texts.length;
    const all = column.ids.length;
    const offsets = this.offsets.get(field);
    const isTime = field === this.time || (offsets !== undefined && isMostly(offsets, all));
    if (
      isTime &&
      (field === this.time || different > all / 2 || isMostly(new Map([[0, offsets?.get(0) ?? 0]]), all))
    ) {
      const form = TIME_FORMS[mostlyIn(column)]!.name;
      return {
        of,
        make: { time: { form, offsets: offsets === undefined ? [[0, 0]] : weightedOf(offsets, 300) } },
      };
    }
    const dotted = path.join('.');
    const held = this.holds.get(field);
    const marked = (text: string): string =>
      held === undefined
        ? text
        : text.replaceAll(/[\uE000-\uE3FF]/g, (mark) => {
            const other = held[mark.charCodeAt(0) - 0xe000]!;
            return referenceMark(context.placeOf(other.field.column));
          });
    const chain =
      isTime || of === 'number' || isAddresses(field)
        ? undefined
        : learnChain(
            column.texts.map((text, at): [string, number] => [marked(text), column.counts[at]!]),
            (count) => count >= LEAST_FREQUENT,
          );
    if (chain !== undefined) context.chains.push(chain);
    const from = this.setting.keepFrom ?? KEPT_FROM;
    const keeps =
      this.setting.keep.has(dotted) && held === undefined
        ? {
            valueOf: (text: string) =>
              field.written.get(text) ?? (of === 'number' ? Number(text) : heldString(text)),
            may: (id: number) => column.documents[id]! >= from,
          }
        : undefined;
    if (keeps !== undefined) field.keptValues = [...column.texts.keys()].filter(keeps.may).length;
    const make = isTime
      ? { time: { form: TIME_FORMS[mostlyIn(column)]!.name, offsets: weightedOf(offsets!, 300) } }
      : chain !== undefined
        ? { chain: chain.chain }
        : makeOf(field, of, (id) => keeps?.may(id) !== true);
    const own =
      'number' in make
        ? different > all / 2
        : different > all / 2 && 'chain' in make && meanWords(column) >= 8;
    if (own) return { of, make };
    const sizeOf =
      of === 'number'
        ? (text: string) => signedBucket(Number(text))
        : (text: string) => Math.min(999, marked(text).length);
    return {
      of,
      draw: drawOf(column, {
        sizeOf,
        wordsOf: chain && ((text) => chain.symbolsOf(marked(text))),
        keeps,
        parents: context.parents.get(column),
        placeOf: context.placeOf,
        isKept: field.inList ? () => false : context.isKept,
        whole:
          context.whole === undefined || !context.whole.distinct.has(dotted)
            ? undefined
            : { documents: context.whole.documents, distinct: context.whole.distinct.get(dotted)! },
        documents: this.documents,
      }),
      make,
    };
  }
}

const isAddresses = ({ type, column }: FieldStats): boolean =>
  type === 'ip' || (type === undefined && column.texts.every(isAddress));

/**
 * Returns the part of the profile with which numbers or IP addresses of a field are generated. `isMade`: returns whether the value with
 * this number is generated. Otherwise, the profile contains the original value.
 */
const makeOf = (
  { column, type, path }: FieldStats,
  of: 'string' | 'number',
  isMade: (id: number) => boolean,
): ProfiledValue['make'] =>
  of === 'number'
    ? { number: numberOf(column.texts, column, type, path, isMade) }
    : { ip: addressesOf(column.texts) };

interface Finish {
  placeOf(column: Column): number;
  parents: ReadonlyMap<Column, Parents>;
  isKept: LearnedSessions['isKept'];
  /** Markov chains of all text fields. */
  chains: LearnedChain[];
  whole: WholeFacts | undefined;
}

const isMostly = (counts: ReadonlyMap<number, number>, all: number): boolean =>
  [...counts.values()].reduce((sum, count) => sum + count, 0) >= all * 0.9;

const mostlyIn = ({ texts }: Column): number => {
  const forms = new Map<number, number>();
  for (const text of texts.slice(0, 1000)) {
    const found = timeIn(text, true);
    if (found !== undefined) add(forms, found.form);
  }
  return [...forms].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
};

const meanWords = ({ texts }: Column): number => {
  const looked = texts.slice(0, 500);
  return looked.reduce((sum, text) => sum + wordsOf(text).length, 0) / Math.max(1, looked.length);
};

const isAddress = (text: string): boolean =>
  /^\d{1,3}(\.\d{1,3}){3}$/.test(text) || /^[\da-f]*(:[\da-f]*){2,7}$/i.test(text);

function addressesOf(texts: readonly string[]): { six: number; networks: number } {
  const six = texts.filter((text) => text.includes(':')).length;
  const networks = new Set(texts.map((text) => text.split(/[.:]/).slice(0, 2).join('.'))).size;
  return {
    six: Math.round((six / texts.length) * 100),
    networks: Math.round((networks / texts.length) * 100),
  };
}

function numberOf(
  texts: readonly string[],
  { ids, counts }: Column,
  type: string | undefined,
  path: readonly string[],
  isMade: (id: number) => boolean,
): Extract<ProfiledValue['make'], { number: object }>['number'] {
  const buckets = new Map<number, number>();
  const decimals = new Map<number, number>();
  let zeros = 18;
  let allWithin = 0;
  for (const [at, text] of texts.entries()) {
    const value = Number(text);
    if (isMade(at)) add(buckets, signedBucket(value), counts[at]!);
    add(decimals, Math.min(18, /\.(\d+)$/.exec(text)?.[1]?.length ?? 0));
    if (value !== 0) zeros = Math.min(zeros, /0*$/.exec(text)![0].length);
    if (Math.abs(value) > 90) allWithin += 1;
  }
  const places = [...decimals].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
  const isPoint = type === undefined && ['lat', 'lon'].includes(path.at(-1) ?? '');
  const steps = stepsOf(texts, ids);
  return {
    buckets: weightedOf(buckets),
    decimals: places,
    zeros: places > 0 || texts.length < 10 ? 0 : zeros,
    ...(isPoint ? { within: path.at(-1) === 'lat' ? 90 : 180 } : {}),
    ...(steps === undefined || places > 0 || allWithin === 0 ? {} : { steps }),
  };
}

/** Returns the increments of a counter, which is a number that almost never decreases. */
function stepsOf(texts: readonly string[], ids: readonly number[]): Weighted | undefined {
  if (texts.length < ids.length / 2 || ids.length < 100) return undefined;
  const steps = new Map<number, number>();
  let rises = 0;
  for (let at = 1; at < ids.length; at += 1) {
    const step = Number(texts[ids[at]!]) - Number(texts[ids[at - 1]!]);
    if (step >= 0) rises += 1;
    if (step >= 0) add(steps, signedBucket(step));
  }
  return rises >= (ids.length - 1) * 0.98 ? weightedOf(steps, 300) : undefined;
}

const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);

/**
 * Returns the position at which `value` occurs as a separate word in `text`, searching from position `from`. Returns -1 if it does not
 * occur there.
 */
function wholeAt(text: string, value: string, from = 0): number {
  for (let at = text.indexOf(value, from); at >= 0; at = text.indexOf(value, at + 1)) {
    const end = at + value.length;
    const cuts =
      (isWordPart(text[at - 1]) && isWordPart(value[0])) ||
      (isWordPart(text[end]) && isWordPart(value.at(-1)));
    if (!cuts) return at;
  }
  return -1;
}

/**
 * Returns the two characters before and the two characters after a value in a text. Letters and digits among these characters are replaced
 * by `a`.
 */
const besideOf = (text: string, at: number, length: number): string =>
  [text.slice(Math.max(0, at - 2), at), text.slice(at + length, at + length + 2)]
    .map((side) => side.replaceAll(/[\p{L}\p{N}\uE000-\uF0FF]/gu, 'a'))
    .join('\n');

/**
 * Replaces one occurrence of `value` by `mark`, if it is a separate word in `text`. Returns `text` unchanged if nothing is replaced.
 * - Without `beside`, the first occurrence is replaced.
 * - With `beside`, the first occurrence between these characters is replaced, because a short value may also occur by chance. If no such
 *   occurrence exists, the first occurrence is replaced, but only if the value is long.
 */
function replaceWhole(text: string, value: string, mark: string, beside?: string): string {
  const first = wholeAt(text, value);
  let at = first;
  if (beside !== undefined) {
    while (at >= 0 && besideOf(text, at, value.length) !== beside) at = wholeAt(text, value, at + 1);
    if (at < 0 && value.length >= SHORTEST_REFERENCE) at = first;
  }
  return at < 0 ? text : text.slice(0, at) + mark + text.slice(at + value.length);
}

/** Returns the time field of the documents: `@timestamp`, or the first field that almost always contains a time. */
function findTime(all: readonly (readonly Leaf[])[]): FieldStats | undefined {
  const times = new Map<FieldStats, number>();
  for (const leaves of all)
    for (const { field, text } of leaves)
      if (timeIn(text, field.type === 'date' || field.type === undefined)) add(times, field);
  const always = [...times].filter(([, count]) => count >= all.length * 0.9).map(([field]) => field);
  return (
    always.find(({ path }) => path.join('.') === '@timestamp') ??
    always.find(({ type }) => type === 'date') ??
    always[0]
  );
}

/**
 * Returns the text fields that contain values of other fields or the time of the document. For each one: the fields whose values it
 * contains, those with the longest values first.
 */
function findHolders(
  all: readonly (readonly Leaf[])[],
  time: FieldStats | undefined,
): Map<FieldStats, Held[]> {
  const sizes = new Map<FieldStats, { characters: number; documents: number }>();
  for (const leaves of all)
    for (const { field, text } of leaves) {
      const known = sizes.get(field) ?? { characters: 0, documents: 0 };
      known.characters += text.length;
      known.documents += 1;
      sizes.set(field, known);
    }
  const mean = (field: FieldStats): number => {
    const { characters, documents } = sizes.get(field)!;
    return characters / documents;
  };
  // A value is never searched for in a shorter value. Otherwise, two fields could each contain the value of the other.
  const fields = [...sizes.keys()].slice(0, MOST_COMPARED);
  const rank = new Map([...fields].sort((a, b) => mean(a) - mean(b)).map((field, at) => [field, at]));
  const both = new Map<string, number>();
  const within = new Map<string, Map<string, number>>();
  const withTime = new Map<FieldStats, number>();
  const key = (holder: FieldStats, held: FieldStats): string => `${rank.get(holder)} ${rank.get(held)}`;
  for (const leaves of all) {
    const timeLeaf = leaves.find(({ field }) => field === time);
    const now = timeLeaf && timeIn(timeLeaf.text, true)?.ms;
    const forms = now === undefined ? [] : TIME_FORMS.map((form) => form.text(now));
    for (const holder of leaves) {
      if (!rank.has(holder.field) || holder.field === time || holder.field.strings === 0) continue;
      if (timeIn(holder.text, holder.field.type === 'date') !== undefined) continue;
      if (forms.some((form) => form.length > 12 && holder.text.includes(form))) add(withTime, holder.field);
      for (const held of leaves) {
        if (held.field === holder.field || held.field === time || !rank.has(held.field)) continue;
        if (rank.get(held.field)! >= rank.get(holder.field)!) continue;
        if (held.text.length < SHORTEST_REFERENCE) continue;
        add(both, key(holder.field, held.field));
        const at = wholeAt(holder.text, held.text);
        if (at < 0) continue;
        const besides = within.get(key(holder.field, held.field)) ?? new Map<string, number>();
        within.set(key(holder.field, held.field), besides);
        add(besides, besideOf(holder.text, at, held.text.length));
      }
    }
  }
  const found = new Map<FieldStats, Held[]>();
  for (const holder of fields) {
    const held = fields
      .flatMap((other): Held[] => {
        const seen = both.get(key(holder, other)) ?? 0;
        const besides = [...(within.get(key(holder, other)) ?? [])].sort(([, a], [, b]) => b - a);
        const times = besides.reduce((sum, [, count]) => sum + count, 0);
        return seen >= 10 && times >= seen * HOLDS ? [{ field: other, beside: besides[0]![0] }] : [];
      })
      .sort((a, b) => mean(b.field) - mean(a.field))
      .slice(0, MOST_REFERENCES);
    const holdsTime = (withTime.get(holder) ?? 0) >= sizes.get(holder)!.documents * HOLDS;
    if (held.length > 0 || holdsTime) found.set(holder, held);
  }
  return found;
}
