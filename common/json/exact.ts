/**
 * JSON values that keep their exact notation. JavaScript changes some values: it rounds 9007199254740993, turns `1.0` into `1` and `-0.0`
 * into `0`, sorts keys that look like numbers, and writes `"\u0041"` as `"A"`. These changes can matter to Elasticsearch, so Dyno must
 * send exactly what the user wrote.
 *
 * An *exact value* is ordinary JSON data with one exception. A number, string or key that JavaScript would write differently is stored as a
 * *marked* string: a special character, followed by the original notation. Marked strings survive JSON, threads and storage. In an ordinary
 * string that begins with the special character, the character is doubled.
 *
 * All code that reads or writes bodies, documents, responses and definitions uses this module instead of `JSON`.
 */
import { parse as parseTree, type ObjectNode, type ValueNode } from '@humanwhocodes/momoa';

/**
 * The special character before the original notation in a marked string. It is a noncharacter of Unicode, which is reserved for use inside
 * programs.
 */
const MARK = '\uFDD0';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
// oxlint-disable-next-line no-control-regex -- JSON forbids these characters in strings.
const STRING = /^"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"$/;

/** Error for valid JSON that cannot be represented as an exact value. */
export class JsonNotHeld extends Error {}

const mark = (token: string): string => MARK + token;

/**
 * Returns an ordinary string as part of an exact value. If the string begins with the special character, the character is doubled. The
 * result therefore does not look like a marked string.
 */
const held = (text: string): string => (text.startsWith(MARK) ? MARK + text : text);

/** Returns the original notation of a marked string; undefined for any other value. */
function tokenOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.startsWith(MARK)) return undefined;
  const token = value.slice(1);
  return NUMBER.test(token) || STRING.test(token) ? token : undefined;
}

/** Returns a number in JSON notation as part of an exact value. It is a marked string if JavaScript would write the number differently. */
export function exactNumber(token: string): number | string {
  const number = Number(token);
  return JSON.stringify(number) === token ? number : mark(token);
}

/** Returns a string in JSON notation as part of an exact value. It is a marked string if JavaScript would write the string differently. */
export function exactString(token: string): string {
  const text = JSON.parse(token) as string;
  return JSON.stringify(text) === token ? held(text) : mark(token);
}

/** Returns an ordinary string as part of an exact value. This is for strings that were not parsed from JSON. */
export const heldString = held;

/** Returns the JSON string of an ordinary text. The special character at the beginning of the text has no meaning here. */
export const jsonOfText = (text: string): string => JSON.stringify(text);

export const isJsonNumber = (text: string): boolean => NUMBER.test(text);
export const isJsonString = (text: string): boolean => STRING.test(text);

/**
 * Whether the key is an integer index. JavaScript lists such keys first and in ascending order, regardless of the order in which they were
 * written.
 */
const isIndex = (key: string): boolean => /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;

/** Whether JavaScript would list these keys of an object in another order. */
function changesOrder(keys: readonly string[]): boolean {
  let last = -1;
  let hasOther = false;
  for (const key of keys) {
    if (!isIndex(key)) hasOther = true;
    else if (hasOther || Number(key) < last) return true;
    else last = Number(key);
  }
  return false;
}

/**
 * Returns the keys of an object as parts of an exact value, in their order. A key becomes a marked string if JavaScript would write it
 * differently or list it in another position. `tokens`: the keys in JSON notation.
 */
export function exactKeys(tokens: readonly string[]): string[] {
  const keys = tokens.map((token) => JSON.parse(token) as string);
  const moves = changesOrder(keys);
  return keys.map((key, at) =>
    // Schemas and copies of objects lose the key __proto__.
    key === '__proto__' || (moves && isIndex(key)) ? mark(tokens[at]!) : exactString(tokens[at]!),
  );
}

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;
const QUOTE = 34;
const BACKSLASH = 92;

/** Whether `text` is the same JSON as `canonical`, except for spaces between tokens. `canonical`: JSON as JavaScript writes it. */
function isSpaced(text: string, canonical: string): boolean {
  let at = 0;
  let isText = false;
  for (let read = 0; read < text.length; read += 1) {
    const code = text.charCodeAt(read);
    if (code !== canonical.charCodeAt(at)) {
      if (isText || !isSpace(code)) return false;
      continue;
    }
    at += 1;
    if (code === QUOTE) isText = !isText;
    else if (isText && code === BACKSLASH) {
      read += 1;
      if (text.charCodeAt(read) !== canonical.charCodeAt(at)) return false;
      at += 1;
    }
  }
  return at === canonical.length;
}

/**
 * Parses JSON text. Numbers may be rounded, and keys may change their order. This is for JSON for which this does not matter, such as a
 * line of a log, or a response of which Dyno reads a few fields.
 */
export const parsePlain = (text: string): unknown => JSON.parse(text);

/** Returns the JSON of a plain value that Dyno itself created. */
export const stringifyPlain = (value: unknown): string => JSON.stringify(value) as string;

/**
 * Whether JavaScript would write `value` exactly as in `text`, except for spaces. `value`: the result of parsing `text` with `JSON.parse`.
 */
function isCanonical(text: string, value: unknown): boolean {
  if (text.includes(MARK) || text.includes('__proto__')) return false;
  const canonical = JSON.stringify(value);
  return text === canonical || isSpaced(text, canonical);
}

/** Returns the text of a path, such as `schedule[0].operation`. */
const pathText = (path: readonly string[]): string =>
  path.length === 0 ? '' : path.reduce((text, key) => (key.startsWith('[') ? text + key : `${text}.${key}`));

/** A key that appears more than once in one object. */
export interface RepeatedKey {
  /** Path of the object, e.g. `schedule[0].operation`; '' for the whole value. */
  owner: string;
  key: string;
  times: number;
}
/** Function that is called once for each repeated key of an object. */
export type OnRepeatedKey = (repeated: RepeatedKey) => void;

const refuseRepeated: OnRepeatedKey = ({ owner, key }) => {
  throw new JsonNotHeld(
    `${owner === '' ? '' : `${owner}: `}the key ${JSON.stringify(key)} appears twice in one object, and only one of its values could be kept`,
  );
};

function fromTree(
  node: ValueNode,
  text: string,
  path: readonly string[],
  onRepeated: OnRepeatedKey,
): unknown {
  const [from, to] = node.range!;
  switch (node.type) {
    case 'Object':
      return fromObject(node, text, path, onRepeated);
    case 'Array':
      return node.elements.map(({ value }, at) => fromTree(value, text, [...path, `[${at}]`], onRepeated));
    case 'String':
      return exactString(text.slice(from, to));
    case 'Number':
      return exactNumber(text.slice(from, to));
    default:
      return JSON.parse(text.slice(from, to)) as unknown;
  }
}

function fromObject(
  { members }: ObjectNode,
  text: string,
  path: readonly string[],
  onRepeated: OnRepeatedKey,
): unknown {
  // A repeated key keeps its first position, as in JavaScript and in Python. The same key may be written in several ways: "a" is equal to
  // "\\u0061".
  const kept = new Map<string, { token: string; value: ValueNode; times: number }>();
  for (const { name, value } of members) {
    const token = text.slice(...name.range!);
    const key = JSON.parse(token) as string;
    const before = kept.get(key);
    kept.set(key, { token: before?.token ?? token, value, times: (before?.times ?? 0) + 1 });
  }
  for (const [key, { times }] of kept) if (times > 1) onRepeated({ owner: pathText(path), key, times });
  const exact = exactKeys([...kept.values()].map(({ token }) => token));
  return Object.fromEntries(
    [...kept].map(([key, { value }], at) => [exact[at]!, fromTree(value, text, [...path, key], onRepeated)]),
  );
}

/**
 * Parses JSON text to an exact value. Throws a SyntaxError if the text is not JSON, and a {@link JsonNotHeld} if it is nested too deeply or
 * has duplicate keys. With `onRepeated`, duplicate keys are allowed: the last value of the key is used, and `onRepeated` is called for each
 * such key.
 */
export function parseExact(text: string, onRepeated: OnRepeatedKey = refuseRepeated): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return isCanonical(text, value)
      ? value
      : fromTree(parseTree(text, { mode: 'json', ranges: true }).body, text, [], onRepeated);
  } catch (error) {
    if (error instanceof RangeError) throw new JsonNotHeld('is nested too deeply to be read');
    throw error;
  }
}

/** Returns a string of an exact value in JSON notation. For a marked string, it is the original notation. */
function stringToken(text: string): string {
  if (!text.startsWith(MARK)) return JSON.stringify(text);
  return tokenOf(text) ?? JSON.stringify(text.startsWith(MARK + MARK) ? text.slice(1) : text);
}

/** Returns a key or string of an exact value in JSON notation. For a marked string, it is the original notation. */
export const exactToken = stringToken;

/** Returns the JSON of an exact value, as written except for spaces. `indent`: number of spaces per level, on several lines. */
export function stringifyExact(value: unknown, indent = 0): string {
  return written(value, indent === 0 ? '' : ' '.repeat(indent), indent === 0 ? '' : '\n');
}

function written(value: unknown, step: string, line: string): string {
  if (typeof value === 'string') return stringToken(value);
  if (typeof value !== 'object' || value === null || 'toJSON' in value)
    return JSON.stringify(value) ?? 'null';
  const inner = line + step;
  const joined = (open: string, parts: readonly string[], close: string): string =>
    parts.length === 0 ? open + close : `${open}${inner}${parts.join(`,${inner}`)}${line}${close}`;
  if (Array.isArray(value))
    return joined(
      '[',
      value.map((one: unknown) => written(one, step, inner)),
      ']',
    );
  const colon = line === '' ? ':' : ': ';
  return joined(
    '{',
    Object.entries(value).flatMap(([key, one]) =>
      one === undefined ? [] : [`${stringToken(key)}${colon}${written(one, step, inner)}`],
    ),
    '}',
  );
}

/** Whether the value contains a marked string, either as a value or as a key. */
export function hasMarks(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith(MARK);
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value)
    ? value.some(hasMarks)
    : Object.entries(value).some(([key, inner]) => key.startsWith(MARK) || hasMarks(inner));
}

const plainString = (text: string): string | number => {
  const token = tokenOf(text);
  if (token === undefined) return text.startsWith(MARK + MARK) ? text.slice(1) : text;
  return JSON.parse(token) as string | number;
};

/** Converts a key of an exact value to an ordinary text. */
export const plainKey = (key: string): string => String(plainString(key));

/**
 * Converts an exact value to a plain JavaScript value, in which numbers may be rounded and keys may be in another order. If the value
 * contains no marked strings, the same object is returned.
 */
export function plainValue<Value>(value: Value): Value;
export function plainValue(value: unknown): unknown {
  if (!hasMarks(value)) return value;
  if (typeof value === 'string') return plainString(value);
  if (Array.isArray(value)) return value.map((one: unknown) => plainValue(one));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, inner]) => [plainKey(key), plainValue(inner as unknown)]),
  );
}

/**
 * Returns a text, number, boolean or null of an exact value for display. Numbers keep the notation that the user wrote, and texts have no
 * quotes.
 */
export function exactText(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value);
  const token = tokenOf(value);
  return token !== undefined && NUMBER.test(token) ? token : String(plainString(value));
}

/** Returns the complete text of an exact value for display: a string without quotes, any other value as JSON. */
export const shownWhole = (value: unknown): string =>
  typeof value === 'string' ? exactText(value) : stringifyExact(value);

/** Whether a value is a marked string that represents a number. */
export const isExactNumber = (value: unknown): value is string => NUMBER.test(tokenOf(value) ?? '');

/** Returns the original notation of a marked string; undefined for any other value. */
export const markedToken = tokenOf;
