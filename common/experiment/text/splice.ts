/**
 * Changes the text of a definition with splices. A splice replaces a range of characters by another text. The YAML library is not used to
 * write the text, because it would change the layout of the whole document.
 */
import { hasMarks, jsonOfText } from '../../json/exact';
import type { Document } from 'yaml';
import { definitionSchema } from '../definition';
import {
  endOf,
  isBlockCollection,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  keyText,
  nodeAt,
  pairOf,
  rangeOf,
  startOf,
  type Collection,
} from './nodes';
import { afterDash, afterKey, blockScalar, inlineText } from './render';
import { withValue } from './values';
import type { PathSegment } from '../path';

export interface Splice {
  from: number;
  to: number;
  insert: string;
}

type Path = readonly PathSegment[];

/** The order in which a definition usually contains its keys. */
const ORDER = Object.keys(definitionSchema.shape);

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

/** Returns the offset after the end of the line that contains the offset `at`. If a line starts at `at`, returns `at`. */
function lineEnd(text: string, at: number): number {
  if (at === 0 || text[at - 1] === '\n') return at;
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

const columnOf = (text: string, at: number): number => at - lineStart(text, at);

/** Returns a splice that sets the value at `path`. Undefined if the layout of the text around the value is not supported. */
export function spliceValue(
  text: string,
  { contents }: Document,
  path: Path,
  value: unknown,
): Splice | undefined {
  let depth = 0;
  let parent: unknown = contents;
  while (depth < path.length - 1) {
    const next = nodeAt(parent, [path[depth]!]);
    if (!isCollection(next) || (next.items.length === 0 && next.flow !== true)) break;
    parent = next;
    depth += 1;
  }
  if (!isCollection(parent)) return undefined;
  const [key, ...rest] = path.slice(depth) as [PathSegment, ...PathSegment[]];
  const present = isMap(parent) ? pairOf(parent, key) : parent.items[Number(key)];
  const whole = withValue(undefined, rest, value);
  return present === undefined
    ? insertion(text, parent, key, whole, depth === 0)
    : replacement(text, parent, present, whole);
}

function replacement(text: string, parent: Collection, item: unknown, value: unknown): Splice | undefined {
  const node = isPair(item) ? item.value : item;
  const range = rangeOf(node);
  const start = startOf(item);
  if (start === undefined) return undefined;
  const inBrackets = parent.flow === true;
  const isEmpty = range === undefined || range[0] === range[1];
  if (isBlockCollection(node)) {
    const rendered = isPair(item)
      ? `:${afterKey(value, columnOf(text, start))}\n`
      : `${afterDash(value, columnOf(text, start) - 2).trimStart()}\n`;
    const from = isPair(item) ? rangeOf(item.key)![1] : range![0];
    return { from, to: lineEnd(text, range![1]), insert: rendered };
  }
  if (isEmpty) {
    if (!isPair(item)) return undefined;
    const colon = text.indexOf(':', rangeOf(item.key)![1]);
    const rendered = inBrackets ? ` ${inlineText(value)}` : afterKey(value, columnOf(text, start));
    return { from: colon + 1, to: colon + 1, insert: rendered };
  }
  const [from, to] = range;
  if (inBrackets) return { from, to, insert: quotedAs(node, value) ?? inlineText(value) };
  if (typeof value !== 'object' || value === null) {
    return { from, to: valueEnd(text, to), insert: quotedAs(node, value) ?? blockScalar(value) };
  }
  if (isCollection(node)) return { from, to, insert: inlineText(value) };
  const rendered = isPair(item)
    ? afterKey(value, columnOf(text, start))
    : afterDash(value, columnOf(text, start) - 2);
  return {
    from: rendered.startsWith('\n') ? backOverSpaces(text, from) : from,
    to,
    insert: rendered.replace(/^ /, ''),
  };
}

/**
 * Returns the end of a value, without a line end. `to`: end of the value according to the YAML library. For a block scalar, the library
 * includes the last line end, which must stay in the text.
 */
const valueEnd = (text: string, to: number): number => (text[to - 1] === '\n' ? to - 1 : to);

function backOverSpaces(text: string, at: number): number {
  let from = at;
  while (text[from - 1] === ' ') from -= 1;
  return from;
}

/**
 * Returns the new value in the quotes of the old value, if the old value would not need quotes: the author has then chosen them. Undefined
 * otherwise.
 */
function quotedAs(node: unknown, value: unknown): string | undefined {
  if (!isScalar(node) || typeof value !== 'string' || typeof node.value !== 'string') return undefined;
  if (/^['"]/.test(inlineText(node.value)) || value.includes('\n') || hasMarks(value)) return undefined;
  if (node.type === 'QUOTE_DOUBLE') return jsonOfText(value);
  return node.type === 'QUOTE_SINGLE' ? `'${value.replaceAll("'", "''")}'` : undefined;
}

function insertion(
  text: string,
  parent: Collection,
  key: PathSegment,
  value: unknown,
  isRoot: boolean,
): Splice | undefined {
  const last = parent.items.at(-1);
  if (parent.flow === true) {
    const inner = isMap(parent) ? `${inlineText(String(key))}: ${inlineText(value)}` : inlineText(value);
    if (last === undefined) {
      const [from, to] = rangeOf(parent)!;
      return { from, to, insert: isMap(parent) ? `{ ${inner} }` : `[${inner}]` };
    }
    const at = endOf(last);
    return at === undefined ? undefined : { from: at, to: at, insert: `, ${inner}` };
  }
  const first = startOf(parent.items[0]);
  if (first === undefined) return undefined;
  const before = isRoot
    ? parent.items.findLast((pair) => isPair(pair) && precedes(keyText(pair), key))
    : last;
  const at = before === undefined ? lineStart(text, first) : itemEnd(text, before);
  if (at === undefined) return undefined;
  const gap = at > 0 && text[at - 1] !== '\n' ? '\n' : '';
  if (isMap(parent)) {
    const indent = columnOf(text, first);
    const line = `${' '.repeat(indent)}${blockScalar(String(key))}:${afterKey(value, indent)}\n`;
    return { from: at, to: at, insert: gap + line };
  }
  const dash = text.lastIndexOf('-', first - 1);
  const indent = columnOf(text, dash);
  return { from: at, to: at, insert: `${gap}${' '.repeat(indent)}-${afterDash(value, indent)}\n` };
}

/** Returns whether `key` usually comes before `other` in a definition. */
const precedes = (key: string, other: PathSegment): boolean => {
  const [own, its] = [ORDER.indexOf(key), ORDER.indexOf(String(other))];
  return its === -1 || own < its;
};

/** Returns the offset after the last line of an item of an object or list. Undefined if the item has no position in the text. */
function itemEnd(text: string, item: unknown): number | undefined {
  const end = isPair(item) ? (rangeOf(item.value) ?? rangeOf(item.key)) : rangeOf(item);
  return end === undefined
    ? undefined
    : lineEnd(
        text,
        isBlockCollection(isPair(item) ? item.value : item) ? end[1] : Math.min(end[1], text.length),
      );
}

/** Returns a splice that removes the value at `path`. The value must not be the only one of its object or list. */
export function spliceRemoval(text: string, { contents }: Document, path: Path): Splice | undefined {
  const parent = nodeAt(contents, path.slice(0, -1));
  if (!isCollection(parent)) return undefined;
  const at = isSeq(parent)
    ? Number(path.at(-1))
    : (parent.items as unknown[]).findIndex((pair) => isPair(pair) && keyText(pair) === String(path.at(-1)));
  const item = parent.items[at];
  const start = startOf(item);
  const end = endOf(item);
  if (start === undefined || end === undefined) return undefined;
  const next = startOf(parent.items[at + 1]);
  if (parent.flow === true) {
    if (next !== undefined) return { from: start, to: next, insert: '' };
    const before = endOf(parent.items[at - 1]);
    return before === undefined ? undefined : { from: before, to: end, insert: '' };
  }
  const from = lineStart(text, start);
  const lead = text.slice(from, start);
  const ownLine = isSeq(parent) ? /^ *- +$/.test(lead) : /^ *$/.test(lead);
  if (ownLine) return { from, to: itemEnd(text, item)!, insert: '' };
  return next === undefined ? undefined : { from: start, to: next, insert: '' };
}

/** Returns a splice that renames the key at `path`. */
export function spliceKey({ contents }: Document, path: Path, key: string): Splice | undefined {
  const parent = nodeAt(contents, path.slice(0, -1));
  const range = rangeOf(pairOf(parent, path.at(-1)!)?.key);
  return range && { from: range[0], to: range[1], insert: inlineText(key) };
}
