/** Finds the position in the text to which a problem refers, by the path or the line number of the problem. */
import { openDocument } from '../document';
import type { PathSegment } from '../path';
import { isCollection, isMap, isPair, isSeq, keyText, pairOf, rangeOf } from './nodes';

export interface Place {
  /** Line number, from 1. */
  line: number;
  /** Offset of the first character in the text. */
  from: number;
  /** Offset after the last character in the text. It is equal to `from` only if the text is empty. */
  to: number;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/**
 * Returns the range from `from` to `to`, with its line number. If the range extends over several lines, it ends at the end of its first
 * line.
 */
function placeFrom(text: string, from: number, to: number): Place {
  const lineEnd = text.indexOf('\n', from);
  const end = Math.min(to, lineEnd === -1 ? text.length : lineEnd);
  return { line: lineAt(text, from), from, to: Math.max(end, Math.min(from + 1, text.length)) };
}

/** Returns the position of a syntax error, whose `path` ends with `:LINE:COLUMN`. Undefined for every other path. */
function placeOfLine(text: string, path: string): Place | undefined {
  const match = /:(\d+):(\d+)$/.exec(path);
  if (!match) return undefined;
  const lines = text.split('\n');
  const line = Math.min(Number(match[1]), lines.length);
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  const from = Math.min(start + Number(match[2]) - 1, start + lines[line - 1]!.length);
  const place = placeFrom(text, from, text.length);
  return { ...place, from: place.to > from ? from : start, line };
}

/**
 * Returns the key with which `rest`, the remaining part of a path, begins. Keys may contain dots, so several keys may match. The longest of
 * them is returned.
 */
function nextKey(keys: readonly string[], rest: string): string | undefined {
  return keys
    .filter((key) => rest === key || rest.startsWith(`${key}.`) || rest.startsWith(`${key}[`))
    .sort((a, b) => b.length - a.length)[0];
}

/**
 * Returns the factor that the path of a problem contains: its path, or only the end of its path. From `factors (refresh_interval=1s, ...):
 * tasks[0]`, returns `refresh_interval`. From `factors.index.settings.codec`, returns `index.settings.codec`.
 */
export function factorOf(path: string): string | undefined {
  return (/^factors \((.+?)=/.exec(path) ?? /^factors\.(.+)$/.exec(path))?.[1];
}

/**
 * Returns the path of a factor in the definition: in `factors`, or in the first listed cell that contains the factor. `name`: path of the
 * factor, or the end of this path. Undefined if no factor has this name.
 */
function factorKeys(factors: unknown, name: string): PathSegment[] | undefined {
  const keyIn = (levels: unknown): string | undefined => {
    const keys = isMap(levels) ? levels.items.map(keyText) : [];
    return nextKey(keys, name) ?? keys.find((key) => key.endsWith(`.${name}`));
  };
  if (!isSeq(factors)) {
    const key = keyIn(factors);
    return key === undefined ? undefined : ['factors', key];
  }
  const at = factors.items.findIndex((cell) => keyIn(cell) !== undefined);
  return at < 0 ? undefined : ['factors', at, keyIn(factors.items[at])!];
}

/** The text that was parsed last, with its contents. All problems of a text are located one after the other, so it is parsed only once. */
let parsed: { text: string; contents: unknown } | undefined;

function contentsOf(text: string): unknown {
  if (parsed?.text !== text) parsed = { text, contents: openDocument(text).contents };
  return parsed.contents;
}

export interface Found {
  /** The part of the path that exists in the text. */
  keys: readonly PathSegment[];
  /** Whether `keys` is the whole path. */
  isWhole: boolean;
  place: Place;
}

/**
 * Returns the part of `path` that exists in the text, and its position in the text. If no part of the path exists, the position is that of
 * the first key.
 */
export function follow(text: string, path: string): Found {
  const root = contentsOf(text);
  let rest = path;
  let node: unknown = root;
  let place: readonly [number, number] | undefined;
  const keys: PathSegment[] = [];
  const intoKey = (key: string): boolean => {
    const pair = isMap(node) ? node.items.find((item) => keyText(item) === key) : undefined;
    const keyRange = rangeOf(pair?.key);
    if (!pair || !keyRange) return false;
    node = pair.value;
    const end = isCollection(node) && node.flow !== true ? keyRange[1] : (rangeOf(node)?.[1] ?? keyRange[1]);
    place = [keyRange[0], end];
    keys.push(key);
    return true;
  };
  const intoItem = (at: number): boolean => {
    const item = isSeq(node) ? node.items[at] : undefined;
    const range = rangeOf(isPair(item) ? item.key : item);
    if (!range) return false;
    node = item;
    place = [range[0], range[1]];
    keys.push(at);
    return true;
  };
  const factor = factorOf(path);
  const ofFactor = factor && isMap(root) ? factorKeys(pairOf(root, 'factors')?.value, factor) : undefined;
  if (ofFactor !== undefined) {
    for (const key of ofFactor) if (typeof key === 'number' ? !intoItem(key) : !intoKey(key)) break;
    rest = path.startsWith('factors.') ? factor!.slice(String(ofFactor.at(-1)).length) : '';
    rest = rest.replace(/^\./, '');
  }
  while (rest !== '') {
    if (isMap(node)) {
      const key = nextKey(node.items.map(keyText), rest);
      if (key === undefined || !intoKey(key)) break;
      rest = rest.slice(key.length).replace(/^\./, '');
    } else {
      const match = /^\[(\d+)\]\.?/.exec(rest);
      if (!match || !intoItem(Number(match[1]))) break;
      rest = rest.slice(match[0].length);
    }
  }
  if (place === undefined) {
    const first = isMap(node) ? rangeOf(node.items[0]?.key) : undefined;
    place = [first?.[0] ?? 0, first?.[1] ?? 1];
  }
  return { keys, isWhole: rest === '' && keys.length > 0, place: placeFrom(text, ...place) };
}

/**
 * Returns the position in the text to which a problem refers: that of the deepest part of its path that exists. If a key is missing, it is
 * the position of the object that lacks the key. For the whole definition and for unknown paths, it is the position of the first key.
 */
export const locate = (text: string, path: string): Place =>
  placeOfLine(text, path) ?? follow(text, path).place;
