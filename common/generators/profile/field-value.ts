/** The interface of a field's value, and what all values of a source share. */
import type { Random } from '../../random';
import type { Clock } from './clock';

export interface FieldValue {
  /** Chooses the value for the document with this number. */
  draw(document: number): void;
  /** Takes the last value of the document's session. */
  keep(document: number): void;
  /** Returns the chosen value as JSON without quotes. */
  text(): string;
}

/** Returns the value with this number, like {@link FieldValue.text}. Frequent values have the first numbers. */
export type TextOf = (id: number) => string;

/** The session of the current document. */
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
  /** Returns the value of the field at this place of `slotsOf`. */
  valueAt(place: number): FieldValue;
}
