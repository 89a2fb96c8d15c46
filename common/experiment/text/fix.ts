/** Changes the text of a definition as a problem suggests. */
import { parseText } from '../document';
import { isFields } from '../../fields/settle';
import type { Problem } from '../../problem';
import type { Edit } from './edit';
import { follow } from './locate';

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the edits that rename a factor everywhere: in `factors`, in the baseline and in claims. */
function renamedFactor(text: string, old: string, key: string): Edit[] {
  const definition = parseText(text, 'definition') as Record<string, unknown>;
  const { factors, baseline, expect } = definition;
  const renameIn = (path: readonly (string | number)[], levels: unknown): Edit[] =>
    isFields(levels) && Object.hasOwn(levels, old) && !Object.hasOwn(levels, key)
      ? [{ path: [...path, old], rename: key }]
      : [];
  const ofFactors = Array.isArray(factors)
    ? factors.flatMap((cell: unknown, at) => renameIn(['factors', at], cell))
    : renameIn(['factors'], factors);
  if (ofFactors.length === 0) return [];
  const claims = Array.isArray(expect) ? (expect as unknown[]) : [];
  return [
    ...ofFactors,
    ...renameIn(['baseline'], baseline),
    ...claims.flatMap((claim, at): Edit[] => {
      const words = asText(claim).split(' ');
      return words.includes(old)
        ? [{ path: ['expect', at], value: words.map((word) => (word === old ? key : word)).join(' ') }]
        : [];
    }),
  ];
}

/**
 * Returns the edits that correct the text of a definition as a problem suggests. Empty if the problem has no suggestion, or if the text no
 * longer contains the path of the problem.
 */
export function fixOf(text: string, { path, meant }: Problem): readonly Edit[] {
  if (meant === undefined) return [];
  const { keys, isWhole } = follow(text, path);
  const written = keys.at(-1);
  if (written === undefined || !isWhole) return [];
  const isFactor = keys[0] === 'factors' && keys.length === (typeof keys[1] === 'number' ? 3 : 2);
  // For a problem of a cell, it is not known which level causes it.
  if ('text' in meant) return isFactor ? [] : [{ path: keys, value: meant.text }];
  if (isFactor) return renamedFactor(text, String(written), meant.key);
  return written === meant.key ? [] : [{ path: keys, rename: meant.key }];
}
