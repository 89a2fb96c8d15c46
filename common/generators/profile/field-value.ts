/** The interface of the objects that generate the values of a field, and the state that all these objects share. */
import type { Random } from '../../random';
import type { Clock } from './clock';

export interface FieldValue {
  /** Chooses a value for the document with this number. The value may differ from that in the previous document of the session. */
  draw(document: number): void;
  /** Chooses the value that the field had in the previous document of the same session. */
  keep(document: number): void;
  /** Returns the chosen value as JSON. A string is returned without its quotes. */
  text(): string;
}

/**
 * Returns the text of a value, in the same format as {@link FieldValue.text}. `id`: number of the value; the most frequent value has number
 * 0.
 */
export type TextOf = (id: number) => string;

/** The session of the current document. A session is a series of documents that belong together, such as the requests of one client. */
export interface CurrentSession {
  /** Index of the session in the arrays that store data for each session. */
  slot: number;
  /** Whether the document continues an earlier session. Otherwise, it is the first document of a session. */
  continues: boolean;
}

/** State that the generators of all fields share. Each load thread has a separate state. */
export interface Making {
  /**
   * Random numbers for creating the possible values of fields. They are the same in all load threads, so that all threads have the same
   * values.
   */
  vocabulary: Random;
  /** Random numbers for choosing one of the possible values. Each load thread has different ones. */
  random: Random;
  /** The part of the load that this thread generates: part `index`, from 0, of `of` parts. */
  share: { index: number; of: number };
  clock: Clock;
  session: CurrentSession;
  /** Words that occur in several fields. The key is the number of the word in the profile (fifth item of a word in `chain.words`). */
  commonWords: Map<number, string>;
  /** Returns the generator of another field. `place`: position of that field, as numbered by `slotsOf` in profile.ts. */
  valueAt(place: number): FieldValue;
}
