/** A part of a trial's index that its definition did not ask for, such as one of the target's templates. */
export interface UnaskedPart {
  /** `index.refresh_interval`, `alias logs`, or `mapping`. */
  what: string;
  /** As text; of a mapping its fields. */
  value: string;
  /** Where it comes from: `index template everything`, or `elsewhere`. */
  from: string;
}
