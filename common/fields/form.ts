/**
 * What the editor's form asks for, as plain data: it stands beside the schema that it fills in, and
 * `public/pages/editor/form/described.tsx` draws it.
 */

/** A text that can be translated: its id, and what it says in English (ICU). */
export interface Text {
  id: string;
  text: string;
}

interface FieldOf<Kind extends string> {
  kind: Kind;
  /** Where its value stands below what the form is of: `clients`, `retries.attempts`. */
  key: string;
  label: Text;
  help?: Text;
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
}

/** Yes or no; no is not written. */
export type SwitchField = FieldOf<'switch'>;

/** One of several values; that which holds by default is not written. */
export interface ChoiceField extends FieldOf<'choice'> {
  fallback: string;
  options: readonly { value: string; text: Text }[];
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

/** A list of `{ [reaches]: number, over: duration }`; `label` is that of the number. */
export interface StagesField extends Omit<FieldOf<'stages'>, 'help'> {
  reaches: string;
}

/** A list of conditions on the task's own figures, such as `latency.p99 < 500ms`. */
export interface LimitsField extends FieldOf<'limits'> {
  /** What a limit that is added says: the first whose figure none is about yet, or the last. */
  suggested: readonly string[];
}

/** A part of the form that is drawn by a component of its own: by its name there. */
export interface PartField<Part extends string> {
  kind: 'part';
  part: Part;
}

export type FormField<Part extends string = never> =
  | NumberField
  | TextField
  | SwitchField
  | ChoiceField
  | EitherField
  | StagesField
  | LimitsField
  | PartField<Part>;

/** A field alone, fields beside each other where there is room, or rows that are rarely needed and closed at first. */
export type FormRow<Part extends string = never> =
  | FormField<Part>
  | readonly FormField<Part>[]
  | { kind: 'closed'; label: Text; rows: readonly FormRow<Part>[] };
