/** Finds the place of a problem in the text, from its path or its line number, as a range of characters. */
import { openDocument } from '../document';
import type { PathSegment } from '../path';
import { isCollection, isMap, isPair, isSeq, keyText, pairOf, rangeOf } from './nodes';

export interface Place {
  /** Line number, from 1. */
  line: number;
  /** Range of characters in the text; `to` is exclusive. The range is empty only if the text is empty. */
  from: number;
  to: number;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** Returns the place from `from` to `to`. If the range has several lines, the place ends with the first one. */
function placeFrom(text: string, from: number, to: number): Place {
  const lineEnd = text.indexOf('\n', from);
  const end = Math.min(to, lineEnd === -1 ? text.length : lineEnd);
  return { line: lineAt(text, from), from, to: Math.max(end, Math.min(from + 1, text.length)) };
}

/** Reads `name:LINE:COLUMN`, the path of syntax errors. */
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

/** Returns the key in `keys` with which the rest of a path begins. Keys may contain dots, so the longest matching key is returned. */
function nextKey(keys: readonly string[], rest: string): string | undefined {
  return keys
    .filter((key) => rest === key || rest.startsWith(`${key}.`) || rest.startsWith(`${key}[`))
    .sort((a, b) => b.length - a.length)[0];
}

/**
 * Returns the factor that a problem's path contains: `refresh_interval` in `factors (refresh_interval=1s, ...): tasks[0]`,
 * `index.settings.codec` in `factors.index.settings.codec`. The result is the whole path of the factor, or the end of this path.
 */
export function factorOf(path: string): string | undefined {
  return (/^factors \((.+?)=/.exec(path) ?? /^factors\.(.+)$/.exec(path))?.[1];
}

/**
 * Returns the path to the factor called `name` in `factors`: in the crossed factors, or in the first listed cell that contains the factor.
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

/** Cache of the text that was parsed last. All problems of a text are located one after the other. */
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

/** Follows `path` into the text as far as it exists. For the whole definition, returns its first key. */
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
 * Returns the place of the deepest part of `path` that exists in the text. If a key is missing, this is the place of the object that lacks
 * the key. For the whole definition and for unknown paths, this is the place of the first key.
 */
export const locate = (text: string, path: string): Place =>
  placeOfLine(text, path) ?? follow(text, path).place;
