/**
 * A setting, alias or mapping of a trial's index that the experiment's definition does not contain, such as a setting of an index template.
 */
export interface UnaskedPart {
  /** Name of the setting or alias, such as `index.refresh_interval` or `alias logs`; `mapping` for a mapping. */
  what: string;
  /** Value as text; for a mapping, its fields. */
  value: string;
  /**
   * Origin of the setting, alias or mapping: an index template, such as `index template everything`, or `elsewhere` if no template contains
   * it.
   */
  from: string;
}
