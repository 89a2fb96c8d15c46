/** Formats numbers in decimal notation, and implements Python's operator `%` for formatting texts. */
import { fault } from './fault';
import {
  Dict,
  List,
  numberIn,
  shown,
  sized,
  textIn,
  textOf,
  toFloat,
  Tuple,
  typeOf,
  wholeIn,
  type Value,
} from './values';

/** Number of additional digits that are calculated before rounding. They distinguish an exact half from a number close to it. */
const MORE = 30;
const MOST_PLACES = 60;
/** Maximum width and precision of a formatted number, in characters. */
const WIDEST = 10_000;

/**
 * Formats a number that is not negative with this number of decimal places. Like Python, rounds the exact value of the float, and an exact
 * half to the even digit.
 */
function decimal(value: number, places: number): string {
  if (value >= 1e21 || places > MOST_PLACES) {
    if (value >= 1e21) return `${BigInt(value)}${places > 0 ? `.${'0'.repeat(places)}` : ''}`;
    throw fault(`rounds to more than ${MOST_PLACES} places`);
  }
  const [whole, fraction] = value.toFixed(places + MORE).split('.');
  const all = BigInt(whole! + fraction!);
  const unit = 10n ** BigInt(MORE);
  const [kept, rest] = [all / unit, all % unit];
  const isUp = 2n * rest > unit || (2n * rest === unit && kept % 2n === 1n);
  const digits = String(isUp ? kept + 1n : kept).padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Rounds a float to this number of decimal places, like Python's `round`. */
export function roundedFloat(value: number, places: number): number {
  if (!Number.isFinite(value)) return value;
  if (places > 22) return value;
  if (places < 0) {
    const unit = 10n ** BigInt(-places);
    const whole = roundedWhole(BigInt(decimal(Math.abs(value), 0)), unit);
    if (Number.isInteger(value)) return Math.sign(value) * Number(whole);
    throw fault('rounds a number with a fraction to tens or more');
  }
  const sign = value < 0 || Object.is(value, -0) ? -1 : 1;
  return sign * Number(decimal(Math.abs(value), places));
}

/** Rounds an integer to a multiple of `unit`. An exact half is rounded to the even multiple. */
export function roundedWhole(value: bigint, unit: bigint): bigint {
  const rest = ((value % unit) + unit) % unit;
  const below = value - rest;
  const isUp = 2n * rest > unit || (2n * rest === unit && (below / unit) % 2n !== 0n);
  return isUp ? below + unit : below;
}

/** Formats a number that is not negative with an exponent of at least two digits. `places`: number of digits after the decimal point. */
function exponential(value: number, places: number): string {
  if (value === 0) return `${decimal(0, places)}e+00`;
  const [mantissa, exponent] = value.toExponential(Math.min(100, places + MORE)).split('e');
  let power = Number(exponent);
  const all = BigInt(mantissa!.replace('.', ''));
  const unit = 10n ** BigInt(Math.min(100, places + MORE) - places);
  let digits = String(roundedWhole(all, unit) / unit);
  if (digits.length > places + 1) {
    power += 1;
    digits = digits.slice(0, -1);
  }
  const sign = power < 0 ? '-' : '+';
  return `${digits[0]!}${places > 0 ? `.${digits.slice(1)}` : ''}e${sign}${String(Math.abs(power)).padStart(2, '0')}`;
}

function general(value: number, given: number, keepsZeros: boolean): string {
  const precision = Math.max(1, given);
  const [, exponent] = exponential(value, precision - 1).split('e');
  const power = Number(exponent);
  const isPlain = power >= -4 && power < precision;
  const text = isPlain ? decimal(value, precision - 1 - power) : exponential(value, precision - 1);
  if (keepsZeros || !text.includes('.')) return text;
  const [mantissa, rest] = text.split('e');
  return mantissa!.replace(/\.?0+$/, '') + (rest === undefined ? '' : `e${rest}`);
}

interface Mark {
  flags: string;
  width: number;
  precision: number | undefined;
  kind: string;
}

function numberFor(kind: string, value: Value): bigint | number {
  const number = numberIn(value);
  if (number === undefined) throw fault(`%${kind} format: a real number is required, not ${typeOf(value)}`);
  return number;
}

function wholeText({ kind, precision = 0, flags }: Mark, value: Value): string {
  const number = numberFor(kind, value);
  if (typeof number === 'number' && (!'diu'.includes(kind) || !Number.isFinite(number)))
    throw fault(`%${kind} format: an integer is required, not float`);
  const whole = typeof number === 'number' ? BigInt(Math.trunc(number)) : number;
  const base = { x: 16, X: 16, o: 8 }[kind] ?? 10;
  const digits = (whole < 0n ? -whole : whole).toString(base).padStart(precision, '0');
  const prefix = flags.includes('#') ? ({ x: '0x', X: '0X', o: '0o' }[kind] ?? '') : '';
  return `${whole < 0n ? '-' : ''}${prefix}${kind === 'X' ? digits.toUpperCase() : digits}`;
}

function pointText({ kind, precision = 6, flags }: Mark, value: Value): string {
  const number = toFloat(numberFor(kind, value));
  const sign = number < 0 || Object.is(number, -0) ? '-' : '';
  const own = Math.abs(number);
  const lower = kind.toLowerCase();
  const text = !Number.isFinite(own)
    ? Number.isNaN(own)
      ? 'nan'
      : 'inf'
    : lower === 'f'
      ? decimal(own, precision)
      : lower === 'e'
        ? exponential(own, precision)
        : general(own, precision, flags.includes('#'));
  return sign + (kind === lower ? text : text.toUpperCase());
}

function plainText({ kind, precision }: Mark, value: Value): string {
  if (kind === 'c') {
    const text = textIn(value);
    const whole = wholeIn(value);
    if (text !== undefined && Array.from(text).length === 1) return text;
    if (whole !== undefined && whole >= 0n && whole <= 0x10_ffffn) return String.fromCodePoint(Number(whole));
    throw fault('%c requires int or char');
  }
  const text = kind === 's' ? textOf(value) : shown(value);
  return precision === undefined ? text : Array.from(text).slice(0, precision).join('');
}

function padded(text: string, { flags, width }: Mark, isNumber: boolean): string {
  const signed =
    isNumber && !text.startsWith('-') ? (/[+]/.exec(flags)?.[0] ?? / /.exec(flags)?.[0] ?? '') : '';
  const own = signed + text;
  const missing = width - Array.from(own).length;
  if (missing <= 0) return own;
  if (flags.includes('-')) return own + ' '.repeat(missing);
  if (!flags.includes('0') || !isNumber || /inf|nan/i.test(own)) return ' '.repeat(missing) + own;
  const head = /^[-+ ]?(?:0[xXo])?/.exec(own)![0];
  return head + '0'.repeat(missing) + own.slice(head.length);
}

const MARK = /%(?:\(([^)]*)\))?([-+ 0#]*)(\*|\d+)?(?:\.(\*|\d+)?)?[hlL]?(.|$)/gsu;
const WITH_POINT = /%(?:\([^)]*\))?[-+ 0#]*(?:\*|\d+)?\./su;

/** Evaluates Python's `text % given`, which formats a text. `given`: a value, or a tuple of values. Throws whenever Python would throw. */
export function formatted(text: string, given: Value): string {
  const values = given instanceof Tuple ? given.items : [given];
  const names = given instanceof Dict ? given : undefined;
  let used = 0;
  const take = (): Value => {
    const value = values[used];
    if (value === undefined) throw fault('not enough arguments for format string');
    used += 1;
    return value;
  };
  const size = (written: string | undefined): number | undefined => {
    if (written === undefined) return undefined;
    const whole = written === '*' ? wholeIn(take()) : BigInt(written);
    if (whole === undefined) throw fault('* wants int');
    if (whole > BigInt(WIDEST) || whole < -BigInt(WIDEST))
      throw fault(`formats more than ${WIDEST} characters`);
    return Number(whole);
  };
  const made = text.replaceAll(
    MARK,
    (
      whole,
      name: string | undefined,
      flags: string,
      width: string | undefined,
      places: string | undefined,
      kind: string,
    ) => {
      if (kind === '%') return '%';
      if (kind === '') throw fault('incomplete format');
      let value: Value | undefined;
      if (name !== undefined) {
        if (names === undefined) throw fault('format requires a mapping');
        value = names.get(name);
        if (value === undefined) throw fault(`the format names ${name}, which is not given`);
        used = 1;
      }
      const own = size(width) ?? 0;
      const mark: Mark = {
        flags: own < 0 ? `${flags}-` : flags,
        width: Math.abs(own),
        precision: size(places) ?? (WITH_POINT.test(whole) ? 0 : undefined),
        kind,
      };
      value ??= take();
      if ('diuxXo'.includes(kind)) return padded(wholeText(mark, value), mark, true);
      if ('eEfFgG'.includes(kind)) return padded(pointText(mark, value), mark, true);
      if ('sra'.includes(kind)) {
        if (kind === 'a') throw fault('%a is not rendered here');
        return padded(plainText(mark, value), mark, false);
      }
      if (kind === 'c') return padded(plainText(mark, value), mark, false);
      throw fault(`unsupported format character '${kind}'`);
    },
  );
  const isMapping = given instanceof Dict || given instanceof List;
  if (used < values.length && !isMapping) throw fault('not all arguments converted during string formatting');
  return sized(made);
}
