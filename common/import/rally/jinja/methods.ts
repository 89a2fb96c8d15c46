/** Attributes and methods of Python's values that templates can use, such as `text.upper()`, `dict.items()` and `list.append(x)`. */
import { fault } from './fault';
import { countArgument, inOrder, textArgument } from './given';
import {
  Attributes,
  Callable,
  Dict,
  isEqual,
  itemsOf,
  List,
  Markup,
  shown,
  sized,
  textIn,
  textOf,
  Tuple,
  Undefined,
  View,
  wholeIn,
  type Given,
  type Value,
} from './values';

/** Pattern of the characters that Python treats as white space. */
const SPACE = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';

export function stripped(text: string, chars: string | undefined, ends: 'both' | 'left' | 'right'): string {
  const set =
    chars === undefined
      ? SPACE
      : chars === ''
        ? undefined
        : `[${Array.from(chars, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`).join('')}]`;
  if (set === undefined) return text;
  let found = text;
  if (ends !== 'right') found = found.replace(new RegExp(`^${set}+`, 'u'), '');
  if (ends !== 'left') found = found.replace(new RegExp(`${set}+$`, 'u'), '');
  return found;
}

export const capitalized = (text: string): string => {
  const [first = '', ...rest] = Array.from(text);
  return first.toUpperCase() + rest.join('').toLowerCase();
};

/** Replaces `old` by `by`, like Python's `replace`. `count`: maximum number of replacements; negative for no limit. */
export function replacedIn(text: string, old: string, by: string, count: number): string {
  if (count < 0)
    return sized(
      old === '' ? [by, ...Array.from(text, (char) => char + by)].join('') : text.split(old).join(by),
    );
  const parts = old === '' ? ['', ...Array.from(text)] : text.split(old);
  const changed = Math.min(count, old === '' ? parts.length : parts.length - 1);
  const [head, tail] = [parts.slice(0, changed + 1), parts.slice(changed + 1)];
  if (old === '') {
    const chars = Array.from(text);
    const own = Array.from({ length: changed }, (_, at) => by + (chars[at] ?? '')).join('');
    return sized(own + chars.slice(changed).join(''));
  }
  return sized([head.join(by), ...tail].join(old));
}

function split(text: string, separator: string | undefined, most: number): string[] {
  if (separator === '') throw fault('empty separator');
  if (separator === undefined) {
    const trimmed = stripped(text, undefined, 'left');
    const parts: string[] = [];
    const word = new RegExp(`(?:(?!${SPACE})[^])+`, 'gu');
    for (const { 0: found, index } of trimmed.matchAll(word)) {
      if (most >= 0 && parts.length === most) {
        parts.push(trimmed.slice(index));
        return parts;
      }
      parts.push(found);
    }
    return parts;
  }
  const parts = text.split(separator);
  return most < 0 || parts.length <= most + 1
    ? parts
    : [...parts.slice(0, most), parts.slice(most).join(separator)];
}

/** Implements Python's `format`: replaces `{}`, `{0}` and `{name}` in a text. Throws if a format follows a colon, as in `{:.2f}`. */
function braces(text: string, { positional, named }: Given): string {
  let next = 0;
  return sized(
    text.replaceAll(/\{\{|\}\}|\{([^{}]*)\}|[{}]/g, (whole, inner?: string) => {
      if (whole === '{{') return '{';
      if (whole === '}}') return '}';
      if (inner === undefined) throw fault("single '{' or '}' in a format");
      if (!/^\w*$/.test(inner)) throw fault(`the format {${inner}} is not rendered here`);
      const value = /^\d+$/.test(inner)
        ? positional[Number(inner)]
        : inner === ''
          ? positional[next++]
          : named.get(inner);
      if (value === undefined) throw fault(`the format names {${inner}}, which is not given`);
      return textOf(value);
    }),
  );
}

type Method<Own> = (own: Own, given: Given) => Value;

const strip =
  (ends: 'both' | 'left' | 'right'): Method<string> =>
  (text, given) => {
    const [chars] = inOrder('strip()', given, ['chars']);
    return stripped(
      text,
      chars === undefined || chars === null ? undefined : textArgument('strip()', chars),
      ends,
    );
  };

const atEnd =
  (what: 'startsWith' | 'endsWith'): Method<string> =>
  (text, given) => {
    const [wanted] = inOrder(what.toLowerCase(), given, ['prefix']);
    const all = wanted instanceof Tuple ? wanted.items : [wanted];
    return all.some((one) => text[what](textArgument(what.toLowerCase(), one)));
  };

/** Returns the position of a part in a text, in code points like Python. Returns -1 if the part does not occur. */
const placeIn = (text: string, part: string): number => {
  const at = text.indexOf(part);
  return at === -1 ? -1 : Array.from(text.slice(0, at)).length;
};

const isAll =
  (pattern: RegExp): Method<string> =>
  (text) =>
    pattern.test(text);

const TEXT: Readonly<Record<string, Method<string>>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  capitalize: (text) => capitalized(text),
  title: (text) =>
    text.replaceAll(/\p{L}+/gu, (word) => {
      const [first = '', ...rest] = Array.from(word);
      return first.toUpperCase() + rest.join('').toLowerCase();
    }),
  strip: strip('both'),
  lstrip: strip('left'),
  rstrip: strip('right'),
  startswith: atEnd('startsWith'),
  endswith: atEnd('endsWith'),
  split(text, given) {
    const [separator, most] = inOrder('split()', given, ['sep', 'maxsplit']);
    const own =
      separator === undefined || separator === null ? undefined : textArgument('split()', separator);
    return new List(split(text, own, most === undefined ? -1 : countArgument('split()', most)));
  },
  splitlines: (text) =>
    new List(
      text
        .replace(/\r?\n$|\r$/, '')
        .split(/\r\n|[\n\r]/)
        .filter((line, _, all) => all.length > 1 || line !== ''),
    ),
  replace(text, given) {
    const [old, by, count] = inOrder('replace()', given, ['old', 'new', 'count']);
    return replacedIn(
      text,
      textArgument('replace()', old),
      textArgument('replace()', by),
      count === undefined ? -1 : countArgument('replace()', count),
    );
  },
  join(text, given) {
    const [list = null] = inOrder('join()', given, ['iterable']);
    return sized(
      itemsOf(list)
        .map((item) => textArgument('join()', item))
        .join(text),
    );
  },
  format: braces,
  find: (text, given) => BigInt(placeIn(text, textArgument('find()', inOrder('find()', given, ['sub'])[0]))),
  index(text, given) {
    const at = placeIn(text, textArgument('index()', inOrder('index()', given, ['sub'])[0]));
    if (at === -1) throw fault('substring not found');
    return BigInt(at);
  },
  count: (text, given) => {
    const part = textArgument('count()', inOrder('count()', given, ['sub'])[0]);
    return BigInt(part === '' ? Array.from(text).length + 1 : text.split(part).length - 1);
  },
  zfill(text, given) {
    const [width = null] = inOrder('zfill()', given, ['width']);
    const missing = Math.max(0, countArgument('zfill()', width) - Array.from(text).length);
    const sign = /^[-+]/.exec(text)?.[0] ?? '';
    return sized(sign + '0'.repeat(missing) + text.slice(sign.length));
  },
  removeprefix(text, given) {
    const prefix = textArgument('removeprefix()', inOrder('removeprefix()', given, ['prefix'])[0]);
    return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  },
  removesuffix(text, given) {
    const suffix = textArgument('removesuffix()', inOrder('removesuffix()', given, ['suffix'])[0]);
    return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
  },
  isdigit: isAll(/^\d+$/),
  isdecimal: isAll(/^\d+$/),
  isalpha: isAll(/^\p{L}+$/u),
  isalnum: isAll(/^[\p{L}\p{N}]+$/u),
  isspace: isAll(new RegExp(`^${SPACE}+$`, 'u')),
};

/** Returns the index of the argument `value` in a list. Throws if the list does not contain it. */
function placeOf(items: readonly Value[], given: Given, what: string): number {
  const [wanted = null] = inOrder(what, given, ['value']);
  const at = items.findIndex((item) => isEqual(item, wanted));
  if (at === -1) throw fault(`${shown(wanted)} is not in list`);
  return at;
}

const COUNTING: Readonly<Record<string, Method<{ items: readonly Value[] }>>> = {
  count: ({ items }, given) => {
    const [wanted = null] = inOrder('count()', given, ['value']);
    return BigInt(items.filter((item) => isEqual(item, wanted)).length);
  },
  index: ({ items }, given) => BigInt(placeOf(items, given, 'index()')),
};

const LIST: Readonly<Record<string, Method<List>>> = {
  ...COUNTING,
  append({ items }, given) {
    items.push(inOrder('append()', given, ['object'])[0] ?? null);
    return null;
  },
  extend({ items }, given) {
    items.push(...itemsOf(inOrder('extend()', given, ['iterable'])[0] ?? null));
    return null;
  },
  insert({ items }, given) {
    const [at = null, value = null] = inOrder('insert()', given, ['index', 'object']);
    items.splice(countArgument('insert()', at), 0, value);
    return null;
  },
  pop({ items }, given) {
    const [at = -1n] = inOrder('pop()', given, ['index']);
    const place = countArgument('pop()', at);
    const own = place < 0 ? place + items.length : place;
    if (own < 0 || own >= items.length) throw fault('pop index out of range');
    return items.splice(own, 1)[0]!;
  },
  remove({ items }, given) {
    items.splice(placeOf(items, given, 'remove()'), 1);
    return null;
  },
  reverse({ items }) {
    items.reverse();
    return null;
  },
  clear({ items }) {
    items.length = 0;
    return null;
  },
  copy: ({ items }) => new List([...items]),
};

const pairsOf = (dict: Dict): Tuple[] => dict.pairs().map((pair) => new Tuple(pair));

/** Returns the key and the value of a pair. */
export function entryOf(pair: Value): readonly [Value, Value] {
  const items = itemsOf(pair);
  if (items.length !== 2) throw fault(`a dictionary is made of pairs, not of ${items.length} values`);
  return [items[0]!, items[1]!];
}

const DICT: Readonly<Record<string, Method<Dict>>> = {
  get(dict, given) {
    const [key = null, fallback = null] = inOrder('get()', given, ['key', 'default']);
    const found = dict.get(key);
    return found === undefined ? fallback : found;
  },
  items: (dict) => {
    const pairs = pairsOf(dict);
    return new View(pairs, `dict_items(${shown(new List(pairs))})`);
  },
  keys: (dict) => new View(dict.keys(), `dict_keys(${shown(new List(dict.keys()))})`),
  values: (dict) => {
    const values = dict.pairs().map(([, value]) => value);
    return new View(values, `dict_values(${shown(new List(values))})`);
  },
  copy: (dict) => new Dict(dict.pairs()),
  update(dict, given) {
    const [from] = given.positional;
    if (given.positional.length > 1) throw fault('update() takes one argument');
    const entries =
      from instanceof Dict ? from.pairs() : from === undefined ? [] : itemsOf(from).map(entryOf);
    for (const [key, value] of [...entries, ...given.named]) dict.set(key, value);
    return null;
  },
  pop(dict, given) {
    const [key = null, fallback] = inOrder('pop()', given, ['key', 'default']);
    const own = dict.get(key);
    const found = own === undefined ? fallback : own;
    if (found === undefined) throw fault(`the dictionary has no key ${shown(key)}`);
    dict.delete(key);
    return found;
  },
  setdefault(dict, given) {
    const [key = null, fallback = null] = inOrder('setdefault()', given, ['key', 'default']);
    const found = dict.get(key);
    if (found !== undefined) return found;
    dict.set(key, fallback);
    return fallback;
  },
};

const bound = <Own>(
  methods: Readonly<Record<string, Method<Own>>>,
  own: Own,
  name: string,
): Value | undefined => {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  return method === undefined ? undefined : new Callable(name, (given) => method(own, given));
};

/** Returns the attribute of an object, like Python's `getattr`. Returns undefined if the attribute does not exist. */
function attributeOf(object: Value, name: string): Value | undefined {
  const text = textIn(object);
  if (text !== undefined) {
    if (object instanceof Markup && ['format', 'join', 'replace'].includes(name))
      throw fault(`${name}() of the result of tojson escapes as HTML: it is not rendered here`);
    return bound(TEXT, text, name);
  }
  if (object instanceof List) return bound(LIST, object, name);
  if (object instanceof Dict) return bound(DICT, object, name);
  if (object instanceof Attributes) return object.values.get(name);
  if (!(object instanceof Tuple)) return undefined;
  const at = object.names.indexOf(name);
  return at === -1 ? bound(COUNTING, object, name) : object.items[at];
}

/** Returns the item of an object at an index or key. Returns undefined if the item does not exist. */
function itemOf(object: Value, key: Value): Value | undefined {
  if (object instanceof Dict) return object.get(key);
  const whole = wholeIn(key);
  if (whole === undefined) return undefined;
  const text = textIn(object);
  const items =
    text !== undefined
      ? Array.from(text)
      : object instanceof List ||
          object instanceof Tuple ||
          (object instanceof View && object.shown.startsWith('range'))
        ? object.items
        : undefined;
  return items?.at(Number(whole));
}

const missing = (object: Value, key: Value): Undefined =>
  new Undefined(`${shown(object).slice(0, 60)} has no ${shown(key)}`);

const refuseUndefined = (object: Value): void => {
  if (object instanceof Undefined) throw fault(object.reason);
};

/** Evaluates `object.name`: the attribute `name` if it exists, otherwise the item `name`. */
export function attribute(object: Value, name: string): Value {
  refuseUndefined(object);
  const own = attributeOf(object, name);
  const found = own === undefined ? itemOf(object, name) : own;
  if (found !== undefined) return found;
  return object instanceof Dict ||
    object instanceof List ||
    object instanceof Tuple ||
    textIn(object) !== undefined
    ? missing(object, name)
    : new Undefined(`there is no ${name}`);
}

/** Evaluates `object[key]`: the item `key` if it exists, otherwise the attribute `key`. */
export function item(object: Value, key: Value): Value {
  refuseUndefined(object);
  const name = textIn(key);
  const own = itemOf(object, key);
  const found = own === undefined && name !== undefined ? attributeOf(object, name) : own;
  return found === undefined ? new Undefined(`there is no item ${shown(key)}`) : found;
}

/** Evaluates `object[from:to:step]` for a text, a list or a tuple. */
export function sliced(
  object: Value,
  from: Value | undefined,
  to: Value | undefined,
  step: Value | undefined,
): Value {
  refuseUndefined(object);
  const text = textIn(object);
  if (text === undefined && !(object instanceof List) && !(object instanceof Tuple))
    return new Undefined('there is no such slice');
  const items = text === undefined ? itemsOf(object) : Array.from(text);
  const whole = (value: Value | undefined): number | undefined =>
    value === undefined || value === null ? undefined : countArgument('a slice', value);
  const by = whole(step) ?? 1;
  if (by === 0) throw fault('slice step cannot be zero');
  const { length } = items;
  const placed = (value: number | undefined, fallback: number): number => {
    if (value === undefined) return fallback;
    const own = value < 0 ? value + length : value;
    return by > 0 ? Math.min(Math.max(own, 0), length) : Math.min(Math.max(own, -1), length - 1);
  };
  const [start, end] = [
    placed(whole(from), by > 0 ? 0 : length - 1),
    placed(whole(to), by > 0 ? length : -1),
  ];
  const found: Value[] = [];
  for (let at = start; by > 0 ? at < end : at > end; at += by) found.push(items[at]!);
  if (text !== undefined) return found.join('');
  return object instanceof List ? new List(found) : new Tuple(found);
}
