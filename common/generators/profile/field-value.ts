/** The interface of the objects that generate the values of a field, and the state that the values of all fields share. */
import type { Random } from '../../random';
import type { Clock } from './clock';

export interface FieldValue {
  /** Chooses a value for the document with this number. The session may have another value. */
  draw(document: number): void;
  /** Chooses the value that the field had in the previous document of the same session. */
  keep(document: number): void;
  /** Returns the chosen value as JSON. A string is returned without its quotes. */
  text(): string;
}

/**
 * Returns the text of the value with this number, in the same format as {@link FieldValue.text}. The most frequent values have the lowest
 * numbers.
 */
export type TextOf = (id: number) => string;

/** The session of the current document. A session is a series of documents that belong together, such as the requests of one client. */
export interface CurrentSession {
  /** Position of the session in the tables of sessions. */
  slot: number;
  /** Whether the document continues an earlier session. Otherwise, it is the first document of a session. */
  continues: boolean;
}

/** State that the values of all fields share. Each load thread has its own. */
export interface Making {
  /**
   * Random numbers for creating the possible values of fields. They are the same in all load threads, so that all threads have the same
   * values.
   */
  vocabulary: Random;
  /** Random numbers for choosing one of the possible values. They differ between load threads. */
  random: Random;
  /** The part of the load that this thread generates: part `index`, from 0, of `of` parts. */
  share: { index: number; of: number };
  clock: Clock;
  session: CurrentSession;
  /** Words that occur in several fields, by their numbers in the profile. */
  commonWords: Map<number, string>;
  /** Returns the generator of another field. `place`: index of that field in the list that `slotsOf` returns. */
  valueAt(place: number): FieldValue;
}
