/** Finds the nodes of a YAML document by path. */
import { isAlias, isMap, isPair, isScalar, isSeq, type Node, type Pair } from 'yaml';
import type { PathSegment } from '../path';

/** Offsets in the text: the start of a node, the end of its value, and the end of the node including its comment and line end. */
export type Range = readonly [start: number, valueEnd: number, nodeEnd: number];

export type Collection = Node & { items: unknown[]; flow?: boolean };

export const rangeOf = (node: unknown): Range | undefined =>
  (node as { range?: Range | null } | null | undefined)?.range ?? undefined;

export const keyText = ({ key }: Pair): string => String(isScalar(key) ? key.value : key);

export const pairOf = (map: unknown, key: PathSegment): Pair | undefined =>
  isMap(map) ? map.items.find((pair) => keyText(pair) === String(key)) : undefined;

/** Returns the node at `path`. Returns null for a key without a value, and undefined if the path does not exist. */
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

/** Returns whether a node is a list or object whose items are on separate lines, not in brackets. */
export const isBlockCollection = (node: unknown): node is Collection =>
  isCollection(node) && node.flow !== true;

/** Returns the start of a pair or of a list element. */
export const startOf = (item: unknown): number | undefined => rangeOf(isPair(item) ? item.key : item)?.[0];

/** Returns the end of the value of a pair or of a list element. A comment after it is not included. */
export function endOf(item: unknown): number | undefined {
  if (!isPair(item)) return rangeOf(item)?.[1];
  const value = rangeOf(item.value);
  // The node of a missing value is at the colon.
  return value?.[1] ?? rangeOf(item.key)?.[1];
}

export { isAlias, isMap, isPair, isScalar, isSeq };
