/**
 * Fields of the editor's form as data, beside the schema that they fill in. `public/pages/editor/form/described.tsx` draws them.
 */

/** A text that can be translated: its id, its English wording (ICU), and the values of the names in braces. */
export interface Text {
  id: string;
  text: string;
  values?: Readonly<Record<string, string | number>>;
}

/** The part of a definition that a form is about, as it is written: it can be incomplete or wrong. */
export type Written = Readonly<Record<string, unknown>>;

/** The object at `key`; an empty one if there is none. */
export function writtenAt(written: Written, key: string): Written {
  const value = written[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Written) : {};
}

/** The list at `key`; an empty one if there is none. */
export const listAt = (written: Written, key: string): readonly unknown[] =>
  Array.isArray(written[key]) ? (written[key] as readonly unknown[]) : [];

interface FieldOf<Kind extends string> {
  kind: Kind;
  /** Path of its value below what the form is about: `clients`, `retries.attempts`. Empty: the value is what the form is about. */
  key: string;
  label: Text;
  /** `{place}` in it becomes the place of files on this host, `{example}` the field's placeholder. */
  help?: Text;
  /** When the field is shown; always unless given. */
  shown?: (written: Written) => boolean;
  /** Takes the whole width of the form. */
  wide?: true;
}

/** A number; emptied, it is taken out of the definition. */
export interface NumberField extends FieldOf<'number'> {
  min?: number;
  max?: number;
  /** `any` for numbers that need not be whole. */
  step?: 'any';
  /** What holds where nothing is written. */
  placeholder?: string;
  append?: Text;
  /** Shown as a multiple: 100 for percent. */
  scale?: number;
}

/** A duration, a size, a name. */
export interface TextField extends FieldOf<'text'> {
  placeholder?: string;
  /** Stays in the definition when it is emptied. */
  required?: boolean;
  /** Lines; one unless given. */
  lines?: number;
  code?: true;
  /** Names of date fields are offered while it is typed. */
  offersDates?: true;
}

/** Short texts without an order, such as tags. */
export type WordsField = FieldOf<'words'>;

/** Texts, one per line. They are written as a list, which is taken out when it is empty. */
export interface LinesField extends FieldOf<'lines'> {
  placeholder: string;
  /** Lines that are shown at least; two unless given. */
  lines?: number;
  /** A single line is written as a text, and stays when it is emptied. */
  alone?: true;
}

/** An object or a list as code, in YAML or JSON. */
export interface StructureField extends FieldOf<'structure'> {
  /** Lines that are shown at least. */
  lines: number;
  /** Taken out when it is emptied; otherwise there is always an object. */
  optional?: true;
  /** Words that can be written instead. */
  words?: readonly string[];
  placeholder?: string;
}

/** Index settings, by name. */
export interface SettingsField extends FieldOf<'settings'> {
  /** Of the button that adds one. */
  add: Text;
}

/** Yes or no; no is not written. */
export type SwitchField = FieldOf<'switch'>;

/** One of several values; that which holds by default is not written. */
export interface ChoiceField extends FieldOf<'choice'> {
  fallback: string;
  options: readonly { value: string; text: Text }[];
}

/** A change below what a form is about. Without a value, the key is taken out. */
export interface Change {
  key: string;
  value?: unknown;
}

/** One of several ways to write something. */
export interface Way<Part extends string = never> {
  value: string;
  text: Text;
  /** Whether it is offered; always unless given. */
  shown?: (written: Written) => boolean;
  /** Whether it is the one that is written. */
  is: (written: Written) => boolean;
  /** What choosing it changes. */
  writes: (written: Written) => readonly Change[];
  /** Shown while it is the one that is written. */
  rows?: readonly FormRow<Part>[];
}

/** A choice between ways to write something. None is selected if what is written is none of them. */
export interface WaysField<Part extends string = never> extends Omit<FieldOf<'ways'>, 'key'> {
  /** Whose problems are shown; those of what the form is about unless given. */
  key?: string;
  ways: readonly Way<Part>[];
}

/** Keys that exclude each other, such as a rate and an interval: which of them is given, and its value. */
export interface EitherField {
  kind: 'either';
  /** Below which the keys stand; what the form is of unless it is given. */
  below?: string;
  label: Text;
  /** `first`: what is written when it is chosen. The first of them is shown where none is given. */
  options: readonly { text: Text; first: unknown; field: NumberField | TextField }[];
}

/** Texts of an item of a list. `{number}` counts from 1; `{name}` is the item's own name, in buttons the name that is shown. */
export interface ItemTexts {
  /** The item's own name unless given. */
  name?: Text;
  remove: Text;
  /** Buttons that move the item; without them, the order cannot be changed. */
  up?: Text;
  down?: Text;
}

/** A button that adds an item to a list. */
export interface ItemAdder {
  text: Text;
  /** Returns the new item; `list` holds the present ones. */
  item: (list: readonly unknown[]) => unknown;
}

interface ListOf<Kind extends string> extends FieldOf<Kind> {
  item: ItemTexts;
  adds: readonly ItemAdder[];
  /** The only item cannot be removed. */
  keepsOne?: true;
  /** The label is read to users of assistive technology only. */
  hidesLabel?: true;
}

/** A list of objects: the steps of a recipe, the requests of a task. */
export interface ListField<Part extends string = never> extends ListOf<'list'> {
  /** Each item takes one numbered line. Otherwise each item is a panel with a title. */
  inLine?: true;
  /** Shown in the title before the name of the item. */
  type?: (item: Written) => Text;
  /** Fields of an item; their keys are below it. */
  itemRows: (item: Written) => readonly FormRow<Part>[];
}

/** A list of sentences, such as `latency.p99 < 500ms`. */
export interface SentencesField<Part extends string = never> extends ListOf<'sentences'> {
  /** Completions of a sentence that is typed. */
  suggestions?: (written: Written) => readonly string[];
  /** Sentences that one click adds. */
  examples?: (written: Written) => readonly string[];
  /** A part that puts a sentence together from choices. */
  builder?: {
    part: Part;
    /** The button that adds a sentence and opens its part. */
    add: Text;
    /** The button beside a sentence that opens its part. */
    open: Text;
    /** Returns the sentence to begin with; undefined hides the builder. */
    first: (written: Written) => string | undefined;
  };
}

/** A part of the form that is drawn by a component of its own: by its name there. */
export interface PartField<Part extends string> {
  kind: 'part';
  part: Part;
}

/** A sentence between fields. */
export interface Note {
  kind: 'note';
  text: Text;
}

export type FormField<Part extends string = never> =
  | NumberField
  | TextField
  | WordsField
  | LinesField
  | StructureField
  | SettingsField
  | SwitchField
  | ChoiceField
  | EitherField
  | WaysField<Part>
  | ListField<Part>
  | SentencesField<Part>
  | Note
  | PartField<Part>;

/** A field alone, fields beside each other where there is room, rows that are shown at times, rows that are closed at first, or rows about the object at a key. */
export type FormRow<Part extends string = never> =
  | FormField<Part>
  | readonly FormField<Part>[]
  | { kind: 'group'; shown: (written: Written) => boolean; rows: readonly FormRow<Part>[] }
  | { kind: 'closed'; label: Text; rows: readonly FormRow<Part>[] }
  | { kind: 'within'; key: string; rows: readonly FormRow<Part>[] };

/** A part of the form that opens and closes. */
export interface FormSection<Part extends string = never> {
  title: Text;
  /** First keys of the paths whose problems are counted in its head. */
  roots: readonly string[];
  isClosed?: true;
  /** What it holds now, in a few words; shown while it is closed. */
  summary?: (written: Written) => Text | string;
  rows: readonly FormRow<Part>[];
}

/** Of the rows that few people need. */
export const MORE_SETTINGS: Text = { id: 'dyno.editor.part.advanced', text: 'More settings' };

/** Returns `name`, or `name-2` and so on if an item of the list has that name. */
export function freeName(name: string, list: readonly unknown[]): string {
  const taken = new Set(list.map((item) => (Object(item) as Written)['name']));
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name}-${count}`;
  return free;
}
