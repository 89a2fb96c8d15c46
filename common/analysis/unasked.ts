/** Describes settings and mappings that the target added to the indices of a run, for example because of index templates. */
import type { UnaskedPart } from '../measurement/unasked';
import { listed } from './wording';

/** Returns `index.refresh_interval 30s (index template everything)`. */
export const sayUnasked = ({ what, value, from }: UnaskedPart): string =>
  `${what}${value === '' ? '' : ` ${value}`} (${from})`;

/** Returns the distinct parts, in the order of their names. */
export function distinctParts(parts: readonly UnaskedPart[]): UnaskedPart[] {
  const found = new Map(parts.map((part) => [sayUnasked(part), part]));
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, part]) => part);
}

/** Returns all parts in one line. Equal parts give equal texts. '' for no parts. Parts beyond `most` are only counted. */
export const sayAllUnasked = (parts: readonly UnaskedPart[], most = Infinity): string =>
  listed(distinctParts(parts).map(sayUnasked), most, '; ');
