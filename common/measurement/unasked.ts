/**
 * A setting, alias or mapping of a trial's index that the experiment's definition does not contain, such as a setting of an index template.
 */
export interface UnaskedPart {
  /** Name of the setting or alias: `index.refresh_interval`, `alias logs`, or `mapping`. */
  what: string;
  /** Value as text; for a mapping, its fields. */
  value: string;
  /** Where it comes from: an index template such as `index template everything`, or `elsewhere` if no template contains it. */
  from: string;
}
