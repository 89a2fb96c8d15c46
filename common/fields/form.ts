/**
 * Describes the fields of the editor's form as data. Each description is next to the schema of the field.
 * `public/pages/editor/form/described.tsx` shows the fields.
 */

/** A translatable text: its id, its English wording in ICU syntax, and the values for the names in braces. */
export interface Text {
  id: string;
  text: string;
  values?: Readonly<Record<string, string | number>>;
}

/** The part of a definition that a form edits, as the user has written it. It may be incomplete or invalid. */
export type Written = Readonly<Record<string, unknown>>;

/** Returns the object at `key`. Returns an empty object if the key does not exist. */
export function writtenAt(written: Written, key: string): Written {
  const value = written[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Written) : {};
}

/** Returns the list at `key`. Returns an empty list if the key does not exist. */
export const listAt = (written: Written, key: string): readonly unknown[] =>
  Array.isArray(written[key]) ? (written[key] as readonly unknown[]) : [];

interface FieldOf<Kind extends string> {
  kind: Kind;
  /** Path of the field's value, relative to the edited part: `clients` or `retries.attempts`. '' if the value is the whole edited part. */
  key: string;
  label: Text;
  /** Help text. It may contain `{place}` for the folder of files on this host, and `{example}` for the placeholder of the field. */
  help?: Text;
  /** Returns whether the form shows the field. Default: always. */
  shown?: (written: Written) => boolean;
  /** Whether the field has the full width of the form. */
  wide?: true;
}

/** A field for a number. If the user empties the field, the value is removed from the definition. */
export interface NumberField extends FieldOf<'number'> {
  min?: number;
  max?: number;
  /** `any` allows numbers with decimals. Default: only whole numbers. */
  step?: 'any';
  /** Text in the empty field: the default value. */
  placeholder?: string;
  append?: Text;
  /** The field shows the value multiplied by this number: 100 for a percentage. */
  scale?: number;
}

/** A field for a duration, a size or a name. */
export interface TextField extends FieldOf<'text'> {
  placeholder?: string;
  /** Whether the definition keeps the key with an empty text. Otherwise, an empty field removes the key. */
  required?: boolean;
  /** Number of lines of the field. Default: 1. */
  lines?: number;
  code?: true;
  /** Names that the field suggests: date fields of the indices, or stored targets. */
  offers?: 'dates' | 'targets';
}

/** A field for short texts whose order does not matter, such as tags. */
export type WordsField = FieldOf<'words'>;

/** A field for several texts, one per line. The value is a list, which is removed when it is empty. */
export interface LinesField extends FieldOf<'lines'> {
  placeholder: string;
  /** Minimum number of visible lines. Default: 2. */
  lines?: number;
  /** Whether a single line is stored as a text instead of a list with one text. If so, the definition also keeps an empty text. */
  alone?: true;
}

/** A field for an object or a list, which the user edits as YAML or JSON. */
export interface StructureField extends FieldOf<'structure'> {
  /** Minimum number of visible lines. */
  lines: number;
  /** Whether an empty object is removed from the definition. Otherwise it stays. */
  optional?: true;
  /** Words that the user may write instead of an object or a list. */
  words?: readonly string[];
  placeholder?: string;
}

/** A field for index settings, by name. */
export interface SettingsField extends FieldOf<'settings'> {
  /** Label of the button that adds a setting. */
  add: Text;
}

/** A switch. When it is off, the value is removed from the definition. */
export type SwitchField = FieldOf<'switch'>;

/** A choice between several values. If the user chooses the default, the key is removed from the definition. */
export interface ChoiceField extends FieldOf<'choice'> {
  fallback: string;
  options: readonly { value: string; text: Text }[];
}

/** A change of the edited part of the definition. Without `value`, the key is removed. */
export interface Change {
  key: string;
  value?: unknown;
}

/** One of several alternative ways to write a part of a definition, such as a duration or a number of documents. */
export interface Way<Part extends string = never> {
  value: string;
  text: Text;
  /** Returns whether the form offers this alternative. Default: always. */
  shown?: (written: Written) => boolean;
  /** Returns whether the edited part of the definition uses this alternative. */
  is: (written: Written) => boolean;
  /** Returns the changes that the form makes when the user chooses this alternative. */
  writes: (written: Written) => readonly Change[];
  /** Fields that the form shows while this alternative is chosen. */
  rows?: readonly FormRow<Part>[];
}

/**
 * A choice between alternative ways to write a part of a definition. If the part matches no alternative, the form shows no choice as
 * selected.
 */
export interface WaysField<Part extends string = never> extends Omit<FieldOf<'ways'>, 'key'> {
  /** Path in the definition whose problems the field shows. Default: the path of the edited part. */
  key?: string;
  ways: readonly Way<Part>[];
}

/** Several keys of which only one can be set, such as a rate and an interval. The form shows the key that is set, and its value. */
export interface EitherField {
  kind: 'either';
  /** Path of the object that contains these keys. Default: the edited part of the definition. */
  below?: string;
  label: Text;
  /** The keys. `first`: value that a key gets when the user chooses it. If no key is set, the form shows the first one. */
  options: readonly { text: Text; first: unknown; field: NumberField | TextField }[];
}

/**
 * Texts about an item of a list. In each text, `{number}` stands for the position of the item, from 1, and `{name}` for the value of the
 * item's key `name`. In texts of buttons, `{name}` stands for the text in the property `name` if this property is set.
 */
export interface ItemTexts {
  /** Name of the item in the form. Default: the value of the item's key `name`. */
  name?: Text;
  remove: Text;
  /** Texts of the buttons that move the item. Without these texts, users cannot change the order. */
  up?: Text;
  down?: Text;
}

/** A button that adds an item to a list. */
export interface ItemAdder {
  text: Text;
  /** Returns a new item. `list`: the items so far. */
  item: (list: readonly unknown[]) => unknown;
}

interface ListOf<Kind extends string> extends FieldOf<Kind> {
  item: ItemTexts;
  adds: readonly ItemAdder[];
  /** Whether the list must keep at least one item. */
  keepsOne?: true;
  /** Whether the label is hidden, except for screen readers. */
  hidesLabel?: true;
}

/** A field for a list of objects, such as the steps after a load or the requests of a task. */
export interface ListField<Part extends string = never> extends ListOf<'list'> {
  /** Whether each item is shown as one numbered line. Otherwise, each item is a panel with a title. */
  inLine?: true;
  /** Returns the type of an item, such as the kind of a request. The title of the item shows the type before the name. */
  type?: (item: Written) => Text;
  /** Fields of an item. Their keys are relative to the item. */
  itemRows: (item: Written) => readonly FormRow<Part>[];
}

/** A field for a list of sentences, such as `latency.p99 < 500ms`. */
export interface SentencesField<Part extends string = never> extends ListOf<'sentences'> {
  /** Returns suggestions that the field offers to complete a sentence while the user types it. */
  suggestions?: (written: Written) => readonly string[];
  /** Returns sentences that the user can add with one click. */
  examples?: (written: Written) => readonly string[];
  /** Dialog (*builder*) in which the user composes a sentence from choices. */
  builder?: {
    part: Part;
    /** Label of the button that adds a sentence and opens its builder. */
    add: Text;
    /** Label of the button next to each sentence that opens its builder. */
    open: Text;
    /** Returns the sentence with which the builder starts. Returns undefined if the builder cannot be used yet. */
    first: (written: Written) => string | undefined;
  };
}

/** A part of the form with its own component. The name identifies the component. */
export interface PartField<Part extends string> {
  kind: 'part';
  part: Part;
}

/** A sentence between fields of the form. */
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

/**
 * A row of the form: one field, or several fields next to each other. A row can also contain other rows: `group` shows them only under a
 * condition, `closed` collapses them at first, and `within` contains the fields for the keys of an inner object.
 */
export type FormRow<Part extends string = never> =
  | FormField<Part>
  | readonly FormField<Part>[]
  | { kind: 'group'; shown: (written: Written) => boolean; rows: readonly FormRow<Part>[] }
  | { kind: 'closed'; label: Text; rows: readonly FormRow<Part>[] }
  | { kind: 'within'; key: string; rows: readonly FormRow<Part>[] };

/** A collapsible section of the form. */
export interface FormSection<Part extends string = never> {
  title: Text;
  /**
   * First keys of the paths in the definition that belong to this section. The heading of the section shows the number of problems at these
   * paths.
   */
  roots: readonly string[];
  isClosed?: true;
  /** Short summary of the values in the section, which is shown while the section is closed. */
  summary?: (written: Written) => Text | string;
  rows: readonly FormRow<Part>[];
}

/** Label of collapsed rows that contain settings that are rarely needed. */
export const MORE_SETTINGS: Text = { id: 'dyno.editor.part.advanced', text: 'More settings' };

/** Returns `name` if no item of the list has this name. Otherwise, returns the first of `name-2`, `name-3`, ... that is free. */
export function freeName(name: string, list: readonly unknown[]): string {
  const taken = new Set(list.map((item) => (Object(item) as Written)['name']));
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name}-${count}`;
  return free;
}
