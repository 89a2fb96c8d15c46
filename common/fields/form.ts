/** Fields of the editor's form as data. They are defined next to their schema, and `public/pages/editor/form/described.tsx` draws them. */

/** A translatable text: its id, its English wording (ICU), and the values of the names in braces. */
export interface Text {
  id: string;
  text: string;
  values?: Readonly<Record<string, string | number>>;
}

/** The part of a definition that a form edits, as written. It can be incomplete or wrong. */
export type Written = Readonly<Record<string, unknown>>;

/** Returns the object at `key`; an empty one if it does not exist. */
export function writtenAt(written: Written, key: string): Written {
  const value = written[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Written) : {};
}

/** Returns the list at `key`; an empty one if it does not exist. */
export const listAt = (written: Written, key: string): readonly unknown[] =>
  Array.isArray(written[key]) ? (written[key] as readonly unknown[]) : [];

interface FieldOf<Kind extends string> {
  kind: Kind;
  /** Path of its value below the edited part: `clients`, `retries.attempts`. Empty: the edited part itself. */
  key: string;
  label: Text;
  /** Help. `{place}` is replaced by the place of files on this host, and `{example}` by the field's placeholder. */
  help?: Text;
  /** Whether the field is shown. Default: always. */
  shown?: (written: Written) => boolean;
  /** Whether the field has the full width of the form. */
  wide?: true;
}

/** A number. An empty field removes it from the definition. */
export interface NumberField extends FieldOf<'number'> {
  min?: number;
  max?: number;
  /** `any` allows numbers that are not integers. */
  step?: 'any';
  /** The default value. */
  placeholder?: string;
  append?: Text;
  /** Factor for display: 100 for percent. */
  scale?: number;
}

/** A duration, a size, a name. */
export interface TextField extends FieldOf<'text'> {
  placeholder?: string;
  /** Whether it stays in the definition when it is empty. */
  required?: boolean;
  /** Number of lines. Default: 1. */
  lines?: number;
  code?: true;
  /** Whether names of date fields are suggested. */
  offersDates?: true;
}

/** Short texts without an order, such as tags. */
export type WordsField = FieldOf<'words'>;

/** Texts, one per line. They are written as a list, which is removed when it is empty. */
export interface LinesField extends FieldOf<'lines'> {
  placeholder: string;
  /** Minimum number of visible lines. Default: 2. */
  lines?: number;
  /** Whether a single line is written as a text, which stays when it is empty. */
  alone?: true;
}

/** An object or a list as code, in YAML or JSON. */
export interface StructureField extends FieldOf<'structure'> {
  /** Minimum number of visible lines. */
  lines: number;
  /** Whether it is removed when it is empty. Otherwise there is always an object. */
  optional?: true;
  /** Words that are allowed instead of an object or a list. */
  words?: readonly string[];
  placeholder?: string;
}

/** Index settings, by name. */
export interface SettingsField extends FieldOf<'settings'> {
  /** Label of the button that adds a setting. */
  add: Text;
}

/** A switch. The value is removed when it is off. */
export type SwitchField = FieldOf<'switch'>;

/** One of several values. The default is not written. */
export interface ChoiceField extends FieldOf<'choice'> {
  fallback: string;
  options: readonly { value: string; text: Text }[];
}

/** A change in the edited part. Without a value, the key is removed. */
export interface Change {
  key: string;
  value?: unknown;
}

/** One of several ways to write something. */
export interface Way<Part extends string = never> {
  value: string;
  text: Text;
  /** Whether it is offered. Default: always. */
  shown?: (written: Written) => boolean;
  /** Whether it is the current one. */
  is: (written: Written) => boolean;
  /** Returns the changes when it is chosen. */
  writes: (written: Written) => readonly Change[];
  /** Fields that are shown while it is the current one. */
  rows?: readonly FormRow<Part>[];
}

/** A choice between several ways to write something. None is selected if the written value is another one. */
export interface WaysField<Part extends string = never> extends Omit<FieldOf<'ways'>, 'key'> {
  /** Path whose problems are shown. Default: the edited part. */
  key?: string;
  ways: readonly Way<Part>[];
}

/** Keys that exclude each other, such as a rate and an interval: which of them is given, and its value. */
export interface EitherField {
  kind: 'either';
  /** Path of the object that contains the keys. Default: the edited part. */
  below?: string;
  label: Text;
  /** The keys. `first`: the value when the key is chosen. The first key is shown if none is given. */
  options: readonly { text: Text; first: unknown; field: NumberField | TextField }[];
}

/** Texts of an item of a list. `{number}` counts from 1. `{name}` is the item's own name, in buttons the displayed name. */
export interface ItemTexts {
  /** Displayed name. Default: the item's own name. */
  name?: Text;
  remove: Text;
  /** Buttons that move the item; without them, the order cannot be changed. */
  up?: Text;
  down?: Text;
}

/** A button that adds an item to a list. */
export interface ItemAdder {
  text: Text;
  /** Returns the new item. `list`: the current items. */
  item: (list: readonly unknown[]) => unknown;
}

interface ListOf<Kind extends string> extends FieldOf<Kind> {
  item: ItemTexts;
  adds: readonly ItemAdder[];
  /** Whether the last remaining item cannot be removed. */
  keepsOne?: true;
  /** Whether the label is visible only to assistive technology. */
  hidesLabel?: true;
}

/** A list of objects: the steps of a recipe, the requests of a task. */
export interface ListField<Part extends string = never> extends ListOf<'list'> {
  /** Whether each item is one numbered line. Otherwise each item is a panel with a title. */
  inLine?: true;
  /** Text in the title before the name of the item. */
  type?: (item: Written) => Text;
  /** Fields of an item, with keys below the item. */
  itemRows: (item: Written) => readonly FormRow<Part>[];
}

/** A list of sentences, such as `latency.p99 < 500ms`. */
export interface SentencesField<Part extends string = never> extends ListOf<'sentences'> {
  /** Completions of a sentence while it is typed. */
  suggestions?: (written: Written) => readonly string[];
  /** Sentences that can be added by one click. */
  examples?: (written: Written) => readonly string[];
  /** A builder for sentences from choices. */
  builder?: {
    part: Part;
    /** Label of the button that adds a sentence and opens its builder. */
    add: Text;
    /** Label of the button next to a sentence that opens its builder. */
    open: Text;
    /** Returns the initial sentence; undefined hides the builder. */
    first: (written: Written) => string | undefined;
  };
}

/** A part of the form with its own component, identified by name. */
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

/** One field, fields next to each other if there is room, conditional rows, initially closed rows, or rows about the object at a key. */
export type FormRow<Part extends string = never> =
  | FormField<Part>
  | readonly FormField<Part>[]
  | { kind: 'group'; shown: (written: Written) => boolean; rows: readonly FormRow<Part>[] }
  | { kind: 'closed'; label: Text; rows: readonly FormRow<Part>[] }
  | { kind: 'within'; key: string; rows: readonly FormRow<Part>[] };

/** A collapsible section of the form. */
export interface FormSection<Part extends string = never> {
  title: Text;
  /** First keys of the paths whose problems are counted in its heading. */
  roots: readonly string[];
  isClosed?: true;
  /** Short summary of its values, shown while it is closed. */
  summary?: (written: Written) => Text | string;
  rows: readonly FormRow<Part>[];
}

/** Label of rows that are rarely needed. */
export const MORE_SETTINGS: Text = { id: 'dyno.editor.part.advanced', text: 'More settings' };

/** Returns `name`, or `name-2` and so on if an item of the list has that name. */
export function freeName(name: string, list: readonly unknown[]): string {
  const taken = new Set(list.map((item) => (Object(item) as Written)['name']));
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name}-${count}`;
  return free;
}
