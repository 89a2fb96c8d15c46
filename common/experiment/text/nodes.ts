/** Finds the nodes of a YAML document by path. */
import { isAlias, isMap, isPair, isScalar, isSeq, type Node, type Pair } from 'yaml';
import type { PathSegment } from '../path';

/** Where a node begins, where its value ends, where what belongs to it (a comment, the end of its line) ends. */
export type Range = readonly [start: number, valueEnd: number, nodeEnd: number];

export type Collection = Node & { items: unknown[]; flow?: boolean };

export const rangeOf = (node: unknown): Range | undefined =>
  (node as { range?: Range | null } | null | undefined)?.range ?? undefined;

export const keyText = ({ key }: Pair): string => String(isScalar(key) ? key.value : key);

export const pairOf = (map: unknown, key: PathSegment): Pair | undefined =>
  isMap(map) ? map.items.find((pair) => keyText(pair) === String(key)) : undefined;

/** The node at `path`; null where a key has no value; undefined where nothing stands. */
export function nodeAt(root: unknown, path: readonly PathSegment[]): unknown {
  let node = root;
  for (const segment of path) {
    if (isMap(node)) node = pairOf(node, segment)?.value;
    else if (isSeq(node)) node = node.items[Number(segment)];
    else return undefined;
  }
  return node;
}

export const isCollection = (node: unknown): node is Collection => isMap(node) || isSeq(node);

/** A value on its own line or lines, as opposed to one within brackets. */
export const isBlockCollection = (node: unknown): node is Collection =>
  isCollection(node) && node.flow !== true;

/** Start of a pair or an element of a list. */
export const startOf = (item: unknown): number | undefined => rangeOf(isPair(item) ? item.key : item)?.[0];

/** End of the value of a pair or an element, before comments and the end of the line. */
export function endOf(item: unknown): number | undefined {
  if (!isPair(item)) return rangeOf(item)?.[1];
  const value = rangeOf(item.value);
  // A key without a value: its node stands at the colon.
  return value?.[1] ?? rangeOf(item.key)?.[1];
}

export { isAlias, isMap, isPair, isScalar, isSeq };
