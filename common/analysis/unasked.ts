/** Says what the target added to the indices of a run. */
import type { UnaskedPart } from '../measurement/unasked';
import { listed } from './wording';

/** `index.refresh_interval 30s (index template everything)`. */
export const sayUnasked = ({ what, value, from }: UnaskedPart): string =>
  `${what}${value === '' ? '' : ` ${value}`} (${from})`;

/** Each once, in the order of their names. */
export function distinctParts(parts: readonly UnaskedPart[]): UnaskedPart[] {
  const found = new Map(parts.map((part) => [sayUnasked(part), part]));
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, part]) => part);
}

/** All of them in one line, the same text for the same parts; '' for none. Of more than `most` the rest is only counted. */
export const sayAllUnasked = (parts: readonly UnaskedPart[], most = Infinity): string =>
  listed(distinctParts(parts).map(sayUnasked), most, '; ');
