/** Describes settings and mappings that the target added to the indices of a run, for example because of index templates. */
import type { UnaskedPart } from '../measurement/unasked';
import { listed } from './wording';

/** Returns a text for one setting that the target added: `index.refresh_interval 30s (index template everything)`. */
export const sayUnasked = ({ what, value, from }: UnaskedPart): string =>
  `${what}${value === '' ? '' : ` ${value}`} (${from})`;

/** Returns the settings and mappings that the target added, each only once, sorted by their text. */
export function distinctParts(parts: readonly UnaskedPart[]): UnaskedPart[] {
  const found = new Map(parts.map((part) => [sayUnasked(part), part]));
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, part]) => part);
}

/**
 * Returns all settings and mappings that the target added in one line; '' for no additions. After `most` of them, only the number of the
 * others follows. Equal additions give equal texts, so runs can be compared by this text.
 */
export const sayAllUnasked = (parts: readonly UnaskedPart[], most = Infinity): string =>
  listed(distinctParts(parts).map(sayUnasked), most, '; ');
