/** What every value of a profile's field can do, and what all of them share. */
import type { Rows, Store, Target } from './bytes';
import type { Dice } from './dice';

/** Documents whose values are drawn together, at most. */
export const AT_ONCE = 256;

/** Of documents that are drawn together, by row: the session that each goes on with, or begins. */
export interface OfSessions {
  readonly slots: Int32Array;
  /** 1 where it goes on. */
  readonly goesOn: Uint8Array;
}

/** What all values of a source share. */
export interface Surroundings {
  dice: Dice;
  share: { index: number; of: number };
  /** Of the document that is being made. */
  clock: { ms: number };
  session: OfSessions;
  store: Store;
  /** Words that several fields have, by their numbers. */
  common: Map<number, string>;
  /** The value of a place in the profile. */
  valueAt(place: number): FieldValue;
}

/** Of one field, with what it has in the document that is being made. */
export interface FieldValue {
  /** No value is longer as text, bytes. */
  readonly longest: number;
  draw(document: number): void;
  /** As the session of the document had it last. */
  keep(document: number): void;
  /** As it stands within a JSON string, or as a number. Returns where it ended. */
  write(out: Target, at: number): number;
  /** The document that it was drawn for. */
  drawnFor: number;
}

/** What a text is put together of: bytes, and what of the document stands between them. */
export type Part = Uint8Array | FieldValue;

/** Writes values by their numbers: those of the frequent ones first. */
export interface Maker {
  readonly longest: number;
  /** Of the first numbers, those of which the bytes are prepared. */
  readonly whole: Rows | null;
  write(id: number, out: Target, at: number): number;
  /** What the first value is put together of, where it may hold others. */
  partsOfFirst?(): Part[];
}
