/** Where in the text a problem lies: its path, or the line that it names, as a range of characters. */
import { openDocument } from '../document';
import type { PathSegment } from '../path';
import { isCollection, isMap, isPair, isSeq, keyText, pairOf, rangeOf } from './nodes';

export interface Place {
  /** Counted from 1. */
  line: number;
  /** Characters of the text, the end exclusive; never empty unless the text is. */
  from: number;
  to: number;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** From `from` to the end of its line at most. */
function placeFrom(text: string, from: number, to: number): Place {
  const lineEnd = text.indexOf('\n', from);
  const end = Math.min(to, lineEnd === -1 ? text.length : lineEnd);
  return { line: lineAt(text, from), from, to: Math.max(end, Math.min(from + 1, text.length)) };
}

/** `name:LINE:COLUMN`, as syntax errors have it. */
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

/** The key of a map that the path goes on with: keys may hold dots themselves, so the longest wins. */
function nextKey(keys: readonly string[], rest: string): string | undefined {
  return keys
    .filter((key) => rest === key || rest.startsWith(`${key}.`) || rest.startsWith(`${key}[`))
    .sort((a, b) => b.length - a.length)[0];
}

/** The factor of which `factors (refresh_interval=1s, ...): tasks[0]` and `factors.index.settings.codec` speak, by its path or the end of it. */
export function factorOf(path: string): string | undefined {
  return (/^factors \((.+?)=/.exec(path) ?? /^factors\.(.+)$/.exec(path))?.[1];
}

/** Where the factor is written that `name` names: in the levels that are crossed, or in the first cell of a list that has it. */
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

/** The text whose problems were located last, for each of them asks for it again. */
let parsed: { text: string; contents: unknown } | undefined;

function contentsOf(text: string): unknown {
  if (parsed?.text !== text) parsed = { text, contents: openDocument(text).contents };
  return parsed.contents;
}

export interface Found {
  /** The part of the path that is in the text. */
  keys: readonly PathSegment[];
  /** Whether that is all of it. */
  isWhole: boolean;
  place: Place;
}

/** Follows `path` into the text as far as it is there. The whole definition is its first key. */
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
 * The place of the deepest part of `path` that stands in the text: of a missing key, that is what it is missing in.
 * The whole definition's, and what cannot be found, is its first key.
 */
export const locate = (text: string, path: string): Place =>
  placeOfLine(text, path) ?? follow(text, path).place;
