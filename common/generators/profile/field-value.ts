/** The interface of a field's value, and what all values of a source share. */
import type { Random } from '../../random';
import type { Clock } from './clock';

export interface FieldValue {
  /** Chooses the value for the document of this number. */
  draw(document: number): void;
  /** Takes the value that the document's session had last. */
  keep(document: number): void;
  /** Returns the value that was chosen last, as JSON without quotes. */
  text(): string;
}

/** Returns the value of this number, as {@link FieldValue.text} does. Frequent values have the first numbers. */
export type TextOf = (id: number) => string;

/** The session of the document that is being made. */
export interface CurrentSession {
  slot: number;
  /** Whether the document continues the session; otherwise it begins one. */
  continues: boolean;
}

/** What all values of one source share. */
export interface Making {
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
