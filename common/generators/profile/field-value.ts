/** The interface of field values, and the state that all values of a source share. */
import type { Random } from '../../random';
import type { Clock } from './clock';

export interface FieldValue {
  /** Chooses the value for the document with this number. */
  draw(document: number): void;
  /** Chooses the value that the field last had in the document's session. */
  keep(document: number): void;
  /** Returns the chosen value as JSON without quotes. */
  text(): string;
}

/**
 * Returns the text of a value by the number of the value, in the form of {@link FieldValue.text}. Frequent values have the first numbers.
 */
export type TextOf = (id: number) => string;

/** The session to which the current document belongs. */
export interface CurrentSession {
  slot: number;
  /** Whether the document continues the session instead of starting one. */
  continues: boolean;
}

/** State that all values of one source share. */
export interface Making {
  /** Random numbers for generating values. They are the same in all load threads. */
  vocabulary: Random;
  /** Random numbers for choosing values. They differ between load threads. */
  random: Random;
  share: { index: number; of: number };
  clock: Clock;
  session: CurrentSession;
  /** Words that several fields share, by their numbers in the profile. */
  commonWords: Map<number, string>;
  /** Returns the value of the field at this position of `slotsOf`. */
  valueAt(place: number): FieldValue;
}
