/** The filters of Jinja and Rally: `value | NAME(...)`. A filter whose result is random or depends on the machine is refused. */
import { jsonOfText } from '../../../json/exact';
import { fault } from './fault';
import { countArgument, inOrder, textArgument } from './given';
import { attribute, capitalized, item, replacedIn, stripped } from './methods';
import { formatted, roundedFloat, roundedWhole } from './printf';
import { isSatisfied } from './tests';
import {
  computed,
  Dict,
  Float,
  floatText,
  isEqual,
  isOrdered,
  isTrue,
  itemsOf,
  lengthOf,
  List,
  LONGEST,
  Markup,
  numberIn,
  Stream,
  textIn,
  textOf,
  toFloat,
  Tuple,
  typeOf,
  Undefined,
  undefinedFault,
  wholeIn,
  type Given,
  type Value,
} from './values';

type Filter = (value: Value, ...given: (Value | undefined)[]) => Value;

interface Description {
  names: readonly string[];
  apply: Filter;
}

const filter = (names: readonly string[], apply: Filter): Description => ({ names, apply });

const isGiven = (value: Value | undefined): value is Value => value !== undefined && value !== null;

// Numbers

/** Converts a text to an integer, like Python's `int()`. */
function wholeOfText(text: string, base: number): bigint | undefined {
  const own = stripped(text, undefined, 'both').toLowerCase();
  const [, sign = '', prefix = '', digits = ''] =
    /^([-+]?)(0[xob])?_?((?:[\da-z]+_)*[\da-z]+)$/.exec(own) ?? [];
  const bases: Readonly<Record<string, number>> = { '0x': 16, '0o': 8, '0b': 2 };
  if (digits === '' || (prefix !== '' && bases[prefix] !== base)) return undefined;
  const plain = digits.replaceAll('_', '');
  let found = 0n;
  for (const char of plain) {
    const digit = Number.parseInt(char, 36);
    if (Number.isNaN(digit) || digit >= base) return undefined;
    found = found * BigInt(base) + BigInt(digit);
  }
  return sign === '-' ? -found : found;
}

/** Converts a text to a float, like Python's `float()`. Returns undefined if the text is not a number. */
function floatOfText(text: string): number | undefined {
  const own = stripped(text, undefined, 'both');
  if (/^[-+]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[-+]?\d+(?:_\d+)*)?$/i.test(own))
    return Number(own.replaceAll('_', ''));
  const [, sign = '', word = ''] = /^([-+]?)(inf|infinity|nan)$/i.exec(own) ?? [];
  if (word === '') return undefined;
  return (sign === '-' ? -1 : 1) * (word.toLowerCase() === 'nan' ? Number.NaN : Infinity);
}

const floatOf = (value: Value): number | undefined => {
  const number = numberIn(value);
  if (number !== undefined) return toFloat(number);
  const text = textIn(value);
  return text === undefined ? undefined : floatOfText(text);
};

function toWhole(value: Value, fallback: Value = 0n, base: Value = 10n): Value {
  if (value instanceof Undefined) throw undefinedFault(value);
  const text = textIn(value);
  const whole = text === undefined ? wholeIn(value) : wholeOfText(text, countArgument('int', base));
  if (whole !== undefined) return whole;
  const float = floatOf(value);
  return float === undefined || !Number.isFinite(float) ? fallback : BigInt(Math.trunc(float));
}

function round(value: Value, precision: Value = 0n, method: Value = 'common'): Value {
  const places = countArgument('round', precision);
  const number = numberIn(value);
  if (number === undefined) throw fault(`round needs a number and was given a ${typeOf(value)}`);
  if (method === 'ceil' || method === 'floor') {
    const unit = toFloat(10n ** BigInt(Math.max(0, places)));
    if (places < 0) throw fault('rounds up or down to tens or more');
    return new Float(Math[method](toFloat(number) * unit) / unit);
  }
  if (method !== 'common') throw fault('round knows the methods common, ceil and floor');
  if (typeof number === 'number') return new Float(roundedFloat(number, places));
  return places >= 0 ? number : roundedWhole(number, 10n ** BigInt(-places));
}

// Items

/**
 * Returns the value at a path such as `a.b.0` inside `value`. Filters use this for their argument `attribute`. `fallback`: used instead of
 * a value that does not exist.
 */
function reach(value: Value, path: Value, fallback?: Value): Value {
  const parts: Value[] = textIn(path) === undefined ? [path] : textIn(path)!.split('.');
  return parts.reduce<Value>((found, part) => {
    const text = textIn(part);
    const next = item(found, text !== undefined && /^\d+$/.test(text) ? BigInt(text) : part);
    return next instanceof Undefined && fallback !== undefined ? fallback : next;
  }, value);
}

const folded = (value: Value, isExact: boolean): Value => {
  const text = textIn(value);
  return text === undefined || isExact ? value : text.toLowerCase();
};

const keyOf =
  (path: Value | undefined, isExact: boolean): ((value: Value) => Value) =>
  (value) =>
    folded(isGiven(path) ? reach(value, path) : value, isExact);

const sortedBy = (items: readonly Value[], key: (value: Value) => Value, isReversed: boolean): Value[] => {
  const keyed = items.map((value) => ({ value, key: key(value) }));
  keyed.sort((one, other) => {
    const [first, second] = isReversed ? [other, one] : [one, other];
    return isOrdered(first.key, '<', second.key) ? -1 : isOrdered(second.key, '<', first.key) ? 1 : 0;
  });
  return keyed.map(({ value }) => value);
};

function extreme(value: Value, operator: '<' | '>', isExact: boolean, path: Value | undefined): Value {
  const key = keyOf(path, isExact);
  const items = itemsOf(value);
  if (items.length === 0) return new Undefined('an empty list has no smallest or largest item');
  return items.reduce((best, each) => (isOrdered(key(each), operator, key(best)) ? each : best));
}

function first(value: Value): Value {
  const items = itemsOf(value);
  return items.length === 0 ? new Undefined('an empty list has no first item') : items[0]!;
}

function last(value: Value): Value {
  if (value instanceof Stream) throw fault(`'generator' object is not reversible`);
  const items = itemsOf(value);
  return items.length === 0 ? new Undefined('an empty list has no last item') : items.at(-1)!;
}

function groups(value: Value, path: Value, fallback: Value | undefined, isExact: boolean): Value {
  const key = (each: Value): Value => folded(reach(each, path, fallback), isExact);
  const found: { key: Value; grouper: Value; items: Value[] }[] = [];
  for (const each of sortedBy(itemsOf(value), key, false)) {
    const own = key(each);
    const before = found.at(-1);
    if (before !== undefined && isEqual(before.key, own)) before.items.push(each);
    else found.push({ key: own, grouper: reach(each, path, fallback), items: [each] });
  }
  return new List(
    found.map(({ grouper, items }) => new Tuple([grouper, new List(items)], ['grouper', 'list'])),
  );
}

// Text

/** Joins texts. Throws before the joined text would become too long. */
function joinedTexts(texts: readonly string[], between: string): string {
  const length = texts.reduce((sum, text) => sum + text.length + between.length, 0);
  if (length > LONGEST) throw fault(`makes a text of more than ${LONGEST} characters`);
  return texts.join(between);
}

const wordsTitled = (text: string): string =>
  text
    .split(/([-\s({[<]+)/)
    .map((part) => {
      const [head = '', ...rest] = Array.from(part);
      return head.toUpperCase() + rest.join('').toLowerCase();
    })
    .join('');

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('>', '&gt;')
    .replaceAll('<', '&lt;')
    .replaceAll("'", '&#39;')
    .replaceAll('"', '&#34;');

function indented(text: string, width: Value, isFirst: boolean, isBlank: boolean): string {
  const step = textIn(width) ?? ' '.repeat(Math.max(0, countArgument('indent', width)));
  const [head = '', ...rest] = text.split(/\r\n|[\n\r]/);
  const lines = rest.map((line) => (line !== '' || isBlank ? step + line : line));
  return [isFirst ? step + head : head, ...lines].join('\n');
}

/** Returns a text as JSON with only ASCII characters. All others are written as `\u` and four hexadecimal digits. */
const jsonText = (text: string): string =>
  jsonOfText(text).replaceAll(/[\u007f-\uffff]/g, (char) =>
    char === '\u007f' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function jsonKey(key: Value): string {
  const text = textIn(key);
  if (text !== undefined) return jsonText(text);
  if (key === null || typeof key === 'boolean' || numberIn(key) !== undefined)
    return jsonText(jsonOf(key, '', ''));
  throw fault(`a key of JSON is a text, not a ${typeOf(key)}`);
}

function jsonOf(value: Value, step: string, line: string): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Float)
    return Number.isFinite(value.value)
      ? floatText(value.value)
      : Number.isNaN(value.value)
        ? 'NaN'
        : value.value < 0
          ? '-Infinity'
          : 'Infinity';
  const text = textIn(value);
  if (text !== undefined) return jsonText(text);
  const isOpen = step !== '';
  const inner = line + step;
  const around = (open: string, parts: readonly string[], close: string): string => {
    if (parts.length === 0) return open + close;
    return isOpen
      ? `${open}${inner}${parts.join(`,${inner}`)}${line}${close}`
      : `${open}${parts.join(', ')}${close}`;
  };
  if (value instanceof List || value instanceof Tuple)
    return around(
      '[',
      value.items.map((one) => jsonOf(one, step, inner)),
      ']',
    );
  if (value instanceof Dict) {
    // Jinja sorts the keys by default.
    const pairs = sortedBy(
      value.pairs().map((pair) => new Tuple(pair)),
      (pair) => (pair as Tuple).items[0]!,
      false,
    ) as Tuple[];
    return around(
      '{',
      pairs.map(({ items: [key, inside] }) => `${jsonKey(key!)}: ${jsonOf(inside!, step, inner)}`),
      '}',
    );
  }
  if (value instanceof Undefined) throw undefinedFault(value);
  throw fault(`Object of type ${typeOf(value)} is not JSON serializable`);
}

function toJson(value: Value, indent: Value = null): Value {
  const step = indent === null ? '' : (textIn(indent) ?? ' '.repeat(countArgument('tojson', indent)));
  const text = jsonOf(value, step, step === '' ? '' : '\n');
  return new Markup(
    text.replaceAll(/[<>&']/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

function truncated(text: string, length: Value, kills: boolean, end: string, leeway: Value): string {
  const chars = Array.from(text);
  const most = countArgument('truncate', length);
  if (chars.length <= most + countArgument('truncate', leeway)) return text;
  const kept = chars.slice(0, Math.max(0, most - Array.from(end).length)).join('');
  return (kills ? kept : kept.replace(/ [^ ]*$/s, '')) + end;
}

// Dates of Rally

const DAY_MS = 86_400_000;
const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function dayOf(value: Value): number {
  const [, day, month, year] = /^(\d\d?)-(\d\d?)-(\d{4})$/.exec(textOf(value)) ?? [];
  if (year === undefined) throw fault(`${jsonOfText(textOf(value))} is not a date such as 15-05-1998`);
  return Date.UTC(Number(year), Number(month) - 1, Number(day));
}

const secondsOf = (value: Value | undefined): number => {
  const found = value === undefined ? undefined : floatOf(value);
  if (found === undefined || !Number.isFinite(found)) throw fault('needs a time such as now');
  return found;
};

const FILTERS: ReadonlyMap<string, Description> = new Map<string, Description>([
  ['default', filter(['default_value', 'boolean'], (value, other = '', isLoose = false) =>
      value instanceof Undefined || (isTrue(isLoose) && !isTrue(value)) ? other : value)],
  ['length', filter([], (value) => BigInt(lengthOf(value)))],
  ['tojson', filter(['indent'], toJson)],
  ['string', filter([], (value) => (value instanceof Markup ? value : textOf(value)))],
  ['upper', filter([], (value) => textOf(value).toUpperCase())],
  ['lower', filter([], (value) => textOf(value).toLowerCase())],
  ['capitalize', filter([], (value) => capitalized(textOf(value)))],
  ['title', filter([], (value) => wordsTitled(textOf(value)))],
  ['trim', filter(['chars'], (value, chars) =>
      stripped(textOf(value), isGiven(chars) ? textArgument('trim', chars) : undefined, 'both'))],
  ['replace', filter(['old', 'new', 'count'], (value, old = '', by = '', count = null) =>
      replacedIn(textOf(value), textOf(old), textOf(by), count === null ? -1 : countArgument('replace', count)))],
  ['format', filter([], () => null)],
  ['indent', filter(['width', 'first', 'blank'], (value, width = 4n, isFirst = false, isBlank = false) =>
      indented(textArgument('indent', value), width, isTrue(isFirst), isTrue(isBlank)))],
  ['center', filter(['width'], (value, width = 80n) => {
      const text = textOf(value);
      const { length } = Array.from(text);
      const wide = countArgument('center', width);
      const missing = Math.max(0, wide - length);
      const left = Math.floor(missing / 2) + (missing % 2 === 1 && wide % 2 === 1 ? 1 : 0);
      return ' '.repeat(left) + text + ' '.repeat(missing - left);
    })],
  ['truncate', filter(['length', 'killwords', 'end', 'leeway'], (value, length = 255n, kills = false, end = '...', leeway = 5n) =>
      truncated(textOf(value), length, isTrue(kills), textOf(end), leeway))],
  ['wordcount', filter([], (value) => BigInt(textOf(value).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0))],
  ['urlencode', filter([], (value) => {
      if (textIn(value) === undefined && numberIn(value) === undefined) throw fault('urlencode needs a text');
      return encodeURIComponent(textOf(value)).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`).replaceAll('%2F', '/');
    })],
  ['escape', filter([], (value) => (value instanceof Markup ? value : new Markup(escaped(textOf(value)))))],
  ['forceescape', filter([], (value) => new Markup(escaped(textOf(value))))],
  ['safe', filter([], (value) => new Markup(textOf(value)))],
  ['int', filter(['default', 'base'], (value, fallback, base) => toWhole(value, fallback, base))],
  ['float', filter(['default'], (value, fallback = new Float(0)) => {
      if (value instanceof Undefined) throw undefinedFault(value);
      const found = floatOf(value);
      return found === undefined ? fallback : new Float(found);
    })],
  ['abs', filter([], (value) => {
      const number = numberIn(value);
      if (value instanceof Undefined) throw undefinedFault(value);
      if (number === undefined) throw fault(`bad operand type for abs(): '${typeOf(value)}'`);
      return typeof number === 'bigint' ? (number < 0n ? -number : number) : new Float(Math.abs(number));
    })],
  ['round', filter(['precision', 'method'], (value, precision, method) => {
      if (value instanceof Undefined) throw undefinedFault(value);
      return round(value, precision, method);
    })],
  ['sum', filter(['attribute', 'start'], (value, path, start = 0n) =>
      itemsOf(value).reduce<Value>((sum, one) => computed('+', sum, isGiven(path) ? reach(one, path) : one), start))],
  ['min', filter(['case_sensitive', 'attribute'], (value, isExact = false, path) => extreme(value, '<', isTrue(isExact), path))],
  ['max', filter(['case_sensitive', 'attribute'], (value, isExact = false, path) => extreme(value, '>', isTrue(isExact), path))],
  ['first', filter([], first)],
  ['last', filter([], last)],
  ['join', filter(['d', 'attribute'], (value, between = '', path) =>
      joinedTexts(itemsOf(value).map((one) => textOf(isGiven(path) ? reach(one, path) : one)), textOf(between)))],
  ['list', filter([], (value) => new List([...itemsOf(value)]))],
  ['reverse', filter([], (value) => {
      const text = textIn(value);
      if (text !== undefined) return Array.from(text).reverse().join('');
      if (value instanceof Stream) return new List([...itemsOf(value)].reverse());
      return new Stream([...itemsOf(value)].reverse());
    })],
  ['sort', filter(['reverse', 'case_sensitive', 'attribute'], (value, isReversed = false, isExact = false, path) => {
      const paths = path !== undefined && path !== null && textIn(path)?.includes(',') === true
        ? textIn(path)!.split(',').map((one) => one.trim()) : undefined;
      const key = paths === undefined ? keyOf(path, isTrue(isExact))
        : (one: Value): Value => new Tuple(paths.map((each) => folded(reach(one, each), isTrue(isExact))));
      return new List(sortedBy(itemsOf(value), key, isTrue(isReversed)));
    })],
  ['unique', filter(['case_sensitive', 'attribute'], (value, isExact = false, path) => {
      const key = keyOf(path, isTrue(isExact));
      const seen = new Dict();
      return new Stream(itemsOf(value).filter((one) => {
        const own = key(one);
        const isNew = seen.get(own) === undefined;
        seen.set(own, true);
        return isNew;
      }));
    })],
  ['dictsort', filter(['case_sensitive', 'by', 'reverse'], (value, isExact = false, by = 'key', isReversed = false) => {
      if (!(value instanceof Dict)) throw fault(`dictsort needs a dictionary and was given a ${typeOf(value)}`);
      if (by !== 'key' && by !== 'value') throw fault('dictsort sorts by key or by value');
      const pairs = value.pairs().map((pair) => new Tuple(pair));
      return new List(sortedBy(pairs, (pair) => folded((pair as Tuple).items[by === 'key' ? 0 : 1]!, isTrue(isExact)), isTrue(isReversed)));
    })],
  ['items', filter([], (value) => {
      if (value instanceof Undefined) return new Stream([]);
      if (!(value instanceof Dict)) throw fault('items needs a dictionary');
      return new Stream(value.pairs().map((pair) => new Tuple(pair)));
    })],
  ['batch', filter(['linecount', 'fill_with'], (value, size = null, fill = null) => {
      const many = countArgument('batch', size);
      if (many < 1) throw fault('batch needs a number of at least 1');
      const items = [...itemsOf(value)];
      const rows: Value[] = [];
      while (items.length > 0) {
        const row = items.splice(0, many);
        while (fill !== null && row.length < many) row.push(fill);
        rows.push(new List(row));
      }
      return new Stream(rows);
    })],
  ['slice', filter(['slices', 'fill_with'], (value, slices = null, fill = null) => {
      const many = countArgument('slice', slices);
      if (many < 1) throw fault('slice needs a number of at least 1');
      const items = itemsOf(value);
      const [each, more] = [Math.floor(items.length / many), items.length % many];
      return new Stream(Array.from({ length: many }, (_, at) => {
        const start = at * each + Math.min(at, more);
        const row = items.slice(start, start + each + (at < more ? 1 : 0));
        return new List(fill !== null && at >= more ? [...row, fill] : [...row]);
      }));
    })],
  ['groupby', filter(['attribute', 'default', 'case_sensitive'], (value, path = null, fallback, isExact = false) =>
      groups(value, path, fallback === null ? undefined : fallback, isTrue(isExact)))],
  ['attr', filter(['name'], (value, name) => attribute(value, textArgument('attr', name)))],
  // Filters of Rally.
  ['days_ago', filter(['start_date', 'now'], (value, now) =>
      BigInt(Math.floor((secondsOf(now) * 1000 - dayOf(value)) / DAY_MS)))],
  ['get_start_date', filter([], (value) => isoDay(secondsOf(value) * 1000))],
  ['get_end_date', filter(['days'], (value, days = 1n) => isoDay(secondsOf(value) * 1000 + secondsOf(days) * DAY_MS))],
]); // oxfmt-ignore

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['d', 'default'],
  ['count', 'length'],
  ['e', 'escape'],
]);

/** Filters that select items of a list. They apply a Jinja test, such as `defined`, to each item or to an attribute of it. */
const PICKING: ReadonlySet<string> = new Set(['select', 'reject', 'selectattr', 'rejectattr']);

export const isFilter = (name: string): boolean =>
  FILTERS.has(name) || ALIASES.has(name) || PICKING.has(name) || name === 'map';

function picked(name: string, value: Value, { positional }: Given): Value {
  const ofAttribute = name.endsWith('attr');
  const wanted = name.startsWith('select');
  const path = ofAttribute ? positional[0] : undefined;
  const rest = ofAttribute ? positional.slice(1) : positional;
  if (ofAttribute && path === undefined) throw fault(`${name} needs the name of an attribute`);
  const [test, ...args] = rest;
  const holds = (one: Value): boolean => {
    const own = path === undefined ? one : reach(one, path);
    return test === undefined ? isTrue(own) : isSatisfied(textArgument(name, test), own, args, isFilter);
  };
  return new Stream(itemsOf(value).filter((one) => holds(one) === wanted));
}

function mapped(value: Value, { positional, named }: Given): Value {
  const items = itemsOf(value);
  const path = named.get('attribute');
  if (positional.length === 0) {
    if (path === undefined) throw fault('map needs a filter or an attribute');
    const fallback = named.get('default');
    return new Stream(items.map((one) => reach(one, path, fallback)));
  }
  const [name, ...rest] = positional;
  return new Stream(
    items.map((one) => filtered(textArgument('map', name), one, { positional: rest, named })),
  );
}

/** Evaluates the filter expression `value | name(given)`. `given`: arguments of the filter. Throws if the filter is unknown. */
export function filtered(name: string, value: Value, given: Given): Value {
  if (PICKING.has(name)) return picked(name, value, given);
  if (name === 'map') return mapped(value, given);
  const { positional, named } = given;
  if (name === 'format') {
    if (positional.length > 0 && named.size > 0)
      throw fault('format takes either values or names with values');
    const own =
      named.size > 0 ? new Dict([...named].map(([key, one]) => [key, one] as const)) : new Tuple(positional);
    if (value instanceof Markup)
      throw fault('format of the result of tojson escapes as HTML: it is not rendered here');
    return formatted(textOf(value), own);
  }
  const found = FILTERS.get(ALIASES.get(name) ?? name);
  if (found === undefined) {
    throw fault(
      name === 'random'
        ? 'the filter random returns a different value each time, so it cannot be imported'
        : `the filter ${name} is unknown`,
    );
  }
  return found.apply(value, ...inOrder(`the filter ${name}`, given, found.names));
}
