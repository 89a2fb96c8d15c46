/** Finds the nodes of a YAML document by path. */
import { isAlias, isMap, isPair, isScalar, isSeq, type Node, type Pair } from 'yaml';
import type { PathSegment } from '../path';

/** Three positions in the text: start of a node, end of its value, and end of the node with its comment and line end. */
export type Range = readonly [start: number, valueEnd: number, nodeEnd: number];

export type Collection = Node & { items: unknown[]; flow?: boolean };

export const rangeOf = (node: unknown): Range | undefined =>
  (node as { range?: Range | null } | null | undefined)?.range ?? undefined;

export const keyText = ({ key }: Pair): string => String(isScalar(key) ? key.value : key);

export const pairOf = (map: unknown, key: PathSegment): Pair | undefined =>
  isMap(map) ? map.items.find((pair) => keyText(pair) === String(key)) : undefined;

/** Returns the node at `path`; null if the key has no value; undefined if the path does not exist. */
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

/** Returns whether a node is a list or object in block style, on separate lines, and not in brackets. */
export const isBlockCollection = (node: unknown): node is Collection =>
  isCollection(node) && node.flow !== true;

/** Returns the start of a pair or of a list element. */
export const startOf = (item: unknown): number | undefined => rangeOf(isPair(item) ? item.key : item)?.[0];

/** Returns the end of the value of a pair or an element, before comments and the end of the line. */
export function endOf(item: unknown): number | undefined {
  if (!isPair(item)) return rangeOf(item)?.[1];
  const value = rangeOf(item.value);
  // If a value is missing, its node is at the position of the colon.
  return value?.[1] ?? rangeOf(item.key)?.[1];
}

export { isAlias, isMap, isPair, isScalar, isSeq };
