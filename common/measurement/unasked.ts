/** A part of a trial's index that its definition does not contain, such as a setting of an index template. */
export interface UnaskedPart {
  /** Name of the part: `index.refresh_interval`, `alias logs`, or `mapping`. */
  what: string;
  /** Value of the part as text; for a mapping, its fields. */
  value: string;
  /** Origin of the part: `index template everything`, or `elsewhere`. */
  from: string;
}
