/** The interface of a field's value, and what all values of a source share. */
import type { Random } from '../../random';
import type { Clock } from './clock';
import type { Output } from './output';

export interface FieldValue {
  /** Chooses the value for the document of this number. */
  draw(document: number): void;
  /** Takes the value that the document's session had last. */
  keep(document: number): void;
  /** Writes the value that was chosen last, as it is between the quotes of a JSON string or as a number. */
  write(): void;
}

/** Writes the value of this number, as {@link FieldValue.write} does. Frequent values have the first numbers. */
export type WriteOf = (id: number) => void;

/** Prepares the first `count` values; the others are made each time. */
export function writing(textOf: (id: number) => string, count: number, output: Output): WriteOf {
  const prepared = Array.from({ length: count }, (_, id) => output.prepare(textOf(id)));
  return (id) => {
    if (id < count) prepared[id]!.write();
    else output.add(textOf(id));
  };
}

/** The session of the document that is being made. */
export interface CurrentSession {
  slot: number;
  /** Whether the document continues the session; otherwise it begins one. */
  continues: boolean;
}

/** What all values of one source share. */
export interface Making {
  output: Output;
  /** Makes the values themselves: all load threads must make the same ones. */
  vocabulary: Random;
  /** Chooses among the values; each load thread has its own. */
  random: Random;
  share: { index: number; of: number };
  clock: Clock;
  session: CurrentSession;
  /** Words that several fields have, by their numbers in the profile. */
  commonWords: Map<number, string>;
  /** Returns the value of the field at this place of `slotsOf`. */
  valueAt(place: number): FieldValue;
}
