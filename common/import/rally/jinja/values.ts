/** Values in templates. They behave like in Python: conversion to text, truth, equality, order and arithmetic. */
import { exactText, isExactNumber, plainKey, stringifyPlain } from '../../../json/exact';
import { fault } from './fault';

/** A float of Python. Python's integers are represented by `bigint`. */
export class Float {
  constructor(readonly value: number) {}
}

/** A list of Python. */
export class List {
  constructor(readonly items: Value[]) {}
}

export class Tuple {
  /** `names`: names of the items, if this is a named tuple. */
  constructor(
    readonly items: readonly Value[],
    readonly names: readonly string[] = [],
  ) {}
}

/** Result of a filter such as `map`. Like a generator in Python, it can be read only once. */
export class Stream {
  private isRead = false;

  constructor(private readonly items: readonly Value[]) {}

  read(): readonly Value[] {
    if (this.isRead) return [];
    this.isRead = true;
    return this.items;
  }
}

/** A range, or the keys, values or items of a dictionary. `shown`: text that Python displays for this object. */
export class View {
  constructor(
    readonly items: readonly Value[],
    readonly shown: string,
  ) {}
}

export class Dict {
  private readonly entries = new Map<string, readonly [Value, Value]>();

  constructor(entries: Iterable<readonly [Value, Value]> = []) {
    for (const [key, value] of entries) this.set(key, value);
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: Value): Value | undefined {
    return this.entries.get(hashOf(key))?.[1];
  }

  set(key: Value, value: Value): void {
    const hash = hashOf(key);
    // If a key is set again, its first notation is kept: in Python, 1 and 1.0 are the same key.
    this.entries.set(hash, [this.entries.get(hash)?.[0] ?? key, value]);
  }

  delete(key: Value): void {
    this.entries.delete(hashOf(key));
  }

  pairs(): (readonly [Value, Value])[] {
    return [...this.entries.values()];
  }

  keys(): Value[] {
    return this.pairs().map(([key]) => key);
  }
}

/** A missing value, such as a variable that does not exist. It is rendered as an empty text. Most operations with it are errors. */
export class Undefined {
  constructor(readonly reason: string) {}
}

/** A text that Jinja treats as HTML, such as the result of the filter `tojson`. */
export class Markup {
  constructor(readonly text: string) {}
}

export interface Given {
  positional: readonly Value[];
  named: ReadonlyMap<string, Value>;
}

export class Callable {
  constructor(
    readonly name: string,
    readonly call: (given: Given) => Value,
  ) {}
}

/** An object with attributes: the result of `namespace()`, the variable `loop`, or an imported helper. */
export class Attributes {
  constructor(
    readonly kind: string,
    readonly values: Map<string, Value>,
  ) {}
}

export type Value =
  | null
  | boolean
  | bigint
  | string
  | Float
  | List
  | Tuple
  | Stream
  | View
  | Dict
  | Undefined
  | Markup
  | Callable
  | Attributes;

/** Maximum length of a text, in characters. */
export const LONGEST = 50_000_000;
/** Maximum number of digits of an integer that Python converts to text. */
const MOST_DIGITS = 4300;
const LARGEST = 10n ** BigInt(MOST_DIGITS);

export function sized(text: string): string {
  if (text.length > LONGEST) throw fault(`makes a text of more than ${LONGEST} characters`);
  return text;
}

function held(value: bigint): bigint {
  if (value >= LARGEST || value <= -LARGEST)
    throw fault(`computes a number of more than ${MOST_DIGITS} digits`);
  return value;
}

/** Returns the name of a value's type in Python. */
export function typeOf(value: Value): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'string') return 'str';
  if (value instanceof Float) return 'float';
  if (value instanceof List) return 'list';
  if (value instanceof Tuple) return 'tuple';
  if (value instanceof Dict) return 'dict';
  if (value instanceof Stream) return 'generator';
  if (value instanceof View) return value.shown.replace(/\(.*/s, '');
  if (value instanceof Undefined) return 'Undefined';
  if (value instanceof Markup) return 'Markup';
  return value instanceof Callable ? 'function' : value.kind;
}

export const undefinedFault = ({ reason }: Undefined): Error => fault(reason);

/** Returns a string value as it is, and the text of a {@link Markup} object. Returns undefined for every other value. */
export const textIn = (value: Value): string | undefined =>
  typeof value === 'string' ? value : value instanceof Markup ? value.text : undefined;

// Text

const digitsOf = (value: number): { digits: string; exponent: number } => {
  const [mantissa, exponent] = value.toExponential().split('e');
  return { digits: mantissa!.replace('.', ''), exponent: Number(exponent) };
};

const exponentText = (exponent: number): string =>
  `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;

/** Formats a float like Python: with as few digits as identify it. Floats below 1e-4 and from 1e16 have an exponent. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const { digits, exponent } = digitsOf(Math.abs(value));
  if (exponent < -4 || exponent >= 16)
    return `${sign}${digits[0]!}${digits.length > 1 ? `.${digits.slice(1)}` : ''}${exponentText(exponent)}`;
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}

const QUOTED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

function quotedText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = Array.from(text, (char) => {
    if (char === quote) return `\\${char}`;
    if (QUOTED[char] !== undefined) return QUOTED[char];
    if (!UNPRINTABLE.test(char)) return char;
    const code = char.codePointAt(0)!.toString(16);
    if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
    return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
  });
  return `${quote}${inner.join('')}${quote}`;
}

/** Converts a value that is inside another value, such as an item of a list, to text, like Python's `repr`. */
export function shown(value: Value): string {
  if (typeof value === 'string') return quotedText(value);
  if (value instanceof Markup) return `Markup(${quotedText(value.text)})`;
  if (value instanceof List) return `[${value.items.map(shown).join(', ')}]`;
  if (value instanceof Tuple)
    return `(${value.items.map(shown).join(', ')}${value.items.length === 1 ? ',' : ''})`;
  if (value instanceof Dict)
    return `{${value
      .pairs()
      .map(([key, inner]) => `${shown(key)}: ${shown(inner)}`)
      .join(', ')}}`;
  if (value instanceof Undefined) return 'Undefined';
  return textOf(value);
}

/** Converts a value to the text that a template outputs for it, like Python's `str`. */
export function textOf(value: Value): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return String(held(value));
  if (typeof value === 'string') return value;
  if (value instanceof Float) return floatText(value.value);
  if (value instanceof Markup) return value.text;
  if (value instanceof Undefined) return '';
  if (value instanceof View) return value.shown;
  if (value instanceof List || value instanceof Tuple || value instanceof Dict) return sized(shown(value));
  throw fault(`writes out a ${typeOf(value)}, whose text differs from run to run`);
}

// Truth, equality, order

export function isTrue(value: Value): boolean {
  if (value === null || value instanceof Undefined) return false;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return value !== 0n;
  if (value instanceof Float) return value.value !== 0;
  const text = textIn(value);
  if (text !== undefined) return text !== '';
  if (value instanceof List || value instanceof Tuple || value instanceof View) return value.items.length > 0;
  return value instanceof Dict ? value.size > 0 : true;
}

/**
 * Returns the number that a value represents: a bigint for an integer, a number for a float. As in Python, false is 0 and true is 1.
 * Returns undefined if the value is not a number.
 */
export function numberIn(value: Value): bigint | number | undefined {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'bigint') return value;
  return value instanceof Float ? value.value : undefined;
}

/** Returns an integer. Returns undefined if the value is not an integer. */
export function wholeIn(value: Value): bigint | undefined {
  const number = numberIn(value);
  return typeof number === 'bigint' ? number : undefined;
}

const areEqual = (one: readonly Value[], other: readonly Value[]): boolean =>
  one.length === other.length && one.every((item, at) => isEqual(item, other[at]!));

export function isEqual(one: Value, other: Value): boolean {
  const [first, second] = [numberIn(one), numberIn(other)];
  // JavaScript's `==` compares a `bigint` and a number exactly.
  if (first !== undefined || second !== undefined) return first !== undefined && first == second;
  const text = textIn(one);
  if (text !== undefined) return text === textIn(other);
  if (one instanceof List && other instanceof List) return areEqual(one.items, other.items);
  if (one instanceof Tuple && other instanceof Tuple) return areEqual(one.items, other.items);
  if (one instanceof Dict && other instanceof Dict)
    return (
      one.size === other.size &&
      one.pairs().every(([key, value]) => {
        const found = other.get(key);
        return found !== undefined && isEqual(value, found);
      })
    );
  if (
    one instanceof View &&
    other instanceof View &&
    one.shown.startsWith('range') &&
    other.shown.startsWith('range')
  )
    return areEqual(one.items, other.items);
  if (one instanceof Undefined) return other instanceof Undefined;
  return one === other;
}

/** Compares two texts by code points, like Python. */
function compareTexts(one: string, other: string): number {
  const [first, second] = [Array.from(one), Array.from(other)];
  const at = first.findIndex((char, place) => char !== second[place]);
  if (at === -1) return first.length - second.length;
  return second[at] === undefined ? 1 : first[at]!.codePointAt(0)! - second[at].codePointAt(0)!;
}

/** Evaluates `one operator other` for an operator such as `<`. Throws if the values cannot be compared. */
export function isOrdered(one: Value, operator: '<' | '<=' | '>' | '>=', other: Value): boolean {
  const holds = (sign: number): boolean =>
    operator === '<' ? sign < 0 : operator === '<=' ? sign <= 0 : operator === '>' ? sign > 0 : sign >= 0;
  const [first, second] = [numberIn(one), numberIn(other)];
  if (first !== undefined && second !== undefined) {
    if (Number.isNaN(first) || Number.isNaN(second)) return false;
    return holds(first < second ? -1 : first > second ? 1 : 0);
  }
  const [text, otherText] = [textIn(one), textIn(other)];
  if (text !== undefined && otherText !== undefined) return holds(compareTexts(text, otherText));
  if ((one instanceof List && other instanceof List) || (one instanceof Tuple && other instanceof Tuple)) {
    const at = one.items.findIndex((item, place) => {
      const beside = other.items[place];
      return beside === undefined || !isEqual(item, beside);
    });
    if (at === -1) return holds(one.items.length - other.items.length);
    const beside = other.items[at];
    return beside === undefined ? holds(1) : isOrdered(one.items[at]!, operator, beside);
  }
  for (const each of [one, other]) if (each instanceof Undefined) throw undefinedFault(each);
  throw fault(`'${operator}' not supported between instances of '${typeOf(one)}' and '${typeOf(other)}'`);
}

/** Returns a text that is the same for equal values, as a key of a dictionary. */
function hashOf(value: Value): string {
  const number = numberIn(value);
  if (number !== undefined)
    return typeof number === 'number' && Number.isInteger(number) ? `n${BigInt(number)}` : `n${number}`;
  const text = textIn(value);
  if (text !== undefined) return `s${text}`;
  if (value === null) return 'N';
  if (value instanceof Tuple) return `t${stringifyPlain(value.items.map(hashOf))}`;
  if (value instanceof Undefined) return 'u';
  throw fault(`unhashable type: '${typeOf(value)}'`);
}

// Items

/** Returns the items of a value over which a loop can run. Throws for other values. */
export function itemsOf(value: Value): readonly Value[] {
  if (value instanceof List) return [...value.items];
  if (value instanceof Tuple || value instanceof View) return value.items;
  if (value instanceof Stream) return value.read();
  if (value instanceof Dict) return value.keys();
  if (value instanceof Undefined) return [];
  const text = textIn(value);
  if (text !== undefined) return Array.from(text);
  throw fault(`'${typeOf(value)}' object is not iterable`);
}

export function lengthOf(value: Value): number {
  if (value instanceof Stream || value instanceof Callable || value instanceof Attributes)
    throw fault(`object of type '${typeOf(value)}' has no len()`);
  if (value instanceof Dict) return value.size;
  if (value === null || numberIn(value) !== undefined)
    throw fault(`object of type '${typeOf(value)}' has no len()`);
  return itemsOf(value).length;
}

/** Evaluates `item in value`. */
export function holds(value: Value, item: Value): boolean {
  const text = textIn(value);
  if (text !== undefined) {
    const part = textIn(item);
    if (part === undefined) throw fault(`'in <string>' requires string as left operand, not ${typeOf(item)}`);
    return text.includes(part);
  }
  if (value instanceof Dict) return value.get(item) !== undefined;
  if (value === null || numberIn(value) !== undefined)
    throw fault(`argument of type '${typeOf(value)}' is not iterable`);
  return itemsOf(value).some((one) => isEqual(one, item));
}

// Arithmetic

/** Converts an integer to a float. Throws if the integer is too large. */
export function toFloat(value: bigint | number): number {
  const number = Number(value);
  if (typeof value === 'bigint' && !Number.isFinite(number)) throw fault('int too large to convert to float');
  return number;
}

/** Returns the quotient of two integers as a float. As in Python, the exact quotient is rounded once. */
function quotient(left: bigint, right: bigint): number {
  if (Number.isSafeInteger(Number(left)) && Number.isSafeInteger(Number(right)))
    return Number(left) / Number(right);
  const isNegative = left < 0n !== right < 0n;
  const [over, under] = [left < 0n ? -left : left, right < 0n ? -right : right];
  // The quotient is calculated with more bits than a float has. If there is a remainder, one further bit is set, so that the quotient is
  // rounded correctly.
  const shift = Math.max(0, 80 - (over.toString(2).length - under.toString(2).length));
  const scaled = over << BigInt(shift);
  const bits = ((scaled / under) << 1n) | (scaled % under === 0n ? 0n : 1n);
  const found = toFloat(bits) / 2 ** (shift + 1);
  return isNegative ? -found : found;
}

function divided(left: number, right: number): { quotient: number; rest: number } {
  let rest = left % right;
  let whole = (left - rest) / right;
  if (rest !== 0) {
    if (right < 0 !== rest < 0) {
      rest += right;
      whole -= 1;
    }
  } else rest = Object.is(right, -0) || right < 0 ? -0 : 0;
  if (whole === 0) return { quotient: left / right < 0 || Object.is(left / right, -0) ? -0 : 0, rest };
  const floor = Math.floor(whole);
  return { quotient: whole - floor > 0.5 ? floor + 1 : floor, rest };
}

function floorQuotient(left: bigint, right: bigint): bigint {
  const whole = left / right;
  return left % right !== 0n && left < 0n !== right < 0n ? whole - 1n : whole;
}

function power(base: bigint, exponent: bigint): Value {
  if (exponent < 0n) {
    if (base === 0n) throw fault('0.0 cannot be raised to a negative power');
    return new Float(floatPower(toFloat(base), toFloat(exponent)));
  }
  const digits = (base < 0n ? -base : base).toString().length;
  if (base !== 1n && base !== -1n && base !== 0n && exponent * BigInt(digits) > BigInt(2 * MOST_DIGITS))
    throw fault(`computes a number of more than ${MOST_DIGITS} digits`);
  if (exponent > 10_000n) return base === -1n && exponent % 2n === 1n ? -1n : base === 0n ? 0n : 1n;
  return held(base ** exponent);
}

function ofWhole(operator: string, left: bigint, right: bigint): Value {
  if (right === 0n && ['/', '//', '%'].includes(operator))
    throw fault(operator === '/' ? 'division by zero' : 'integer division or modulo by zero');
  switch (operator) {
    case '+':
      return held(left + right);
    case '-':
      return held(left - right);
    case '*':
      return held(left * right);
    case '/':
      return new Float(quotient(left, right));
    case '//':
      return floorQuotient(left, right);
    case '%':
      return left - floorQuotient(left, right) * right;
    default:
      return power(left, right);
  }
}

function ofFloats(operator: string, left: number, right: number): Value {
  if (right === 0 && ['/', '//', '%'].includes(operator)) throw fault('float division by zero');
  switch (operator) {
    case '+':
      return new Float(left + right);
    case '-':
      return new Float(left - right);
    case '*':
      return new Float(left * right);
    case '/':
      return new Float(left / right);
    case '//':
      return new Float(divided(left, right).quotient);
    case '%':
      return new Float(divided(left, right).rest);
    default:
      return new Float(floatPower(left, right));
  }
}

/** Maximum exponent of a power of floats. Larger ones would take too long to calculate exactly. */
const LARGEST_EXPONENT = 1000;

/**
 * Returns `base` to the power of `exponent`. Supports only exponents for which Dyno can round the result like Python: whole numbers up to a
 * limit, and 0.5. Throws for all others.
 */
function floatPower(base: number, exponent: number): number {
  if (base === 1 || exponent === 0) return 1;
  if (exponent === 1) return base;
  if (base === 0 && exponent < 0) throw fault('0.0 cannot be raised to a negative power');
  if (exponent === 0.5 && base >= 0) return Math.sqrt(base);
  if (!Number.isInteger(exponent) || Math.abs(exponent) > LARGEST_EXPONENT || !Number.isFinite(base))
    throw fault(`computes ${floatText(base)} ** ${floatText(exponent)}, which is not rendered here`);
  if (base === 0) return base ** exponent;
  // Now base = whole * 2 ** -bits.
  let [whole, bits] = [base, 0];
  while (!Number.isInteger(whole)) {
    whole *= 2;
    bits += 1;
  }
  const times = BigInt(Math.abs(exponent));
  const [over, under] = [BigInt(whole) ** times, 2n ** (BigInt(bits) * times)];
  const found = exponent > 0 ? quotient(over, under) : quotient(under, over);
  if (!Number.isFinite(found)) throw fault('the result of a power is too large');
  return found;
}

function repeated(value: Value, times: bigint): Value | undefined {
  const count = times < 0n ? 0 : Number(times);
  const text = textIn(value);
  if (text !== undefined) {
    if (text.length * count > LONGEST) throw fault(`makes a text of more than ${LONGEST} characters`);
    return value instanceof Markup ? new Markup(text.repeat(count)) : text.repeat(count);
  }
  if (!(value instanceof List) && !(value instanceof Tuple)) return undefined;
  if (value.items.length * count > 100_000) throw fault('makes a list of more than 100000 items');
  const items = Array.from({ length: count }, () => value.items).flat();
  return value instanceof List ? new List(items) : new Tuple(items);
}

function joined(left: Value, right: Value): Value | undefined {
  const [text, other] = [textIn(left), textIn(right)];
  if (text !== undefined && other !== undefined) {
    if (left instanceof Markup || right instanceof Markup)
      throw fault('adds to the result of tojson, which Jinja escapes as HTML: use ~');
    return sized(text + other);
  }
  if (left instanceof List && right instanceof List) return new List([...left.items, ...right.items]);
  if (left instanceof Tuple && right instanceof Tuple) return new Tuple([...left.items, ...right.items]);
  return undefined;
}

/** Evaluates `left operator right` for `+ - * / // % **`. The operator `%` with a text on the left is not included; see printf.ts. */
export function computed(operator: string, left: Value, right: Value): Value {
  for (const each of [left, right]) if (each instanceof Undefined) throw undefinedFault(each);
  const [first, second] = [numberIn(left), numberIn(right)];
  if (typeof first === 'bigint' && typeof second === 'bigint') return ofWhole(operator, first, second);
  if (first !== undefined && second !== undefined) return ofFloats(operator, toFloat(first), toFloat(second));
  let found: Value | undefined;
  if (operator === '+') found = joined(left, right);
  else if (operator === '*')
    found =
      typeof second === 'bigint'
        ? repeated(left, second)
        : typeof first === 'bigint'
          ? repeated(right, first)
          : undefined;
  if (found !== undefined) return found;
  throw fault(`unsupported operand type(s) for ${operator}: '${typeOf(left)}' and '${typeOf(right)}'`);
}

// From and to JavaScript

/**
 * Converts a value outside of templates, such as a parameter of the track, to a value in a template. Numbers must be in the notation of
 * `common/json/exact.ts`. As in Python, a number is an integer if it has neither a decimal point nor an exponent.
 */
export function valueOf(given: unknown): Value {
  if (given === null || typeof given === 'boolean') return given;
  if (typeof given === 'string') {
    const text = exactText(given);
    if (!isExactNumber(given)) return text;
    return /^-?\d+$/.test(text) ? BigInt(text) : new Float(Number(text));
  }
  if (typeof given === 'number') return Number.isSafeInteger(given) ? BigInt(given) : new Float(given);
  if (Array.isArray(given)) return new List(given.map(valueOf));
  if (typeof given === 'object')
    return new Dict(Object.entries(given).map(([key, inner]) => [plainKey(key), valueOf(inner)] as const));
  return new Undefined('a parameter has no value');
}
