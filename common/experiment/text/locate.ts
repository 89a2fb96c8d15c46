/** Where in the text a problem lies: its path, or the line that it names, as a range of characters. */
import { openDocument } from '../document';
import { isCollection, isMap, isPair, isSeq, keyText, rangeOf } from './nodes';

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

/** `factors (refresh_interval=1s, ...): tasks[0]` speaks of a factor's level. */
function factorOf(path: string): string | undefined {
  const match = /^factors \((.+?)=/.exec(path);
  return match ? `factors.${match[1]}` : undefined;
}

/** The text whose problems were located last, for each of them asks for it again. */
let parsed: { text: string; contents: unknown } | undefined;

function contentsOf(text: string): unknown {
  if (parsed?.text !== text) parsed = { text, contents: openDocument(text).contents };
  return parsed.contents;
}

/**
 * The place of the deepest part of `path` that stands in the text: of a missing key, that is what it is missing in.
 * The whole definition's, and what cannot be found, is its first key.
 */
export function locate(text: string, path: string): Place {
  const ofLine = placeOfLine(text, path);
  if (ofLine) return ofLine;
  let rest = factorOf(path) ?? path;
  let node: unknown = contentsOf(text);
  let place: readonly [number, number] | undefined;
  while (rest !== '') {
    if (isMap(node)) {
      const key = nextKey(node.items.map(keyText), rest);
      const pair = node.items.find((item) => keyText(item) === key);
      const keyRange = rangeOf(pair?.key);
      if (key === undefined || !pair || !keyRange) break;
      node = pair.value;
      rest = rest.slice(key.length).replace(/^\./, '');
      const end =
        isCollection(node) && node.flow !== true ? keyRange[1] : (rangeOf(node)?.[1] ?? keyRange[1]);
      place = [keyRange[0], end];
    } else if (isSeq(node)) {
      const match = /^\[(\d+)\]\.?/.exec(rest);
      const item = match ? node.items[Number(match[1])] : undefined;
      const range = rangeOf(isPair(item) ? item.key : item);
      if (!match || !range) break;
      node = item;
      rest = rest.slice(match[0].length);
      place = [range[0], range[1]];
    } else break;
  }
  if (place === undefined) {
    const first = isMap(node) ? rangeOf(node.items[0]?.key) : undefined;
    place = [first?.[0] ?? 0, first?.[1] ?? 1];
  }
  return placeFrom(text, ...place);
}
